// This file declares pools (enms-rest.md 1.7, 2.4).

package kinds

import (
	"fmt"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

func pool() *kind.Kind {
	return &kind.Kind{
		Name:      "pool",
		Namespace: "pool",
		Summary:   "A pool: a set of devices and links, defined by hand or by criteria.",
		Attributes: append([]kind.Attribute{
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "The description of the pool."},
			{Name: "device_criteria", Type: kind.Criteria, Conditions: kind.Conditions{Prefix: "device_", Properties: deviceProperties, Compares: "device", Portable: portable(deviceProperties)},
				Doc: "Conditions on properties of devices, such as `vendor`, `location` or a custom property. The pool contains the devices that meet all of them. Without conditions, it contains no devices."},
			{Name: "link_criteria", Type: kind.Criteria, Conditions: kind.Conditions{Prefix: "link_", Properties: linkProperties, Compares: "link", Portable: portable(linkProperties)},
				Doc: "Conditions on properties of links, such as `color` or `source_name`. The pool contains the links that meet all of them. Without conditions, it contains no links."},
			{Name: "devices", Type: kind.Many, Of: "device", Inverse: "pools", Automatic: byCriteria, Doc: "The names of the devices of a pool that is defined by hand. If omitted, they are not changed."},
			{Name: "links", Type: kind.Many, Of: "link", Inverse: "pools", Automatic: byCriteria, Doc: "The names of the links of a pool that is defined by hand. If omitted, they are not changed."},
			{Name: "manually_defined", Type: kind.Flag, Derived: true, Default: false,
				Doc: "Whether the members are defined by hand, so that criteria are ignored. Defaults to `true` if `devices` or `links` is configured."},
			{Name: "update_members", Type: kind.Flag, Role: kind.Setting,
				Doc: "Whether the provider requests the computation of the members after criteria have been written: one request, which computes all pools on the server. With `false`, the pool keeps its members until the next computation; see [enms_pools_update](pools_update.md). Default: `true`."},
			{Name: "device_number", Type: kind.Number, ReadOnly: true, DataOnly: true, Doc: "The number of devices in the pool."},
			{Name: "link_number", Type: kind.Number, ReadOnly: true, DataOnly: true, Doc: "The number of links in the pool."},
			{Name: "admin_only", Section: sectionRights, Type: kind.Flag, Default: false, Doc: "Whether only administrators see the pool."},
		}, rights("pool")...),
		BuiltIn: []kind.BuiltIn{{Name: "All objects", Line: 4}, {Name: "Devices only", Line: 4}, {Name: "Links only", Line: 4}},
		Properties: append(on5(flag("include_networks", false, "Whether a pool with criteria also contains networks.")),
			sample(textOf("property1", "CP", "A string."))),
		Relations: append([]string{"credential_devices", "runs"}, poolRights...),
		ListedBy:  []kind.Attribute{relation("target_services", "service"), relation("tasks", "task")},
		NeverSent: []string{"device_number", "link_number"},
		Unwatched: append([]string{"device_number", "link_number"}, volatileFields...),
		Rules: kind.Rules{Check: checkPool, Recompute: &kind.Recompute{
			Endpoint: "update_all_pools", Computed: "members", Attributes: []string{"device_criteria", "link_criteria"}, Setting: "update_members",
			Hint: "eNMS computes all pools at once. If its database cannot evaluate one criterion, it computes none: find and correct that criterion."}},
	}
}

// poolRights are the relations of a pool to the groups that have rights to its members.
var poolRights = []string{"rbac_group_rbac_read", "rbac_group_rbac_edit", "rbac_group_rbac_configuration", "rbac_group_rbac_connect", "rbac_group_rbac_target"}

// byCriteria reports whether eNMS computes the members of a pool from its criteria.
func byCriteria(answer map[string]any) bool { return answer["manually_defined"] != true }

// checkPool plans manually_defined, and checks the members and the criteria.
func checkPool(p *kind.Plan) {
	planManuallyDefined(p)
	checkMembers(p)
	checkCriteria(p, "device_criteria")
	checkCriteria(p, "link_criteria")
}

// planManuallyDefined plans a pool with configured members as defined by hand: otherwise eNMS would
// drop them at the next computation. Members that are unknown until apply may turn out to be null.
func planManuallyDefined(p *kind.Plan) {
	if p.Configured("manually_defined") {
		return
	}
	byHand := configuredAndKnown(p, "devices") || configuredAndKnown(p, "links")
	mayBeByHand := p.Configured("devices") || p.Configured("links")
	removed := p.Removed("devices") || p.Removed("links") || p.Removed("manually_defined")
	switch {
	case byHand:
		p.SetFlag("manually_defined", true)
	case mayBeByHand:
		p.SetUnknown("manually_defined")
	case removed || p.Creating():
		p.SetFlag("manually_defined", false)
	}
}

// configuredAndKnown reports whether an attribute is certain to be configured.
func configuredAndKnown(p *kind.Plan, name string) bool {
	return p.Configured(name) && p.Config[name].IsKnown()
}

// checkMembers refuses configured members of a pool that is not defined by hand, or has criteria.
func checkMembers(p *kind.Plan) {
	for _, members := range []string{"devices", "links"} {
		if !configuredAndKnown(p, members) {
			continue
		}
		if manual, known := p.Flag("manually_defined"); known && !manual {
			p.Error(members, "manually_defined = false conflicts with members",
				fmt.Sprintf("eNMS would accept the %s, and drop them at the next computation of the members. Remove manually_defined = false, or %s.", members, members))
		}
		for _, criteria := range []string{"device_criteria", "link_criteria"} {
			if configuredAndKnown(p, criteria) {
				p.Error(criteria, "Members conflict with criteria",
					fmt.Sprintf("With %s, the members are defined by hand, and eNMS ignores criteria. Remove one of the two.", members))
			}
		}
	}
}
