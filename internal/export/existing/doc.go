// Package existing reads configuration that people may have edited, evaluates what can be
// evaluated without a provider, and edits files in place. It knows nothing of eNMS. Each file
// uses only those above it:
//
//	file.go       edits of a file, byte by byte
//	directory.go  the files and the resources in them
//	functions.go  the functions of Terraform that are evaluated
//	scope.go      what expressions refer to, and their values
//	literal.go    values on one line
//	place.go      where the value of an attribute of an instance is written
//	items.go      members of lists and objects, added and removed
//	rewrite.go    an expression gets another value and keeps what can stay of it
//	meta.go       ignore_changes and depends_on
package existing
