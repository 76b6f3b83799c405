// This file declares the edges of workflows (enms-rest.md 1.13).

package kinds

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"unicode/utf8"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

func workflowEdge() *kind.Kind {
	return &kind.Kind{
		Name:      "workflow_edge",
		Namespace: "workflow_edge",

		NoTimestamps: true,

		Summary: "An edge of a workflow: which service runs after which, when it succeeds or fails.",
		Attributes: []kind.Attribute{
			{Name: "workflow", Type: kind.One, Of: "workflow", IDField: "workflow_id", Required: true, Doc: "The full name of the workflow."},
			{Name: "source", Type: kind.One, Of: "service", IDField: "source_id", Required: true,
				Doc: "The full name of the service at which the edge begins, such as `[Shared] Start` or `[Workflow] Service`."},
			{Name: "destination", Type: kind.One, Of: "service", IDField: "destination_id", Required: true,
				Doc: "The full name of the service at which the edge ends, such as `[Shared] End`."},
			{Name: "subtype", Required: true, OneOf: []string{"success", "failure"}, Doc: "When the edge is followed: after success or after failure of its source."},
			{Name: "label", Derived: true, Default: "", Doc: "The text at the edge in the Workflow Builder. Default: the `subtype`."},
			{Name: "color", Derived: true, Default: "", Doc: "The colour of the edge in the Workflow Builder. Default: `green` for success, `red` for failure."},
		},
		Unwatched: volatileFields,
		Unique:    []string{"subtype", "source", "destination", "workflow"},
		Exchange:  "subtype",
		MakeName:  edgeName,
		Check:     checkEdge,
	}
}

// edgeColors are the colours that eNMS gives to edges, by their subtypes.
var edgeColors = map[string]string{"success": "green", "failure": "red"}

// checkEdge plans the label and the colour of an edge that is given none. eNMS
// derives them from the subtype at creation, and leaves them when that changes.
func checkEdge(p *kind.Plan) {
	subtype, known := p.Text("subtype")
	if !known {
		return
	}
	before := p.PriorText("subtype")
	for attribute, own := range map[string]func(string) string{
		"label": func(subtype string) string { return subtype },
		"color": func(subtype string) string { return edgeColors[subtype] },
	} {
		follows := p.Changed("subtype") && p.PriorText(attribute) == own(before)
		if !p.Configured(attribute) && (p.Creating() || follows || p.TakenOut(attribute)) {
			p.SetText(attribute, own(subtype))
		}
	}
}

// edgeName names an edge by what it connects. What does not fit into a name is
// told by a digest.
func edgeName(p *kind.Plan) (string, bool) {
	var parts [4]any
	for i, attribute := range []string{"workflow", "source", "destination", "subtype"} {
		text, known := p.Text(attribute)
		if !known {
			return "", false
		}
		parts[i] = text
	}
	name := fmt.Sprintf("%s: %s -> %s (%s)", parts[:]...)
	if utf8.RuneCountInString(name) > kind.CommonLength {
		digest := sha256.Sum256([]byte(name))
		name = "edge " + hex.EncodeToString(digest[:])
	}
	return name, true
}
