// This file declares what an error is about: the summary of a diagnostic names it.

package failures

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"

// Subject is what an operation was about: an instance of a kind.
type Subject struct {
	Kind  *kind.Kind
	Entry bool // it is an entry of enms_instances
}

// The verbs of summaries.
const (
	Plan     = "plan"
	Create   = "create"
	Finish   = "finish creating"
	Adopt    = "take over"
	Read     = "read"
	ReadBack = "read back"
	Import   = "import"
	Update   = "update"
	Rename   = "rename"
	Delete   = "delete"
)
