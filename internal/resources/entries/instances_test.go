// Acceptance tests of many instances in one resource.

package entries_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

const theInstances = "enms_instances.all"

// instancesHCL returns a configuration of entries, each on a line.
func instancesHCL(s *acctest.Server, typ, settings string, entries ...string) string {
	return s.HCL(fmt.Sprintf("resource \"enms_instances\" \"all\" {\n  type = %q\n  %s\n  instances = {\n%s\n  }\n}\n", typ, settings, strings.Join(entries, "\n")))
}

// fromCSV returns a configuration that reads its instances from the text of a file.
func fromCSV(s *acctest.Server, rows ...string) string {
	return s.HCL("resource \"enms_instances\" \"all\" {\n  type      = \"device\"\n  instances = { for r in csvdecode(<<-EOT\n" +
		"name,ip_address,port,vendor\n" + strings.Join(rows, "\n") + "\nEOT\n) : r.name => r }\n}\n")
}

// writtenCount counts the instances that were written or deleted since the last call.
func writtenCount(s *acctest.Server) (count int) {
	for _, r := range s.Simulator.Requests() {
		if r.Method != http.MethodGet && r.Path != "/rest/search" {
			count += max(1, r.Entries)
		}
	}
	s.Simulator.ResetRequests()
	return count
}

// checkWritten checks how many instances were written or deleted since the last look.
func checkWritten(s *acctest.Server, want int) resource.TestCheckFunc {
	return func(*terraform.State) error {
		if s.Simulator == nil {
			return nil
		}
		if got := writtenCount(s); got != want {
			return fmt.Errorf("%d instances were written or deleted, want %d", got, want)
		}
		return nil
	}
}

func TestInstances_fromCSV(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Run(
		resource.TestStep{Config: fromCSV(s, "NAME-R1,10.0.0.1,2222,Cisco", "NAME-R2,10.0.0.2,,", "NAME-R3,10.0.0.3,22,Nokia"),
			Check: resource.ComposeAggregateTestCheckFunc(checkWritten(s, 3), s.Holds("device", "NAME-R1", "port", "2222"), s.Holds("device", "NAME-R2", "port", "22"),
				s.Holds("device", "NAME-R3", "vendor", "Nokia"))},
		// One is changed, one is taken out, one is added, and nothing else is written.
		resource.TestStep{Config: fromCSV(s, "NAME-R1,10.0.0.1,,Juniper", "NAME-R2,10.0.0.2,,", "NAME-R4,10.0.0.4,22,Nokia"),
			ConfigPlanChecks: acctest.Updates(theInstances),
			Check: resource.ComposeAggregateTestCheckFunc(checkWritten(s, 3), s.Absent("device", "NAME-R3"),
				resource.TestCheckResourceAttr(theInstances, s.Expand("instances.NAME-R1.vendor"), "Juniper"), resource.TestCheckResourceAttr(theInstances, s.Expand("instances.NAME-R2.port"), ""),
				resource.TestCheckResourceAttr(theInstances, s.Expand("instances.NAME-R4.name"), s.Expand("NAME-R4")), s.Holds("device", "NAME-R1", "vendor", "Juniper"), s.Holds("device", "NAME-R1", "port", "22"))},
		// The same in other words is no change.
		resource.TestStep{Config: instancesHCL(s, "device", "", `"NAME-R1" = { ip_address = "10.0.0.1", vendor = "Juniper" }`,
			`"NAME-R2" = { ip_address = "10.0.0.2", vendor = "", location = null }`, `"NAME-R4" = { ip_address = "10.0.0.4", vendor = "Nokia", port = 22 }`),
			ConfigPlanChecks: acctest.Plans(plancheck.ExpectEmptyPlan()), Check: checkWritten(s, 0)},
	)
}

func TestInstances_shownEntryByEntry(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	w := acctest.NewWorkspace(t)
	w.Configure(instancesHCL(s, "device", "", `"NAME-R1" = { vendor = "Cisco" }`, `"NAME-R2" = { vendor = "Nokia" }`, `"NAME-R3" = { vendor = "Arista" }`))
	w.Apply(10)
	w.Configure(instancesHCL(s, "device", "", `"NAME-R1" = { vendor = "Cisco" }`, `"NAME-R2" = { vendor = "Juniper" }`, `"NAME-R4" = { vendor = "Ciena" }`))
	_, out := w.Run("plan", "-no-color")
	for _, want := range []string{`~ instances = {`, `~ NAME-R2 = {`, `~ vendor = "Nokia" -> "Juniper"`, `- NAME-R3 = {`, `+ NAME-R4 = {`, `(1 unchanged attribute hidden)`} {
		if !s.Says(want).MatchString(out) {
			t.Errorf("the plan does not say %s", want)
		}
	}
	if strings.Contains(out, "Cisco") || strings.Contains(out, "known after apply") || strings.Contains(out, "Note: Objects have changed") {
		t.Error("the plan says more than what changes")
	}
	if t.Failed() {
		t.Log(out)
	}
}

