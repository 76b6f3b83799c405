// Acceptance tests of deletion: what eNMS would delete along, and the policies.

package provider_test

import (
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

func TestDeleteRefusesToTakeOthersAlong(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	config := s.hcl(`
		resource "enms_device" "d" { name = "NAME-d" }
		resource "enms_service" "s" { name = "NAME-s" }
		resource "enms_service" "wf" {
		  name = "NAME-wf"
		  type = "workflow"
		}`)
	s.run(
		resource.TestStep{Config: config},
		resource.TestStep{PreConfig: func() {
			s.put("device", enms.Object{"name": "NAME-other"})()
			s.put("link", enms.Object{"name": "NAME-link", "source": "NAME-d", "destination": "NAME-other"})()
			s.put("task", enms.Object{"name": "NAME-task", "service": "NAME-s"})()
			s.put("service", enms.Object{"name": "[NAME-wf] step", "scoped_name": "step", "workflows": []string{s.expand("NAME-wf")}})()
			s.put("task", enms.Object{"name": "NAME-step task", "service": "[NAME-wf] step"})()
		}, Config: config, Destroy: true, ExpectError: s.says(`Cannot delete device "NAME-d"`, `link "NAME-link"`, "deletion_policy")},
		resource.TestStep{Config: config, Destroy: true, ExpectError: s.says(`Cannot delete service "NAME-s"`, `task "NAME-task"`)},
		resource.TestStep{Config: config, Destroy: true, ExpectError: s.says(`Cannot delete service "NAME-wf"`, `service "[NAME-wf] step"`, `task "NAME-step task"`)},
		resource.TestStep{PreConfig: func() {
			s.drop("link", "NAME-link")()
			s.drop("device", "NAME-other")()
			s.drop("task", "NAME-task")()
			s.drop("task", "NAME-step task")()
			s.drop("service", "[NAME-wf] step")()
		}, Config: config},
	)
}

// A service with a task is replaced in one apply when the task is replaced with
// it, and a device with a task does not lose it.
func TestReplacementWithDependents(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	config := func(service, device, lifecycle string) string {
		return s.hcl(`
			resource "enms_service" "s" {
			  name = "NAME-s"
			  type = "` + service + `"
			}
			resource "enms_device" "d" {
			  name = "NAME-d"
			  type = "` + device + `"
			}
			resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = enms_service.s.name
			  devices = [enms_device.d.name]
			  lifecycle {
			    replace_triggered_by = [` + lifecycle + `]
			  }
			}`)
	}
	s.run(
		resource.TestStep{Config: config("service", "device", "")},
		s.failing(config("python_snippet_service", "device", ""), `Cannot delete service "NAME-s"`, `task "NAME-t"`, "replace_triggered_by"),
		resource.TestStep{Config: config("python_snippet_service", "router", "enms_service.s.id, enms_device.d.id"),
			Check: s.holds("task", "NAME-t", "devices", "[NAME-d]")},
	)
}

func TestDeleteCascades(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.run(
		resource.TestStep{Config: s.block(`deletion_policy = "cascade"`) + s.expand(`
			resource "enms_device" "d" { name = "NAME-d" }
			resource "enms_service" "wf" {
			  name = "NAME-wf"
			  type = "workflow"
			}`)},
		resource.TestStep{PreConfig: func() {
			s.put("device", enms.Object{"name": "NAME-other"})()
			s.put("link", enms.Object{"name": "NAME-link", "source": "NAME-other", "destination": "NAME-d"})()
			s.put("service", enms.Object{"name": "[NAME-wf] step", "scoped_name": "step", "workflows": []string{s.expand("NAME-wf")}})()
			s.put("service", enms.Object{"name": "[Shared] NAME-sh", "scoped_name": "NAME-sh", "shared": true, "workflows": []string{s.expand("NAME-wf")}})()
			s.put("task", enms.Object{"name": "NAME-task", "service": "[NAME-wf] step", "is_active": true, "start_date": "01/01/2035 00:00:00"})()
		}, Config: s.block(`deletion_policy = "cascade"`), Check: resource.ComposeAggregateTestCheckFunc(
			s.absent("device", "NAME-d"), s.absent("link", "NAME-link"),
			s.absent("service", "NAME-wf"), s.absent("service", "[NAME-wf] step"), s.absent("task", "NAME-task"),
			s.holds("service", "[Shared] NAME-sh", "shared", "true"))},
	)
	s.drop("device", "NAME-other")()
	s.drop("service", "[Shared] NAME-sh")()
	if s.simulator != nil && len(s.simulator.Jobs()) != 0 {
		t.Errorf("the scheduler still has %v", s.simulator.Jobs())
	}
}

func TestDeletePolicies(t *testing.T) {
	t.Parallel()
	notOn(t, "services have no field disabled", "enms-4.4")
	s := newServer(t)
	t.Cleanup(s.drop("service", "NAME-s"))
	t.Cleanup(s.drop("task", "NAME-t"))
	t.Cleanup(s.drop("device", "NAME-d"))
	s.run(
		resource.TestStep{Config: s.hcl(`
			resource "enms_device" "d" {
			  name            = "NAME-d"
			  deletion_policy = "abandon"
			}
			resource "enms_service" "s" {
			  name            = "NAME-s"
			  deletion_policy = "disable"
			}
			resource "enms_task" "t" {
			  name            = "NAME-t"
			  service         = enms_service.s.name
			  is_active       = true
			  start_date      = "01/01/2035 00:00:00"
			  deletion_policy = "disable"
			}`)},
		resource.TestStep{Config: s.hcl(""), Check: resource.ComposeAggregateTestCheckFunc(
			s.holds("device", "NAME-d", "name", "NAME-d"),
			s.holds("service", "NAME-s", "disabled", "true"),
			s.holds("task", "NAME-t", "is_active", "false"))},
	)
}

func TestDeleteOfWhatIsGone(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	for _, policy := range []string{"delete", "cascade", "abandon"} {
		name := s.expand("NAME-" + policy)
		state, diags := c.apply("enms_device", attributes{"name": name, "description": name, "deletion_policy": policy}, c.none("enms_device"))
		if diags.failed() {
			t.Fatal(diags)
		}
		s.drop("device", name)()
		if _, diags := c.apply("enms_device", nil, state); len(diags) > 0 {
			t.Errorf("%s: %s", policy, diags)
		}
	}
	state, diags := c.apply("enms_service", attributes{"name": s.expand("NAME-s"), "deletion_policy": "disable"}, c.none("enms_service"))
	if diags.failed() {
		t.Fatal(diags)
	}
	s.drop("service", "NAME-s")()
	if _, diags := c.apply("enms_service", nil, state); len(diags) > 0 {
		t.Error(diags)
	}
	if err := s.absent("service", "NAME-s")(nil); err != nil {
		t.Error("disabling created what was gone:", err)
	}
}

func TestDeleteOfWhatWasRenamedMeanwhile(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	state, diags := c.apply("enms_device", attributes{"name": s.expand("NAME-d"), "ip_address": "10.7.7.7"}, c.none("enms_device"))
	if diags.failed() {
		t.Fatal(diags)
	}
	s.put("device", enms.Object{"name": "NAME-d", "new_name": "NAME-e"})()
	t.Cleanup(s.drop("device", "NAME-e"))
	if _, diags := c.apply("enms_device", nil, state); !diags.failed() || !s.says(`Somebody renamed it to "NAME-e"`).MatchString(diags.String()) {
		t.Error(diags)
	}
}

func TestDeletionPolicyOfTheProviderThatAKindDoesNotHave(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.run(
		resource.TestStep{Config: s.block(`deletion_policy = "disable"`) + `resource "enms_device" "d" { name = "x" }`, PlanOnly: true,
			ExpectError: s.says("A device cannot be disabled", "Set another deletion_policy")},
		resource.TestStep{Config: s.block(`deletion_policy = "disable"`) + s.expand(`resource "enms_device" "d" {
		  name            = "NAME-d"
		  deletion_policy = "delete"
		}`)},
	)
	if err := s.absent("device", "NAME-d")(nil); err != nil {
		t.Error(err)
	}
}

// What somebody created under the name after the plan was made is not deleted, nor
// switched off. It gets another id here: eNMS may give the old one to the next
// instance (enms-rest.md 0.2).
func TestDeleteOfWhatWasReplacedMeanwhile(t *testing.T) {
	t.Parallel()
	notOn(t, "services have no field disabled", "enms-4.4")
	s := newServer(t)
	c := s.core(nil)
	for typ, config := range map[string]attributes{
		"device":  {"name": s.expand("NAME-d")},
		"service": {"name": s.expand("NAME-s"), "deletion_policy": "disable"},
	} {
		name, _ := config["name"].(string)
		state := c.applied("enms_"+typ, config, c.none("enms_"+typ))
		t.Cleanup(s.drop(typ, name))
		t.Cleanup(s.drop(typ, name+"-next"))
		s.drop(typ, name)()
		for _, other := range []string{name + "-next", name} {
			s.put(map[string]string{"device": "device", "service": "python_snippet_service"}[typ],
				enms.Object{"name": other, "scoped_name": other, "description": "another"})()
		}
		after, diags := c.apply("enms_"+typ, nil, state)
		if !s.says("Cannot delete "+typ, "created another one", "Nothing was changed. Plan again").MatchString(diags.String()) || after.value.IsNull() {
			t.Error(diags)
		}
		there := s.get(typ, name)
		if there["description"] != "another" || there["disabled"] == true {
			t.Errorf("the other %s: %v", typ, there)
		}
		c.applied("enms_"+typ, nil, c.refreshed("enms_"+typ, after))
	}
}
