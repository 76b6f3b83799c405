// Acceptance tests of renames by other hands, and of attributes that are taken
// out of the configuration.

package provider_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

func updates(address string) resource.ConfigPlanChecks {
	return resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{plancheck.ExpectResourceAction(address, plancheck.ResourceActionUpdate)}}
}

func TestRenamedByOthers(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	id := ""
	const followed = `
		resource "enms_device" "dallas" {
		  name       = "NAME-HOUSTON"
		  ip_address = "10.0.0.1"
		}`
	rename := s.put("device", enms.Object{"name": "NAME-DALLAS", "new_name": "NAME-HOUSTON"})
	s.run(
		resource.TestStep{Config: s.hcl(device), Check: keep("enms_device.dallas", "id", &id)},
		resource.TestStep{PreConfig: rename, Config: s.hcl(device), ConfigPlanChecks: updates("enms_device.dallas"),
			Check: resource.ComposeAggregateTestCheckFunc(kept("enms_device.dallas", "id", &id), s.absent("device", "NAME-HOUSTON"))},
		resource.TestStep{PreConfig: s.put("device", enms.Object{"name": "NAME-DALLAS", "new_name": "NAME-HOUSTON"}), Config: s.hcl(followed),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_device.dallas", plancheck.ResourceActionNoop)}},
			Check: kept("enms_device.dallas", "id", &id)},
	)
}

func TestRenamedServiceByOthers(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	id := ""
	s.run(
		resource.TestStep{Config: s.hcl(service), Check: keep("enms_service.backup", "id", &id)},
		resource.TestStep{PreConfig: s.put("service", enms.Object{"name": "NAME-backup", "scoped_name": "NAME-other", "new_name": "NAME-other"}),
			Config: s.hcl(service), ConfigPlanChecks: updates("enms_service.backup"),
			Check: resource.ComposeAggregateTestCheckFunc(kept("enms_service.backup", "id", &id), s.absent("service", "NAME-other"))},
	)
}

// eNMS gives the id of a deleted instance to the next one. When this user wrote that one,
// an interrupted apply might have done so: the plan, which says that it is another one,
// replaces what is gone.
func TestReusedIDIsNoRename(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	t.Cleanup(s.drop("device", "NAME-stranger"))
	s.run(
		resource.TestStep{Config: s.hcl(device)},
		resource.TestStep{PreConfig: func() {
			s.drop("device", "NAME-DALLAS")()
			s.put("device", enms.Object{"name": "NAME-stranger", "ip_address": "10.8.8.8"})()
		}, Config: s.hcl(device),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{reusedIDAction(s)}},
			Check: resource.ComposeAggregateTestCheckFunc(s.holds("device", "NAME-stranger", "ip_address", "10.8.8.8"),
				s.holds("device", "NAME-DALLAS", "ip_address", "10.0.0.1"))},
	)
}

// reusedIDAction is what the plan does to a device whose id has become another's; ids are
// only reused for sure on SQLite, when nobody else writes.
func reusedIDAction(s *server) plancheck.PlanCheck {
	if s.simulator == nil || testServer() != "sqlite" {
		return plancheck.ExpectNonEmptyPlan()
	}
	return plancheck.ExpectResourceAction("enms_device.dallas", plancheck.ResourceActionDestroyBeforeCreate)
}

// The same when somebody has made another instance under the old name since.
func TestKilledAfterRenameAndChange_oldNameTaken(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		typ         string
		of          func(s *server, name, address string) attributes
		planned     string
		wantUpdated string
	}{
		"resource": {"enms_device", func(s *server, name, address string) attributes {
			return attributes{"name": s.expand(name), "ip_address": address}
		}, "NAME-B", "NAME-B"},
		"resource, another name": {"enms_device", func(s *server, name, address string) attributes {
			return attributes{"name": s.expand(name), "ip_address": address}
		}, "NAME-C", "NAME-A"},
		"entry": {"enms_instances", func(s *server, name, address string) attributes {
			return s.withRenames(s.entriesWith("device", map[string]any{name: map[string]any{"ip_address": address}}), map[string]string{"NAME-A": name})
		}, "NAME-B", "NAME-B"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			c := s.core(nil)
			for _, left := range []string{"NAME-A", "NAME-B", "NAME-C"} {
				t.Cleanup(s.drop("device", left))
			}
			state := c.applied(test.typ, test.of(s, "NAME-A", "10.0.0.1"), c.none(test.typ))
			s.put("device", enms.Object{"name": "NAME-A", "new_name": "NAME-B", "ip_address": "10.0.0.2"})()
			s.put("device", enms.Object{"name": "NAME-A", "description": "another"})()
			devices, want := s.idsOfAll("device"), s.idsOf("device", test.wantUpdated)[test.wantUpdated]
			config := test.of(s, test.planned, "10.0.0.3")
			state = c.refreshed(test.typ, c.refreshed(test.typ, state)) // the second one begins with what the first one has found
			state = c.applied(test.typ, config, state)
			c.planIsEmpty(test.typ, config, state)
			now := s.get("device", test.planned)
			if fmt.Sprint(now["id"]) != want || now["ip_address"] != "10.0.0.3" || len(s.idsOfAll("device")) != len(devices) {
				t.Errorf("%s has the id %v and the address %v, of %v devices", test.planned, now["id"], now["ip_address"], s.idsOfAll("device"))
			}
			if test.planned == "NAME-B" && s.get("device", "NAME-A")["description"] != "another" {
				t.Errorf("what has the old name was changed: %v", s.get("device", "NAME-A"))
			}
		})
	}
}