// An update in which eNMS refuses one entry names it and taints nothing: the others are written, and the next plan has
// only that one.
func TestInstances_oneInvalidEntryOfAnUpdate(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("a real server of others would answer 500")
	c := s.Core(nil)
	state := c.Applied("enms_instances", acctest.Entries(s, "device", map[string]any{"NAME-R1": map[string]any{}}), c.NoState("enms_instances"))
	entries := map[string]any{"NAME-R1": map[string]any{"vendor": "Arista"}, "NAME-R3": map[string]any{}, "NAME-bad": map[string]any{"creator": []any{map[string]any{"not": "a text"}, map[string]any{}}}}
	state, diags := c.Apply("enms_instances", acctest.Entries(s, "device", entries), state)
	if said := diags.String(); strings.Count(said, "ERROR") != 1 || !s.Says(`Cannot create device "NAME-bad"`, `instances["NAME-bad"]`).MatchString(said) || state.Tainted {
		t.Errorf("tainted: %t; %s", state.Tainted, diags)
	}
	delete(entries, "NAME-bad")
	acctest.PlanIsEmpty(c, "enms_instances", acctest.Entries(s, "device", entries), state)
	s.Get("device", "NAME-R3")
}

func TestInstances_renamed(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	ids := map[string]any{}
	s.Run(
		resource.TestStep{Config: instancesHCL(s, "device", "", `"NAME-A" = { vendor = "Cisco" }`, `"NAME-B" = { vendor = "Nokia" }`), Check: func(*terraform.State) error {
			ids["A"], ids["B"] = s.Get("device", "NAME-A")["id"], s.Get("device", "NAME-B")["id"]
			return nil
		}},
		s.Failing(instancesHCL(s, "device", `renames = { "NAME-A" = "NAME-C" }`, `"NAME-A" = {}`, `"NAME-B" = {}`), `Cannot rename "NAME-A" to "NAME-C"`),
		// The name of one becomes that of another, which gets a new one.
		resource.TestStep{Config: instancesHCL(s, "device", `renames = { "NAME-A" = "NAME-B", "NAME-B" = "NAME-C" }`, `"NAME-B" = { vendor = "Cisco" }`, `"NAME-C" = { vendor = "Ciena" }`, `"NAME-D" = {}`),
			Check: func(*terraform.State) error {
				b, c := s.Get("device", "NAME-B"), s.Get("device", "NAME-C")
				if b["id"] != ids["A"] || c["id"] != ids["B"] || b["vendor"] != "Cisco" || c["vendor"] != "Ciena" {
					return fmt.Errorf("B is %v %v, C is %v %v, want the ids %v", b["id"], b["vendor"], c["id"], c["vendor"], ids)
				}
				return s.Absent("device", "NAME-A")(nil)
			}},
		// Without renames, another key is another instance.
		resource.TestStep{Config: instancesHCL(s, "device", "", `"NAME-B" = { vendor = "Cisco" }`, `"NAME-E" = { vendor = "Ciena" }`, `"NAME-D" = {}`),
			Check: resource.ComposeAggregateTestCheckFunc(s.Absent("device", "NAME-C"), s.Holds("device", "NAME-E", "vendor", "Ciena"))},
	)
}

