// Acceptance tests of plans that create: what they find out in eNMS before anything is
// written.

package planning_test

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// planEnds plans a configuration with the real Terraform, which must end with a code, and gives
// what it says in one line.
func planEnds(w *acctest.Workspace, code int, hcl string) string {
	w.T.Helper()
	w.Configure(hcl)
	got, out := w.Run("plan", "-no-color")
	if got != code {
		w.T.Errorf("the plan ended with %d, want %d:\n%s", got, code, out)
	}
	return strings.Join(strings.Fields(out), " ")
}

const taken = "is taken"

// A taken name is a warning of the plan, not only an error of a half-finished apply.
func TestPlan_takenName(t *testing.T) {
	acctest.ParallelIfSimulated(t)
	s := acctest.NewServer(t)
	s.Put("gateway", enms.Object{"name": "NAME-a"})()
	s.Put("device", enms.Object{"name": "NAME-b"})()
	w := acctest.NewWorkspace(t)
	out := planEnds(w, 0, s.HCL(`
		resource "enms_device" "b" { name = "NAME-b" }
		resource "enms_device" "c" { name = "NAME-c" }`))
	for _, want := range []string{`Warning: The name "NAME-b" is taken`, `with enms_device.b,`, `eNMS already has a device named "NAME-b"`,
		"unless this apply frees the name", "import { to = enms_device.", `id = "NAME-b" }`} {
		if !strings.Contains(out, s.Expand(want)) {
			t.Errorf("the plan does not say %s", want)
		}
	}
	if strings.Contains(out, "Nothing was changed") || strings.Count(out, taken) != 1 {
		t.Errorf("the plan says:\n%s", out)
	}
	// One of another type is told apart, and an entry has its own path.
	out = planEnds(w, 0, s.HCL(`
		resource "enms_device" "a" { name = "NAME-a" }
		resource "enms_instances" "b" {
		  type      = "device"
		  instances = { "NAME-b" = {}, "NAME-d" = {} }
		}`))
	for _, want := range []string{`It is a gateway, not a device.`, `with enms_instances.b,`, `The name "NAME-b" is taken`, "adopt_existing = true"} {
		if !strings.Contains(out, s.Expand(want)) {
			t.Errorf("the plan does not say %s", want)
		}
	}
	if strings.Count(out, taken) != 2 {
		t.Errorf("the plan says:\n%s", out)
	}
	// Who adopts is told nothing.
	if out = planEnds(w, 0, s.HCL(`
		resource "enms_device" "b" {
		  name           = "NAME-b"
		  adopt_existing = true
		}`)); strings.Contains(out, taken) {
		t.Errorf("the plan says:\n%s", out)
	}
}

// What the same plan frees is not taken: by a rename, a destruction, a replacement, and of
// a resource that is tainted.
func TestPlan_nameThatIsFreed(t *testing.T) {
	acctest.ParallelIfSimulated(t)
	s := acctest.NewServer(t)
	w := acctest.NewWorkspace(t)
	w.Configure(s.HCL(`
		resource "enms_device" "a" { name = "NAME-a" }
		resource "enms_device" "b" { name = "NAME-b" }
		resource "enms_device" "c" { name = "NAME-c" }
		resource "enms_instances" "all" {
		  type      = "device"
		  instances = { "NAME-d" = {}, "NAME-e" = {} }
		}`))
	w.Apply(10)
	const rest = `
		resource "enms_instances" "all" {
		  type      = "device"
		  instances = { "NAME-f" = {} }
		  renames   = { "NAME-d" = "NAME-f" }
		}`
	if out := planEnds(w, 0, s.HCL(`
		resource "enms_device" "a" { name = "NAME-x" }
		resource "enms_device" "c" {
		  name = "NAME-c"
		  type = "router"
		}
		resource "enms_device" "new" {
		  for_each = toset(["a", "b", "d", "e"])
		  name     = "NAME-${each.key}"
		}`+rest)); strings.Contains(out, taken) {
		t.Errorf("the plan says:\n%s", out)
	}
	w.Run("taint", "enms_device.c")
	if out := planEnds(w, 0, s.HCL(`
		resource "enms_device" "a" { name = "NAME-a" }
		resource "enms_device" "b" { name = "NAME-b" }
		resource "enms_device" "c" { name = "NAME-c" }`+rest)); strings.Contains(out, taken) || !strings.Contains(out, "must be replaced") {
		t.Errorf("the plan of a tainted resource says:\n%s", out)
	}
}

