// Package export implements the command `terraform-provider-enms export`, which writes the
// objects of a server as configuration.
//
// An export has two parts. The first makes new configuration from the objects of the server. If
// the directory already contains configuration, the second compares that with the new one, and
// changes only what the server has changed since the last export. In the source, "code" is the
// configuration that exists, and "fresh" is what a new export would write.
//
// # A new export
//
// In the order of their work:
//
//	command.go     the command: options, help, progress
//	options.go     the options; the names of files
//	start.go       one export from beginning to end
//	read.go        reads the objects of the server
//	selection.go   selects which of them are exported
//	leaveout.go    leaves out those that cannot be created on another server
//	run.go         makes the files
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
//	back.go        compares in rounds, until nothing is left to change
//	record.go      the record of the last export, in .enms-export.json: digests of what the
//	               server had
//	match.go       finds the objects of the server in the code;  csvtable.go  in CSV files
//	given.go       what the code decides for the new configuration: addresses, keys, tables
//	update.go      changes values that the server has changed;  csvmerge.go  in CSV files
//	additions.go   adds new objects;  removals.go  removes objects that are gone
//	inplace.go     writes changed files: all or none
//	existing/      reads, evaluates and edits configuration
//
// What to change is decided by three values of an attribute: in the code, on the server, and the
// digest in the record. If the server's value differs from the digest, the server has changed it,
// and the code gets the new value (unit.hasChanged, update.change). If only the code differs,
// somebody has edited it, and it remains. For each of them, a place (existing.Place) says in
// which file, block and member the value is written.
package export
