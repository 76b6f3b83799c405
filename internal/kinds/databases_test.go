// Tests of what the databases of eNMS do differently (enms-rest.md 10): names that count as the same, values that cannot
// be held or are answered otherwise, searches that are refused, snapshots that are old.

package kinds_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// On MariaDB two names may count as the same, such as "müller" and "muller". The
// instance with the other spelling is neither ours nor gone: the error says how eNMS
// spells it, and nothing of it enters the state. It is not deleted for ours, not even when nobody looked before.
func TestDatabase_namesThatCountAsTheSame(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "mariadb", acctest.ServerKinds["mariadb"])
	s.Put("device", enms.Object{"name": "NAME-müller"})()
	c := s.Core(nil)
	theirs := s.Expand("NAME-müller")
	for _, name := range []string{s.Expand("NAME-muller"), s.Expand("NAME-MÜLLER"), s.Expand("NAME-müller ")} {
		for _, adopt := range []bool{false, true} {
			state, diags := c.Apply("enms_device", acctest.Attributes{"name": name, "ip_address": "10.0.0.1", "adopt_existing": adopt}, c.NoState("enms_device"))
			if !state.Value.IsNull() || !acctest.ErrorOn(diags, "name") || !strings.Contains(diags.String(), fmt.Sprintf("already has a device named %q", theirs)) {
				t.Errorf("create %q, adopt %v: %s%s", name, adopt, state.Value, diags)
			}
		}
		if _, diags := c.ImportByName("enms_device", name); !strings.Contains(diags.String(), fmt.Sprintf("it has %q", theirs)) {
			t.Errorf("import %q: %s", name, diags)
		}
		if _, diags := c.ReadDataSource("enms_device", name); !strings.Contains(diags.String(), fmt.Sprintf("it has %q", theirs)) {
			t.Errorf("data source %q: %s", name, diags)
		}
	}
	other := acctest.Attributes{"name": s.Expand("NAME-other")}
	state := c.Applied("enms_device", other, c.NoState("enms_device"))
	other["name"] = s.Expand("NAME-Müller")
	after, diags := c.Apply("enms_device", other, state)
	if !acctest.ErrorOn(diags, "name") || !strings.Contains(diags.String(), fmt.Sprintf("already has a device named %q", theirs)) || after.Text(t, "name") != s.Expand("NAME-other") {
		t.Errorf("rename: %s%s", after.Value, diags)
	}
	other["name"] = s.Expand("NAME-OTHER")
	after = c.Applied("enms_device", other, after)
	if got := s.Get("device", "NAME-OTHER"); fmt.Sprint(got["id"]) != state.Text(t, "id") {
		t.Errorf("a rename of the case alone made %v", got)
	}
	s.Drop("device", "NAME-OTHER")()
	s.Put("device", enms.Object{"name": "NAME-Othér"})()
	c.Applied("enms_device", nil, after)
	s.Get("device", "NAME-Othér") // fails the test when it is gone
	if after = c.Refreshed("enms_device", after); !after.Value.IsNull() {
		t.Errorf("what is gone stayed: %s", after.Value)
	}
}

// A relation in another spelling is an error that tells the right one, before
// anything is sent.
func TestDatabase_relationInAnotherSpelling(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "mariadb", acctest.ServerKinds["mariadb"])
	s.Put("gateway", enms.Object{"name": "NAME-e4-gw"})()
	c := s.Core(nil)
	device := acctest.Attributes{"name": s.Expand("NAME-d"), "gateways": []string{s.Expand("NAME-E4-GW")}}
	state, diags := c.Apply("enms_device", device, c.NoState("enms_device"))
	if !state.Value.IsNull() || !acctest.ErrorOn(diags, "gateways") || !strings.Contains(diags.String(), fmt.Sprintf("%q", s.Expand("NAME-e4-gw"))) {
		t.Errorf("%s%s", state.Value, diags)
	}
	s.Check(s.Absent("device", "NAME-d"))
	delete(device, "gateways")
	state = c.Applied("enms_device", device, c.NoState("enms_device"))
	device["gateways"] = []string{s.Expand("NAME-E4-GW")}
	if _, diags := c.Apply("enms_device", device, state); !acctest.ErrorOn(diags, "gateways") {
		t.Error(diags)
	}
	device["gateways"] = []string{s.Expand("NAME-e4-gw")}
	state = c.Refreshed("enms_device", c.Applied("enms_device", device, state))
	c.PlansNothing("enms_device", device, state)
}

// A name that the database can neither hold nor compare is in no state, and its
// neighbours, which eNMS undoes although it answers success, are there.
func TestDatabase_nameThatItCannotHold(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "mariadb-utf8", simulator.Options{Database: simulator.MariaDBUTF8})
	device := func(label, name string) string {
		return fmt.Sprintf("resource \"enms_device\" %q {\n  name = %q\n}\n", label, name)
	}
	good := device("a", "NAME-a") + device("b", "NAME-b") + device("c", "NAME-c")
	s.Run(
		s.Failing(s.HCL(good+device("emoji", "NAME-\U0001F600")), "Cannot create device"),
		resource.TestStep{Config: s.HCL(good)},
	)
}

