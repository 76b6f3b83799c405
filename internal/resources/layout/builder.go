// This file declares the two builders of eNMS, and their differences.

package layout

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// Builder is one of eNMS's builders: it draws the members of a workflow or a network, its container.
type Builder struct {
	typ              string              // the type that it draws, which is also an attribute and the beginning of the Terraform type
	searchType       string              // the type to search for instances of typ
	namespace        string              // the type within which the names of typ are unique
	memberType       string              // the type of the members
	relation         string              // the relation of the members to typ
	members          string              // the relation of typ to the members
	inEveryContainer []string            // the members that each workflow has
	scoped           bool                // the names of members begin with the name of their workflow
	initial          map[string]position // the positions of new members that are not at the origin
	labelled         bool                // the layout has labels

	summary, memberNoun, positionsDoc string // for the pages and errors
	// example returns a full name that a member of the container could have, for errors.
	example func(container string) string
}

// The fields of eNMS in a layout, and the attributes of its resource.
const (
	PositionsField = "positions"
	LabelsField    = "labels"
	typeField      = "type"
)

// Workflows is the Workflow Builder.
var Workflows = Builder{
	typ: "workflow", searchType: "service", namespace: "service", memberType: "service", relation: "workflows", members: "services", scoped: true, labelled: true,
	inEveryContainer: []string{servicename.Start, servicename.End},
	initial:          map[string]position{servicename.End: {"500", "0"}},
	summary:          "The positions of the services of a workflow in eNMS's Workflow Builder, and its labels.",
	memberNoun:       "service",
	positionsDoc:     "The positions of services of the workflow, by their full names, including `[Shared] Start` and `[Shared] End`. Services that are not listed are not moved, and their positions are ignored. The function `workflow_layout` computes positions from edges.",
	example:          func(workflow string) string { return servicename.Join(workflow, "Service") },
}

// Networks is the Network Builder.
var Networks = Builder{
	typ: "network", searchType: "network", namespace: "node", memberType: "node", relation: "networks", members: "nodes",
	summary:      "The positions of the devices and networks in a network, in eNMS's Network Builder.",
	memberNoun:   "node",
	positionsDoc: "The positions of devices and networks of the network, by their names. Those that are not listed are not moved, and their positions are ignored.",
	example:      func(string) string { return "R1" },
}

// resource returns the Terraform type of the layouts, without the name of the provider.
func (b Builder) resource() string { return b.typ + "_layout" }

// writtenAs returns the type for the write of a member that a search has found with foundType. A node is written as
// a network or as a device, because eNMS does not check rights for the type node (enms-rest.md 6.2).
func (b Builder) writtenAs(foundType string) string {
	switch {
	case b.memberType != Networks.memberType:
		return b.memberType
	case foundType == Networks.typ:
		return Networks.typ
	}
	return "device"
}

// follow changes the keys of a map, the names of members, as eNMS does when it renames their workflow (enms-rest.md
// 1.5).
func follow[P any](b Builder, all map[string]P, from, to string) map[string]P {
	if all == nil || from == to || !b.scoped {
		return all
	}
	followed := make(map[string]P, len(all))
	for name, p := range all {
		if workflow, own := servicename.Split(name); workflow == from {
			name = servicename.Join(to, own)
		}
		followed[name] = p
	}
	return followed
}

// isMemberByName reports whether the name of a member alone shows that it is in a workflow (enms-rest.md 1.5), because its
// scope is the workflow, or because it is Start or End, which every new workflow has.
func (b Builder) isMemberByName(container, member string) bool {
	scope, _ := servicename.Split(member)
	return b.scoped && (scope == container || slices.Contains(b.inEveryContainer, member))
}

// startsAt returns the position of a new member.
func (b Builder) startsAt(member string) position {
	if p, is := b.initial[member]; is {
		return p
	}
	return position{"0", "0"}
}
