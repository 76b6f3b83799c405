// Tests of what only some databases of eNMS hold, and of words and numbers that
// some versions and databases answer otherwise.

package provider_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

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
		return []any{object(map[string]any{"a": "\x00"}), object(map[string]any{"a": []any{map[string]any{"b\x00": 1}}}),
			tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"k": tftypes.NewValue(tftypes.String, "\x00")})}
	}
	return nil
}

// TestUnfitValues plans every attribute of every kind, secrets included, with values
// that not every database holds: strings that are too long, NUL, numbers of more than
// 32 bits, fractions in place of whole numbers. It does so for a new instance and for
// an existing one. The error is on the attribute, and nothing is sent.
func TestUnfitValues(t *testing.T) {
	t.Parallel()
	ofEveryKind(t, func(t *testing.T, s *server, c *core, k *kind.Kind) {
		s.onlySimulated("it counts requests")
		typ := "enms_" + k.Name
		config := leastConfig(s, k, kind.Attribute{})
		existing := c.applied(typ, config, c.none(typ))
		s.simulator.ResetRequests()
		for _, a := range k.Rows() {
			if a.ReadOnly || a.DataOnly {
				continue
			}
			bad := maps.Clone(config)
			maps.Copy(bad, base[k.Name+"."+a.Name])
			if a.Role == kind.Secret {
				bad[a.Name+"_version"] = 1
			}
			for _, value := range unfit(a) {
				bad[a.Name] = value
				for _, state := range []resourceState{c.none(typ), existing} {
					if _, diags := c.plan(typ, bad, state); !diags.on(a.Name) {
						t.Errorf("%s = %.50v: %s", a.Name, value, diags)
					}
				}
			}
		}
		if requests := s.simulator.Requests(); len(requests) > 0 {
			t.Errorf("%d requests were sent, the first one %v", len(requests), requests[0])
		}
	})
}

// on tells whether an error stands on an attribute, or on a member of it.
func (p problems) on(attribute string) bool {
	for _, d := range p {
		if d.Severity == tfprotov6.DiagnosticSeverityError && d.Attribute != nil && len(d.Attribute.Steps()) > 0 &&
			d.Attribute.Steps()[0] == tftypes.AttributeName(attribute) {
			return true
		}
	}
	return false
}

