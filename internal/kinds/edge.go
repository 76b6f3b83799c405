// This file declares the edges of workflows (enms-rest.md 1.13).

package kinds

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

func workflowEdge() *kind.Kind {
	return &kind.Kind{
		Name:      "workflow_edge",
		Namespace: "workflow_edge",

		NoTimestamps: true,

		ExampleName: "Upgrade: [Shared] Start -> [Upgrade] Backup (success)",

		Summary: "An edge of a workflow: which service runs next if a service succeeds or fails.",
		Attributes: []kind.Attribute{
			{Name: "workflow", Type: kind.One, Of: "workflow", IDField: "workflow_id", Required: true, Doc: "The full name of the workflow."},
			{Name: "source", Type: kind.One, Of: "service", IDField: "source_id", Required: true,
				Doc: "The full name of the service at the start of the edge, such as `[Shared] Start` or `[Workflow] Service`."},
			{Name: "destination", Type: kind.One, Of: "service", IDField: "destination_id", Required: true,
				Doc: "The full name of the service at the end of the edge, such as `[Shared] End`."},
			{Name: "subtype", Required: true, OneOf: []string{"success", "failure"}, Doc: "Whether the edge is followed if its source succeeds or if it fails."},
			{Name: "label", Derived: true, Default: "", Doc: "The label of the edge in the Workflow Builder. Defaults to the `subtype`."},
			{Name: "color", Derived: true, Default: "", Doc: "The color of the edge in the Workflow Builder. Defaults to `green` for success and `red` for failure."},
		},
		Unwatched: volatileFields,
		Rules:     kind.Rules{Check: checkEdge, MakeName: edgeName, Place: inWorkflow},
	}
}

// inWorkflow is the place of an edge, whose ends should be services of its workflow.
var inWorkflow = &kind.Place{
	Attributes: []string{"subtype", "source", "destination", "workflow"},
	Container:  "workflow", Ends: []string{"source", "destination"}, Of: "service", Field: "workflows",
	Named: isInWorkflow,
	Outside: func(attribute, workflow, service string) diag.Diagnostic {
		return diag.NewAttributeWarningDiagnostic(path.Root(attribute), "A service is not in the workflow", outsideWorkflow(workflow, service))
	},
	Search: map[string]any{"name": "^" + regexp.QuoteMeta(sharedPrefix), "name_filter": "regex"},
}

// isInWorkflow reports whether a service is in a workflow, judged by its name: eNMS gives the services of a
// workflow names that begin with the name of the workflow, except for shared ones (enms-rest.md 1.5). Start
// and End are in every new workflow. known is false for other shared services.
func isInWorkflow(workflow, service string) (is, known bool) {
	if strings.HasPrefix(service, servicename.Join(workflow, "")) || service == servicename.Start || service == servicename.End {
		return true, true
	}
	return false, !strings.HasPrefix(service, sharedPrefix)
}

// outsideWorkflow returns the detail of the diagnostic about an edge to a service that is not in the workflow.
func outsideWorkflow(workflow, service string) string {
	meant := servicename.Meant(service, ofAllWorkflows)
	if spaced := withBlank(workflow, service); spaced != service {
		meant = spaced
	}
	if meant != "" {
		return fmt.Sprintf("%q is not a service of the workflow %q. Did you mean %q?", service, workflow, meant)
	}
	what := fmt.Sprintf("%q is not a service of the workflow %q. eNMS would run it, but the Workflow Builder shows neither the edge nor the service, and the workflow cannot be copied.", service, workflow)
	_, own := servicename.Split(service)
	if service == placeholder {
		return what + " Write placeholder = true on the workflow, unless this apply does so later."
	}
	if strings.HasPrefix(service, sharedPrefix) {
		return fmt.Sprintf("%s Add %q to workflows of the shared service, unless this apply does so later.", what, workflow)
	}
	return fmt.Sprintf("%s The names of its services begin with %q. Write workflows = [%q] on the service, which is called %q then, or choose a service of the workflow.",
		what, servicename.Join(workflow, ""), workflow, servicename.Join(workflow, own))
}

// checkEnds refuses ends of an edge whose names show that they are not in the workflow. An existing edge
// may keep its ends.
func checkEnds(p *kind.Plan) {
	workflow, known := p.Text("workflow")
	if !known {
		return
	}
	for _, end := range inWorkflow.Ends {
		service, _ := p.Text(end)
		if service == "" { // or unknown
			continue
		}
		inside, certain := isInWorkflow(workflow, service)
		isNew := p.Creating() || p.Changed(end) || p.Changed("workflow")
		if certain && !inside && isNew {
			p.Error(end, "A service is not in the workflow", outsideWorkflow(workflow, service))
		}
	}
}

// edgeColors are the colors that eNMS gives to edges, by their subtypes.
var edgeColors = map[string]string{"success": "green", "failure": "red"}

// checkEdge checks the ends of an edge, and plans its label and color. eNMS derives both from the subtype
// at creation, and keeps them when the subtype changes.
func checkEdge(p *kind.Plan) {
	checkEnds(p)
	subtype, _ := p.Text("subtype")
	prior := p.PriorText("subtype")
	planDerived(p, "label", subtype, prior)
	planDerived(p, "color", edgeColors[subtype], edgeColors[prior])
}

// planDerived plans an attribute that is not configured as eNMS derives it from the planned subtype, at creation and when
// it is removed from the configuration. When the subtype changes, it keeps any value that was not derived.
func planDerived(p *kind.Plan, attribute, derived, derivedBefore string) {
	followsSubtype := p.Changed("subtype") && p.PriorText(attribute) == derivedBefore
	isDerived := p.Creating() || p.Removed(attribute) || followsSubtype
	if p.Configured(attribute) || !isDerived {
		return
	}
	if _, known := p.Text("subtype"); known {
		p.SetText(attribute, derived)
	} else {
		p.SetUnknown(attribute)
	}
}

// edgeName returns a name that says what the edge connects, or that has a digest of it if it would be too
// long. known is false if an attribute is unknown until apply.
func edgeName(p *kind.Plan) (name string, known bool) {
	var parts [4]any
	for i, attribute := range []string{"workflow", "source", "destination", "subtype"} {
		text, known := p.Text(attribute)
		if !known {
			return "", false
		}
		parts[i] = text
	}
	name = fmt.Sprintf("%s: %s -> %s (%s)", parts[:]...)
	if utf8.RuneCountInString(name) > kind.CommonLength {
		digest := sha256.Sum256([]byte(name))
		name = "edge " + hex.EncodeToString(digest[:])
	}
	return name, true
}
