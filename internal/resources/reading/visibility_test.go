// This file tests what users without rights are told: eNMS answers alike for what is deleted and
// for what it hides (enms-rest.md 6.2).

package reading_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// asUser returns a provider for a user with few rights. forced is force_read_access of the group, with the right to what is
// older.
func asUser(s *acctest.Server, name string, forced bool) *acctest.Core {
	s.T.Helper()
	older := []string{}
	if forced {
		older = []string{"[Shared] Placeholder"}
	}
	return s.PutUser(name, enms.Object{"rbac_read_services": older, "force_read_access": forced})
}

// Nothing that may only be hidden leaves the state, or counts as deleted: not at a refresh, nor
// when it is destroyed without one, nor as an entry.
func TestHidden_isNotGone(t *testing.T) {
	t.Parallel()
	hidden := map[string]acctest.Attributes{
		"enms_device":    {"name": "NAME-x"},
		"enms_network":   {"name": "NAME-x"},
		"enms_link":      {"name": "NAME-x", "source": "NAME-src", "destination": "NAME-src"},
		"enms_pool":      {"name": "NAME-x"},
		"enms_service":   {"name": "NAME-x", "type": "python_snippet_service"},
		"enms_task":      {"name": "NAME-x", "service": "NAME-s"},
		"enms_instances": {"type": "pool"},
	}
	delete(hidden, acctest.ByLine("", "enms_network")) // which every user reads
	for typ, config := range hidden {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			admin := s.Core(nil)
			s.Put("device", enms.Object{"name": "NAME-src"})()
			s.Put("python_snippet_service", enms.Object{"name": "NAME-s", "scoped_name": s.Expand("NAME-s")})()
			for name, v := range config {
				if text, is := v.(string); is {
					config[name] = s.Expand(text)
				}
			}
			if typ == "enms_instances" {
				config["instances"] = acctest.ObjectValue(map[string]any{s.Expand("NAME-x"): map[string]any{}})
			}
			state := admin.Applied(typ, config, admin.NoState(typ))
			blind := asUser(s, "NAME-blind", false)
			after, diags := blind.Refresh(typ, state)
			if acctest.CheckSays(diags, t, s.Expand("NAME-x"), "it was deleted, or this user cannot read it", "rbac_read"); after.Value.IsNull() {
				t.Error("the state has lost it")
			}
			after, diags = blind.Apply(typ, nil, state)
			if acctest.CheckSays(diags, t, "it was deleted, or this user cannot read it"); after.Value.IsNull() {
				t.Error("it counts as deleted")
			}
			if typ != "enms_instances" {
				changed := maps.Clone(config)
				changed["description"] = "other"
				_, diags = blind.Apply(typ, changed, state)
				acctest.CheckSays(diags, t, "Cannot update", "cannot read it")
			}
			acctest.PlanIsEmpty(admin, typ, config, state)
			admin.Applied(typ, nil, state)
		})
	}
}

// A deletion is seen by who sees everything: members of a group with force_read_access. On eNMS 4.7,
// devices and networks are decided for every user, because every user sees all nodes, and so are groups, of
// which nobody needs a right.
func TestHidden_deletionsAreSeen(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		typ    string
		forced bool
	}{{"enms_device", acctest.ByLine(false, true)}, {"enms_network", acctest.ByLine(false, true)}, {"enms_group", false}, {"enms_pool", true}, {"enms_service", true}} {
		t.Run(test.typ, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			reader := asUser(s, "NAME-reader", test.forced)
			admin := s.Core(nil)
			config := acctest.Attributes{"name": s.Expand("NAME-x")}
			if test.typ == "enms_service" {
				config["type"] = "python_snippet_service"
			}
			state := admin.Applied(test.typ, config, admin.NoState(test.typ))
			s.Put("device", enms.Object{"name": "NAME-later"})() // else SQLite gives the id to the next node, of another test
			admin.Applied(test.typ, nil, state)
			after, diags := reader.Refresh(test.typ, state)
			if diags.Failed() || !after.Value.IsNull() {
				t.Errorf("%s %s", after.Value, diags)
			}
			reader.Applied(test.typ, nil, state)
		})
	}
}

