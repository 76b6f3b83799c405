// Acceptance tests of renames by other hands, and of attributes that are taken
// out of the configuration.

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

func updates(address string) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)}}
}

func TestDevice_renameOutsideTerraform(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	id := ""
	const followed = `
		resource "enms_device" "dallas" {
		  name       = "NAME-HOUSTON"
		  ip_address = "10.0.0.1"
		}`
	rename := s.Put("device", enms.Object{"name": "NAME-DALLAS", "new_name": "NAME-HOUSTON"})
	s.Run(
		resource.TestStep{Config: s.HCL(device), Check: acctest.NoteAttribute("enms_device.dallas", "id", &id)},
		resource.TestStep{PreConfig: rename, Config: s.HCL(device), ConfigPlanChecks: updates("enms_device.dallas"),
			Check: resource.ComposeAggregateTestCheckFunc(acctest.CheckNoted("enms_device.dallas", "id", &id), s.Absent("device", "NAME-HOUSTON"))},
		resource.TestStep{PreConfig: s.Put("device", enms.Object{"name": "NAME-DALLAS", "new_name": "NAME-HOUSTON"}), Config: s.HCL(followed),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_device.dallas", plancheck.ResourceActionNoop)}},
			Check: acctest.CheckNoted("enms_device.dallas", "id", &id)},
	)
}

func TestService_renameOutsideTerraform(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	id := ""
	s.Run(
		resource.TestStep{Config: s.HCL(service), Check: acctest.NoteAttribute("enms_service.backup", "id", &id)},
		resource.TestStep{PreConfig: s.Put("service", enms.Object{"name": "NAME-backup", "scoped_name": "NAME-other", "new_name": "NAME-other"}),
			Config: s.HCL(service), ConfigPlanChecks: updates("enms_service.backup"),
			Check: resource.ComposeAggregateTestCheckFunc(acctest.CheckNoted("enms_service.backup", "id", &id), s.Absent("service", "NAME-other"))},
	)
}

// eNMS gives the id of a deleted instance to the next one. When this user wrote that one,
// an interrupted apply might have done so: the plan, which says that it is another one,
// replaces what is gone.
func TestDevice_reusedIDIsNoRename(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	t.Cleanup(s.Drop("device", "NAME-stranger"))
	s.Run(
		resource.TestStep{Config: s.HCL(device)},
		resource.TestStep{PreConfig: func() {
			s.Drop("device", "NAME-DALLAS")()
			s.Put("device", enms.Object{"name": "NAME-stranger", "ip_address": "10.8.8.8"})()
		}, Config: s.HCL(device),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{reusedIDAction(s)}},
			Check: resource.ComposeAggregateTestCheckFunc(s.Holds("device", "NAME-stranger", "ip_address", "10.8.8.8"),
				s.Holds("device", "NAME-DALLAS", "ip_address", "10.0.0.1"))},
	)
}

// reusedIDAction returns what the plan does to a device whose id has become another's; ids are
// only reused for sure on SQLite, when nobody else writes.
func reusedIDAction(s *acctest.Server) plancheck.PlanCheck {
	if s.Simulator == nil || acctest.ServerKind() != "sqlite" {
		return plancheck.ExpectNonEmptyPlan()
	}
	return plancheck.ExpectResourceAction("enms_device.dallas", plancheck.ResourceActionDestroyBeforeCreate)
}

// The same when somebody has made another instance under the old name since.
func TestDevice_applyKilledAfterRenameOldNameTaken(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		typ         string
		of          func(s *acctest.Server, name, address string) acctest.Attributes
		planned     string
		wantUpdated string
	}{
		"resource": {"enms_device", func(s *acctest.Server, name, address string) acctest.Attributes {
			return acctest.Attributes{"name": s.Expand(name), "ip_address": address}
		}, "NAME-B", "NAME-B"},
		"resource, another name": {"enms_device", func(s *acctest.Server, name, address string) acctest.Attributes {
			return acctest.Attributes{"name": s.Expand(name), "ip_address": address}
		}, "NAME-C", "NAME-A"},
		"entry": {"enms_instances", func(s *acctest.Server, name, address string) acctest.Attributes {
			return withRenames(s, entriesWith(s, "device", map[string]any{name: map[string]any{"ip_address": address}}), map[string]string{"NAME-A": name})
		}, "NAME-B", "NAME-B"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			c := s.Core(nil)
			for _, left := range []string{"NAME-A", "NAME-B", "NAME-C"} {
				t.Cleanup(s.Drop("device", left))
			}
			state := c.Applied(test.typ, test.of(s, "NAME-A", "10.0.0.1"), c.NoState(test.typ))
			s.Put("device", enms.Object{"name": "NAME-A", "new_name": "NAME-B", "ip_address": "10.0.0.2"})()
			s.Put("device", enms.Object{"name": "NAME-A", "description": "another"})()
			devices, want := idsOfAll(s, "device"), idsOf(s, "device", test.wantUpdated)[test.wantUpdated]
			config := test.of(s, test.planned, "10.0.0.3")
			state = c.Refreshed(test.typ, c.Refreshed(test.typ, state)) // the second one begins with what the first one has found
			state = c.Applied(test.typ, config, state)
			planIsEmpty(c, test.typ, config, state)
			now := s.Get("device", test.planned)
			if fmt.Sprint(now["id"]) != want || now["ip_address"] != "10.0.0.3" || len(idsOfAll(s, "device")) != len(devices) {
				t.Errorf("%s has the id %v and the address %v, of %v devices", test.planned, now["id"], now["ip_address"], idsOfAll(s, "device"))
			}
			if test.planned == "NAME-B" && s.Get("device", "NAME-A")["description"] != "another" {
				t.Errorf("what has the old name was changed: %v", s.Get("device", "NAME-A"))
			}
		})
	}
}

