// This file declares the edges of workflows (enms-rest.md 1.13).

package kinds

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

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
		Unique:    []string{"subtype", "source", "destination", "workflow"},
		Exchange:  "subtype",
		MakeName:  edgeName,
		Check:     checkEdge,
		Within:    withinWorkflow,
	}
}

// withinWorkflow: the ends of an edge should be services of its workflow.
var withinWorkflow = &kind.Within{
	Relation: "workflow", Members: []string{"source", "destination"}, Of: "service", Field: "workflows",
	Named: inWorkflow, Problem: outsideWorkflow,
	Search: map[string]any{"name": "^" + regexp.QuoteMeta(sharedPrefix), "name_filter": "regex"},
}

// inWorkflow reports whether a service is in a workflow, as its name tells: eNMS gives the
// services of a workflow names that begin with the workflow's, but for those that are shared
// (enms-rest.md 1.5). Start and End are in every new workflow.
func inWorkflow(workflow, service string) (is, known bool) {
	if strings.HasPrefix(service, servicename.Join(workflow, "")) || service == sharedPrefix+"Start" || service == sharedPrefix+"End" {
		return true, true
	}
	return false, !strings.HasPrefix(service, sharedPrefix)
}

// outsideWorkflow says what is wrong with an edge to a service that is not in the workflow.
func outsideWorkflow(workflow, service string) string {
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

// checkEnds refuses ends of an edge whose names tell that they are not in the workflow. What
// eNMS has already may stay.
func checkEnds(p *kind.Plan) {
	workflow, known := p.Text("workflow")
	if !known {
		return
	}
	for _, end := range withinWorkflow.Members {
		service, known := p.Text(end)
		inside, told := inWorkflow(workflow, service)
		switch {
		case !known || service == "" || inside || !told:
		case p.Creating() || p.Changed(end) || p.Changed("workflow"):
			p.Error(end, "A service is not in the workflow", outsideWorkflow(workflow, service))
		}
	}
}

// edgeColors are the colours that eNMS gives to edges, by their subtypes.
var edgeColors = map[string]string{"success": "green", "failure": "red"}

// checkEdge checks the ends of an edge, and plans the label and the colour of one that is
// given none. eNMS derives them from the subtype at creation, and leaves them when that
// changes.
func checkEdge(p *kind.Plan) {
	checkEnds(p)
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
		if !p.Configured(attribute) && (p.Creating() || follows || p.Removed(attribute)) {
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
