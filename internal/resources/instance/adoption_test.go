// Acceptance tests of creations, and of what a failed update leaves.

package instance_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// A taken name is refused. Who adopts the instance takes it over, and what is not configured stays as it was.
func TestCreate_refusesTakenName(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("device", enms.Object{"name": "NAME-DALLAS", "ip_address": "10.5.5.5", "vendor": "Cisco"})()
	id := fmt.Sprint(s.Get("device", "NAME-DALLAS")["id"])
	s.Run(
		s.Failing(s.HCL(device), `Cannot create device "NAME-DALLAS"`, "Nothing was changed", "set adopt_existing", "import it with the id", `"NAME-DALLAS"`),
		resource.TestStep{Config: s.HCL(""), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("device", "NAME-DALLAS", "ip_address", "10.5.5.5"),
			s.Holds("device", "NAME-DALLAS", "vendor", "Cisco"))},
		resource.TestStep{Config: s.HCL(strings.Replace(device, "\n}", "\n  adopt_existing = true\n}", 1)), Check: resource.ComposeAggregateTestCheckFunc(
			resource.TestCheckResourceAttr("enms_device.dallas", "id", id),
			resource.TestCheckResourceAttr("enms_device.dallas", "vendor", "Cisco"),
			s.Holds("device", "NAME-DALLAS", "ip_address", "10.0.0.1"),
			s.Holds("device", "NAME-DALLAS", "vendor", "Cisco"))},
	)
}

// A failed update does not forget which attributes it had set: they go back to eNMS's
// defaults afterwards.
func TestUpdate_failureLeavesWhatENMSHolds(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Run(
		resource.TestStep{Config: s.HCL(acctest.Service)},
		s.Failing(s.HCL(`
			resource "enms_service" "backup" {
			  name        = "NAME-backup"
			  type        = "python_snippet_service"
			  description = "changed"
			  properties  = { positions = "no object", source_code = "pass" }
			}`), acctest.ByLine([]string{`Cannot update service "NAME-backup"`, "positions"}, // which eNMS 5 ignores
			[]string{`eNMS did not keep the configured properties of service "NAME-backup"`})...),
		resource.TestStep{Config: s.HCL(acctest.Service), Check: resource.ComposeAggregateTestCheckFunc(
			s.Holds("service", "NAME-backup", "description", ""),
			s.Holds("service", "NAME-backup", "source_code", "results['success'] = True"))},
	)
}

func TestApply_errors(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Run(
		s.Failing(s.HCL(`resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = "NAME-missing"
			}`), `Cannot create task "NAME-t"`, `eNMS has no service "NAME-missing"`, "Create it first"),
		s.Failing(s.HCL(`resource "enms_task" "t" {
			  name    = "NAME-t"
			  service = "[Shared] Start"
			  devices = ["NAME-missing"]
			}`), `Cannot create task "NAME-t"`, "eNMS has no device", "NAME-missing"),
		s.Failing(s.HCL(`data "enms_device" "d" { name = "NAME-missing" }`), `There is no device "NAME-missing"`),
		resource.TestStep{Config: s.HCL(""), Check: s.Absent("task", "NAME-t")},
	)
}

// Who cannot read a device is not told to import or to adopt it, which cannot help. eNMS 4.7 shows
// all devices as nodes, so that the name is known to be taken; eNMS 5 hides them.
func TestCreate_takenNameOfAHiddenInstance(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	ann := s.PutUser("NAME-ann", nil)
	s.Put("device", enms.Object{"name": "NAME-d"})()
	entry := acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(map[string]any{s.Expand("NAME-d"): map[string]any{"vendor": "x"}})}
	for _, adopt := range []any{nil, true} {
		for typ, config := range map[string]acctest.Attributes{"enms_device": {"name": s.Expand("NAME-d")}, "enms_instances": entry} {
			config["adopt_existing"] = adopt
			_, diags := ann.Apply(typ, config, ann.NoState(typ))
			acctest.CheckSays(diags, t, acctest.ByLine([]string{"Cannot create device", "which this user cannot read", "rbac_edit"}, []string{"Cannot create device", "that this user cannot read or edit"})...)
			if said := diags.String(); strings.Contains(said, "import {") || strings.Contains(said, "set adopt_existing") {
				t.Errorf("%s, adopt_existing = %v: %s", typ, adopt, said)
			}
		}
	}
}

// While it is unknown whether a creation adopts, it must not plan defaults: it would send them to the existing instance.
func TestAdoption_unknownUntilApply(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	for _, adopts := range []any{nil, false, true, tftypes.NewValue(tftypes.Bool, tftypes.UnknownValue)} {
		planned, diags := c.Plan("enms_device", acctest.Attributes{"name": s.Expand("NAME-d"), "adopt_existing": adopts}, c.NoState("enms_device"))
		var device map[string]tftypes.Value
		if err := planned.Value.As(&device); err != nil || diags.Failed() {
			t.Fatal(err, diags)
		}
		if decided := adopts == nil || adopts == false; device["port"].IsKnown() != decided {
			t.Errorf("adopt_existing = %v: port is %s", adopts, device["port"])
		}
	}
}

// owned returns a resource and an entry, both of the same device, with these owners.
func owned(name string, owners ...string) map[string]acctest.Attributes {
	list := make([]any, len(owners))
	for i, owner := range owners {
		list[i] = owner
	}
	return map[string]acctest.Attributes{
		"enms_device":         {"name": name, "owners": owners},
		acctest.TypeInstances: {"type": "device", "instances": acctest.ObjectValue(map[string]any{name: map[string]any{"owners": list}})},
	}
}

// An owner who is deleted between the two requests: the error says that the device exists,
// and blames nobody for owners that were never written.
func TestOwners_deletedBeforeTheSecondRequest(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{"enms_device", acctest.TypeInstances} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			s, l := acctest.NewServerBehindProxy(t)
			s.Put("user", enms.Object{"name": "NAME-gone"})()
			var writes atomic.Int32
			l.SetRewrite(func(r *http.Request, _ func() (int, []byte)) []byte {
				if r.Method == http.MethodPost && r.URL.Path == "/rest/instance/device" && writes.Add(1) == 2 {
					s.Drop("user", "NAME-gone")()
				}
				return nil
			})
			c := s.Core(nil)
			state, diags := c.Apply(typ, owned("NAME-d", "NAME-gone")[typ], c.NoState(typ))
			text := diags.String()
			// eNMS 5 leaves the name out without an error.
			words := acctest.ByLine([]string{`Cannot finish creating device "NAME-d"`, "owners", "NAME-gone", "Create it first", "The device itself was created"},
				[]string{`eNMS did not keep the configured owners of device "NAME-d"`, "plan again"})
			if !s.Says(words...).MatchString(text) || state.Value.IsNull() {
				t.Errorf("%s %s", state.Value, text)
			}
			if strings.Contains(text, "Nothing was changed") || strings.Contains(text, acctest.ByLine("Somebody else", "Cannot")) || strings.Count(text, "ERROR") != 1 {
				t.Error(text)
			}
			s.Put("user", enms.Object{"name": "NAME-gone"})()
			state = c.Applied(typ, owned("NAME-d", "NAME-gone")[typ], c.Refreshed(typ, state))
			s.Check(s.Holds("device", "NAME-d", "owners", "[NAME-gone]"))
			c.PlansNothing(typ, owned("NAME-d", "NAME-gone")[typ], c.Refreshed(typ, state))
		})
	}
}
