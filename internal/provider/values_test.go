// Tests over every attribute of every kind, made from the tables: a value that
// is sent comes back, and the plan after it is empty.

package provider_test

import (
	"fmt"
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
)

// base is what an attribute needs beside it to make a legal instance.
var base = map[string]attributes{
	"task.crontab_expression": {"scheduling_mode": "cron"},
	"task.scheduling_mode":    {"crontab_expression": "0 2 * * *"},
	"task.is_active":          {"start_date": "01/01/2035 00:00:00"},
}

// samples are legal values of an attribute: ordinary, empty and falsy ones.
func samples(s *server, k *kind.Kind, a kind.Attribute) []any {
	switch key := k.Name + "." + a.Name; {
	case key == "device.ip_address":
		return []any{"10.0.0.1", "::1", ""}
	case key == "task.crontab_expression":
		return []any{"*/15 * * * 2,4", "0 0 * * 0"}
	case key == "task.scheduling_mode":
		return []any{"cron"}
	case key == "task.start_date", key == "task.end_date":
		return []any{"01/01/2035 00:00:00", "1/1/2035 0:0:0", ""}
	case key == "service.scoped_name":
		return []any{s.expand("NAME-v")}
	case key == "service.type":
		return []any{"service", "workflow", "python_snippet_service"}
	case key == "service.shared":
		return []any{false}
	case key == "service.workflows":
		return []any{[]string{}}
	case key == "service.skip_value":
		return []any{"success", "failure", "discard", "True"}
	case key == "service.log_level":
		return []any{4, 0, -1}
	case key == "workflow_edge.source":
		return []any{"[Shared] Start", s.expand("NAME-service1")}
	case key == "pool.device_criteria":
		return []any{criteria(map[string]attributes{"vendor": {"value": "Cisco", "match": "equality"}, "port": {"value": "22", "invert": true}, "location": {"match": "empty"}}),
			criteria(map[string]attributes{"name": {"value": "(?i)^r[0-9]+", "match": "regex"}, "vendor": {"value": "Juniper"}}), criteria(nil)}
	case key == "pool.link_criteria":
		return []any{criteria(map[string]attributes{"source_name": {"value": "DALLAS"}}), criteria(nil)}
	case len(a.OneOf) > 0:
		out := []any{}
		for _, v := range a.OneOf {
			out = append(out, v)
		}
		return out
	}
	switch a.Type {
	case kind.Text:
		return []any{"text", "", "0", "false", "null", " blanks ", "Ünïcode → ✓", "line\nline\r\n", `"quotes" \ / '`, "${not} %{a} template"}
	case kind.Number:
		return []any{7, 0, 1}
	case kind.Flag:
		return []any{true, false}
	case kind.One:
		return []any{s.expand("NAME-" + a.Of + "2"), s.expand("NAME-" + a.Of + "1")}
	case kind.Many:
		return []any{[]string{s.expand("NAME-" + a.Of + "2"), s.expand("NAME-" + a.Of + "1")}, []string{}}
	case kind.JSON:
		return []any{object(nil), object(map[string]any{"a": []any{1, 2.5, "x", true, nil, []any{}, map[string]any{}}, "b": "", "c": 0, "d": false}),
			tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"k": tftypes.NewValue(tftypes.String, "v")}), nil}
	case kind.Properties:
		return []any{object(nil), nil}
	}
	return nil
}

// leastConfig is what an instance needs beside its attribute a: the name, whatever
// is required, and what base adds.
func leastConfig(s *server, k *kind.Kind, a kind.Attribute) attributes {
	config := attributes{"name": s.expand("NAME-v")}
	for _, needed := range k.Rows() {
		if (needed.Required || needed.Needed) && needed.Role != kind.Key {
			config[needed.Name] = samples(s, k, needed)[0]
		}
	}
	maps.Copy(config, base[k.Name+"."+a.Name])
	return config
}

// related makes the instances that the samples of relations name.
func related(s *server) {
	s.t.Helper()
	made := map[string]bool{}
	for _, k := range kinds.All() {
		for _, a := range k.Rows() {
			if a.Of == "" || made[a.Of] {
				continue
			}
			made[a.Of] = true
			typ := a.Of
			if typ == "node" { // what devices and networks are
				typ = "device"
			}
			for i := 1; i <= 2; i++ {
				name := s.expand(fmt.Sprintf("NAME-%s%d", a.Of, i))
				payload := enms.Object{"name": name}
				if typ == "service" || typ == "workflow" {
					payload["scoped_name"] = name
				}
				s.put(typ, payload)()
				s.t.Cleanup(s.drop(typ, name))
			}
		}
	}
}