// An apply that was killed after it had renamed and changed an instance, before the state
// was saved: the state has the id, the plan the name, so the instance is known again. When
// it is to be destroyed instead, nothing shows that it is the same, and a warning says so. So it is
// for entries, whose new name is taken over with adopt_existing.
func TestDevice_applyKilledAfterRenameAndChange(t *testing.T) {
	t.Parallel()
	device := func(name, address string) func(*acctest.Server) acctest.Attributes {
		return func(s *acctest.Server) acctest.Attributes {
			return acctest.Attributes{"name": s.Expand(name), "ip_address": address}
		}
	}
	entry := func(name, address string) func(*acctest.Server) acctest.Attributes {
		return func(s *acctest.Server) acctest.Attributes {
			return withRenames(s, entriesWith(s, "device", map[string]any{name: map[string]any{"ip_address": address}}), map[string]string{"NAME-A": name})
		}
	}
	for name, test := range map[string]struct {
		typ           string
		before, after func(*acctest.Server) acctest.Attributes
		wantCreate    bool
	}{
		"resource":               {"enms_device", device("NAME-A", "10.0.0.1"), device("NAME-B", "10.0.0.2"), false},
		"resource, another name": {"enms_device", device("NAME-A", "10.0.0.1"), device("NAME-C", "10.0.0.2"), true},
		"entry":                  {"enms_instances", entry("NAME-A", "10.0.0.1"), entry("NAME-B", "10.0.0.2"), false},
		"entry, another name":    {"enms_instances", entry("NAME-A", "10.0.0.1"), entry("NAME-C", "10.0.0.2"), true},
		"destroyed":              {"enms_device", device("NAME-A", "10.0.0.1"), func(*acctest.Server) acctest.Attributes { return nil }, false},
		"entry destroyed":        {"enms_instances", entry("NAME-A", "10.0.0.1"), func(s *acctest.Server) acctest.Attributes { return entriesWith(s, "device", map[string]any{}) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServer(t)
			c, before, after := s.Core(nil), test.before(s), test.after(s)
			if s.Simulator == nil {
				t.Cleanup(s.Drop("device", "NAME-B"))
				t.Cleanup(s.Drop("device", "NAME-C"))
			}
			state := c.Applied(test.typ, before, c.NoState(test.typ))
			id := idsOf(s, "device", "NAME-A")["NAME-A"]
			s.Put("device", enms.Object{"name": "NAME-A", "new_name": "NAME-B", "ip_address": "10.0.0.2"})()
			state, read := c.Refresh(test.typ, state)
			if name == "entry" {
				if _, diags := c.Apply(test.typ, after, state); !s.Says(`already has a device named "NAME-B"`, "adopt_existing").MatchString(diags.String()) {
					t.Errorf("without adopt_existing: %s", diags)
				}
				after["adopt_existing"] = true
			}
			state, diags := c.Apply(test.typ, after, state)
			if read.Failed() || diags.Failed() {
				t.Fatal(read, diags)
			}
			if strings.HasSuffix(name, "destroyed") || test.typ == "enms_instances" {
				if told := read.String() + diags.String(); !s.Says(`eNMS has "NAME-B" with its id`).MatchString(told) {
					t.Errorf("the read and the apply say: %s", told)
				}
			}
			if strings.HasSuffix(name, "destroyed") {
				return
			}
			planIsEmpty(c, test.typ, after, state)
			if now := idsOf(s, "device", "NAME-B")["NAME-B"]; now != id {
				t.Errorf("B has the id %s, had %s", now, id)
			}
			if created := len(idsOfAll(s, "device")) > 1; created != test.wantCreate {
				t.Errorf("another one was created: %t", created)
			}
		})
	}
}

// What is gone is not updated: an upsert would create it anew, with nothing but what changed.
func TestDevice_updateOfWhatOthersHaveDeleted(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := acctest.Attributes{"name": s.Expand("NAME-d"), "ip_address": "10.0.0.1", "vendor": "Cisco"}
	state, diags := c.Apply("enms_device", config, c.NoState("enms_device"))
	if diags.Failed() {
		t.Fatal(diags)
	}
	s.Drop("device", "NAME-d")()
	config["ip_address"] = "10.0.0.2"
	state, diags = c.Apply("enms_device", config, state)
	if !diags.Failed() || !s.Says("Somebody deleted it after the plan was made", "Nothing was changed").MatchString(diags.String()) {
		t.Fatal(diags)
	}
	if err := s.Absent("device", "NAME-d")(nil); err != nil {
		t.Error(err)
	}
	if state, diags = c.Refresh("enms_device", state); diags.Failed() {
		t.Fatal(diags)
	}
	if state, diags = c.Apply("enms_device", config, state); diags.Failed() {
		t.Fatal(diags)
	}
	if err := s.Holds("device", "NAME-d", "vendor", "Cisco")(nil); err != nil {
		t.Error(err)
	}
	if _, diags = c.Apply("enms_device", nil, state); diags.Failed() {
		t.Fatal(diags)
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
