// Package export implements the command `terraform-provider-enms export`, which writes the
// objects of a server as configuration.
//
// The files in the order of their work:
//
//	command.go     the command: options, help, progress
//	options.go     what it is told
//	start.go       one export from beginning to end
//	read.go        the objects of the server, as imports bring them
//	selection.go   which of them are exported
//	leaveout.go    which of those cannot be created anew
//	run.go         what is read becomes files
//	addresses.go   identifiers from names
//	object.go      an object, and its attributes as its kind's table has them
//	references.go  names as references to other blocks
//	circles.go     circles of references, and where they are broken
//	inventory.go   devices and links as CSV files
//	edges.go       the edges of a workflow as one block
//	layouts.go     where services and nodes stand, and labels
//	secrets.go     secrets as variables
//	code.go        long texts as files of their own
//	module.go      a module: what it is given and what it returns
//	modules.go     which module holds what, and the modules' own files
//	file.go        configuration, block by block, on hclwrite
//	expression.go  values as expressions
//	text.go        texts as quoted strings and heredocs
//	findings.go    what somebody should look at: code that names objects, possible secrets
//	report.go      report.json;  readme.go  README.md
//	directory.go   all files or none
//
// and into a directory that holds code:
//
//	back.go        round by round, until nothing is left to change
//	record.go      what the server had at the last export
//	match.go       the objects of the server in the code;  csvtable.go  in CSV files
//	given.go       the addresses that the code decides
//	update.go      values that the server has changed;  csvmerge.go  in CSV files
//	additions.go   what is new;  removals.go  what is gone
//	inplace.go     all files change or none
//	existing/      configuration that people have edited
package export