// Where eNMS has no type "node", as in version 5, not even a device that nobody shows is gone.
func TestHidden_withoutNodes(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "enms-5.3", simulator.Options{Version: simulator.V53})
	admin := s.Core(nil)
	state := admin.Applied("enms_device", acctest.Attributes{"name": s.Expand("NAME-x")}, admin.NoState("enms_device"))
	after, diags := asUser(s, "NAME-blind", false).Refresh("enms_device", state)
	if acctest.CheckSays(diags, t, "it was deleted, or this user cannot read it"); after.Value.IsNull() {
		t.Error("the state has lost it")
	}
}

// A group with force_read_access gets the right to what is written after it: what is older is not
// gone because such a user does not see it.
func TestHidden_olderThanTheGroup(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	admin := s.Core(nil)
	config := acctest.Attributes{"name": s.Expand("NAME-x")}
	state := admin.Applied("enms_pool", config, admin.NoState("enms_pool"))
	asUser(s, "NAME-other", true) // the rights of its group do not count
	late := s.PutUser("NAME-late", enms.Object{"force_read_access": true})
	after, diags := late.Refresh("enms_pool", state)
	if acctest.CheckSays(diags, t, "it was deleted, or this user cannot read it", "older than the group"); after.Value.IsNull() {
		t.Error("the state has lost it")
	}
	_, diags = late.Apply("enms_pool", nil, state)
	acctest.CheckSays(diags, t, "it was deleted, or this user cannot read it")
	acctest.PlanIsEmpty(admin, "enms_pool", config, state)
	admin.Applied("enms_pool", nil, state)
}

// Who may read an instance and not edit it is told which right is missing, and nothing changes.
func TestHidden_refusedUpdate(t *testing.T) {
	t.Parallel()
	for typ, config := range map[string]acctest.Attributes{
		"enms_device":  {"name": "NAME-x"},
		"enms_pool":    {"name": "NAME-x"},
		"enms_service": {"name": "NAME-x", "type": "python_snippet_service"},
	} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			reader := asUser(s, "NAME-reader", false)
			admin := s.Core(nil)
			config["name"], config["rbac_read"] = s.Expand("NAME-x"), []string{s.Expand("NAME-reader-g")}
			state := admin.Applied(typ, config, admin.NoState(typ))
			changed := maps.Clone(config)
			changed["description"] = "by the reader"
			after, diags := reader.Apply(typ, changed, state)
			if acctest.CheckSays(diags, t, s.Expand("NAME-x"), "rbac_edit"); after.Text(t, "description") == "by the reader" {
				t.Error("the state has what was refused")
			}
			acctest.PlanIsEmpty(admin, typ, config, state)
			admin.Applied(typ, nil, state)
		})
	}
}

// A user without the right to [Shared] Start is told the right, and not to create what every eNMS has.
func TestHidden_builtInServices(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := asUser(s, "NAME-ann", false)
	rights := []string{s.Expand("NAME-ann-g")}
	s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": s.Expand("NAME-w"), "rbac_read": rights, "rbac_edit": rights})()
	edge := acctest.Attributes{"workflow": s.Expand("NAME-w"), "source": "[Shared] Start", "destination": "[Shared] End", "subtype": "success"}
	_, planned := c.Plan("enms_workflow_edge", edge, c.NoState("enms_workflow_edge"))
	_, applied := c.Apply("enms_workflow_edge", edge, c.NoState("enms_workflow_edge"))
	layout := acctest.Attributes{"workflow": s.Expand("NAME-w"), "positions": acctest.Positions(map[string][2]float64{"[Shared] Start": {1, 2}})}
	_, laidOut := c.Apply("enms_workflow_layout", layout, c.NoState("enms_workflow_layout"))
	for what, diags := range map[string]acctest.Problems{"plan": planned, "apply": applied, "layout": laidOut} {
		acctest.CheckSays(diags, t, "Every eNMS has it, so this user lacks the right rbac_read to it", `"The eNMS user"`)
		if strings.Contains(diags.String(), "Create it first") {
			t.Errorf("%s: %s", what, diags)
		}
	}
	task := acctest.Attributes{"name": s.Expand("NAME-t"), "service": s.Expand("NAME-none")}
	_, diags := c.Apply("enms_task", task, c.NoState("enms_task"))
	acctest.CheckSays(diags, t, "Create it first", "If it exists, this user lacks the right to read it")
	_, diags = s.Core(nil).Apply("enms_task", task, c.NoState("enms_task"))
	if !diags.Failed() || strings.Contains(diags.String(), "lacks the right") {
		t.Errorf("an administrator lacks no right: %s", diags)
	}
}
