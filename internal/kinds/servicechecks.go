// This file checks services, and especially their names, which eNMS composes at every write (enms-rest.md
// 1.5).

package kinds

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// sharedPrefix is what the names of shared services begin with.
var sharedPrefix = servicename.Join(servicename.Shared, "")

// ofAllWorkflows are services that every eNMS has and that all workflows share. eNMS refuses to delete
// them, but not to change them (enms-rest.md 3).
var ofAllWorkflows = []string{servicename.Start, servicename.End, placeholder}

// placeholder is the service of a superworkflow in whose place another workflow runs.
var placeholder = sharedPrefix + "Placeholder"

// brokenSkipValue is eNMS's default for skip_value, with which its runs fail (enms-rest.md 1.5).
const brokenSkipValue = "True"

// splitWorkflow splits a name into that of the workflow and the rest. The workflow is empty for a service
// that is in no workflow or shared.
func splitWorkflow(name string) (workflow, own string) {
	workflow, own = servicename.Split(name)
	if workflow == servicename.Shared {
		return "", name
	}
	return workflow, own
}

// checkService checks the attributes of a service together.
func checkService(p *kind.Plan) {
	if p.Changed("disabled") {
		p.SetUnknown("disabled_info")
	}
	if value, _ := p.Text("skip_value"); value == brokenSkipValue && p.Configured("skip_value") {
		p.Warn("skip_value", "Runs fail with this skip_value",
			`With "True", which is eNMS's default, every run fails unless run_method is per_device. Write skip_value = "success".`)
	}
	checkPlaceholder(p)
	checkServiceName(p)
}

// checkPlaceholder refuses the placeholder in a service that is not a workflow, and together with
// properties.services, which would remove it.
func checkPlaceholder(p *kind.Plan) {
	wanted, _ := p.Flag("placeholder")
	if !p.Configured("placeholder") || !wanted {
		return
	}
	if typ, known := p.Text("type"); known && typ != "workflow" {
		p.Error("placeholder", "Only workflows contain a placeholder", fmt.Sprintf("The service is a %s. Write type = \"workflow\", or remove placeholder.", typ))
	}
	if p.ConfiguredField("services") {
		p.Error("placeholder", "placeholder and properties.services exclude each other",
			fmt.Sprintf("properties.services lists all services of the workflow, and removes all others. Remove it, and write workflows on each service instead; or remove placeholder, and add %q to the list.", placeholder))
	}
}

// checkServiceName checks that name, shared, workflows and scoped_name match, and plans the scoped_name that
// follows from the others.
func checkServiceName(p *kind.Plan) {
	name, known := p.Text("name")
	shared, sharedKnown := p.Flag("shared")
	workflows, workflowsKnown := p.Names("workflows")
	allKnown := known && sharedKnown && workflowsKnown
	if !allKnown || p.ConfigOnly { // an existing service keeps a name that does not match
		if !p.Configured("scoped_name") {
			p.SetUnknown("scoped_name")
		}
		return
	}
	for _, builtIn := range []string{p.PriorText("name"), name} {
		if slices.Contains(ofAllWorkflows, builtIn) {
			p.Refuse("name", fmt.Sprintf("%q is built in", builtIn),
				"All workflows use this service, so it cannot be managed. Refer to it by its name.")
			return
		}
	}
	prefix, ok := namePrefix(p, name, shared, workflows)
	if !ok {
		return
	}
	scoped := strings.TrimPrefix(name, prefix)
	switch configured, known := p.Text("scoped_name"); {
	case scoped == "":
		p.Error("name", "Missing name after the prefix", fmt.Sprintf("Write a name after %q.", prefix))
	case !p.Configured("scoped_name"):
		p.SetText("scoped_name", scoped)
	case known && configured != scoped:
		p.Error("scoped_name", "scoped_name does not match name",
			fmt.Sprintf("eNMS would name the service %q. Write scoped_name = %q, or remove it: it is computed from the name.", prefix+configured, scoped))
	}
}

// namePrefix returns the prefix that eNMS will give the name. ok is false, after an error, if the name begins with
// another one, or if it is not certain which one eNMS will give.
func namePrefix(p *kind.Plan, name string, shared bool, workflows []string) (prefix string, ok bool) {
	bracketed, rest := servicename.Split(name)
	renamed := p.Creating() || p.Changed("name") || p.Changed("workflows") || p.Changed("shared")
	switch {
	case shared:
		if !strings.HasPrefix(name, sharedPrefix) {
			p.Error("name", "The name of a shared service must begin with [Shared]",
				fmt.Sprintf("eNMS would name the service %q. Use this name, or write shared = false.", sharedPrefix+rest))
		}
		return sharedPrefix, strings.HasPrefix(name, sharedPrefix)
	case len(workflows) > 1 && renamed:
		p.Error("workflows", "A service in several workflows must be shared",
			fmt.Sprintf("eNMS names it after one of them, not always the same. Write shared = true with name = %q, or keep only one workflow.", sharedPrefix+rest))
		return "", false
	case len(workflows) > 0:
		for _, workflow := range workflows {
			if prefix := servicename.Join(workflow, ""); strings.HasPrefix(name, prefix) {
				return prefix, true
			}
		}
		_, rest = servicename.Split(withBlank(workflows[0], name))
		full := servicename.Join(workflows[0], rest)
		p.Error("name", "The name of a service must begin with the name of its workflow",
			fmt.Sprintf("eNMS would name the service %q. Use this name, or write workflows = [] if it is in no workflow.", full))
		return "", false
	case bracketed == "" || ownBrackets(p, name):
		return "", true
	case name == sharedPrefix+rest:
		p.Error("name", "The service is not shared",
			fmt.Sprintf("A name that begins with [Shared] is that of a shared service. Write shared = true, or give it the name %q.", rest))
	default:
		p.Error("name", "The service is in no workflow",
			fmt.Sprintf("The name begins like that of a service in the workflow %q. Write workflows = [%q]; or, if the brackets are simply part of the name, scoped_name = %q.", bracketed, bracketed, name))
	}
	return "", false
}

// withBlank returns a name that begins with that of a workflow in brackets with the blank that belongs after them.
func withBlank(workflow, name string) string {
	prefix := servicename.Join(workflow, "")
	if own, is := strings.CutPrefix(name, strings.TrimSpace(prefix)); is && own != "" {
		return prefix + strings.TrimSpace(own)
	}
	return name
}

// ownBrackets reports whether the brackets at the beginning are simply part of the name: then scoped_name
// has them, too.
func ownBrackets(p *kind.Plan, name string) bool {
	if p.Configured("scoped_name") {
		scoped, known := p.Text("scoped_name")
		return !known || scoped == name
	}
	renamed := p.Creating() || p.Changed("name")
	return !renamed && p.PriorText("scoped_name") == name
}
