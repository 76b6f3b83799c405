// This file declares what an export is told, and the names of the files that it always writes.

package export

// options are those of the command.
type options struct {
	selection selection
	inventory string
	directory string
	version   string
}

// The files whose names do not follow from a kind.
const (
	fileVersions  = "versions.tf"
	fileVariables = "variables.tf"
	fileImports   = "imports.tf"
	fileAccess    = "access.tf"
	fileShared    = "services_shared.tf"
	fileReport    = "report.json"
	fileReadme    = "README.md"
	fileGit       = ".gitattributes"
)
