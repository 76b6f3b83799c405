// Tests of where the nodes of networks stand.

package layout_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// Devices, gateways and networks stand where they are wanted; they are drift when somebody has
// moved them, and stay where they are when they are renamed.
func TestNetworkLayout(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	for typ, name := range map[string]string{"device": "NAME-d", "gateway": "NAME-g", "network": "NAME-inner"} {
		s.Put(typ, enms.Object{"name": s.Expand(name)})()
	}
	d, g, inner, n := s.Expand("NAME-d"), s.Expand("NAME-g"), s.Expand("NAME-inner"), s.Expand("NAME-n")
	s.Put("network", enms.Object{"name": n, "nodes": []string{d, g, inner}})()
	s.Put("device", enms.Object{"name": g, "positions": map[string]any{n: []any{1, 1}}})()
	c, typ := s.Core(nil), "enms_network_layout"
	config := acctest.Attributes{"network": n, "positions": acctest.Positions(map[string][2]float64{d: {-100, 0.5}, g: {300, 20}, inner: {0, 0}})}
	at := func(what string, want ...string) {
		t.Helper()
		for i, name := range []string{d, g, inner} {
			if have := acctest.PositionOf(s, "node", name, n); have != want[i] {
				t.Errorf("%s %s is at %s, want %s", what, name, have, want[i])
			}
		}
	}
	state := c.Refreshed(typ, c.Applied(typ, config, c.NoState(typ)))
	at("laid out,", "[-100 0.5]", "[300 20]", "[0 0]")
	c.PlansNothing(typ, config, state)
	s.Put("device", enms.Object{"name": d, "positions": map[string]any{n: []any{1, 2}}})()
	state = c.Refreshed(typ, state)
	if p, diags := c.Plan(typ, config, state); diags.Failed() || p.Noop {
		t.Errorf("a device that was moved is no difference: %s", diags)
	}
	state = c.Refreshed(typ, c.Applied(typ, config, state))
	at("after the repair", "[-100 0.5]", "[300 20]", "[0 0]")
	imported := c.Imported(typ, n)
	c.PlansNothing(typ, config, imported)

	config["positions"] = acctest.Positions(map[string][2]float64{g: {300, 20}, inner: {0, 0}})
	state = c.Refreshed(typ, c.Applied(typ, config, state))
	at("let go of,", "[0 0]", "[300 20]", "[0 0]")
	c.Applied(typ, nil, state)
	at("destroyed,", "[0 0]", "[1 1]", "[0 0]")

	_, diags := c.Apply(typ, acctest.Attributes{"network": n, "positions": acctest.Positions(map[string][2]float64{"none": {3, 4}})}, c.NoState(typ))
	if !acctest.ErrorOn(diags, "positions") || !strings.Contains(diags.String(), "Nothing was moved") {
		t.Errorf("a missing device: %s", diags)
	}
	_, diags = c.Apply(typ, acctest.Attributes{"network": d, "positions": acctest.Positions(map[string][2]float64{"none": {3, 4}})}, c.NoState(typ))
	if !acctest.ErrorOn(diags, "network") {
		t.Errorf("a device is no network: %s", diags)
	}
}

// A network and its nodes, renamed in the same apply, keep the layout.
func TestNetworkLayout_followsRenames(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	config := func(device, network string) string {
		return s.HCL(fmt.Sprintf(`
			resource "enms_device" "d" {
			  name = "NAME-%s"
			}
			resource "enms_network" "n" {
			  name  = "NAME-%s"
			  nodes = [enms_device.d.name]
			}
			resource "enms_network_layout" "n" {
			  network   = enms_network.n.name
			  positions = { (enms_device.d.name) = { x = 10, y = 5 } }
			}`, device, network))
	}
	at := func(device, network string) resource.TestCheckFunc {
		return func(*terraform.State) error {
			if got := acctest.PositionOf(s, "device", s.Expand(device), network); got != "[10 5]" {
				return fmt.Errorf("the device is at %s", got)
			}
			return nil
		}
	}
	s.Run(
		resource.TestStep{Config: config("d", "n"), Check: at("NAME-d", "NAME-n")},
		resource.TestStep{Config: config("e", "n"), Check: at("NAME-e", "NAME-n")},
		resource.TestStep{Config: config("e", "m"), Check: at("NAME-e", "NAME-m")},
		resource.TestStep{Config: config("d", "n"), Check: at("NAME-d", "NAME-n")},
	)
}

// A query lists what has a layout, and brings of each what an import brings.
func TestLayout_query(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("it lists all that there is")
	s.Put("device", enms.Object{"name": "d"})()
	s.Put("network", enms.Object{"name": "n", "nodes": []string{"d"}})()
	s.Put("network", enms.Object{"name": "empty"})()
	s.Put("device", enms.Object{"name": "d", "positions": map[string]any{"n": []any{1, 2}, "empty": []any{3, 4}}})()
	s.Put("workflow", enms.Object{"name": "w", "scoped_name": "w", "labels": map[string]any{uuid: map[string]any{"content": "x", "positions": []any{1, 2}, "size": 20}}})()
	s.Put("service", enms.Object{"name": "s", "scoped_name": "s"})()
	c := s.Core(nil)
	for typ, want := range map[string]string{"enms_network_layout": "n", "enms_workflow_layout": "w"} {
		of, _, _ := strings.Cut(strings.TrimPrefix(typ, "enms_"), "_")
		imported := c.Imported(typ, want)
		results := slices.Collect(acctest.StreamQuery(t.Context(), c, acctest.Query{Type: typ, Whole: true}))
		if len(results) != 1 || len(results[0].Diagnostics) > 0 {
			t.Fatalf("%s: %d results: %v", typ, len(results), results)
		}
		if got := acctest.IdentityTexts(c, typ, results[0].Identity)[of]; got != want || results[0].DisplayName != want {
			t.Errorf("%s: the identity is %q, shown as %q", typ, got, results[0].DisplayName)
		}
		if got := c.Decode(typ, results[0].Resource); !got.Equal(imported.Value) {
			t.Errorf("%s: the query brings %s, an import %s", typ, got, imported.Value)
		}
	}
}
