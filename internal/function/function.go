// Package function is the provider's functions: what can be told about a
// workflow from its edges alone, the dates and crontab expressions of tasks, the
// names of services, and differences of configurations. They ask no server and no clock.
package function

import "github.com/hashicorp/terraform-plugin-framework/function"

// All lists the functions that the provider offers.
func All() []func() function.Function {
	functions := []func() function.Function{
		newConfigDiff,
		newNextRuns,
		newWorkflowDiagram,
		newWorkflowLayout,
		newWorkflowProblems,
	}
	for _, table := range [][]textFunction{dateFunctions, nameFunctions} {
		for _, f := range table {
			functions = append(functions, func() function.Function { return f })
		}
	}
	return functions
}
