// This file is the function workflow_problems as Terraform calls it.

package function

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

type workflowProblems struct{}

func newWorkflowProblems() function.Function { return workflowProblems{} }

func (workflowProblems) Metadata(_ context.Context, _ function.MetadataRequest, resp *function.MetadataResponse) {
	resp.Name = "workflow_problems"
}

func (workflowProblems) Definition(_ context.Context, _ function.DefinitionRequest, resp *function.DefinitionResponse) {
	resp.Definition = function.Definition{
		Summary: "Why a workflow would not run as its edges tell",
		MarkdownDescription: "Lists what is wrong with the edges of a workflow, a sentence for each problem, for a precondition or a check: edges from or to a name that is none of the services, edges that lead into `[Shared] Start` or out of `[Shared] End`, services to which no edges lead from Start, circles without an exit, and that no edges lead from Start to End. " +
			"The list is empty when there is no problem. A service without edges that lead on is no problem: eNMS ends the run there.",
		Parameters: []function.Parameter{
			function.SetParameter{
				Name:                "services",
				ElementType:         types.StringType,
				MarkdownDescription: "The names of the workflow's services. `[Shared] Start` and `[Shared] End` belong to every workflow and may be left out.",
			},
			edgesParameter(),
		},
		Return: function.ListReturn{ElementType: types.StringType},
	}
}

func (workflowProblems) Run(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var services []string
	var argument types.Dynamic
	if resp.Error = req.Arguments.Get(ctx, &services, &argument); resp.Error != nil {
		return
	}
	edges, known, err := parseEdges(argument)
	if err != nil {
		resp.Error = function.NewArgumentFuncError(1, err.Error())
		return
	}
	if !known {
		resp.Error = resp.Result.Set(ctx, types.ListUnknown(types.StringType))
		return
	}
	resp.Error = resp.Result.Set(ctx, problems(services, edges))
}
