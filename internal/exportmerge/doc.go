// Package exportmerge merges a new export into the configuration that an earlier export wrote and
// that people have edited since.
//
// It is a three-way merge of blocks and their attributes. Fresh is what a new export writes, code
// is what the directory has, and the record has digests of what the last export wrote. Where fresh
// differs from the record, the server has changed; where code differs from the record, people
// have. What only the server has changed is changed in the code, at its place. What people have
// changed is left alone, and what both have changed is reported with the value of the server.
//
// Nothing is evaluated: expressions are compared by their text, without comments and formatting
// (digest.go). Resources with other meta-arguments than those of the export, locals, functions and
// other people's blocks are therefore left alone.
//
//	code.go        reads a directory; finds blocks in it
//	digest.go      the canonical form and the digest of an expression
//	table.go       parses CSV files
//	record.go      the digests of an export
//	find.go        finds where people have moved a block
//	edit.go        edits the text of a file, one place at a time
//	merger.go      the input and the result of a merge
//	attributes.go  merges the attributes of a block
//	rows.go        merges the rows of CSV files
//	gone.go        merges texts, and removes what is gone
//	merge.go       the merge as a whole, block by block
package exportmerge
