// Package export implements the command `terraform-provider-enms export`, which writes the
// objects of a server as configuration.
//
// A new export makes configuration from the objects of the server. If the directory already has
// configuration, package exportmerge merges the new one into it. In the source, "code" is the
// configuration that exists, and "exported" is what a new export would write. "Texts" are scripts and other
// long strings of objects, which become files in the directory code/.
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
//	selection.go   selects which objects are exported
//	leaveout.go    leaves out objects that cannot be created on another server, and forced readers
//	exporter.go    makes the files
//	addresses.go   labels and file names from names
//	object.go      an object, and its attributes by the table of its kind
//	references.go  references in place of names
//	circles.go     circles of references, and where to break them
//	inventory.go   devices and links as CSV files
//	yaml.go        which objects become YAML files;  yamlfiles.go writes them;  yamlvalue.go values
//	edges.go       the edges of a workflow as one block
//	layouts.go     positions of services and nodes, and labels
//	secrets.go     variables for secrets
//	texts.go       long strings as files
//	module.go      a module, with its inputs and outputs
//	modules.go     which module contains what; the modules' own files
//	fixedfiles.go  versions and variables
//	file.go        configuration, block by block (hclwrite)
//	expression.go  values as expressions
//	text.go        strings, in quotes or as heredocs
//	findings.go    what somebody should check: names of objects in code, possible secrets
//	report.go      report.json;  readme.go  README.md
//	directory.go   opens the directory, and writes its files: all or none
//
// # An export into existing code
//
//	record.go      the record of the export, in .enms-export.json; the objects as exportmerge knows them
//	decided.go     what the code decides for the new configuration: addresses, keys, tables
//	identity.go    asks the changelog what became of the objects in the record
//	existing.go    finds the objects in the code, and merges the new configuration into it; refuses to do so if
//	               many objects are gone (checkGone), or may only be hidden from the user (proveGone)
//
// # What is left out
//
// What, in which function, and the list in report.json that says so:
//
//	objects that the options do not select         selection.selected               -
//	objects with names that no configuration has   wrongName, for readAll           left_out
//	objects that cannot be read                    readAll                          left_out
//	objects of types without a resource            findOthers                       left_out
//	objects that cannot be created                 impossible, for leaveOut         left_out
//	what eNMS fills in by itself                   kind/states, Automatic           values_left_out
//	read-only attributes, defaults, identities     plans.Generated                  -
//	attributes without an effect                   plans.Generated                  values_left_out
//	values that the checks would refuse            plans.WithoutInvalid (reading)   values_left_out
//	readers that eNMS adds at each write           leaveOutForced                   -
//	secrets, which become variables                secrets, takeSecrets             secrets
//	names of objects that are left out             references.in                    values_left_out
//	members of lists that would close a circle     brokenName                       circles
//	positions and labels without a place           layout                           values_left_out
//	objects that people removed from the code      IsTakenOut, for intoCode         -
//
// Names of objects that are not exported stay as they are (literal): expected_on_the_server, or kept if there
// is no such object.
package export
