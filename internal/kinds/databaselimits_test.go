// Tests of what only some databases of eNMS hold, and of words and numbers that
// some versions and databases answer otherwise.

package kinds_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

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
	resp, err := c.Provider.ImportResourceState(s.Context(), &tfprotov6.ImportResourceStateRequest{TypeName: "enms_device", ID: "a\x00b"})
	if err != nil || !acctest.ErrorOn(acctest.Problems(resp.Diagnostics), "name") {
		t.Errorf("import: %v %v", resp.Diagnostics, err)
	}
	schemas, err := c.Provider.GetProviderSchema(s.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	config := c.Encode(acctest.ObjectOf(t, schemas.DataSourceSchemas["enms_device"], acctest.Attributes{"name": "a\x00b"}))
	valid, err := c.Provider.ValidateDataResourceConfig(s.Context(), &tfprotov6.ValidateDataResourceConfigRequest{TypeName: "enms_device", Config: config})
	if err != nil || !acctest.ErrorOn(acctest.Problems(valid.Diagnostics), "name") {
		t.Errorf("data source: %v %v", valid.Diagnostics, err)
	}
	if requests := s.Simulator.Requests(); len(requests) > 0 {
		t.Errorf("%d requests were sent", len(requests))
	}
}

// SQLite holds longer texts than other databases. Those that are there are left out of the
// configuration, stay, and do not keep the rest from being changed.
func TestDatabaseLimits_existingValuesMayStay(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("not every database holds such values")
	acctest.SkipOn(t, "its columns refuse texts that are too long, and NUL", "postgresql", "mariadb")
	name, long := s.Expand("NAME-v"), strings.Repeat("x", 100)
	s.Put("device", enms.Object{"name": "NAME-v", "icon": long, "model": "a\x00b"})()
	c := s.Core(nil)
	state := c.Imported("enms_device", name)
	config := acctest.Attributes{"name": name}
	c.PlansNothing("enms_device", config, state)
	config["description"] = "another"
	state = c.Applied("enms_device", config, state)
	if now := s.Get("device", "NAME-v"); now["description"] != "another" || now["icon"] != long {
		t.Errorf("%v", now)
	}
	config["icon"] = long
	if _, diags := c.Plan("enms_device", config, state); !acctest.ErrorOn(diags, "icon") {
		t.Errorf("what eNMS holds is configured: %s", diags)
	}
}

// eNMS 5 calls generic_device what earlier versions call device: such a device is
// neither replaced nor refused for adoption.
func TestDatabaseLimits_genericDevice(t *testing.T) {
	t.Parallel()
	s, l := acctest.NewServerBehindProxy(t)
	l.SetRewrite(acctest.RewriteField("NAME-v", "type", `"generic_device"`))
	c := s.Core(nil)
	config := acctest.Attributes{"name": "NAME-v", "ip_address": "10.0.0.1"}
	state := c.Applied("enms_device", config, c.NoState("enms_device"))
	empty := func(when string, config acctest.Attributes) {
		t.Helper()
		c.PlansNothing("enms_device", config, state)
		if got := state.Text(t, "type"); got != "device" {
			t.Errorf("%s, the state has the type %q", when, got)
		}
	}
	state = c.Refreshed("enms_device", state)
	empty("after the creation", config)
	var diags acctest.Problems
	if state, diags = c.ImportByName("enms_device", "NAME-v"); diags.Failed() {
		t.Fatal(diags)
	}
	config["type"] = "device"
	empty("after the import", config)
	if _, diags = c.Apply("enms_device", config, c.NoState("enms_device")); !acctest.ErrorOn(diags, "name") || strings.Contains(diags.String(), `"generic_device"`) || !strings.Contains(diags.String(), "adopt_existing = true") {
		t.Errorf("the taken name: %s", diags)
	}
	config["adopt_existing"], config["ip_address"] = true, "10.0.0.2"
	state = c.Refreshed("enms_device", c.Applied("enms_device", config, c.NoState("enms_device")))
	empty("after the adoption", config)
	if data, diags := c.ReadDataSource("enms_device", "NAME-v"); diags.Failed() || acctest.GoValue(t, acctest.Members(t, data)["type"]) != "device" {
		t.Errorf("data source: %s%s", data, diags)
	}
	if _, diags := c.Apply("enms_device", nil, state); diags.Failed() {
		t.Errorf("destroy: %s", diags)
	}
	for _, r := range s.Simulator.Requests() {
		if typ, is := strings.CutPrefix(r.Path, "/rest/instance/"); is && typ != "device" && typ != "device/NAME-v" {
			t.Errorf("%s %s was sent", r.Method, r.Path)
		}
	}
}

// MariaDB keeps six digits of a fraction: that is no error after a write.
func TestDatabaseLimits_digitsOfFractions(t *testing.T) {
	t.Parallel()
	acctest.SkipOn(t, "the test plays MariaDB itself, on a server that keeps all digits", "mariadb")
	acctest.SkipOn(t, "services have no field read_timeout", "enms-4.4")
	s, l := acctest.NewServerBehindProxy(t)
	c := s.Core(nil)
	config := func(timeout float64) acctest.Attributes {
		return acctest.Attributes{"name": "NAME-v", "type": "netmiko_commands_service", "properties": acctest.ObjectValue(map[string]any{"read_timeout": timeout})}
	}
	l.SetRewrite(acctest.RewriteField("NAME-v", "read_timeout", "12.3457"))
	state := c.Refreshed("enms_service", c.Applied("enms_service", config(12.3456789), c.NoState("enms_service")))
	c.PlansNothing("enms_service", config(12.3456789), state)
	state = c.Refreshed("enms_service", c.Applied("enms_service", config(12.34567), state))
	c.PlansNothing("enms_service", config(12.34567), state)
	if now := s.Get("service", "NAME-v"); fmt.Sprint(now["read_timeout"]) != "12.34567" {
		t.Errorf("the update was not sent: %v", now["read_timeout"])
	}
	state = c.Imported("enms_service", "NAME-v")
	c.PlansNothing("enms_service", config(12.3456789), state)
	l.SetRewrite(acctest.RewriteField("NAME-v", "read_timeout", "15.0"))
	state = c.Refreshed("enms_service", state)
	if p, diags := c.Plan("enms_service", config(12.3456789), state); diags.Failed() || p.Noop {
		t.Errorf("another value is not found: %s", diags)
	}
}