// Wrong credentials and an unreachable eNMS are errors of the plan, not of a
// half-finished apply.
func TestPlan_wrongCredentialsOrNoServer(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("a wrong password may lock a real user out")
	w := acctest.NewWorkspace(t)
	const device = `
		resource "enms_device" "a" {
		  count = 12
		  name  = "a-${count.index}"
		}`
	right := s.Password
	s.Password = "wrong"
	if out := planEnds(w, 1, s.HCL(device)); strings.Count(out, "Error:") != 1 || !strings.Contains(out, `Cannot plan device "a-`) || !strings.Contains(out, "Check username and password") {
		t.Errorf("with a wrong password:\n%s", out)
	}
	s.Password, s.URL = right, "http://127.0.0.1:1"
	hcl := s.Block("max_retries = 0") + device
	if out := planEnds(w, 1, hcl); strings.Count(out, "Error:") != 1 || !strings.Contains(out, "Check base_url") {
		t.Errorf("without a server:\n%s", out)
	}
}

// References to what neither eNMS nor the plan so far has are warnings of the plan: otherwise the
// apply fails half-way. What this run has planned or read takes no request, everything else one
// search for each type.
func TestPlan_missingReferences(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("it counts requests")
	s.Put("pool", enms.Object{"name": "NAME-pool"})()
	s.Put("device", enms.Object{"name": "NAME-read"})()
	c := s.Core(nil).NewRun()
	planned := func(typ string, config acctest.Attributes, want ...string) {
		t.Helper()
		_, diags := c.Plan(typ, config, c.NoState(typ))
		if diags.Failed() || len(diags) != len(want) {
			t.Errorf("%s %v: %s", typ, config["name"], diags)
		}
		for n := range min(len(want), len(diags)) {
			if !strings.Contains(diags.String(), s.Expand(want[n])) {
				t.Errorf("no %q in %s", want[n], diags)
			}
		}
	}
	planned("enms_device", acctest.Attributes{"name": s.Expand("NAME-d")})
	planned("enms_instances", acctest.Attributes{"type": "gateway", "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-gw"): map[string]any{}})})
	planned("enms_service", acctest.Attributes{"name": s.Expand("NAME-s"), "type": "python_snippet_service"})
	// Each plan asks whether the name of the new instance is free.
	acctest.CountRequests(s, "a task with a device and a pool that eNMS has", 3, func() {
		planned("enms_task", acctest.Attributes{"name": s.Expand("NAME-t"), "service": s.Expand("NAME-s"), "devices": []string{s.Expand("NAME-d"), s.Expand("NAME-read")}, "pools": []string{s.Expand("NAME-pool")}})
	})
	acctest.CountRequests(s, "what was planned or read", 2, func() {
		planned("enms_device", acctest.Attributes{"name": s.Expand("NAME-e"), "gateways": []string{s.Expand("NAME-gw")}})
		planned("enms_task", acctest.Attributes{"name": s.Expand("NAME-u"), "service": s.Expand("NAME-s"), "devices": []string{s.Expand("NAME-read"), s.Expand("NAME-d")}})
	})
	planned("enms_task", acctest.Attributes{"name": s.Expand("NAME-v"), "service": s.Expand("NAME-s"), "pools": []string{s.Expand("NAME-pol")}}, `"NAME-pol" (did you mean "NAME-pool"?)`)
	planned("enms_link", acctest.Attributes{"name": s.Expand("NAME-l"), "source": s.Expand("NAME-d"), "destination": s.Expand("NAME-none")}, `this plan creates none before this link: "NAME-none"`)
}
