// Package existing reads configuration that people may have edited, evaluates it as far as it
// can without a provider, and edits it in place. It knows nothing of eNMS.
//
//	directory.go  the files and the resources in them
//	scope.go      what expressions refer to, and their values
//	functions.go  the functions of Terraform that are evaluated
//	place.go      where the value of an attribute of an instance is written
//	rewrite.go    an expression gets another value and keeps what can stay of it
//	items.go      members of lists and objects, added and removed
//	file.go       edits of a file, byte by byte
package existing
