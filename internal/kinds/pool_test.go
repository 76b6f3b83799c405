// Tests of pools: members by hand and by criteria, and when they are computed.

package kinds_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// byVendor are criteria of which devices are chosen.
func byVendor(vendor string) tftypes.Value {
	return acctest.Criteria(map[string]acctest.Attributes{"vendor": {"value": vendor, "match": "equality"}})
}

// needsComputing makes sure that eNMS can compute the members of its pools.
func needsComputing(s *acctest.Server) {
	s.T.Helper()
	if err := s.Client.Recompute(s.Context(), "update_all_pools"); err != nil {
		s.T.Error(err)
	}
}

// eNMS drops a criterion that it does not have, and the pool would get other members than
// intended: the plan refuses it, and nothing is written. A property of the site's own is none.
func TestPool_unknownCriterion(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("pool", enms.Object{"name": "NAME-any"})() // without a pool, nothing shows what eNMS compares
	if s.Simulator != nil {
		s.Simulator.ResetRequests()
	}
	c := s.Core(nil)
	misspelt := acctest.Criteria(map[string]acctest.Attributes{"vendr": {"value": "Cisco"}, "property1": {"value": "x"}})
	refused := func(when, on string, diags acctest.Problems) {
		t.Helper()
		if len(diags) != 1 || acctest.WrittenPath(diags[0].Attribute) != on || !strings.Contains(diags.String(), `Unknown criterion "vendr"`) || !strings.Contains(diags.String(), `Did you mean "vendor"?`) {
			t.Errorf("%s: %s", when, diags)
		}
	}
	config := acctest.Attributes{"name": s.Expand("NAME-p"), "device_criteria": misspelt}
	_, diags := c.Plan("enms_pool", config, c.NoState("enms_pool"))
	refused("at creation", `device_criteria["vendr"]`, diags)
	entries := acctest.Attributes{"type": "pool", "instances": acctest.ObjectValue(map[string]any{"P": map[string]any{"device_criteria": map[string]any{"vendr": map[string]any{"value": "Cisco"}}}})}
	_, diags = c.Plan("enms_instances", entries, c.NoState("enms_instances"))
	refused("of an entry", `instances["P"]["device_criteria"]["vendr"]`, diags)
	s.NoWrites()
	config["device_criteria"] = acctest.Criteria(map[string]acctest.Attributes{"property1": {"value": "x"}})
	state := c.Applied("enms_pool", config, c.NoState("enms_pool"))
	config["device_criteria"] = misspelt
	_, diags = c.Plan("enms_pool", config, state)
	refused("of an update", `device_criteria["vendr"]`, diags)
}

// A criterion that no plan can judge, such as an expression that this database cannot
// read, is tried before the pool is written: afterwards it would break every pool on the
// server, for everybody. What was there stays as it was.
func TestPool_criterionIsTriedBeforeTheWrite(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "postgresql", acctest.ServerKinds["postgresql"])
	c := s.Core(nil)
	s.Put("device", enms.Object{"name": "NAME-d", "vendor": "NAME-v"})()
	named := acctest.Criteria(map[string]acctest.Attributes{"name": {"value": "(?P<site>d)", "match": "regex"}})
	refused := func(when string, diags acctest.Problems) {
		t.Helper()
		if !acctest.ErrorOn(diags, "device_criteria") || !s.Says("cannot search devices by name", "nothing was written").MatchString(diags.String()) {
			t.Errorf("%s: %s", when, diags)
		}
		needsComputing(s)
	}
	state, diags := c.Apply("enms_pool", acctest.Attributes{"name": s.Expand("NAME-p"), "device_criteria": named}, c.NoState("enms_pool"))
	refused("created", diags)
	if !state.Value.IsNull() {
		t.Errorf("a state without a pool: %s", state.Value)
	}
	state = c.Applied("enms_pool", acctest.Attributes{"name": s.Expand("NAME-p"), "device_criteria": byVendor(s.Expand("NAME-v"))}, c.NoState("enms_pool"))
	state, diags = c.Apply("enms_pool", acctest.Attributes{"name": s.Expand("NAME-p"), "device_criteria": named}, state)
	refused("changed", diags)
	if got := fmt.Sprint(s.Get("pool", "NAME-p")["devices"]); got != s.Expand("[NAME-d]") {
		t.Errorf("the members are %s", got)
	}
	c.Applied("enms_pool", acctest.Attributes{"name": s.Expand("NAME-p"), "device_criteria": byVendor(s.Expand("NAME-v"))}, state)
}