// criteria is a map of criteria as HCL would give it.
func criteria(all map[string]attributes) tftypes.Value {
	object := tftypes.Object{AttributeTypes: map[string]tftypes.Type{"value": tftypes.String, "match": tftypes.String, "invert": tftypes.Bool}}
	members := map[string]tftypes.Value{}
	for property, criterion := range all {
		fields := map[string]tftypes.Value{}
		for name, typ := range object.AttributeTypes {
			fields[name] = tftypes.NewValue(typ, criterion[name])
		}
		members[property] = tftypes.NewValue(object, fields)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: object}, members)
}

// TestEveryValueOfEveryAttribute sends each sample at creation, then as an
// update of an instance that had another value, then takes it out, and imports
// an instance that has it.
func TestEveryValueOfEveryAttribute(t *testing.T) {
	t.Parallel()
	for _, k := range kinds.All() {
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
			s := newServer(t)
			related(s)
			c, cases := s.core(nil), 0
			for _, a := range k.Rows() {
				if a.ReadOnly || a.DataOnly || a.Role == kind.Key || a.Role == kind.Setting || a.Role == kind.Secret || unknownField(k.Name, a.Name) {
					continue
				}
				all := samples(s, k, a)
				if len(all) == 0 {
					t.Errorf("%s.%s has no samples", k.Name, a.Name)
				}
				for _, value := range all {
					cases++
					roundTrip(t, s, c, k, a, value, all[0])
				}
			}
			t.Logf("%d values went there and back", cases)
		})
	}
}

func roundTrip(t *testing.T, s *server, c *core, k *kind.Kind, a kind.Attribute, value, other any) {
	t.Helper()
	typ := "enms_" + k.Name
	with := func(v any) attributes {
		config := leastConfig(s, k, a)
		config[a.Name] = v
		return config
	}
	state := c.none(typ)
	step := func(what string, config attributes) {
		t.Helper()
		var diags problems
		if state, diags = c.apply(typ, config, state); diags.failed() {
			t.Fatalf("%s %s.%s = %v: %s", what, k.Name, a.Name, config[a.Name], diags)
		}
		if state, diags = c.refresh(typ, state); diags.failed() {
			t.Fatalf("%s %s.%s = %v: %s", what, k.Name, a.Name, config[a.Name], diags)
		}
		if p, diags := c.plan(typ, config, state); diags.failed() || config != nil && !p.noop {
			t.Errorf("%s %s.%s = %v: the plan is not empty: %s\n%s\n%s", what, k.Name, a.Name, config[a.Name], diags, p.value, state.value)
		}
	}
	step("create", with(value))
	step("update to", with(other))
	step("update back to", with(value))
	if !a.Required && !a.Needed {
		without := with(nil)
		if k.Name+"."+a.Name == "task.crontab_expression" {
			delete(without, "scheduling_mode")
		}
		if k.Name+"."+a.Name == "task.scheduling_mode" {
			delete(without, "crontab_expression")
		}
		step("take out", without)
	}
	step("destroy", nil)
	if a.Automatic != nil && len(value.([]string)) == 0 || a.Type == kind.Criteria && len(members(t, value.(tftypes.Value))) == 0 {
		return // an import leaves out what is empty, as nobody would write it
	}
	imported := importedPlan(t, s, c, k, with(value))
	if !imported.noop {
		t.Errorf("%s.%s = %v: the plan after the import is not empty: %s", k.Name, a.Name, value, imported.value)
	}
}

// importedPlan creates an instance, forgets it, imports it, and plans it.
func importedPlan(t *testing.T, s *server, c *core, k *kind.Kind, config attributes) planned {
	t.Helper()
	typ := "enms_" + k.Name
	if _, diags := c.apply(typ, config, c.none(typ)); diags.failed() {
		t.Fatal(diags)
	}
	state, diags := c.importByName(typ, config["name"].(string))
	if diags.failed() {
		t.Fatal(diags)
	}
	p, diags := c.plan(typ, config, state)
	if diags.failed() {
		t.Fatal(diags)
	}
	if _, diags := c.apply(typ, nil, state); diags.failed() {
		t.Fatal(diags)
	}
	return p
}
