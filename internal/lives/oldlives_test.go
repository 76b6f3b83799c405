// Lives that broke a law once: found at random and shortened, or written for what others
// have found.

package lives

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// oldLife is a life that broke a law, and what is to be learned from it.
type oldLife struct {
	lesson string
	steps  []step
}

// entries is the argument instances of an enms_instances.
type entries = map[string]any

var (
	good    = map[string]any{"ip_address": "10.0.0.1"}
	another = map[string]any{"ip_address": "10.0.0.2"}
	// refused is an entry that no plan can refuse, and that eNMS does.
	refused = map[string]any{"ip_address": "10.0.0.3", "rbac_read": []any{"G1"}}
)

func devicesOf(e entries) block { return block{"type": "device", "instances": e} }

var oldLives = []oldLife{
	{"A service is not adopted by the name that it has got with its workflow while its own resource renames it.", []step{
		settings{"adopt_existing": true},
		set{"enms_service.w", block{"name": "W3", "type": "workflow"}},
		set{"enms_service.b", block{"name": "[${enms_service.w.name}] S2", "properties": map[string]any{"source_code": "x = 2"}, "type": "python_snippet_service", "workflows": []any{"${enms_service.w.name}"}}},
		apply{},
		set{"enms_service.w", block{"name": "W2", "type": "workflow"}},
		set{"enms_service.a", block{"name": "[${enms_service.w.name}] S2", "properties": map[string]any{"source_code": "x = 1"}, "type": "python_snippet_service", "workflows": []any{"${enms_service.w.name}"}}},
		set{"enms_service.b", block{"name": "[${enms_service.w.name}] S3", "properties": map[string]any{"source_code": "x = 2"}, "type": "python_snippet_service", "workflows": []any{"${enms_service.w.name}"}}},
		apply{},
	}},
	{"What a tainted resource made is in a state when its replacement is not created.", []step{
		set{"enms_instances.m", devicesOf(entries{"A": good, "B": refused})},
		apply{leave: true},
		set{"enms_device.a", block{"name": "X", "rbac_read": []any{"G2"}}},
		set{"enms_instances.m", devicesOf(entries{"A": map[string]any{"description": "beside ${enms_device.a.id}"}})},
		apply{},
	}},
	{"An entry is removed after Terraform has destroyed what it depends on.", []step{
		set{"enms_device.b", block{"name": "D"}},
		set{"enms_instances.l", block{"instances": map[string]any{"L1": map[string]any{"destination": "${enms_device.b.name}", "source": "${enms_device.b.name}"}}, "type": "link"}},
		apply{},
		set{"enms_instances.b", block{"instances": map[string]any{"D": map[string]any{}}, "type": "gateway"}},
		apply{},
	}},
	{"An entry is created once the deletion of the same run has given up its name, and updated afterwards.", []step{
		set{"enms_device.b", block{"name": "A"}},
		set{"enms_link.a", block{"destination": "${enms_device.b.name}", "name": "L2", "source": "${enms_device.b.name}"}},
		apply{},
		set{"enms_instances.a", block{"instances": map[string]any{"A": map[string]any{}, "B": map[string]any{}}, "type": "device"}},
		apply{},
		settings{"defaults": map[string]any{"owners": []any{"admin"}}},
		apply{},
	}},
	{"An entry has the name of a resource that is destroyed after another entry no longer refers to it.", []step{
		set{"enms_device.c", block{"ip_address": "10.0.0.2", "name": "C", "type": "gateway", "vendor": "Nokia"}},
		set{"enms_instances.l", block{"instances": map[string]any{"L3": map[string]any{"destination": "${enms_device.c.name}", "source": "${enms_device.c.name}"}}, "type": "ethernet_link"}},
		apply{},
		set{"enms_instances.b", block{"instances": map[string]any{"C": map[string]any{"ip_address": "10.0.0.3", "rbac_read": []any{"G2"}, "vendor": "Cisco"}, "D": map[string]any{"ip_address": "10.0.0.2", "vendor": "Nokia"}}, "type": "gateway"}},
		apply{},
		apply{},
	}},
	{"An entry is removed after Terraform has replaced what it depends on.", []step{
		set{"enms_instances.b", block{"instances": map[string]any{"B": map[string]any{"ip_address": "10.0.0.2"}}, "type": "device"}},
		set{"enms_instances.l", block{"instances": map[string]any{"L3": map[string]any{"destination": "${enms_instances.b.B}", "source": "${enms_instances.b.B}"}}, "type": "ethernet_link"}},
		apply{},
		set{"enms_instances.b", block{"instances": map[string]any{"E": map[string]any{}}, "type": "gateway"}},
		apply{},
	}},
	{"Of two entries that exchange their names, one is refused.", []step{
		set{"enms_instances.m", devicesOf(entries{"A": good, "B": another})},
		apply{},
		set{"enms_instances.m", block{"type": "device", "instances": entries{"A": refused, "B": good}, "renames": map[string]any{"A": "B", "B": "A"}}},
		apply{},
	}},
	{"Two entries that have exchanged their names keep them when an update of both fails.", []step{
		set{"enms_instances.m", devicesOf(entries{"A": good, "B": another})},
		apply{},
		set{"enms_instances.m", block{"type": "device", "instances": entries{"A": another, "B": good}, "renames": map[string]any{"A": "B", "B": "A"}}},
		apply{},
		set{"enms_instances.m", block{"type": "device", "instances": entries{"A": good, "B": another}, "renames": map[string]any{"A": "B", "B": "A"}}},
		apply{faults: []faults.Rule{{Method: "POST", Path: "/rest/instance", Nth: 1, Count: 6, When: "before", Fault: "500"}}},
	}},
	{"A rename with another change, whose result was lost, is recognised.", []step{
		set{"enms_device.a", block{"name": "A", "ip_address": "10.0.0.1"}},
		apply{},
		set{"enms_device.a", block{"name": "B", "ip_address": "10.0.0.2"}},
		apply{lost: []string{"enms_device.a"}},
	}},
	{"What was made under the name of what an apply deleted that was killed is not deleted.", []step{
		set{"enms_device.a", block{"name": "E"}},
		apply{},
		remove{"enms_device.a"},
		set{"enms_device.b", block{"name": "Z"}},
		set{"enms_device.c", block{"name": "E", "description": "created after the deletion, beside ${enms_device.b.id}"}},
		apply{lost: []string{"enms_device.a"}},
	}},
	{"The error of a name that what depends on the creation gives up does not ask for an import.", []step{
		set{"enms_device.b", block{"name": "B"}},
		apply{},
		set{"enms_device.a", block{"name": "B"}},
		set{"enms_device.b", block{"name": "C", "description": "beside ${enms_device.a.id}"}},
		apply{},
	}},
	{"Of two entries that exchange their names, others have deleted one.", []step{
		set{"enms_instances.m", devicesOf(entries{"A": good, "D": another})},
		apply{},
		set{"enms_instances.m", block{"type": "device", "instances": entries{"A": another, "D": good}, "renames": map[string]any{"A": "D", "D": "A"}}},
		erase{"device", "A"},
		apply{},
	}},
	{"A rename with another change, whose result was lost, is recognised when another address has the old name.", []step{
		set{"enms_device.a", block{"ip_address": "10.0.0.1", "name": "C"}},
		apply{},
		set{"enms_instances.c", block{"instances": map[string]any{"C": map[string]any{}}, "type": "device"}},
		set{"enms_device.a", block{"ip_address": "10.0.0.2", "name": "D"}},
		apply{lost: []string{"enms_device.a"}},
	}},
	{"A workflow moves into a new one that gets its name and its services.", []step{
		set{"enms_service.w", block{"name": "W1", "type": "workflow"}},
		set{"enms_service.c", block{"name": "[${enms_service.w.name}] S1", "type": "python_snippet_service", "workflows": []any{"${enms_service.w.name}"}}},
		apply{},
		move{"enms_service.w", "enms_service.a", false},
		set{"enms_service.w", block{"name": "[${enms_service.a.name}] W1", "type": "workflow", "workflows": []any{"${enms_service.a.name}"}}},
		apply{},
	}},
	{"What must be kept for one apply has another name by now.", []step{
		set{"enms_device.c", block{"name": "C"}},
		set{"enms_instances.l", block{"instances": map[string]any{"L1": map[string]any{"destination": "${enms_device.c.name}", "source": "${enms_device.c.name}"}}, "type": "link"}},
		apply{},
		remove{"enms_device.c"},
		write{"device", "C", map[string]any{"new_name": "X"}},
		apply{},
	}},
	{"A service of a nested workflow follows it when that is renamed and leaves its own workflow.", []step{
		set{"enms_service.w", block{"name": "W3", "type": "workflow"}},
		set{"enms_service.v", block{"name": "[${enms_service.w.name}] W2", "type": "workflow", "workflows": []any{"${enms_service.w.name}"}}},
		set{"enms_service.a", block{"name": "[${enms_service.v.name}] S1", "type": "python_snippet_service", "workflows": []any{"${enms_service.v.name}"}}},
		apply{},
		move{"enms_service.v", "enms_service.c", false},
		set{"enms_service.v", block{"name": "W1", "type": "workflow"}},
		apply{},
	}},
	{"A service takes the name of the workflow that it leaves.", []step{
		set{"enms_service.v", block{"name": "W1", "type": "workflow"}},
		set{"enms_service.w", block{"name": "[${enms_service.v.name}] W1", "type": "workflow", "workflows": []any{"${enms_service.v.name}"}}},
		apply{},
		remove{"enms_service.v"},
		set{"enms_service.w", block{"name": "W1", "type": "workflow"}},
		apply{},
	}},
	{"An entry gets the name that eNMS gives it, as the error says, when its workflow exchanges its name with another one.", []step{
		set{"enms_service.v", block{"name": "W3", "type": "workflow"}},
		set{"enms_service.w", block{"name": "W2", "type": "workflow"}},
		set{"enms_instances.s", block{"instances": map[string]any{"[W2] S1": map[string]any{"source_code": "x = 2", "workflows": []any{"${enms_service.w.name}"}}}, "type": "python_snippet_service"}},
		apply{},
		swap{"enms_service.v", "enms_service.w"},
		apply{},
	}},
	{"What gets another type and keeps its name cannot be created before it is destroyed, as the error says.", []step{
		set{"enms_device.a", block{"name": "A", createBeforeDestroy: true}},
		set{"enms_instances.m", block{"type": "device", "instances": entries{"B": good}, createBeforeDestroy: true}},
		apply{},
		set{"enms_device.a", block{"name": "A", "type": "gateway", createBeforeDestroy: true}},
		set{"enms_instances.m", block{"type": "gateway", "instances": entries{"B": good}, createBeforeDestroy: true}},
		apply{},
	}},
	{"What is created before it is destroyed is adopted, and not deleted.", []step{
		settings{"adopt_existing": true},
		set{"enms_device.a", block{"name": "A", createBeforeDestroy: true}},
		set{"enms_instances.m", block{"type": "device", "instances": entries{"B": good}, createBeforeDestroy: true}},
		apply{},
		apply{replace: []string{"enms_device.a", "enms_instances.m"}},
		apply{},
		set{"enms_device.a", block{"name": "A", "type": "gateway", createBeforeDestroy: true}},
		set{"enms_instances.m", block{"type": "gateway", "instances": entries{"B": good}, createBeforeDestroy: true}},
		apply{},
	}},
	{"What has another name is created before the old one is destroyed.", []step{
		set{"enms_device.a", block{"name": "A", createBeforeDestroy: true}},
		set{"enms_task.a", block{"name": "T1", "service": "[Shared] Start", "devices": []any{"${enms_device.a.name}"}}},
		set{"enms_instances.m", block{"type": "device", "instances": entries{"B": good}, createBeforeDestroy: true}},
		apply{},
		set{"enms_device.a", block{"name": "C", "type": "gateway", createBeforeDestroy: true}},
		set{"enms_instances.m", block{"type": "gateway", "instances": entries{"D": good}, createBeforeDestroy: true}},
		apply{},
	}},
	{"An entry waits for a name that a resource gives up which refers to the entry.", []step{
		set{"enms_network.a", block{"name": "A"}},
		apply{},
		set{"enms_instances.a", block{"type": "gateway", "instances": entries{"A": good, "B": good}}},
		set{"enms_network.a", block{"name": "N1", "nodes": []any{"${enms_instances.a.A}"}}},
		apply{},
	}},
	{"What a failed creation has made is replaced while what it was to replace is still to be destroyed.", []step{
		set{"enms_instances.m", block{"type": "gateway", "instances": entries{"D": good}}},
		apply{},
		set{"enms_instances.m", block{"type": "device", "instances": entries{"B": good, "D": good}, createBeforeDestroy: true}},
		apply{},
	}},
	{"What a failed replacement has put aside is destroyed before a link refers to its name again, as the errors say.", []step{
		set{"enms_group.a", block{"name": "G3"}},
		set{"enms_instances.a", block{"instances": entries{"B": good, "D": another}, "type": "device", createBeforeDestroy: true}},
		set{"enms_instances.l", block{"instances": entries{"L2": map[string]any{"destination": "${enms_instances.a.B}", "source": "${enms_instances.a.B}"}}, "type": "ethernet_link"}},
		apply{},
		set{"enms_instances.a", block{"instances": entries{"B": refused, "C": good}, "type": "gateway", createBeforeDestroy: true}},
		apply{},
	}},
	{"A circle of what Terraform creates first and destroys first is no apply that succeeded.", []step{
		set{"enms_device.b", block{"name": "B"}},
		set{"enms_device.c", block{"description": "beside ${enms_device.b.id}", "name": "A"}},
		apply{},
		set{"enms_device.c", block{"ip_address": "10.0.0.1", "name": "B", "type": "gateway"}},
		set{"enms_instances.b", block{"instances": entries{"A": good}, "type": "device"}},
		set{"enms_network.c", block{"name": "N1", "nodes": []any{"${enms_device.c.name}"}, createBeforeDestroy: true}},
		apply{},
	}},
	{"What Terraform would destroy after what it refers to, because of create_before_destroy, is destroyed first, in an apply of its own.", []step{
		set{"enms_instances.c", devicesOf(entries{"A": good, "E": another})},
		set{"enms_link.a", block{"name": "L2", "source": "${enms_instances.c.E}", "destination": "${enms_instances.c.E}", createBeforeDestroy: true}},
		apply{},
		set{"enms_instances.c", block{"type": "gateway", "instances": entries{"A": good, "D": another}}},
		apply{},
	}},
	{"What a killed replacement has put aside is destroyed before its name is given again, as the error says.", []step{
		set{"enms_device.b", block{"name": "B", createBeforeDestroy: true}},
		apply{},
		set{"enms_device.b", block{"name": "B", "type": "gateway", createBeforeDestroy: true}},
		apply{lost: []string{"enms_device.b"}},
	}},
	{"A pool that takes over another one has its criteria, which are not configured.", []step{
		settings{"deletion_policy": "abandon"},
		set{"enms_device.a", block{"name": "A"}},
		set{"enms_pool.a", block{"device_criteria": map[string]any{"vendor": map[string]any{"value": "Nokia"}}, "name": "P2"}},
		apply{},
		settings{"adopt_existing": true},
		set{"enms_pool.b", block{"devices": []any{"${enms_device.a.name}"}, "name": "P2"}},
		apply{},
	}},
	{"A link is replaced with the entries that its user has replaced.", []step{
		settings{"deletion_policy": "cascade"},
		set{"enms_instances.c", devicesOf(entries{"A": good, "D": another})},
		set{"enms_link.b", block{"destination": "${enms_instances.c.D}", "name": "L2", "source": "${enms_instances.c.D}"}},
		apply{},
		apply{replace: []string{"enms_instances.c"}},
	}},
	{"Nested workflows that the user has replaced together do not keep each other.", []step{
		settings{"deletion_policy": "cascade"},
		set{"enms_instances.m", block{"type": "workflow", "instances": entries{"V": entries{}, "[V] W": entries{"workflows": []any{"V"}}}}},
		apply{},
		apply{replace: []string{"enms_instances.m"}},
	}},
	{"A link is replaced with the entries that get another type, by the deletion policy in the state.", []step{
		set{"enms_instances.c", block{"deletion_policy": "cascade", "instances": entries{"B": good}, "type": "device"}},
		set{"enms_link.c", block{"destination": "${enms_instances.c.B}", "name": "L3", "source": "${enms_instances.c.B}"}},
		apply{},
		set{"enms_instances.c", block{"instances": entries{"B": good}, "type": "gateway"}},
		apply{},
	}},
	{"An edge gets the place of one that was left in eNMS once that is deleted, as the error says.", []step{
		set{"enms_service.w", block{"name": "W3", "type": "workflow"}},
		set{"enms_service.b", block{"name": "[${enms_service.w.name}] S1", "type": "python_snippet_service", "workflows": []any{"${enms_service.w.name}"}}},
		set{"enms_workflow_edge.b", block{"destination": "${enms_service.b.name}", "source": "[Shared] Start", "subtype": "failure", "workflow": "${enms_service.w.name}"}},
		set{"enms_workflow_edge.c", block{"destination": "[Shared] End", "source": "${enms_service.b.name}", "subtype": "success", "workflow": "${enms_service.w.name}"}},
		apply{},
		settings{"deletion_policy": "abandon"},
		set{"enms_workflow_edge.a", block{"destination": "${enms_service.b.name}", "source": "[Shared] Start", "subtype": "failure", "workflow": "${enms_service.w.name}"}},
		set{"enms_workflow_edge.b", block{"destination": "[Shared] End", "source": "${enms_service.b.name}", "subtype": "success", "workflow": "${enms_service.w.name}"}},
		apply{},
	}},
	{"A property that an import brought stays where it is when a default has the same value.", []step{
		settings{"defaults": map[string]any{"device": map[string]any{"properties": map[string]any{"managed_by": "terraform"}}, "owners": []any{"admin"}}},
		set{"enms_device.c", block{"name": "B"}},
		apply{lost: []string{"enms_device.c"}},
	}},
	{"Properties that an import brought stay when a default is gone.", []step{
		set{"enms_device.b", block{"name": "E"}},
		write{"device", "E", map[string]any{}},
		settings{"defaults": map[string]any{"device": map[string]any{"properties": map[string]any{"managed_by": "terraform"}}, "owners": []any{"admin"}}},
		apply{lost: []string{"enms_device.b"}},
		settings{"defaults": map[string]any{"owners": []any{"admin"}}},
		apply{},
	}},
	{"A resource whose replacement was killed does not rename what another one has created under its name.", []step{
		set{"enms_device.a", block{"ip_address": "10.0.0.1", "name": "E", "type": "gateway"}},
		apply{},
		set{"enms_device.a", block{"ip_address": "10.0.0.2", "name": "D"}},
		set{"enms_device.c", block{"ip_address": "10.0.0.1", "name": "E"}},
		apply{lost: []string{"enms_device.a"}},
		apply{},
	}},
	{"What is created beside the replacement of what it refers to refers to the new one.", []step{
		set{"enms_group.a", block{"name": "G3"}},
		apply{},
		set{"enms_device.b", block{"ip_address": "10.0.0.3", "name": "E", "rbac_read": []any{"G3"}}},
		apply{replace: []string{"enms_group.a"}},
		apply{},
	}},
	{"Nothing is written to the new version of a workflow until the user says so.", []step{
		set{"enms_service.w", block{"name": "W1", "type": "workflow"}},
		set{"enms_service.a", block{"name": "[${enms_service.w.name}] S1", "type": "python_snippet_service", "workflows": []any{"${enms_service.w.name}"}}},
		set{"enms_workflow_edge.a", block{"workflow": "${enms_service.w.name}", "source": "[Shared] Start", "destination": "${enms_service.a.name}", "subtype": "success"}},
		apply{},
		version{"W1", []string{"S1"}},
		set{"enms_service.w", block{"name": "W1", "type": "workflow", "description": "one"}},
		apply{},
	}},
	{"An edge that eNMS deletes with its service leaves its id to a new one.", []step{
		set{"enms_service.v", block{"name": "W2", "type": "workflow"}},
		set{"enms_service.b", block{"name": "[${enms_service.v.name}] S1", "type": "python_snippet_service", "workflows": []any{"${enms_service.v.name}"}}},
		set{"enms_workflow_edge.c", block{"destination": "[Shared] End", "source": "${enms_service.b.name}", "subtype": "success", "workflow": "${enms_service.v.name}"}},
		apply{},
		remove{"enms_service.b"},
		set{"enms_service.c", block{"name": "[${enms_service.v.name}] S1", "type": "python_snippet_service", "workflows": []any{"${enms_service.v.name}"}}},
		set{"enms_workflow_edge.b", block{"destination": "${enms_service.c.name}", "source": "[Shared] Start", "subtype": "failure", "workflow": "${enms_service.v.name}"}},
		set{"enms_workflow_edge.c", block{"destination": "[Shared] End", "source": "${enms_service.c.name}", "subtype": "success", "workflow": "${enms_service.v.name}"}},
		apply{},
	}},
	{"A tainted resource has no mark, so it takes what others have made with its id and name for its own.", []step{
		set{"enms_instances.c", devicesOf(entries{"A": refused, "D": good})},
		apply{leave: true},
		erase{"device", "D"},
		write{"device", "D", map[string]any{"vendor": "Cisco"}},
		set{"enms_instances.c", devicesOf(entries{"C": another})},
		apply{},
	}},
	{"An entry that others renamed is told when it has its name again, and another its name of meanwhile.", []step{
		set{"enms_instances.c", devicesOf(entries{"A": good, "C": another})},
		set{"enms_device.a", block{"name": "D", "ip_address": "10.0.0.1"}},
		apply{},
		set{"enms_device.a", block{"name": "E", "ip_address": "10.0.0.1"}},
		write{"device", "C", map[string]any{"new_name": "E"}},
		apply{lost: []string{"enms_instances.c"}},
	}},
	{"A restore in place and a rollback leave every object with its address.", []step{
		set{"enms_device.a", block{"name": "A", "ip_address": "10.0.0.1"}},
		apply{},
		take{},
		set{"enms_device.b", block{"name": "B", "ip_address": "10.0.0.1"}},
		set{"enms_device.c", block{"name": "C", "ip_address": "10.0.0.1"}},
		apply{},
		restore{1, true},
		set{"enms_device.b", block{"name": "B", "ip_address": "10.0.0.2"}},
		apply{},
		rollback{},
		set{"enms_device.a", block{"name": "A", "ip_address": "10.0.0.3"}},
		apply{},
	}},
}

// TestOldLives plays the lives that broke a law once.
func TestOldLives(t *testing.T) {
	t.Parallel()
	for _, old := range oldLives {
		t.Run(old.lesson, func(t *testing.T) {
			t.Parallel()
			_, broken := play(t, serverOptions(), old.steps)
			if broken != nil {
				t.Errorf("%s\n%s\n%s", broken, stepsString(old.steps), strings.Join(broken.trace, "\n"))
			}
		})
	}
}