func TestInstances_adopted(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("device", enms.Object{"name": "NAME-R1", "vendor": "Cisco", "location": "Rome"})()
	s.Put("device", enms.Object{"name": "NAME-R2", "vendor": "Nokia", "location": "Oslo"})()
	s.Put("gateway", enms.Object{"name": "NAME-GW"})()
	if s.Simulator != nil {
		writtenCount(s)
	}
	entries := []string{`"NAME-R1" = { vendor = "Cisco" }`, `"NAME-R2" = { vendor = "Ciena" }`}
	s.Run(
		s.Failing(instancesHCL(s, "device", "", entries...), `Cannot create device "NAME-R1"`, "adopt_existing = true"),
		resource.TestStep{PreConfig: func() {
			if s.Simulator != nil {
				writtenCount(s)
			}
		}, Config: instancesHCL(s, "device", "adopt_existing = true", entries...), Check: resource.ComposeAggregateTestCheckFunc(
			checkWritten(s, 1), s.Holds("device", "NAME-R2", "vendor", "Ciena"), s.Holds("device", "NAME-R2", "location", "Oslo"))},
		s.Failing(instancesHCL(s, "device", "adopt_existing = true", append(entries, `"NAME-GW" = {}`)...), `Cannot take over device "NAME-GW"`),
		resource.TestStep{Config: instancesHCL(s, "device", "adopt_existing = true", entries...)},
	)
}

func TestInstances_deletionPolicy(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	link := func() {
		s.Put("link", enms.Object{"name": "NAME-L", "source": s.Expand("NAME-A"), "destination": s.Expand("NAME-B")})()
	}
	ab := []string{`"NAME-A" = {}`, `"NAME-B" = {}`}
	s.Run(
		resource.TestStep{Config: instancesHCL(s, "device", "", append(ab, `"NAME-kept" = {}`)...)},
		resource.TestStep{Config: instancesHCL(s, "device", `deletion_policy = "abandon"`, ab...), Check: func(*terraform.State) error {
			s.Get("device", "NAME-kept")
			return nil
		}},
		resource.TestStep{PreConfig: link, Config: instancesHCL(s, "device", "", ab[1]), ExpectError: s.Says(`Cannot delete device "NAME-A"`, "NAME-L")},
		s.Failing(instancesHCL(s, "device", `deletion_policy = "disable"`, ab...), "cannot be disabled"),
		s.Failing(instancesHCL(s, "device", `deletion_policy = "forget"`, ab...), "deletion policy"),
		resource.TestStep{Config: instancesHCL(s, "device", `deletion_policy = "cascade"`, ab[1]), Check: resource.ComposeAggregateTestCheckFunc(
			s.Absent("device", "NAME-A"), s.Absent("link", "NAME-L"))},
	)
}

func TestInstances_imported(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("gateway", enms.Object{"name": "NAME-GW"})()
	s.Put("device", enms.Object{"name": "NAME-R1", "vendor": "Cisco", "location": "Rome", "gateways": []string{s.Expand("NAME-GW")}})()
	s.Put("device", enms.Object{"name": "NAME-R2", "vendor": "Nokia", "port": 830})()
	c := s.Core(nil)
	state := c.Imported("enms_instances", s.Expand("device/NAME-R1,NAME-R2"))
	all := acctest.Members(t, acctest.Members(t, state.Value)["instances"])
	first, second := acctest.Members(t, all[s.Expand("NAME-R1")]), acctest.Members(t, all[s.Expand("NAME-R2")])
	if acctest.GoValue(t, first["vendor"]) != "Cisco" || acctest.GoValue(t, first["location"]) != "Rome" || len(acctest.GoValue(t, first["gateways"]).([]any)) != 1 ||
		fmt.Sprint(acctest.GoValue(t, second["port"])) != "830" || len(second) != 2 {
		t.Errorf("in full, imported %v and %v", first, second)
	}
	c.PlansNothing("enms_instances", acctest.Entries(s, "device", map[string]any{"NAME-R1": map[string]any{"vendor": "Cisco"}, "NAME-R2": map[string]any{"port": "830"}}), state)
	if s.Simulator != nil {
		writtenCount(s)
	}
	block := func(id string) string {
		return fmt.Sprintf("import {\n  to = %s\n  id = %s\n}\n", theInstances, s.Expand(id))
	}
	config := instancesHCL(s, "device", "", `"NAME-R1" = { vendor = "Cisco" }`, `"NAME-R2" = { vendor = "Nokia" }`)
	nothing := acctest.Plans(plancheck.ExpectResourceAction(theInstances, plancheck.ResourceActionNoop))
	s.Run(
		resource.TestStep{Config: config + block(`"device/NAME-R1,NAME-R3"`), ExpectError: s.Says(`Cannot import device "NAME-R3"`)},
		resource.TestStep{Config: config + block(`jsonencode({ type = "device", names = ["NAME-R1", "NAME-R2"], properties = ["vendor"] })`),
			ConfigPlanChecks: nothing, Check: checkWritten(s, 0)},
		// What is taken out goes back to the default.
		resource.TestStep{Config: instancesHCL(s, "device", "", `"NAME-R1" = {}`, `"NAME-R2" = { vendor = "Nokia" }`), Check: resource.ComposeAggregateTestCheckFunc(
			checkWritten(s, 1), s.Holds("device", "NAME-R1", "vendor", ""), s.Holds("device", "NAME-R1", "location", "Rome"))},
	)
}

