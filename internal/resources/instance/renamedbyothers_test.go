// Acceptance tests of renames by other hands, and of attributes that are taken
// out of the configuration.

package instance_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

func TestDevice_renameOutsideTerraform(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	same := ids("enms_device.dallas")
	device := strings.Replace(device, "10.0.0.1", "10.77.0.1", 1) // no device of another test has the same values
	followed := strings.Replace(device, "DALLAS", "HOUSTON", 1)
	rename := s.Put("device", enms.Object{"name": "NAME-DALLAS", "new_name": "NAME-HOUSTON"})
	s.Run(
		resource.TestStep{Config: s.HCL(device), Check: same},
		resource.TestStep{PreConfig: rename, Config: s.HCL(device), ConfigPlanChecks: acctest.Updates("enms_device.dallas"),
			Check: resource.ComposeAggregateTestCheckFunc(same, s.Absent("device", "NAME-HOUSTON"))},
		resource.TestStep{PreConfig: s.Put("device", enms.Object{"name": "NAME-DALLAS", "new_name": "NAME-HOUSTON"}), Config: s.HCL(followed),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_device.dallas", plancheck.ResourceActionNoop)}},
			Check: same},
	)
}

// An apply was killed after it had renamed and changed an instance, before the state was saved. The
// state has the id, but neither its name nor its content is that of the instance: it counts as
// another one. A warning names it, the creation under its name is refused, and adopt_existing takes it
// over.
func TestDevice_applyKilledAfterRenameAndChange(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		typ           string
		before, after func(s *acctest.Server) acctest.Attributes
		destroyed     bool
	}{
		"resource":           {"enms_device", deviceAt("NAME-A", "10.0.0.1"), deviceAt("NAME-B", "10.0.0.2"), false},
		"entry":              {"enms_instances", entryAt("NAME-A", "10.0.0.1"), entryAt("NAME-B", "10.0.0.2"), false},
		"resource destroyed": {"enms_device", deviceAt("NAME-A", "10.0.0.1"), func(*acctest.Server) acctest.Attributes { return nil }, true},
		"entry destroyed":    {"enms_instances", entryAt("NAME-A", "10.0.0.1"), func(s *acctest.Server) acctest.Attributes { return acctest.Entries(s, "device", map[string]any{}) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			c, before, after := s.Core(nil), test.before(s), test.after(s)
			t.Cleanup(s.Drop("device", "NAME-B"))
			state := c.Applied(test.typ, before, c.NoState(test.typ))
			id := acctest.IDsOf(s, "device", "NAME-A")["NAME-A"]
			s.Put("device", enms.Object{"name": "NAME-A", "new_name": "NAME-B", "ip_address": "10.0.0.2"})()
			state, read := c.Refresh(test.typ, state)
			if read.Failed() || !s.Says(`eNMS has "NAME-B" with its id`, "adopt_existing").MatchString(read.String()) {
				t.Errorf("the read says: %s", read)
			}
			if test.destroyed {
				c.Applied(test.typ, after, state)
				return
			}
			if _, diags := c.Apply(test.typ, after, state); !s.Says(`already has a device named "NAME-B"`, "adopt_existing").MatchString(diags.String()) {
				t.Errorf("without adopt_existing: %s", diags)
			}
			after["adopt_existing"] = true
			state = c.Applied(test.typ, after, state)
			acctest.PlanIsEmpty(c, test.typ, after, state)
			if now := acctest.IDsOf(s, "device", "NAME-B")["NAME-B"]; now != id || len(acctest.IDsOfDevices(s)) != 1 {
				t.Errorf("B has the id %s, had %s; all are %v", now, id, acctest.IDsOfDevices(s))
			}
		})
	}
}

// The answers to a rename and to all requests after it are lost, and another device has the same values. The
// device has the id in the state and the name that the rename sent, so it is told from the other.
func TestDevice_lostRenameBesideOneAlike(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		typ           string
		before, after func(s *acctest.Server) acctest.Attributes
	}{
		"resource": {"enms_device", deviceAt("NAME-A", "10.0.0.1"), deviceAt("NAME-B", "10.0.0.1")},
		"entry":    {"enms_instances", entryAt("NAME-A", "10.0.0.1"), entryAt("NAME-B", "10.0.0.1")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			s.OnlySimulated("answers are lost")
			s.Put("device", enms.Object{"name": "NAME-alike", "ip_address": "10.0.0.1"})()
			var losesNextWrite, isDown atomic.Bool
			front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/rest/instance") && losesNextWrite.CompareAndSwap(true, false) {
					s.Simulator.ServeHTTP(httptest.NewRecorder(), r)
					isDown.Store(true)
				}
				if isDown.Load() {
					w.WriteHeader(http.StatusBadGateway)
					return
				}
				s.Simulator.ServeHTTP(w, r)
			}))
			t.Cleanup(front.Close)
			settings := acctest.Attributes{"base_url": front.URL, "username": "admin", "password": "admin", "max_retries": 0}
			c := acctest.NewCore(t, settings)
			state := c.Applied(test.typ, test.before(s), c.NoState(test.typ))
			losesNextWrite.Store(true)
			state, diags := c.Apply(test.typ, test.after(s), state)
			if !diags.Failed() {
				t.Fatal("the rename succeeds without an answer")
			}
			isDown.Store(false)
			c = acctest.NewCore(t, settings)
			state = c.Applied(test.typ, test.after(s), c.Refreshed(test.typ, state))
			acctest.PlanIsEmpty(c, test.typ, test.after(s), state)
			if left := acctest.IDsOfDevices(s); len(left) != 2 {
				t.Errorf("eNMS has %v", left)
			}
		})
	}
}

// deviceAt returns a configuration of one device.
func deviceAt(name, address string) func(*acctest.Server) acctest.Attributes {
	return func(s *acctest.Server) acctest.Attributes {
		return acctest.Attributes{"name": s.Expand(name), "ip_address": address}
	}
}

// entryAt is deviceAt for an entry that was called NAME-A.
func entryAt(name, address string) func(*acctest.Server) acctest.Attributes {
	return func(s *acctest.Server) acctest.Attributes {
		return acctest.WithRenames(s, acctest.Entries(s, "device", map[string]any{name: map[string]any{"ip_address": address}}), map[string]string{"NAME-A": name})
	}
}

func TestDevice_attributesRemoved(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Run(
		resource.TestStep{Config: s.HCL(`
			resource "enms_device" "dallas" {
			  name       = "NAME-DALLAS"
			  ip_address = "10.0.0.1"
			  port       = 2222
			  gateways   = [enms_device.gw.name]
			}
			resource "enms_device" "gw" {
			  name = "NAME-gw"
			  type = "gateway"
			}`)},
		// location was never configured: it is left alone. port was: it goes back.
		resource.TestStep{PreConfig: s.Put("device", enms.Object{"name": "NAME-DALLAS", "location": "roof"}),
			Config: s.HCL(device), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_device.dallas", plancheck.ResourceActionUpdate)}},
			Check: resource.ComposeAggregateTestCheckFunc(
				s.Holds("device", "NAME-DALLAS", "port", "22"),
				s.Holds("device", "NAME-DALLAS", "gateways", "[]"),
				s.Holds("device", "NAME-DALLAS", "location", "roof"))},
		// It was given back, so from here on it is nobody's business either.
		resource.TestStep{PreConfig: s.Put("device", enms.Object{"name": "NAME-DALLAS", "port": 830}),
			Config: s.HCL(device), PlanOnly: true},
	)
}
