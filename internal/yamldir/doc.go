// Package yamldir describes the directory of YAML that examples/modules/yaml reads: which folders it has, and which keys
// and values the files in them may have. Both follow from the tables of kinds:
//
//	folder.go    the folders, and the keys of the module itself
//	schema.go    the JSON Schema of the files in a folder
//	value.go     the JSON Schema of a value, from its row
//	command.go   the command json-schema, which prints one
//
// It sends nothing and reads no file.
package yamldir
