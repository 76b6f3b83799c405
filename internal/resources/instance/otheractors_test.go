// What others do between a plan and its apply, or to what this provider has let
// go of: nothing is doubled, taken for another, or planned away.

package instance_test

import (
	"fmt"
	"maps"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// A service that somebody shares in eNMS gets another name by that. It is not gone.
func TestService_sharedOutsideTerraform(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := acctest.Attributes{"name": s.Expand("NAME-x"), "shared": false}
	state := c.Applied("enms_service", config, c.NoState("enms_service"))
	s.Put("service", enms.Object{"name": "NAME-x", "scoped_name": "NAME-x", "shared": true, "new_name": "[Shared] NAME-x"})()
	now := c.Refreshed("enms_service", state)
	if now.Value.IsNull() || now.Text(t, "name") != s.Expand("[Shared] NAME-x") {
		t.Fatalf("not recognised: %s", now.Value)
	}
	now = c.Applied("enms_service", config, now)
	if err := s.Absent("service", "[Shared] NAME-x")(nil); err != nil || now.Text(t, "id") != state.Text(t, "id") {
		t.Error(now.Value, err)
	}
	c.Applied("enms_service", nil, now)
}

// What a user may read, but not edit, is not changed, and nothing is made in its place: eNMS would make another service for one
// whose name it composes (enms-rest.md 6.2).
func TestUpdate_withoutTheRightToEdit(t *testing.T) {
	t.Parallel()
	acctest.OnEachLine(t, func(t *testing.T, s *acctest.Server, is5 bool) {
		t.Helper()
		ann, readers := s.PutUser("NAME-ann", nil), []string{s.Expand("NAME-ann-g")}
		c, w, step := s.Core(nil), s.Expand("NAME-w"), s.Expand("NAME-t")
		strays := map[string]any{"name": "^(" + step + "|hers|None||>|>None)$", "name_filter": "regex"}
		types := []string{"service"}
		if is5 {
			types = append(types, "vlan")
		}
		type attributes = acctest.Attributes
		vlan := func(description string) tftypes.Value {
			return acctest.ObjectValue(map[string]any{"scoped_name": s.Expand("NAME-v"), "description": description, "rbac_read": readers})
		}
		for _, test := range []struct {
			typ             string
			config, changes attributes // nil to remove it
			hinted          bool       // at the right that is missing
		}{
			{"enms_service", attributes{"name": w, "type": "workflow"}, attributes{"description": "hers"}, true},
			{"enms_service", attributes{"name": w, "type": "workflow"}, attributes{"placeholder": true}, false},
			{"enms_service", attributes{"name": "[" + w + "] " + step, "workflows": []string{w}}, attributes{"description": "hers"}, true},
			{"enms_service", attributes{"name": "[" + w + "] " + step, "workflows": []string{w}}, attributes{"name": "[" + w + "] hers"}, true},
			{"enms_service", attributes{"name": "[" + w + "] " + step, "workflows": []string{w}, "deletion_policy": "disable"}, nil, true},
			{"enms_service", attributes{"name": "[Shared] " + step, "shared": true}, attributes{"description": "hers"}, true},
			{"enms_device", attributes{"name": step}, attributes{"description": "hers"}, true},
			{"enms_instance", attributes{"name": s.Expand(">NAME-v"), "type": "vlan", "properties": vlan("")}, attributes{"properties": vlan("hers")}, false},
		} {
			if !is5 && test.typ == "enms_instance" {
				continue
			}
			if test.typ != "enms_instance" {
				test.config["rbac_read"] = readers
			}
			if test.typ == "enms_service" && test.config["name"] != w {
				s.Put("workflow", enms.Object{"name": w, "scoped_name": w, "rbac_read": readers})()
			}
			state := c.Applied(test.typ, test.config, c.NoState(test.typ))
			hers := test.changes
			if hers != nil {
				hers = maps.Clone(test.config)
				maps.Copy(hers, test.changes)
			}
			if _, diags := ann.Apply(test.typ, hers, state); !diags.Failed() || test.hinted && !strings.Contains(diags.String(), "add a group of this user to its rbac_edit") {
				t.Errorf("%v %v: %s", test.config, test.changes, diags)
			}
			if now := c.Refreshed(test.typ, state); !now.Value.Equal(state.Value) {
				t.Errorf("%v %v: it is %s now, and was %s", test.config, test.changes, now.Value, state.Value)
			}
			for _, typ := range types {
				if rows, err := s.Client.Search(s.Context(), typ, []string{"name"}, strays); len(rows) > 0 || err != nil {
					t.Errorf("%v %v: there is a stray %s: %v, %v", test.config, test.changes, typ, rows, err)
				}
			}
			test.config["deletion_policy"] = "delete"
			c.Applied(test.typ, nil, c.Applied(test.typ, test.config, state))
		}
	})
}

// Three runs that create the same at the same time: each instance is in the state
// of one of them, and the others are told that its name is taken. Of a task all
// three may be told so: eNMS keeps tasks of a list that it refuses, and does not
// say which (enms-rest.md 0.1).
func TestConcurrentRuns_createTheSame(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("device", enms.Object{"name": "NAME-target"})()
	runs := []*acctest.Core{s.Core(nil), s.Core(nil), s.Core(nil)}
	for i, c := range runs {
		runs[i] = c.InOneRun()
	}
	for typ, config := range map[string]acctest.Attributes{
		"enms_device":  {"vendor": "Nokia"},
		"enms_service": {"type": "python_snippet_service"},
		"enms_task":    {"service": "[Shared] Start", "devices": []string{s.Expand("NAME-target")}},
	} {
		const instances = 4
		var states [instances][3]acctest.ResourceState
		var callers sync.WaitGroup
		for i := range instances {
			for j, c := range runs {
				callers.Go(func() {
					config := maps.Clone(config)
					config["name"] = s.Expand(fmt.Sprintf("NAME-%d", i))
					var diags acctest.Problems
					states[i][j], diags = c.Apply(typ, config, c.NoState(typ))
					if states[i][j].Value.IsNull() && !(acctest.ErrorOn(diags, "name") && strings.Contains(diags.String(), "already has a")) {
						t.Errorf("%s %d: %s", typ, i, diags)
					}
				})
			}
		}
		callers.Wait()
		for i := range instances {
			owners := 0
			for j, state := range states[i] {
				if !state.Value.IsNull() {
					owners++
					if _, diags := runs[j].Apply(typ, nil, state); diags.Failed() {
						t.Error(diags)
					}
				}
			}
			if owners == 0 && typ == "enms_task" {
				s.Drop("task", fmt.Sprintf("NAME-%d", i))()
				owners = 1
			}
			if owners != 1 {
				t.Errorf("%s %d is in %d states", typ, i, owners)
			}
		}
	}
}

// What eNMS does not answer, such as a secret, does not count as written when
// the update failed.
func TestUpdate_failureSendsTheSecretAgain(t *testing.T) {
	t.Parallel()
	acctest.SkipOn(t, "services have no field conn_timeout, which is to be refused here", "enms-4.4")
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := func(properties map[string]any) acctest.Attributes {
		return acctest.Attributes{"name": s.Expand("NAME-s"), "type": "netmiko_commands_service", "properties": properties}
	}
	state := c.Applied("enms_service", config(map[string]any{"driver": "device"}), c.NoState("enms_service"))
	state, diags := c.Apply("enms_service", config(map[string]any{"driver": "device", "custom_password": "new", "conn_timeout": "abc"}), state)
	if !diags.Failed() {
		t.Fatal("a text was taken for a number of seconds")
	}
	wanted := config(map[string]any{"driver": "device", "custom_password": "new"})
	if p, diags := c.Plan("enms_service", wanted, c.Refreshed("enms_service", state)); diags.Failed() || p.Noop {
		t.Error("the password counts as written", diags)
	}
	c.Applied("enms_service", nil, state)
}

// An attribute that was removed from the configuration while it had its default is no
// longer managed: changes by others are not reported as drift.
func TestDevice_attributeRemovedAtItsDefault(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := acctest.Attributes{"name": s.Expand("NAME-d"), "description": ""}
	state := c.Applied("enms_device", config, c.NoState("enms_device"))
	s.Put("device", enms.Object{"name": "NAME-d", "description": "by hand"})()
	if p, _ := c.Plan("enms_device", config, c.Refreshed("enms_device", state)); p.Noop {
		t.Error("the drift of a configured attribute is not seen")
	}
	delete(config, "description")
	state = c.Refreshed("enms_device", state)
	if p, _ := c.Plan("enms_device", config, state); !p.Noop {
		t.Errorf("the description of somebody else is planned away: %s", p.Value)
	}
	c.Applied("enms_device", nil, state)
}

// A policy that a kind does not have is an error of the plan. What is merely unknown yet, or was there before, is none.
func TestPlan_policiesAndExistingValues(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(acctest.Attributes{"deletion_policy": "disable"})
	for _, policy := range []any{nil, "delete", tftypes.NewValue(tftypes.String, tftypes.UnknownValue)} {
		_, diags := c.Plan("enms_device", acctest.Attributes{"name": "x", "deletion_policy": policy}, c.NoState("enms_device"))
		if diags.Failed() != (policy == nil) || policy == nil && !s.Says("A device cannot be disabled", "Set another deletion_policy").MatchString(diags.String()) {
			t.Errorf("the deletion policy %v: %s", policy, diags)
		}
	}
	s.Put("task", enms.Object{"name": "NAME-t", "service": "[Shared] Start", "start_date": "2029-01-01", "end_date": "2030-01-01"})()
	state := c.Imported("enms_task", s.Expand("NAME-t"))
	if _, diags := c.Plan("enms_task", acctest.Attributes{"name": s.Expand("NAME-t"), "service": "[Shared] Start"}, state); diags.Failed() {
		t.Error("dates that are not configured:", diags)
	}
}

// What others have added to a relation that is neither configured nor sent is no failure of an update, which reads it
// with the properties that it wrote: the next read shows it.
func TestUpdate_relationOfOthers(t *testing.T) {
	t.Parallel()
	s, _ := acctest.NewServerBehindProxy(t)
	c, typ := s.Core(nil), "enms_group"
	group := c.Applied(typ, acctest.Attributes{"name": "g"}, c.NoState(typ))
	s.Put("user", enms.Object{"name": "u", "groups": []string{"g"}})()
	properties := acctest.ObjectValue(map[string]any{"rbac_read_services": []any{}})
	after, diags := c.Apply(typ, acctest.Attributes{"name": "g", "properties": properties}, group)
	if diags.Failed() {
		t.Errorf("%s", diags)
	}
	s.Check(s.Holds("group", "g", "users", "[u]"))
	c.Applied(typ, nil, after)
}
