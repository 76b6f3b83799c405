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
		Summary:   "A pool: devices and links that belong together, chosen by hand or by criteria.",
		Attributes: append([]kind.Attribute{
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "What the pool is."},
			{Name: "device_criteria", Type: kind.Criteria, Prefix: "device_", Properties: deviceProperties, Compares: "device", Portable: portable("device_criteria"),
				Doc: "Which devices belong to the pool: conditions by properties of devices, such as `vendor`, `location` or a custom property. All of them must hold. Without any, no device belongs to it."},
			{Name: "link_criteria", Type: kind.Criteria, Prefix: "link_", Properties: linkProperties, Compares: "link", Portable: portable("link_criteria"),
				Doc: "Which links belong to the pool: conditions by properties of links, such as `color` or `source_name`. All of them must hold. Without any, no link belongs to it."},
			{Name: "devices", Type: kind.Many, Of: "device", Inverse: "pools", Automatic: byCriteria, Doc: "The names of the devices in a pool that is defined by hand, in any order. Without it, they are left alone."},
			{Name: "links", Type: kind.Many, Of: "link", Inverse: "pools", Automatic: byCriteria, Doc: "The names of the links in a pool that is defined by hand, in any order. Without it, they are left alone."},
			{Name: "manually_defined", Type: kind.Flag, Derived: true, Default: false,
				Doc: "Whether the members are chosen by hand, so that criteria do not count. It is true by itself when `devices` or `links` are configured."},
			{Name: "update_members", Type: kind.Flag, Role: kind.Setting,
				Doc: "Whether the members are computed as soon as criteria have been written: one request for all pools that are written together, which computes all pools on the server. With `false`, the pool keeps the members that it has until eNMS computes them, see [enms_pools_update](pools_update.md). Default: `true`."},
			{Name: "device_number", Type: kind.Number, ReadOnly: true, DataOnly: true, Doc: "How many devices are in the pool."},
			{Name: "link_number", Type: kind.Number, ReadOnly: true, DataOnly: true, Doc: "How many links are in the pool."},
			{Name: "admin_only", Section: sectionRights, Type: kind.Flag, Default: false, Doc: "Whether only administrators see the pool."},
		}, rights("pool")...),
		BuiltIn:   []string{"All objects", "Devices only", "Links only"},
		Further:   []kind.Attribute{sample(textOf("property1", "CP", "A text."))},
		Relations: append([]string{"credential_devices", "runs"}, poolRights...),
		ListedBy:  []kind.Attribute{in("target_services", "service"), in("tasks", "task")},
		NeverSent: []string{"device_number", "link_number"},
		Unwatched: append([]string{"device_number", "link_number"}, volatileFields...),
		Recompute: &kind.Recompute{Endpoint: "update_all_pools", Computed: "members", Attributes: []string{"device_criteria", "link_criteria"}, Setting: "update_members",
			Hint: "eNMS computes all of them at once, and none when its database cannot search by a criterion of any: look for that one."},
		Check: checkPool,
	}
}

// poolRights are the fields by which a pool gives rights to groups.
var poolRights = []string{"rbac_group_rbac_read", "rbac_group_rbac_edit", "rbac_group_rbac_configuration", "rbac_group_rbac_connect", "rbac_group_rbac_target"}

// byCriteria reports whether eNMS chooses a pool's members.
func byCriteria(answer map[string]any) bool { return answer["manually_defined"] != true }

// checkPool looks at a pool at plan time.
func checkPool(p *kind.Plan) {
	checkMembers(p)
	checkCriteria(p, "device_criteria")
	checkCriteria(p, "link_criteria")
}

// checkMembers makes a pool with members by hand one that is defined by hand: eNMS
// would drop them at the next computation.
func checkMembers(p *kind.Plan) {
	byHand := p.Configured("devices") || p.Configured("links")
	takenOut := p.TakenOut("devices") || p.TakenOut("links") || p.TakenOut("manually_defined")
	if !p.Configured("manually_defined") && (byHand || takenOut || p.Creating()) {
		p.SetFlag("manually_defined", byHand)
	}
	for _, members := range []string{"devices", "links"} {
		if !p.Configured(members) {
			continue
		}
		if manual, known := p.Flag("manually_defined"); known && !manual {
			p.Error(members, "A pool that is not defined by hand has no members by hand",
				fmt.Sprintf("eNMS would take the %s in and drop them when it next computes the members of its pools. Take manually_defined = false out, or %s.", members, members))
		}
		for _, criteria := range []string{"device_criteria", "link_criteria"} {
			if p.Configured(criteria) {
				p.Error(criteria, "A pool is defined by hand or by criteria",
					fmt.Sprintf("With %s the members are chosen by hand, and eNMS takes no notice of criteria. Take one of the two out.", members))
			}
		}
	}
}