// The same for entries of enms_instances.
func TestPool_entriesWithCriteria(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "postgresql", acctest.ServerKinds["postgresql"])
	pools := func(property, value, match string) string {
		return s.HCL(fmt.Sprintf(`
			resource "enms_instances" "pools" {
			  type      = "pool"
			  instances = { "NAME-p" = { device_criteria = { %s = { value = %q, match = %q } } } }
			}`, property, value, match))
	}
	s.Run(
		resource.TestStep{Config: pools("port", "22", "inclusion"), ExpectError: s.Says("Invalid criterion for a number")},
		resource.TestStep{Config: pools("name", "(?P<site>d)", "regex"), ExpectError: s.Says("cannot search devices by name", "nothing was written")},
		resource.TestStep{Config: pools("port", "22", "equality"), Check: func(*terraform.State) error {
			needsComputing(s)
			return nil
		}},
	)
}

// One computation does for all pools that are written together, and none is asked for
// where nobody wants it.
func TestPool_severalAreComputedOnce(t *testing.T) {
	t.Parallel()
	s, w := acctest.NewWatched(t)
	s.Put("device", enms.Object{"name": "NAME-d", "vendor": "Cisco"})()
	c := s.Core(nil)
	states, writers := make([]acctest.ResourceState, 6), sync.WaitGroup{}
	for i := range states {
		writers.Go(func() {
			states[i], _ = c.InOneRun().Apply("enms_pool", acctest.Attributes{"name": fmt.Sprintf("p%d", i), "device_criteria": byVendor("Cisco")}, c.NoState("enms_pool"))
		})
	}
	writers.Wait()
	if n := len(w.To(acctest.PathOfPools)); n == 0 || n > 2 { // two where the machine is too slow to write them together
		t.Errorf("%d computations for %d pools", n, len(states))
	}
	for i := range states {
		if got := fmt.Sprint(s.Get("pool", fmt.Sprintf("p%d", i))["devices"]); got != "[NAME-d]" {
			t.Errorf("the members of pool %d are %s", i, got)
		}
	}
	w.Forget()
	config := acctest.Attributes{"name": "p0", "device_criteria": byVendor("Cisco"), "description": "another"}
	states[0] = c.Applied("enms_pool", config, states[0])
	config["update_members"], config["device_criteria"] = false, byVendor("Nokia")
	c.Applied("enms_pool", config, states[0])
	if n := len(w.To(acctest.PathOfPools)); n != 0 || len(w.About("p0")) != 2 {
		t.Errorf("%d computations that nobody wanted, %d writes", n, len(w.About("p0")))
	}
	// eNMS 5 computes a pool whenever it is written.
	if got, want := fmt.Sprint(s.Get("pool", "p0")["devices"]), acctest.ByLine("[NAME-d]", "[]"); got != want {
		t.Errorf("the members that it had are %s, want %s", got, want)
	}
}

// A computation that fails fails the write, and the next apply has it done. The error names
// the pool that broke it, which may be another one.
func TestPool_computationFails(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("it breaks every pool of the server for a while")
	s.Put("pool", enms.Object{"name": "NAME-broken", "device_name": "(", "device_name_match": "regex"})() // harmless without a device
	s.Put("device", enms.Object{"name": "NAME-d", "vendor": "Cisco"})()
	c := s.Core(nil)
	config := acctest.Attributes{"name": s.Expand("NAME-p"), "description": "first"}
	state := c.Applied("enms_pool", config, c.NoState("enms_pool"))
	config["device_criteria"] = byVendor("Cisco")
	state, diags := c.Apply("enms_pool", config, state)
	if !s.Says(`pool "NAME-broken": device name, match "regex", value "("`).MatchString(diags.String()) {
		t.Fatalf("the computation failed, but: %s", diags)
	}
	if _, diags := c.Apply("enms_pools_update", acctest.Attributes{}, c.NoState("enms_pools_update")); !strings.Contains(diags.String(), "Cannot compute the members of pools") {
		t.Errorf("enms_pools_update, while the computation fails: %s", diags)
	}
	s.Drop("pool", "NAME-broken")()
	state = c.Refreshed("enms_pool", state)
	c.Applied("enms_pool", config, state)
	if got := fmt.Sprint(s.Get("pool", "NAME-p")["devices"]); got != s.Expand("[NAME-d]") {
		t.Errorf("after the next apply the members are %s", got)
	}
}

