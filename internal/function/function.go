// Package function has the provider's functions: about workflows, from their edges; about dates and crontab
// expressions of tasks, names of services, and configurations of devices. They make no requests and
// read no clock.
//
//	function.go          the list of the functions
//	workflowlayout.go    workflow_layout;  graph.go, order.go, layout.go  columns, their order, coordinates
//	workflowproblems.go  workflow_problems;  problems.go  the problems of edges
//	workflowdiagram.go   workflow_diagram;  diagram.go, diagramchanges.go  the flowchart
//	edges.go             edges in the argument of a function
//	dates.go, names.go   functions from strings to strings (text.go): dates, crontab expressions, names
//	nextruns.go          next_runs
//	configdiff.go        config_diff and config_lines
package function

import (
	"context"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

// providerFunction is a function of the provider.
type providerFunction struct {
	name       string
	definition func() function.Definition
	run        func(ctx context.Context, req function.RunRequest, resp *function.RunResponse)
}

// Metadata returns the name of the function.
func (f providerFunction) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = f.name
}

// Definition returns the parameters, the result and the documentation.
func (f providerFunction) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = f.definition()
}

// Run computes the result.
func (f providerFunction) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	f.run(ctx, req, resp)
}

// All returns the functions of the provider.
func All() (functions []func() function.Function) {
	all := []providerFunction{
		{"config_diff", configDiffDefinition, runConfigDiff},
		{"config_lines", configLinesDefinition, runConfigLines},
		{"next_runs", nextRunsDefinition, runNextRuns},
		{"workflow_diagram", workflowDiagramDefinition, runWorkflowDiagram},
		{"workflow_layout", workflowLayoutDefinition, runWorkflowLayout},
		{"workflow_problems", workflowProblemsDefinition, runWorkflowProblems},
	}
	for _, f := range slices.Concat(dateFunctions, nameFunctions) {
		all = append(all, providerFunction{f.name, f.definition, f.run})
	}
	for _, f := range all {
		functions = append(functions, func() function.Function { return f })
	}
	return functions
}
