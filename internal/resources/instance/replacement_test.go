// Tests of what refers to an instance that is replaced: eNMS empties its relations when it
// deletes the instance, which no plan shows.

package instance_test

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// TestReplacement_keepsWhatRefersToIt replaces devices, a pool and a service to which others
// refer, in the configuration and beside it.
func TestReplacement_keepsWhatRefersToIt(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := func(typ string) string {
		return s.HCL(fmt.Sprintf(`
			resource "enms_device" "a" {
			  name = "NAME-a"
			  type = %[1]q
			}
			resource "enms_service" "s" {
			  name           = "NAME-s"
			  type           = "python_snippet_service"
			  target_devices = [enms_device.a.name]
			}
			resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = enms_service.s.name
			  devices = ["NAME-a"]
			  depends_on = [enms_device.a]
			}
			resource "enms_pool" "p" {
			  name             = "NAME-p"
			  manually_defined = true
			  devices          = [enms_device.a.name]
			}
			resource "enms_network" "n" {
			  name  = "NAME-n"
			  nodes = [enms_device.a.name]
			}`, typ))
	}
	others := s.Put("pool", enms.Object{"name": "NAME-theirs", "manually_defined": true})
	joins := s.Put("pool", enms.Object{"name": "NAME-theirs", "devices": []string{s.Expand("NAME-a")}})
	lies := s.Put("device", enms.Object{"name": "NAME-a", "positions": map[string]any{s.Expand("NAME-n"): []int{30, 40}}})
	kept := resource.ComposeTestCheckFunc(
		s.Holds("pool", "NAME-theirs", "devices", "["+s.Expand("NAME-a")+"]"),
		s.Holds("pool", "NAME-theirs", "device_number", "1"),
		func(*terraform.State) error {
			if at := fmt.Sprint(s.Find("device", "NAME-a", "positions")["positions"]); at != s.Expand("map[NAME-n:[30 40]]") {
				return fmt.Errorf("lies at %s", at)
			}
			return nil
		})
	s.Run(
		resource.TestStep{Config: config("device")},
		resource.TestStep{PreConfig: func() { others(); joins(); lies() }, Config: config("device"), Check: kept},
		resource.TestStep{Config: config("router"), Check: kept},
		resource.TestStep{Config: config("device"), Taint: []string{"enms_device.a"}, Check: kept},
	)
}

// TestReplacement_keepsLayouts replaces a workflow and a network whose layouts do not change: eNMS
// puts Start and End of a new workflow at their places again, and it has no labels.
func TestReplacement_keepsLayouts(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := s.HCL(`
		resource "enms_service" "w" {
		  name = "NAME-w"
		  type = "workflow"
		}
		resource "enms_service" "shared" {
		  name      = "[Shared] NAME-s"
		  type      = "python_snippet_service"
		  shared    = true
		  workflows = [enms_service.w.name]
		}
		resource "enms_workflow_layout" "l" {
		  workflow = enms_service.w.name
		  positions = {
		    "[Shared] Start"             = { x = 10, y = 20 }
		    "[Shared] End"               = { x = 400, y = 2 }
		    (enms_service.shared.name) = { x = 30, y = 40 }
		  }
		  labels = { note = { x = 1, y = 2, text = "see the wiki" } }
		}
		resource "enms_device" "d" { name = "NAME-d" }
		resource "enms_network" "n" {
		  name  = "NAME-n"
		  nodes = [enms_device.d.name]
		}
		resource "enms_network_layout" "l" {
		  network   = enms_network.n.name
		  positions = { (enms_device.d.name) = { x = 10, y = 20 } }
		}`)
	s.Run(
		resource.TestStep{Config: config},
		resource.TestStep{Config: config, Taint: []string{"enms_service.w", "enms_network.n"}},
	)
}

// If the answer to a deletion is lost, nobody knows what referred to the instance. Then the creation of another one with its
// name in the same apply warns, because no plan has shown that the references are lost.
func TestReplacement_whenTheAnswerIsLost(t *testing.T) {
	t.Parallel()
	s, proxy := acctest.NewServerBehindProxy(t)
	before, run := s.Core(nil), s.Core(nil).InOneRun()
	state := before.Applied("enms_device", acctest.Attributes{"name": "NAME-a"}, before.NoState("enms_device"))
	proxy.SetRewrite(func(r *http.Request, act func() (int, []byte)) []byte {
		if r.Method == http.MethodDelete {
			act()
			panic(http.ErrAbortHandler)
		}
		return nil
	})
	if after, diags := run.Apply("enms_device", nil, state); len(diags) > 0 || !after.Value.IsNull() {
		t.Error(diags)
	}
	if _, diags := run.Apply("enms_device", acctest.Attributes{"name": "NAME-a"}, run.NoState("enms_device")); diags.Failed() ||
		!s.Says(`References to device "NAME-a" were lost`, "the answer to its deletion", "Plan again").MatchString(diags.String()) {
		t.Error(diags)
	}
}

// A service that is destroyed at one address and created again at another takes its edges along, which no plan has shown.
func TestReplacement_namesWhatWentAlong(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	before, run := s.Core(nil), s.Core(nil).InOneRun()
	service := acctest.Attributes{"name": s.Expand("NAME-s"), "type": "workflow"}
	state := before.Applied("enms_service", service, before.NoState("enms_service"))
	s.Put("workflow_edge", enms.Object{"name": "NAME-e", "workflow": "NAME-s", "source": "[Shared] Start", "destination": "NAME-s", "subtype": "success"})()
	if _, diags := run.Apply("enms_service", nil, state); len(diags) > 0 {
		t.Error(diags)
	}
	_, diags := run.Apply("enms_service", service, run.NoState("enms_service"))
	if want := s.Says(`Others were deleted with the earlier service "NAME-s"`, `eNMS deleted with it: workflow_edge "NAME-e"`, "Plan again"); diags.Failed() || !want.MatchString(diags.String()) {
		t.Error(diags)
	}
}
