// Package export implements the command `terraform-provider-enms export`, which writes the
// objects of a server as configuration.
//
// A new export makes configuration from the objects of the server. If the directory already has
// configuration, package exportmerge merges the new one into it. In the source, "code" is the
// configuration that exists, and "fresh" is what a new export would write.
//
// # A new export
//
// In the order of their work:
//
//	command.go     the command, its output and its exit status
//	options.go     the options, their help and their parsing; the names of files
//	run.go         one export from beginning to end
//	read.go        reads the objects of the server
//	found.go       what was read
//	selection.go   selects which of them are exported
//	leaveout.go    leaves out those that cannot be created on another server
//	exporter.go    makes the files
//	addresses.go   labels and file names from names
//	object.go      an object, and its attributes by the table of its kind
//	references.go  references in place of names
//	circles.go     circles of references, and where to break them
//	inventory.go   devices and links as CSV files
//	edges.go       the edges of a workflow as one block
//	layouts.go     positions of services and nodes, and labels
//	secrets.go     variables for secrets
//	code.go        long strings as files
//	module.go      a module, with its inputs and outputs
//	modules.go     which module contains what; the modules' own files
//	file.go        configuration, block by block (hclwrite)
//	expression.go  values as expressions
//	text.go        strings, in quotes or as heredocs
//	findings.go    what somebody should check: names of objects in code, possible secrets
//	report.go      report.json;  readme.go  README.md
//	directory.go   writes a directory: all files or none
//
// # An export into existing code
//
//	record.go      the record of the export, in .enms-export.json; the objects as exportmerge knows them
//	decided.go     what the code decides for the new configuration: addresses, keys, tables
//	existing.go    has the objects found in the code, and the new configuration merged into it
//	inplace.go     writes changed files: all or none
package export
