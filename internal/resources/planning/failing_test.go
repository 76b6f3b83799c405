// Tests of single checks of plans, some with a request that fails.

package planning

import (
	"maps"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/resourcetest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// checker returns the checker of plans of a kind, for a server.
func checker(t *testing.T, s *testserver.Server, typ string) Checker {
	t.Helper()
	return Checker{reading.New(kind.Named(kinds.All(), typ), resourcetest.Provider(t, s))}
}

// A new instance has a target, may have one, or needs none.
func TestHasTarget(t *testing.T) {
	t.Parallel()
	text := func(v any) tftypes.Value { return tftypes.NewValue(tftypes.String, v) }
	names := func(v any) tftypes.Value { return tftypes.NewValue(value.StringSet, v) }
	properties := func(name string, v any) tftypes.Value {
		return tftypes.NewValue(tftypes.Object{AttributeTypes: map[string]tftypes.Type{name: tftypes.String}}, map[string]tftypes.Value{name: text(v)})
	}
	unknown := tftypes.UnknownValue
	for what, test := range map[string]struct {
		typ    string
		values kind.Values
		want   bool
	}{
		"a service":                     {"service", nil, false},
		"a service with devices":        {"service", kind.Values{"target_devices": names([]tftypes.Value{text("d")})}, true},
		"a service with unknown pools":  {"service", kind.Values{"target_pools": names(unknown)}, true},
		"a service without devices":     {"service", kind.Values{"target_devices": names([]tftypes.Value{})}, false},
		"a service that runs once":      {"service", kind.Values{"run_method": text("once")}, true},
		"a service per device":          {"service", kind.Values{"run_method": text("per_device")}, false},
		"a service that runs somehow":   {"service", kind.Values{"run_method": text(unknown)}, true},
		"a service with a query":        {"service", kind.Values{"properties": properties("device_query", "devices")}, true},
		"a service with an empty query": {"service", kind.Values{"properties": properties("device_query", "")}, false},
		"a service with some query":     {"service", kind.Values{"properties": properties("device_query", unknown)}, true},
		"a service with another field":  {"service", kind.Values{"properties": properties("vendor", "x")}, false},
		"a service with some fields":    {"service", kind.Values{"properties": tftypes.NewValue(tftypes.DynamicPseudoType, unknown)}, true},
		"a task":                        {"task", nil, false},
		"a task with pools":             {"task", kind.Values{"pools": names([]tftypes.Value{text("p")})}, true},
		"a device, which has no target": {"device", nil, true},
	} {
		planned := kind.Values{"run_method": text("per_device")}
		maps.Copy(planned, test.values)
		if got := hasTarget(&kind.Plan{Kind: kind.Named(kinds.All(), test.typ), Config: test.values, Planned: planned}); got != test.want {
			t.Errorf("%s: %t", what, got)
		}
	}
	for typ, want := range map[string]string{"task": "service", "service": "", "device": ""} {
		row, of := runnerRow(kind.Named(kinds.All(), typ), kinds.All())
		if row != want || (of == nil) != (want == "") {
			t.Errorf("a %s runs its %s", typ, row)
		}
	}
}

// A service in eNMS needs a target and has none, if that is certain.
func TestIsUntargeted(t *testing.T) {
	t.Parallel()
	s := testserver.New(t, simulator.Options{})
	s.Add(t, "device", testserver.Object{"name": "d"})
	s.Add(t, "pool", testserver.Object{"name": "p"})
	for name, fields := range map[string]testserver.Object{
		"none": {}, "device": {"target_devices": []string{"d"}}, "pool": {"target_pools": []string{"p"}}, "once": {"run_method": "once"}, "query": {"device_query": "devices"},
	} {
		fields["name"] = name
		s.Add(t, "service", fields)
	}
	r := checker(t, s, "task")
	for name, want := range map[string]bool{"none": true, "device": false, "pool": false, "once": false, "query": false, "absent": false} {
		if got := r.isUntargeted(t.Context(), kind.Named(kinds.All(), "service"), name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
	s.Refuse("/rest/")
	failing := checker(t, s, "task")
	if failing.isUntargeted(t.Context(), kind.Named(kinds.All(), "service"), "none") {
		t.Error("what could not be read has no target")
	}
}