// newServerWithSnapshots returns a server of so many workers, each of which can be made to
// answer from an old snapshot.
func newServerWithSnapshots(t *testing.T, workers int) *acctest.Server {
	t.Helper()
	s := acctest.NewServerWith(t, "mariadb-rr", simulator.Options{Database: simulator.MariaDB, Workers: workers, StaleReads: true})
	s.OnlySimulated("snapshots are held at chosen moments")
	return s
}

// A read of a snapshot from before a write is repeated: it must not count as gone, as
// forbidden, or as another value.
func TestStaleWorkers_readsAreRepeated(t *testing.T) {
	t.Parallel()
	s := newServerWithSnapshots(t, 3)
	c := s.Core(nil)
	hold := s.Simulator.HoldSnapshots
	hold()
	gateway := c.Applied("enms_device", acctest.Attributes{"name": "gw", "type": "gateway"}, c.NoState("enms_device"))
	for i := range 4 {
		device := acctest.Attributes{"name": fmt.Sprintf("d%d", i), "ip_address": "10.0.0.1", "gateways": []string{"gw"}}
		hold()
		state := c.Applied("enms_device", device, c.NoState("enms_device"))
		device["ip_address"], device["gateways"] = fmt.Sprintf("10.0.1.%d", i), []string{}
		hold()
		state = c.Applied("enms_device", device, state)
		device["name"] = fmt.Sprintf("r%d", i)
		hold()
		state = c.Applied("enms_device", device, state)
		hold()
		task := acctest.Attributes{"name": fmt.Sprintf("t%d", i), "service": "[Shared] Start", "devices": []string{device["name"].(string)}}
		taskState := c.Applied("enms_task", task, c.NoState("enms_task"))
		hold()
		if state = c.Refreshed("enms_device", state); state.Value.IsNull() {
			t.Fatal("a device counts as gone")
		}
		hold()
		service := acctest.Attributes{"name": fmt.Sprintf("s%d", i)}
		serviceState := c.Applied("enms_service", service, c.NoState("enms_service"))
		for attribute, value := range map[string]string{"description": "updated", "name": fmt.Sprintf("z%d", i)} {
			hold()
			service[attribute] = value
			serviceState = c.Applied("enms_service", service, serviceState)
		}
		hold()
		c.Applied("enms_service", nil, serviceState)
		hold()
		c.Applied("enms_device", nil, state)
		c.Applied("enms_task", nil, taskState)
	}
	c.Applied("enms_device", nil, gateway)
	if left := s.All("device"); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// A deletion that a worker refuses, because its snapshot holds relations that are
// gone, or the instance itself, is sent again.
func TestStaleWorkers_refusedDeletionIsRepeated(t *testing.T) {
	t.Parallel()
	// So many that the reads before the deletion do not renew all snapshots.
	s := newServerWithSnapshots(t, 8)
	c := s.Core(nil)
	gateway := c.Applied("enms_device", acctest.Attributes{"name": "gw", "type": "gateway"}, c.NoState("enms_device"))
	c.Applied("enms_device", acctest.Attributes{"name": "d", "gateways": []string{"gw"}}, c.NoState("enms_device"))
	s.Simulator.HoldSnapshots()
	s.Drop("device", "d")()
	c.Applied("enms_device", nil, gateway)
	device := c.Applied("enms_device", acctest.Attributes{"name": "d"}, c.NoState("enms_device"))
	s.Simulator.HoldSnapshots()
	s.Drop("device", "d")()
	c.Applied("enms_device", nil, device)
}

// An update on a worker whose snapshot holds the new values already, because
// somebody else changed them since, writes nothing and is answered with success:
// it is sent again.
func TestStaleWorkers_updateThatWroteNothing(t *testing.T) {
	t.Parallel()
	s := newServerWithSnapshots(t, 2)
	c := s.Core(nil)
	device := acctest.Attributes{"name": "d", "ip_address": "10.0.0.2"}
	changed := c.Applied("enms_device", device, c.NoState("enms_device"))
	device["ip_address"] = "10.0.0.1"
	c.Applied("enms_device", device, changed)
	s.Simulator.HoldSnapshots()
	s.Put("device", enms.Object{"name": "d", "ip_address": "10.0.0.2"})()
	c.Applied("enms_device", device, changed)
	if got := s.Get("device", "d")["ip_address"]; got != "10.0.0.1" {
		t.Errorf("eNMS holds %v", got)
	}
}

// Two entries whose names MariaDB takes for the same cannot both be created: the second one is
// refused, and writes nothing into the instance of the first. Where the database tells them apart,
// both are created.
func TestDatabase_entriesWithTheSameName(t *testing.T) {
	t.Parallel()
	for name, options := range acctest.ServerKinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServerWith(t, name, options)
			devices := func(names string) string {
				return s.HCL(fmt.Sprintf("resource \"enms_instances\" \"all\" {\n  type = \"device\"\n  instances = { for n in [%s] : n => { vendor = n } }\n}\n", names))
			}
			both := resource.TestStep{Config: devices(`"NAME-R1", "NAME-r1", "NAME-other"`)}
			s.Put("device", enms.Object{"name": "NAME-case"})()
			same, err := s.Client.Endpoint().Query(t.Context(), "device", map[string]string{"name": s.Expand("NAME-Case")})
			if err != nil || len(same) == 0 { // a real eNMS 5 may be on any database
				s.Run(both)
				return
			}
			both.ExpectError = s.Says("Cannot create device", "its database takes for the same name as")
			s.Run(both)
			s.Run(
				resource.TestStep{Config: devices(`"NAME-R1", "NAME-R2"`), Check: s.Holds("device", "NAME-R1", "vendor", "NAME-R1")},
				resource.TestStep{Config: devices(`"NAME-R1", "NAME-R2", "NAME-ŕ2"`), ExpectError: s.Says("Cannot create device", "its database takes for the same name as")},
				resource.TestStep{Config: devices(`"NAME-R1", "NAME-R2"`), Check: s.Holds("device", "NAME-R2", "vendor", "NAME-R2")},
			)
		})
	}
}

