// This file implements the function workflow_diagram.

package function

import (
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func workflowDiagramDefinition() function.Definition {
	edges := edgesParameter().(function.DynamicParameter)
	edges.MarkdownDescription = "The edges: a list, or a map as a resource with `for_each` is one, of objects with the attributes `source` and `destination`, the full names of services, such as `[Backup] Show version`; and with `subtype` and `workflow`, which may be missing or null. " +
		"`subtype` defaults to `success`, `workflow` to what the names begin with. Further attributes are ignored. Edges of nested workflows may be among them."
	return function.Definition{
		Summary: "A workflow as a Mermaid diagram",
		MarkdownDescription: "Returns the edges of a workflow as a [Mermaid](https://mermaid.js.org) flowchart, which GitHub and GitLab draw if it is in a code block marked `mermaid`. " +
			"An edge of the subtype `success` is a solid arrow, one of `failure` a dotted one, any other a thick one with its subtype. " +
			"A workflow inside the workflow is a group of its services if its edges are given, too. The same edges give the same text, in any order, and each additional edge is one more line.\n\n" +
			"With the edges of an earlier version as its second argument, it shows what has changed: services and edges that are added are green, those that are removed are red, and edges with another subtype are amber. " +
			"Services whose names are in the third argument, a list, are amber, too: they have changed in other ways, such as in their script.",
		Parameters: []function.Parameter{edges},
		VariadicParameter: function.DynamicParameter{
			Name:                "earlier",
			AllowUnknownValues:  true,
			MarkdownDescription: "Optional: the edges of an earlier version, in the form of `edges`; and then, also optional, a list of the full names of services that have changed.",
		},
		Return: function.StringReturn{},
	}
}

func runWorkflowDiagram(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var (
		argument types.Dynamic
		earlier  []types.Dynamic
	)
	if resp.Error = req.Arguments.Get(ctx, &argument, &earlier); resp.Error != nil {
		return
	}
	if len(earlier) > 2 {
		resp.Error = function.NewArgumentFuncError(3, "There must be at most three arguments: the edges, those of an earlier version, and the names of services that have changed")
		return
	}
	edges, edgesKnown, err := parseDiagramEdges(argument)
	if err != nil {
		resp.Error = wrong(0, err)
		return
	}
	before, edited, earlierKnown, funcErr := parseEarlier(earlier)
	if funcErr != nil {
		resp.Error = funcErr
		return
	}
	switch {
	case !edgesKnown || !earlierKnown:
		resp.Error = resp.Result.Set(ctx, types.StringUnknown())
	case len(earlier) == 0:
		resp.Error = resp.Result.Set(ctx, Diagram(edges))
	default:
		resp.Error = resp.Result.Set(ctx, diagramOfChanges(edges, before, edited))
	}
}

// parseEarlier reads the optional arguments: the edges of an earlier version, and the names of services that
// have changed. known is false if any of it is unknown until apply.
func parseEarlier(arguments []types.Dynamic) (before []Edge, edited []string, known bool, funcErr *function.FuncError) {
	edgesKnown, namesKnown := true, true
	var err error
	if len(arguments) > 0 {
		if before, edgesKnown, err = parseDiagramEdges(arguments[0]); err != nil {
			return nil, nil, false, wrong(1, err)
		}
	}
	if len(arguments) > 1 {
		if edited, namesKnown, err = parseNames(arguments[1]); err != nil {
			return nil, nil, false, wrong(2, err)
		}
	}
	return before, edited, edgesKnown && namesKnown, nil
}

// parseNames reads a list of names. known is false if any of it is unknown until apply.
func parseNames(argument attr.Value) (names []string, known bool, err error) {
	argument = underlying(argument)
	if argument.IsUnknown() {
		return nil, false, nil
	}
	labels, elements, ok := collection(argument)
	if !ok {
		return nil, false, fmt.Errorf("The services must be a list of names, not %s", describe(argument))
	}
	known = true
	for i, element := range elements {
		name, isText := underlying(element).(types.String)
		if !isText || name.IsNull() {
			return nil, false, fmt.Errorf("Service %s must be a name, not %s", labels[i], describe(underlying(element)))
		}
		known = known && !name.IsUnknown()
		names = append(names, name.ValueString())
	}
	return names, known, nil
}

// parseDiagramEdges is parseEdges for edges with their workflow and subtype.
func parseDiagramEdges(argument attr.Value) (edges []Edge, known bool, err error) {
	edges, known, err = parseEdges(argument)
	if !known {
		return nil, false, err
	}
	labels, elements, _ := collection(underlying(argument))
	for i, element := range elements {
		for name, into := range map[string]*string{"workflow": &edges[i].Workflow, "subtype": &edges[i].Subtype} {
			field, has := members(underlying(element))[name]
			if !has || underlying(field).IsNull() {
				continue
			}
			text, isText := underlying(field).(types.String)
			if !isText {
				return nil, false, fmt.Errorf("Edge %s must have a string as its %s, not %s", labels[i], name, describe(underlying(field)))
			}
			known = known && !text.IsUnknown()
			*into = text.ValueString()
		}
	}
	return edges, known, nil
}