// A name with a NUL is not asked for, either.
func TestUnfitNames(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("it counts requests")
	c := s.core(nil)
	resp, err := c.server.ImportResourceState(s.ctx(), &tfprotov6.ImportResourceStateRequest{TypeName: "enms_device", ID: "a\x00b"})
	if err != nil || !problems(resp.Diagnostics).on("name") {
		t.Errorf("import: %v %v", resp.Diagnostics, err)
	}
	schemas, err := c.server.GetProviderSchema(s.ctx(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	config := c.encode(objectOf(t, schemas.DataSourceSchemas["enms_device"], attributes{"name": "a\x00b"}))
	valid, err := c.server.ValidateDataResourceConfig(s.ctx(), &tfprotov6.ValidateDataResourceConfigRequest{TypeName: "enms_device", Config: config})
	if err != nil || !problems(valid.Diagnostics).on("name") {
		t.Errorf("data source: %v %v", valid.Diagnostics, err)
	}
	if requests := s.simulator.Requests(); len(requests) > 0 {
		t.Errorf("%d requests were sent", len(requests))
	}
}

// SQLite holds longer texts than other databases. Those that are there are left out of the
// configuration, stay, and do not keep the rest from being changed.
func TestUnfitValuesThatAreThere(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("not every database holds such values")
	notOn(t, "its columns refuse texts that are too long, and NUL", "postgresql", "mariadb")
	name, long := s.expand("NAME-v"), strings.Repeat("x", 100)
	s.put("device", enms.Object{"name": "NAME-v", "icon": long, "model": "a\x00b"})()
	c := s.core(nil)
	state, diags := c.importByName("enms_device", name)
	if diags.failed() {
		t.Fatal(diags)
	}
	config := attributes{"name": name}
	if p, diags := c.plan("enms_device", config, state); diags.failed() || !p.noop {
		t.Errorf("the plan after the import is not empty: %s%s", diags, p.value)
	}
	config["description"] = "another"
	state = c.applied("enms_device", config, state)
	if now := s.get("device", "NAME-v"); now["description"] != "another" || now["icon"] != long {
		t.Errorf("%v", now)
	}
	config["icon"] = long
	if _, diags := c.plan("enms_device", config, state); !diags.on("icon") {
		t.Errorf("what eNMS holds is configured: %s", diags)
	}
}

// eNMS 5 calls generic_device what earlier versions call device: such a device is
// neither replaced nor refused for adoption.
func TestGenericDevice(t *testing.T) {
	t.Parallel()
	s, l := newLiar(t)
	l.tell(about("NAME-v", "type", `"generic_device"`))
	c := s.core(nil)
	config := attributes{"name": "NAME-v", "ip_address": "10.0.0.1"}
	state := c.applied("enms_device", config, c.none("enms_device"))
	empty := func(when string, config attributes) {
		t.Helper()
		if p, diags := c.plan("enms_device", config, state); diags.failed() || !p.noop {
			t.Errorf("%s, the plan is not empty: %s%s", when, diags, p.value)
		}
		if got := state.text(t, "type"); got != "device" {
			t.Errorf("%s, the state has the type %q", when, got)
		}
	}
	state = c.refreshed("enms_device", state)
	empty("after the creation", config)
	var diags problems
	if state, diags = c.importByName("enms_device", "NAME-v"); diags.failed() {
		t.Fatal(diags)
	}
	config["type"] = "device"
	empty("after the import", config)
	if _, diags = c.apply("enms_device", config, c.none("enms_device")); !diags.on("name") || strings.Contains(diags.String(), `"generic_device"`) || !strings.Contains(diags.String(), "adopt_existing = true") {
		t.Errorf("the taken name: %s", diags)
	}
	config["adopt_existing"], config["ip_address"] = true, "10.0.0.2"
	state = c.refreshed("enms_device", c.applied("enms_device", config, c.none("enms_device")))
	empty("after the adoption", config)
	if data, diags := c.data("enms_device", "NAME-v"); diags.failed() || plain(t, members(t, data)["type"]) != "device" {
		t.Errorf("data source: %s%s", data, diags)
	}
	if _, diags := c.apply("enms_device", nil, state); diags.failed() {
		t.Errorf("destroy: %s", diags)
	}
	for _, r := range s.simulator.Requests() {
		if typ, is := strings.CutPrefix(r.Path, "/rest/instance/"); is && typ != "device" && typ != "device/NAME-v" {
			t.Errorf("%s %s was sent", r.Method, r.Path)
		}
	}
}

// MariaDB keeps six digits of a fraction: that is no error after a write.
func TestFewerDigits(t *testing.T) {
	t.Parallel()
	notOn(t, "the test plays MariaDB itself, on a server that keeps all digits", "mariadb")
	notOn(t, "services have no field read_timeout", "enms-4.4")
	s, l := newLiar(t)
	c := s.core(nil)
	config := func(timeout float64) attributes {
		return attributes{"name": "NAME-v", "type": "netmiko_commands_service", "properties": object(map[string]any{"read_timeout": timeout})}
	}
	l.tell(about("NAME-v", "read_timeout", "12.3457"))
	state := c.refreshed("enms_service", c.applied("enms_service", config(12.3456789), c.none("enms_service")))
	if p, diags := c.plan("enms_service", config(12.3456789), state); diags.failed() || !p.noop {
		t.Errorf("after the creation, the plan is not empty: %s%s", diags, p.value)
	}
	state = c.refreshed("enms_service", c.applied("enms_service", config(12.34567), state))
	if p, diags := c.plan("enms_service", config(12.34567), state); diags.failed() || !p.noop {
		t.Errorf("after the update, the plan is not empty: %s%s", diags, p.value)
	}
	if now := s.get("service", "NAME-v"); fmt.Sprint(now["read_timeout"]) != "12.34567" {
		t.Errorf("the update was not sent: %v", now["read_timeout"])
	}
	state, diags := c.importByName("enms_service", "NAME-v")
	if diags.failed() {
		t.Fatal(diags)
	}
	if p, diags := c.plan("enms_service", config(12.3456789), state); diags.failed() || !p.noop {
		t.Errorf("after the import, the plan is not empty: %s%s", diags, p.value)
	}
	l.tell(about("NAME-v", "read_timeout", "15.0"))
	state = c.refreshed("enms_service", state)
	if p, diags := c.plan("enms_service", config(12.3456789), state); diags.failed() || p.noop {
		t.Errorf("another value is not found: %s", diags)
	}
}

// The same through Terraform, with the words that a user reads.
func TestDeviceUnfit(t *testing.T) {
	t.Parallel()
	newServer(t).refuses("enms_device",
		bad{`name = "x", icon = "` + strings.Repeat("ü", 65) + `"`, []string{"icon is too long", "65 characters, of which at most 64 fit", "PostgreSQL and MariaDB"}},
		bad{`name = "x", model = "a\u0000b"`, []string{"model holds a NUL", "PostgreSQL"}},
		bad{`name = "x", properties = { custom_json = { "a b" = ["\u0000"] } }`, []string{"properties holds a NUL", `properties.custom_json["a b"][0]`}},
	)
}