// An instance of another type than that of the entries is not imported: the next read would call it gone. That is so for
// types without a resource of their own, too, whose searches find instances of their subtypes.
func TestInstances_importedAsAnotherType(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "enms-5.3", simulator.Options{Version: simulator.V53})
	s.Put("gateway", enms.Object{"name": "NAME-GW"})()
	s.Put("vlan", enms.Object{"name": ">NAME-v", "scoped_name": s.Expand("NAME-v")})()
	c := s.Core(nil)
	for id, want := range map[string]string{"device/NAME-GW": "It is a gateway: import it by that type", "data/>NAME-v": "It is a vlan: import it by that type"} {
		for _, form := range []string{s.Expand(id), s.Expand(fmt.Sprintf(`{"type":%q,"names":[%q],"properties":["description"]}`, strings.Split(id, "/")[0], strings.Split(id, "/")[1]))} {
			if _, diags := c.ImportByName("enms_instances", form); !s.Says("Cannot import", want).MatchString(diags.String()) {
				t.Errorf("%s: %s", form, diags)
			}
		}
	}
}

// The state of an import by the configured instances is what an apply of them stores: names that
// are repeated, numbers as strings and empty cells. So the plan of another row shows that one only.
// A value that eNMS does not have is drift.
func TestInstances_importedAsConfigured(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("device", enms.Object{"name": "NAME-R1", "vendor": "Cisco", "location": "Rome", "port": 830})()
	s.Put("device", enms.Object{"name": "NAME-R2", "vendor": "Nokia", "operational_data": "x"})()
	c := s.Core(nil)
	row := func(name, vendor, port string) map[string]any {
		return map[string]any{"name": s.Expand(name), "vendor": vendor, "port": port, "model": "", "gateways": []any{}}
	}
	rows := map[string]any{s.Expand("NAME-R1"): row("NAME-R1", "Cisco", "830"), s.Expand("NAME-R2"): row("NAME-R2", "Nokia", "")}
	imported := func() acctest.ResourceState {
		t.Helper()
		id, _ := json.Marshal(map[string]any{"type": "device", "instances": rows})
		state := c.Imported("enms_instances", string(id))
		return state
	}
	config := acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(rows)}
	state := imported()
	if got := acctest.Members(t, state.Value)["instances"]; !got.Equal(acctest.ObjectValue(rows)) {
		t.Errorf("the state is not what is configured: %s", got)
	}
	c.PlansNothing("enms_instances", config, state)
	rows[s.Expand("NAME-R1")] = row("NAME-R1", "Juniper", "830")
	first := acctest.Members(t, acctest.Members(t, acctest.Members(t, imported().Value)["instances"])[s.Expand("NAME-R1")])
	if first["vendor"].Equal(acctest.Literal("Juniper")) {
		t.Error("the import stores a value that eNMS does not have")
	}
}

func TestInstances_relations(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("service", enms.Object{"name": "NAME-backup", "scoped_name": s.Expand("NAME-backup")})()
	for _, name := range []string{"NAME-R1", "NAME-R2"} {
		s.Put("device", enms.Object{"name": name})()
	}
	config := instancesHCL(s, "task", "", `"NAME-T1" = { service = "NAME-backup", devices = ["NAME-R1", "NAME-R2"] }`,
		`"NAME-T2" = { service = "NAME-backup", frequency = "3600", is_active = "false" }`)
	s.Run(
		resource.TestStep{Config: config},
		resource.TestStep{Config: instancesHCL(s, "task", "", `"NAME-T1" = { service = "NAME-backup", devices = toset(["NAME-R2", "NAME-R1"]) }`,
			`"NAME-T2" = { service = "NAME-backup", frequency = 3600, is_active = false }`), ConfigPlanChecks: acctest.Plans(plancheck.ExpectEmptyPlan())},
		resource.TestStep{PreConfig: s.Put("task", enms.Object{"name": "NAME-T1", "devices": []string{s.Expand("NAME-R2")}}), Config: config,
			ConfigPlanChecks: acctest.Updates(theInstances), Check: func(*terraform.State) error {
				if got, _ := s.Get("task", "NAME-T1")["devices"].([]any); len(got) != 2 {
					return fmt.Errorf("the devices are %v", got)
				}
				return nil
			}},
		s.Failing(instancesHCL(s, "task", "", `"NAME-T1" = { service = "NAME-backup", devices = ["NAME-R9"] }`), `Cannot update task "NAME-T1"`, "NAME-R9"),
		resource.TestStep{Config: config},
	)
}

