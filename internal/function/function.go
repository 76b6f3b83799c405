// Package function has the provider's functions: about workflows, from their edges; about dates and crontab
// expressions of tasks, names of services, and differences of configurations. They make no requests and
// read no clock.
//
//	function.go          the list of the functions
//	workflowlayout.go    workflow_layout;  graph.go, order.go, layout.go  columns, their order, coordinates
//	workflowproblems.go  workflow_problems;  problems.go  the problems of edges
//	workflowdiagram.go   workflow_diagram;  diagram.go, diagramchanges.go  the flowchart
//	edges.go             edges in the argument of a function
//	dates.go, names.go   functions from strings to strings (text.go): dates, crontab expressions, names
//	nextruns.go          next_runs
//	configdiff.go        config_diff
package function

import "github.com/hashicorp/terraform-plugin-framework/function"

// All returns the functions of the provider.
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