// A pool was computed before devices to which no reference of its leads, and the plan was
// empty although the pool lacked them: it is computed again after the last of them.
func TestPool_createdBeforeItsDevices(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Run(
		resource.TestStep{Config: s.HCL(`
			resource "enms_pool" "p" {
			  name            = "NAME-p"
			  device_criteria = { name = { value = "NAME-d" } }
			  link_criteria   = { name = { value = "NAME-l" } }
			}
			resource "enms_device" "first" { name = enms_pool.p.id == "" ? "" : "NAME-d0" }
			resource "enms_device" "d" {
			  count       = 15
			  name        = "NAME-d${count.index + 1}"
			  description = enms_device.first.id == "" ? "" : "later"
			}
			resource "enms_link" "l" {
			  name        = "NAME-l"
			  source      = enms_device.d[0].name
			  destination = enms_device.d[14].name
			}`), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("pool", "NAME-p", "device_number", "16"), s.Holds("pool", "NAME-p", "link_number", "1"))},
		resource.TestStep{Config: s.HCL(`
			resource "enms_pool" "p" {
			  name            = "NAME-p"
			  device_criteria = { description = { value = "NAME-x" } }
			}
			resource "enms_instances" "d" {
			  type      = "device"
			  instances = { for i in range(3) : "NAME-x${i}" => { description = enms_pool.p.id == "" ? "" : "NAME-x" } }
			}`), Check: s.Holds("pool", "NAME-p", "device_number", "3")},
	)
}

// A pool that is adopted keeps the criteria that are not configured: the plan has not
// promised that there are none. An output shows them at once, unless the plan could not know
// of the adoption, because another resource leaves the pool to this one in the same apply.
func TestPool_adoptedWithCriteria(t *testing.T) {
	t.Parallel()
	pool := func(label, rest string) string {
		return fmt.Sprintf("resource \"enms_pool\" %q {\n  name = \"NAME-p\"\n  %s\n}\n", label, rest)
	}
	const output, criteria = `output "criteria" { value = enms_pool.p.device_criteria }`, `device_criteria = { vendor = { value = "Cisco" } }`
	t.Run("existing", func(t *testing.T) {
		t.Parallel()
		s := acctest.NewServer(t)
		s.Put("pool", enms.Object{"name": "NAME-p", "device_vendor": "Cisco"})()
		s.Run(resource.TestStep{Config: s.HCL(pool("p", `description = "adopted"
			  adopt_existing = true`) + output),
			Check: resource.ComposeAggregateTestCheckFunc(s.Holds("pool", "NAME-p", "device_vendor", "Cisco"),
				resource.TestCheckResourceAttr("enms_pool.p", "device_criteria.vendor.value", "Cisco"))})
	})
	t.Run("none", func(t *testing.T) {
		t.Parallel()
		s := acctest.NewServer(t)
		s.Run(resource.TestStep{Config: s.HCL(pool("p", `adopt_existing = true`) + output),
			Check: resource.TestCheckNoResourceAttr("enms_pool.p", "device_criteria.%")})
	})
	t.Run("left by another resource", func(t *testing.T) {
		t.Parallel()
		s := acctest.NewServer(t)
		left := pool("old", criteria+"\n  deletion_policy = \"abandon\"")
		waiting := s.HCL(pool("p", "devices = []\n  depends_on = [enms_device.after]") + `resource "enms_device" "after" { name = "NAME-d" }`)
		s.Run(
			resource.TestStep{Config: s.HCL(left)},
			resource.TestStep{Config: waiting, Check: s.Holds("pool", "NAME-p", "device_vendor", "Cisco")},
		)
	})
}
