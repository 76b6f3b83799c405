// Acceptance tests of deletion: what eNMS would delete along, and the policies.

package instance_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// A service with a task is replaced in one apply when the task is replaced with
// it, and a device with a task does not lose it.
func TestReplacement_withDependents(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := func(service, device, lifecycle string) string {
		return s.HCL(`
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
	s.Run(
		resource.TestStep{Config: config("service", "device", "")},
		s.Failing(config("python_snippet_service", "device", ""), `Cannot delete service "NAME-s"`, `task "NAME-t"`, "replace_triggered_by"),
		resource.TestStep{Config: config("python_snippet_service", "router", "enms_service.s.id, enms_device.d.id"),
			Check: s.Holds("task", "NAME-t", "devices", "[NAME-d]")},
	)
}

func TestDelete_cascades(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Run(
		resource.TestStep{Config: s.Block(`deletion_policy = "cascade"`) + s.Expand(`
			resource "enms_device" "d" { name = "NAME-d" }
			resource "enms_service" "wf" {
			  name = "NAME-wf"
			  type = "workflow"
			}`)},
		resource.TestStep{PreConfig: func() {
			s.Put("device", enms.Object{"name": "NAME-other"})()
			s.Put("link", enms.Object{"name": "NAME-link", "source": "NAME-other", "destination": "NAME-d"})()
			s.Put("service", enms.Object{"name": "[NAME-wf] step", "scoped_name": "step", "workflows": []string{s.Expand("NAME-wf")}})()
			s.Put("service", enms.Object{"name": "[Shared] NAME-sh", "scoped_name": "NAME-sh", "shared": true, "workflows": []string{s.Expand("NAME-wf")}})()
			s.Put("task", enms.Object{"name": "NAME-task", "service": "[NAME-wf] step", "is_active": true, "start_date": "01/01/2035 00:00:00"})()
		}, Config: s.Block(`deletion_policy = "cascade"`), Check: resource.ComposeAggregateTestCheckFunc(
			s.Absent("device", "NAME-d"), s.Absent("link", "NAME-link"),
			s.Absent("service", "NAME-wf"), s.Absent("service", "[NAME-wf] step"), s.Absent("task", "NAME-task"),
			s.Holds("service", "[Shared] NAME-sh", "shared", "true"))},
	)
	s.Drop("device", "NAME-other")()
	s.Drop("service", "[Shared] NAME-sh")()
	if s.Simulator != nil && len(s.Simulator.Jobs()) != 0 {
		t.Errorf("the scheduler still has %v", s.Simulator.Jobs())
	}
}

// A service that was deleted in the Workflow Builder does not keep its workflow from being deleted, but its
// tasks, and the services of a workflow that was deleted there, do.
func TestDelete_deletedInBuilder(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "enms-5.3", simulator.Options{Version: simulator.V53})
	c := s.Core(nil)
	workflow := acctest.Attributes{"name": s.Expand("NAME-wf"), "type": "workflow"}
	state := c.Applied("enms_service", workflow, c.NoState("enms_service"))
	in := func(scope, name string) enms.Object {
		return enms.Object{"name": "[" + scope + "] " + name, "scoped_name": name, "workflows": []string{s.Expand(scope)}, "soft_deleted": true}
	}
	s.Put("service", in("NAME-wf", "step"))()
	s.Put("workflow", in("NAME-wf", "inner"))()
	s.Put("task", enms.Object{"name": "NAME-task", "service": "[NAME-wf] step"})()
	inner := in("[NAME-wf] inner", "step")
	inner["soft_deleted"] = false
	s.Put("service", inner)()
	_, diags := c.Apply("enms_service", nil, state)
	acctest.CheckSays(diags, t, s.Expand(`eNMS would also delete: service "[[NAME-wf] inner] step"`), s.Expand(`task "NAME-task"`))
	s.Drop("task", "NAME-task")()
	s.Drop("service", "[[NAME-wf] inner] step")()
	c.Applied("enms_service", nil, state)
	for _, row := range s.All("service") {
		if name := fmt.Sprint(row["name"]); strings.Contains(name, s.Prefix) {
			t.Errorf("%s is still there", name)
		}
	}
}

func TestDelete_policies(t *testing.T) {
	t.Parallel()
	acctest.SkipOn(t, "services have no field disabled", "enms-4.4")
	s := acctest.NewServer(t)
	s.Run(
		resource.TestStep{Config: s.HCL(`
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
		resource.TestStep{Config: s.HCL(""), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("device", "NAME-d", "name", "NAME-d"),
			s.Holds("service", "NAME-s", "disabled", "true"),
			s.Holds("task", "NAME-t", "is_active", "false"))},
	)
}
