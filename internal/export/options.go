// This file declares what an export is told, and the names of the files that it always writes.

package export

// options are those of the command.
type options struct {
	selection selection
	inventory string
	modules   bool // a module for each workflow
	directory string
	gone      string // what is done with code whose object the server has no more
	check     bool   // nothing is written
	version   string
}

// The files whose names do not follow from a kind.
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
