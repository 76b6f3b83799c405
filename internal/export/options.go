// This file declares the options of an export, and the names of its fixed files.

package export

// options are the options of the command.
type options struct {
	selection selection
	inventory string
	modules   bool // a module for each workflow
	directory string
	gone      string // what to do with code whose object is no longer on the server
	check     bool   // write nothing
	version   string
}

// The files whose names do not depend on a kind.
const (
	fileVersions  = "versions.tf"
	fileVariables = "variables.tf"
	fileImports   = "imports.tf"
	fileAccess    = "access.tf"
	fileShared    = "services_shared.tf"
	fileMain      = "main.tf"
	fileOutputs   = "outputs.tf"
	fileReport    = "report.json"
	fileReadme    = "README.md"
	fileGit       = ".gitattributes"
)