// What is known only after other resources are applied is planned as such.
func TestInstances_unknownUntilApply(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	value := func(label string) string {
		return s.HCL(fmt.Sprintf("resource \"enms_pool\" %q {\n  name = \"NAME-%[1]s\"\n}\nresource \"enms_instances\" \"all\" {\n  type = \"device\"\n"+
			"  instances = { NAME-R1 = { vendor = \"of ${enms_pool.%[1]s.id}\" }, NAME-R2 = { vendor = \"Nokia\" } }\n}\n", label))
	}
	name := func(label, name string) string {
		return s.HCL(fmt.Sprintf("resource \"enms_pool\" %q {\n  name = \"NAME-%[1]s\"\n}\nresource \"enms_instances\" \"all\" {\n  type = \"device\"\n"+
			"  instances = { for n in [enms_pool.%[1]s.id == \"\" ? \"\" : %[2]q] : n => {} }\n}\n", label, name))
	}
	holds := func(pool string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			return s.Holds("device", "NAME-R1", "vendor", fmt.Sprint("of ", s.Get("pool", pool)["id"]))(nil)
		}
	}
	s.Run(
		resource.TestStep{Config: value("a"), Check: holds("NAME-a")},
		resource.TestStep{Config: value("b"), Check: holds("NAME-b")},
		resource.TestStep{Config: name("c", "NAME-R2"), Check: s.Absent("device", "NAME-R1")},
		resource.TestStep{Config: name("d", "NAME-R3"), Check: s.Absent("device", "NAME-R2")},
	)
}

// Whatever goes wrong with requests: what was made is in the state, and the next apply
// makes the rest.
func TestInstances_faultyRequests(t *testing.T) {
	t.Parallel()
	for _, fault := range []faults.Fault{faults.Error500, faults.Cut, faults.Unavailable, faults.HTML, faults.Truncated, faults.Reset} {
		for _, when := range []faults.When{faults.Before, faults.After} {
			t.Run(fmt.Sprint(fault, " ", when), func(t *testing.T) {
				t.Parallel()
				playInstances(t, fault, when)
			})
		}
	}
}

// playInstances has each of the first requests of an update go wrong in its turn. A failed request may have
// created instances all the same, as a 500 does not tell, so the next apply adopts them.
func playInstances(t *testing.T, fault faults.Fault, when faults.When) {
	t.Helper()
	const requests = 6
	for nth := 1; nth <= requests; nth++ {
		s := acctest.NewServer(t)
		s.OnlySimulated("faults are injected")
		core, spoil := withFaults(s)
		c := core()
		devices := func(vendor string, names ...string) acctest.Attributes {
			all := map[string]any{}
			for _, name := range names {
				all[name] = map[string]any{"vendor": vendor}
			}
			return acctest.Entries(s, "device", all)
		}
		state := c.Applied("enms_instances", devices("Cisco", "NAME-1", "NAME-2", "NAME-3"), c.NoState("enms_instances"))
		want := devices("Nokia", "NAME-2", "NAME-3", "NAME-4", "NAME-5")
		spoil(faults.Rule{Fault: fault, When: when, Nth: nth, Count: 1})
		state, _ = c.Apply("enms_instances", want, state)
		spoil()
		want["adopt_existing"] = true
		acctest.PlanIsEmpty(c, "enms_instances", want, c.Applied("enms_instances", want, c.Refreshed("enms_instances", state)))
		for _, device := range []string{"NAME-2", "NAME-3", "NAME-4", "NAME-5"} {
			s.Check(s.Holds("device", device, "vendor", "Nokia"))
		}
		if s.Check(s.Absent("device", "NAME-1")); t.Failed() {
			t.Fatalf("request %d", nth)
		}
	}
}
