// Package exportmerge merges a new export into the configuration that an earlier export wrote and
// that people have edited since. It knows no server: Read reads a directory, Match finds the objects
// of a server in it, and Apply merges the files of a new export.
//
// It is a three-way merge of blocks and their attributes. Exported is what a new export writes, code
// is what the directory has, and the record has digests of what the last export wrote. Where exported
// differs from the record, the server has changed; where code differs from the record, people
// have. What only the server has changed is changed in the code, in the block and the line where people
// have it. What people have changed is left alone, and what both have changed is reported with the value of
// the server.
//
// Nothing is evaluated: expressions are compared by their text, without comments and formatting.
// Therefore locals, calls of functions, blocks that an export did not write, and resources with other
// meta-arguments than those of the export are left alone.
//
// Files are parsed by hclsyntax and edited as text, because hclwrite edits no members of objects
// and lists, adds blocks only at the end of a file, and says nothing of positions.
//
//	code.go    reads a directory; finds blocks in it
//	form.go    the canonical form of an expression;  quote.go  strings in quotes
//	items.go   what blocks, objects and lists consist of, and their text after a change
//	digest.go  salted digests
//	record.go  the record of an export
//	find.go    finds where people have moved a block
//	identify.go  finds which entry of the record each object of the server is
//	match.go   finds the objects in the code
//	merger.go  the input and the result of a merge; what becomes of a value
//	block.go   merges the attributes of a block
//	table.go   parses CSV files;  rows.go  merges them
//	texts.go   merges scripts and other texts
//	gone.go    removes what is gone
//	apply.go   the merge as a whole, block by block
package exportmerge
