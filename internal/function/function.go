// Package function is the provider's functions: what can be told about a
// workflow from its edges alone. They ask no server.
package function

import "github.com/hashicorp/terraform-plugin-framework/function"

// All lists the functions that the provider offers.
func All() []func() function.Function {
	return []func() function.Function{
		newWorkflowLayout,
		newWorkflowProblems,
	}
}
