// Tests of what is said of the entries of enms_instances: each error and each warning names
// the entry that it is about, and all wrong entries are told at once.

package entries_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// aboutEntries checks that each diagnostic is on the path of an entry and begins with it, and
// returns their summaries by the paths.
func aboutEntries(t *testing.T, diags acctest.Problems) map[string]string {
	t.Helper()
	summaries := map[string]string{}
	for _, d := range diags {
		label, _, _ := strings.Cut(d.Detail, ": ")
		steps := d.Attribute.Steps()
		key, is := tftypes.ElementKeyString(""), false
		if len(steps) > 1 {
			key, is = steps[1].(tftypes.ElementKeyString)
		}
		if begin := fmt.Sprintf("instances[%q]", string(key)); !is || !strings.HasPrefix(label, begin) {
			t.Errorf("%s: %s is on %s", d.Summary, d.Detail, d.Attribute)
		}
		if len(steps) > 2 {
			if last := fmt.Sprint(steps[2]); !strings.Contains(label, strings.Trim(last, `"`)) {
				t.Errorf("%s: %s is on %s", d.Summary, d.Detail, d.Attribute)
			}
		}
		summaries[label] = d.Summary
	}
	return summaries
}

// Each error about an entry of enms_instances names the entry and the property: of 500
// rows nobody finds the wrong one otherwise.
func TestInstances_planErrorsNameEntries(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	wrong := map[string]any{
		"R1":  map[string]any{"port": "ssh"},
		"R2":  map[string]any{"ip_address": "10.0.0.300", "vendor": []any{"Cisco"}},
		"R3":  map[string]any{"id": "7"},
		"R4":  map[string]any{"name": "R5"},
		"R5":  map[string]any{"sources": []any{"L"}},
		"R7":  "10.0.0.1",
		"R8":  map[string]any{"description": "\u0000", "icon": strings.Repeat("x", 65)},
		"a/b": map[string]any{},
		"R9":  map[string]any{"gateways": []any{"G/1"}},
	}
	_, diags := c.Plan(acctest.TypeInstances, acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(wrong)}, c.NoState(acctest.TypeInstances))
	got := aboutEntries(t, diags)
	for label, summary := range map[string]string{
		`instances["R1"].port`:        `Invalid value for "port"`,
		`instances["R2"].ip_address`:  `Invalid address`,
		`instances["R2"].vendor`:      `Invalid value for "vendor"`,
		`instances["R3"].id`:          `Invalid value for "id"`,
		`instances["R4"]`:             `Invalid value for "name"`,
		`instances["R5"].sources`:     `sources must not be sent`,
		`instances["R7"]`:             `Not an object`,
		`instances["R8"].description`: `description contains a NUL`,
		`instances["R8"].icon`:        `icon is too long`,
		`instances["a/b"]`:            `Invalid name`,
		`instances["R9"].gateways`:    `Invalid name`,
	} {
		if got[label] != summary {
			t.Errorf("%s: %q, expected %q", label, got[label], summary)
		}
	}
	if len(diags) != 11 {
		t.Errorf("%d diagnostics: %s", len(diags), diags)
	}
	_, diags = c.NewRun().Plan(acctest.TypeInstances, acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(map[string]any{
		"R1": map[string]any{"vendr": "Cisco"}, "R2": map[string]any{"gateways": []any{}, "modell": "x"}})}, c.NoState(acctest.TypeInstances))
	if got := aboutEntries(t, diags); len(diags) != 2 || got[`instances["R1"].vendr`] != `Unknown field vendr of device in instances["R1"].vendr` {
		t.Error(diags)
	}
	for label, instances := range map[string]map[string]any{
		`Invalid value for "service"`: {"T": map[string]any{"service": []any{"s"}}}, "A task needs a service": {"T": map[string]any{}},
	} {
		_, diags = c.NewRun().Plan(acctest.TypeInstances, acctest.Attributes{"type": "task", "instances": acctest.ObjectValue(instances)}, c.NoState(acctest.TypeInstances))
		if got := aboutEntries(t, diags); len(diags) != 1 || got[`instances["T"].service`] != label {
			t.Error(diags)
		}
	}
}