// unfit are values of an attribute that not every database holds.
func unfit(a kind.Attribute) []any {
	switch a.Type {
	case kind.Text, kind.One:
		values := []any{"a\x00b"}
		switch {
		case a.MaxLength > 0:
			values = append(values, strings.Repeat("ü", a.MaxLength+1))
		case a.MaxLength == 0:
			values = append(values, strings.Repeat("ü", kind.CommonLength+1))
		}
		return values
	case kind.Number:
		return []any{1 << 31, -1<<31 - 1, 1 << 62, 22.5, 1e30} // a fraction was "always an error in the provider"
	case kind.Many:
		values := []any{[]string{"a", "b\x00"}}
		if a.Of != "" { // names; lists of texts fit at any length
			values = append(values, []string{strings.Repeat("ü", kind.CommonLength+1)})
		}
		return values
	case kind.JSON, kind.Properties:
		return []any{acctest.ObjectValue(map[string]any{"a": "\x00"}), acctest.ObjectValue(map[string]any{"a": []any{map[string]any{"b\x00": 1}}}),
			tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"k": tftypes.NewValue(tftypes.String, "\x00")})}
	}
	return nil
}

// TestDatabaseLimits_everyAttribute plans every attribute of every kind, secrets included, with values
// that not every database holds: strings that are too long, NUL, numbers of more than
// 32 bits, fractions in place of whole numbers. It does so for a new instance and for
// an existing one. The error is on the attribute, and nothing is sent.
func TestDatabaseLimits_everyAttribute(t *testing.T) {
	t.Parallel()
	acctest.OfEveryKind(t, func(t *testing.T, s *acctest.Server, c *acctest.Core, k *kind.Kind) {
		s.OnlySimulated("it counts requests")
		typ := "enms_" + k.Name
		config := acctest.LeastConfig(s, k, kind.Attribute{})
		existing := c.Applied(typ, config, c.NoState(typ))
		s.Simulator.ResetRequests()
		for _, a := range k.Rows() {
			if a.ReadOnly || a.DataOnly {
				continue
			}
			bad := maps.Clone(config)
			maps.Copy(bad, acctest.BesideAttribute[k.Name+"."+a.Name])
			if a.Role == kind.Secret {
				bad[a.Name+"_version"] = 1
			}
			for _, value := range unfit(a) {
				bad[a.Name] = value
				for _, state := range []acctest.ResourceState{c.NoState(typ), existing} {
					if _, diags := c.Plan(typ, bad, state); !acctest.ErrorOn(diags, a.Name) {
						t.Errorf("%s = %.50v: %s", a.Name, value, diags)
					}
				}
			}
		}
		if requests := s.Simulator.Requests(); len(requests) > 0 {
			t.Errorf("%d requests were sent, the first one %v", len(requests), requests[0])
		}
	})
}

// A name with a NUL is not asked for, either.
func TestDatabaseLimits_names(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("it counts requests")
	c := s.Core(nil)
	if _, diags := c.ImportByName("enms_device", "a\x00b"); !acctest.ErrorOn(diags, "name") {
		t.Errorf("import: %s", diags)
	}
	if _, diags := c.ReadDataSource("enms_device", "a\x00b"); !acctest.ErrorOn(diags, "name") {
		t.Errorf("data source: %s", diags)
	}
	if requests := s.Simulator.Requests(); len(requests) > 0 {
		t.Errorf("%d requests were sent", len(requests))
	}
}
