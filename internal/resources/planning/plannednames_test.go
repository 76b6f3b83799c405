// Acceptance tests of plans that create: what they find out in eNMS before anything is
// written.

package planning_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/terraformtest"
)

// planSays plans a configuration with the model of Terraform, and returns what the plan says: warnings and
// errors by the addresses of resources.
func planSays(t *testing.T, tf *terraformtest.Terraform, hcl string) (*terraformtest.Plan, terraformtest.Found) {
	t.Helper()
	config, err := acctest.Modelled.Parse(hcl)
	if err != nil {
		t.Fatal(err)
	}
	return tf.Plan(t.Context(), config, terraformtest.PlanOptions{})
}

// A taken name is a warning of the plan, not only an error of a half-finished apply. One of another type is
// told apart, and who adopts is told nothing.
func TestPlan_takenName(t *testing.T) {
	acctest.ParallelIfSimulated(t)
	s := acctest.NewServer(t)
	s.Put("gateway", enms.Object{"name": "NAME-a"})()
	s.Put("device", enms.Object{"name": "NAME-b"})()
	for hcl, want := range map[string]map[string]string{
		`
		resource "enms_device" "a" { name = "NAME-a" }
		resource "enms_device" "b" { name = "NAME-b" }
		resource "enms_device" "c" { name = "NAME-c" }`: {"enms_device.a": "It is a gateway, not a device.", "enms_device.b": `already has a device named "NAME-b"`},
		`
		resource "enms_instances" "b" {
		  type      = "device"
		  instances = { "NAME-b" = {}, "NAME-d" = {} }
		}`: {"enms_instances.b": `instances["NAME-b"]`},
		`
		resource "enms_device" "adopts" {
		  name           = "NAME-b"
		  adopt_existing = true
		}`: {},
	} {
		_, found := planSays(t, &terraformtest.Terraform{Provider: acctest.Modelled}, s.HCL(hcl))
		if found.Failed() || len(found) != len(want) {
			t.Errorf("the plan says: %v, want %v", found, want)
		}
		for address, words := range want {
			acctest.CheckSays(found[address], t, "is taken", s.Expand(words))
		}
	}
}

// A name that another resource frees is a warning all the same, because no plan knows what others do, and the apply
// succeeds. What the same resource frees by its replacement is not taken.
func TestPlan_nameThatIsFreed(t *testing.T) {
	acctest.ParallelIfSimulated(t)
	s := acctest.NewServer(t)
	tf := &terraformtest.Terraform{Provider: acctest.Modelled}
	planned, found := planSays(t, tf, s.HCL(`
		resource "enms_device" "a" { name = "NAME-a" }
		resource "enms_device" "b" { name = "NAME-b" }
		resource "enms_instances" "all" {
		  type      = "device"
		  instances = { "NAME-d" = {} }
		}
		resource "enms_instances" "replaced" {
		  type      = "device"
		  instances = { "NAME-e" = {} }
		}`))
	if done := tf.Apply(t.Context(), planned); found.Failed() || done.Found.Failed() {
		t.Fatal(found, done.Found)
	}
	planned, found = planSays(t, tf, s.HCL(`
		resource "enms_device" "a" { name = "NAME-x" }
		resource "enms_device" "new" {
		  name       = "NAME-b"
		  depends_on = [enms_device.a]
		}
		resource "enms_instances" "all" {
		  type      = "device"
		  instances = { "NAME-f" = {} }
		  renames   = { "NAME-d" = "NAME-f" }
		}
		resource "enms_instances" "replaced" {
		  type      = "router"
		  instances = { "NAME-e" = {} }
		}`))
	taken := terraformtest.Found{}
	for address, diags := range found {
		if strings.Contains(diags.String(), "is taken") {
			taken[address] = diags
		}
	}
	if found.Failed() || len(taken) != 1 {
		t.Errorf("the plan says: %v", found)
	}
	acctest.CheckSays(taken["enms_device.new"], t, "The name of a new device is taken", "unless this apply frees the name first", "keep one of the two")
	if done := tf.Apply(t.Context(), planned); done.Found.Failed() {
		t.Error(done.Found)
	}
}

// Wrong credentials and an unreachable eNMS are one error of the plan, not of a half-finished apply.
func TestPlan_wrongCredentialsOrNoServer(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("a wrong password may lock a real user out")
	right, url := s.Password, s.URL
	for words, block := range map[string]func() string{
		"Check username and password": func() string { s.Password = "wrong"; return s.Block("") },
		"Check base_url":              func() string { s.Password, s.URL = right, "http://127.0.0.1:1"; return s.Block("max_retries = 0") },
	} {
		hcl := block() + "resource \"enms_device\" \"a\" {\n  count = 12\n  name  = \"a-${count.index}\"\n}\n"
		s.Password, s.URL = right, url
		_, found := planSays(t, &terraformtest.Terraform{Provider: acctest.Modelled}, hcl)
		failed := found.Errors()
		if len(failed) != 1 || !strings.Contains(fmt.Sprint(failed), `Cannot plan device "a-`) || !strings.Contains(fmt.Sprint(failed), words) {
			t.Errorf("want %q once: %v", words, failed)
		}
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
	planned("enms_service", acctest.Attributes{"name": s.Expand("NAME-s"), "type": "workflow"})
	// Each plan asks whether the name of the new instance is free.
	acctest.CountRequests(s, "a task with a device and a pool that eNMS has", 3, func() {
		planned("enms_task", acctest.Attributes{"name": s.Expand("NAME-t"), "service": s.Expand("NAME-s"), "devices": []string{s.Expand("NAME-d"), s.Expand("NAME-read")}, "pools": []string{s.Expand("NAME-pool")}})
	})
	acctest.CountRequests(s, "what was planned or read", 2, func() {
		planned("enms_device", acctest.Attributes{"name": s.Expand("NAME-e"), "gateways": []string{s.Expand("NAME-gw")}})
		planned("enms_task", acctest.Attributes{"name": s.Expand("NAME-u"), "service": s.Expand("NAME-s"), "devices": []string{s.Expand("NAME-read"), s.Expand("NAME-d")}})
	})
	planned("enms_task", acctest.Attributes{"name": s.Expand("NAME-v"), "service": s.Expand("NAME-s"), "pools": []string{s.Expand("NAME-pol")}}, `"NAME-pol" (did you mean "NAME-pool"?). The apply will fail`)
	planned("enms_user", acctest.Attributes{"name": s.Expand("NAME-u"), "authentication": "ldap", "groups": []string{s.Expand("NAME-none")}}, `"NAME-none". Unless it exists by then, the user is created without it.`)
	planned("enms_link", acctest.Attributes{"name": s.Expand("NAME-l"), "source": s.Expand("NAME-d"), "destination": s.Expand("NAME-none")}, `this plan creates none before this link: "NAME-none"`)
}