// An apply that was killed after it had renamed and changed an instance, before the state
// was saved: the state has the id, the plan the name, so the instance is known again. When
// it is to be destroyed instead, nothing shows that it is the same, and a warning says so.
func TestKilledAfterRenameAndChange(t *testing.T) {
	t.Parallel()
	device := func(name, address string) func(*server) attributes {
		return func(s *server) attributes { return attributes{"name": s.expand(name), "ip_address": address} }
	}
	entry := func(name, address string) func(*server) attributes {
		return func(s *server) attributes {
			return s.withRenames(s.entriesWith("device", map[string]any{name: map[string]any{"ip_address": address}}), map[string]string{"NAME-A": name})
		}
	}
	for name, test := range map[string]struct {
		typ           string
		before, after func(*server) attributes
		wantCreate    bool
	}{
		"resource":               {"enms_device", device("NAME-A", "10.0.0.1"), device("NAME-B", "10.0.0.2"), false},
		"resource, another name": {"enms_device", device("NAME-A", "10.0.0.1"), device("NAME-C", "10.0.0.2"), true},
		"entry":                  {"enms_instances", entry("NAME-A", "10.0.0.1"), entry("NAME-B", "10.0.0.2"), false},
		"entry, another name":    {"enms_instances", entry("NAME-A", "10.0.0.1"), entry("NAME-C", "10.0.0.2"), true},
		"destroyed":              {"enms_device", device("NAME-A", "10.0.0.1"), func(*server) attributes { return nil }, false},
		"entry destroyed":        {"enms_instances", entry("NAME-A", "10.0.0.1"), func(s *server) attributes { return s.entriesWith("device", map[string]any{}) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			c, before, after := s.core(nil), test.before(s), test.after(s)
			if s.simulator == nil {
				t.Cleanup(s.drop("device", "NAME-B"))
				t.Cleanup(s.drop("device", "NAME-C"))
			}
			state := c.applied(test.typ, before, c.none(test.typ))
			id := s.idsOf("device", "NAME-A")["NAME-A"]
			s.put("device", enms.Object{"name": "NAME-A", "new_name": "NAME-B", "ip_address": "10.0.0.2"})()
			state, diags := c.apply(test.typ, after, c.refreshed(test.typ, state))
			if diags.failed() {
				t.Fatal(diags)
			}
			if strings.HasSuffix(name, "destroyed") {
				if !s.says(`eNMS has "NAME-B" under its id`).MatchString(diags.String()) {
					t.Errorf("the destruction says: %s", diags)
				}
				return
			}
			c.planIsEmpty(test.typ, after, state)
			if now := s.idsOf("device", "NAME-B")["NAME-B"]; now != id {
				t.Errorf("B has the id %s, had %s", now, id)
			}
			if created := len(s.idsOfAll("device")) > 1; created != test.wantCreate {
				t.Errorf("another one was created: %t", created)
			}
		})
	}
}

// An upsert of what is gone creates it anew, with nothing but what changed.
func TestUpdateOfWhatWasDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	config := attributes{"name": s.expand("NAME-d"), "ip_address": "10.0.0.1", "vendor": "Cisco"}
	state, diags := c.apply("enms_device", config, c.none("enms_device"))
	if diags.failed() {
		t.Fatal(diags)
	}
	s.drop("device", "NAME-d")()
	config["ip_address"] = "10.0.0.2"
	state, diags = c.apply("enms_device", config, state)
	if !diags.failed() || !s.says("keeps another vendor").MatchString(diags.String()) {
		t.Fatal(diags)
	}
	if state, diags = c.refresh("enms_device", state); diags.failed() {
		t.Fatal(diags)
	}
	if state, diags = c.apply("enms_device", config, state); diags.failed() {
		t.Fatal(diags)
	}
	if err := s.holds("device", "NAME-d", "vendor", "Cisco")(nil); err != nil {
		t.Error(err)
	}
	if _, diags = c.apply("enms_device", nil, state); diags.failed() {
		t.Fatal(diags)
	}
}

func TestAttributesTakenOut(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.run(
		resource.TestStep{Config: s.hcl(`
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
		resource.TestStep{PreConfig: s.put("device", enms.Object{"name": "NAME-DALLAS", "location": "roof"}),
			Config: s.hcl(device), ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_device.dallas", plancheck.ResourceActionUpdate)}},
			Check: resource.ComposeAggregateTestCheckFunc(
				s.holds("device", "NAME-DALLAS", "port", "22"),
				s.holds("device", "NAME-DALLAS", "gateways", "[]"),
				s.holds("device", "NAME-DALLAS", "location", "roof"))},
		// It was given back, so from here on it is nobody's business either.
		resource.TestStep{PreConfig: s.put("device", enms.Object{"name": "NAME-DALLAS", "port": 830}),
			Config: s.hcl(device), PlanOnly: true},
	)
}
