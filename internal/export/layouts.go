// This file writes where the services of a workflow stand. A layout is no instance of eNMS,
// so that no table tells its attributes.

package export

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// layoutType is the Terraform type of layouts.
const layoutType = "enms_workflow_layout"

// layout returns the attributes of the layout of a workflow, none when none of its services
// stands anywhere. complete is false when the server has services in it that a new workflow
// would not have.
func (i *inventory) layout(workflow *object, refs *references, depends map[string]bool) (attributes []attribute, complete bool) {
	complete = true
	names := refs.in(workflow, depends)
	var members []member
	for _, service := range i.membersOf(workflow) {
		at, stands := i.positions[service][workflow.name]
		if !stands {
			continue
		}
		if refs.isBuiltIn(workflow.kind.Name, service) && !inEvery(refs.kinds, workflow.name, service) && !workflow.kind.HoldsMember(workflow.config, service) {
			refs.report.add(&refs.report.LeftOut, workflow.address(), fmt.Sprintf("The workflow holds %q, which a new workflow does not.", service))
			complete = false
			continue
		}
		name := names("positions", workflow.kind.Name, service)
		switch reference := name.(type) {
		case source:
			name = source("(" + string(reference) + ")")
		case string:
			name = source(quoted(reference))
		default:
			complete = false
			continue
		}
		members = append(members, member{name.(source), []member{{"x", at[0]}, {"y", at[1]}}})
	}
	if len(members) == 0 {
		return nil, true
	}
	return []attribute{{"workflow", source(workflow.address() + ".name")}, {"positions", members}}, complete
}

// lostPositions counts the positions in workflows that do not exist.
func (i *inventory) lostPositions(namespace string) (count int) {
	exist := map[string]bool{}
	for _, o := range i.objects {
		if o.kind.Namespace == namespace {
			exist[o.name] = true
		}
	}
	for _, places := range i.positions {
		for workflow := range places {
			if !exist[workflow] {
				count++
			}
		}
	}
	return count
}

// membersOf returns the names of the services in a workflow.
func (i *inventory) membersOf(workflow *object) (names []string) {
	for _, o := range i.objects {
		if o.kind == workflow.kind && slices.Contains(value.Names(o.config[o.kind.Scope.Attribute]), workflow.name) {
			names = append(names, o.name)
		}
	}
	for name, workflows := range i.members {
		if slices.Contains(workflows, workflow.name) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, strings.Compare)
	return names
}

// inEvery reports whether every new workflow holds a service.
func inEvery(kinds []*kind.Kind, workflow, service string) bool {
	return slices.ContainsFunc(kinds, func(k *kind.Kind) bool {
		if k.Within == nil {
			return false
		}
		is, known := k.Within.Named(workflow, service)
		return is && known
	})
}
