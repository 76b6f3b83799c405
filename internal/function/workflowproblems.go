// This file implements the function workflow_problems.

package function

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func workflowProblemsDefinition() function.Definition {
	return function.Definition{
		Summary: "The problems of the edges of a workflow",
		MarkdownDescription: "Lists the problems of the edges of a workflow, one sentence each, for a `precondition` or a `check`: edges from or to a name that is not a service, edges to `[Shared] Start` or from `[Shared] End`, services that cannot be reached from Start, loops without an exit, and an End that cannot be reached from Start. " +
			"The list is empty if there is no problem. A service without outgoing edges is not a problem: eNMS ends the run there.",
		Parameters: []function.Parameter{
			function.SetParameter{
				Name:                "services",
				ElementType:         types.StringType,
				Validators:          []function.SetParameterValidator{setvalidator.NoNullValues()},
				MarkdownDescription: "The names of the workflow's services. `[Shared] Start` and `[Shared] End` belong to every workflow and can be omitted.",
			},
			edgesParameter(),
		},
		Return: function.ListReturn{ElementType: types.StringType},
	}
}

func runWorkflowProblems(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var services []string
	var argument types.Dynamic
	if resp.Error = req.Arguments.Get(ctx, &services, &argument); resp.Error != nil {
		return
	}
	edges, known, err := parseEdges(argument)
	if err != nil {
		resp.Error = wrong(1, err)
		return
	}
	if !known {
		resp.Error = resp.Result.Set(ctx, types.ListUnknown(types.StringType))
		return
	}
	resp.Error = resp.Result.Set(ctx, Problems(services, edges))
}
