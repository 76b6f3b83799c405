// This file implements the function workflow_layout.

package function

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// positionType is the Terraform type of a point.
var positionType = types.ObjectType{AttrTypes: map[string]attr.Type{"x": types.NumberType, "y": types.NumberType}}

func workflowLayoutDefinition() function.Definition {
	return function.Definition{
		Summary: "The positions of the services of a workflow in the Workflow Builder",
		MarkdownDescription: "Computes the positions of the services of a workflow in eNMS's Workflow Builder from its edges: in columns from left to right, `[Shared] Start` first and `[Shared] End` last, without overlaps and with few crossings. " +
			"It returns a map from the name of each service to its position, an object with `x` and `y`. The same edges always give the same positions, in any order.",
		Parameters: []function.Parameter{edgesParameter()},
		Return:     function.MapReturn{ElementType: positionType},
	}
}

func runWorkflowLayout(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var argument types.Dynamic
	if resp.Error = req.Arguments.Get(ctx, &argument); resp.Error != nil {
		return
	}
	edges, known, err := parseEdges(argument)
	if err != nil {
		resp.Error = wrong(0, err)
		return
	}
	if !known {
		resp.Error = resp.Result.Set(ctx, types.MapUnknown(positionType))
		return
	}
	resp.Error = resp.Result.Set(ctx, positions(layout(edges)))
}

// positions returns points as a Terraform value.
func positions(points map[string]point) types.Map {
	elements := make(map[string]attr.Value, len(points))
	for name, p := range points {
		elements[name] = types.ObjectValueMust(positionType.AttrTypes, map[string]attr.Value{"x": number(p.x), "y": number(p.y)})
	}
	return types.MapValueMust(positionType, elements)
}
