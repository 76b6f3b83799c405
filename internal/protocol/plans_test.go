// Tests of plans, as the plugin protocol asks for them.

package protocol

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// text returns a string of a configuration or state.
func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

// gadget is a kind with a row that replaces its instances.
var gadget = &kind.Kind{
	Name: "gadget", Namespace: "gadget",
	Attributes: []kind.Attribute{{Name: "type", Role: kind.Subtype, Default: "gadget", Recreate: true, OneOf: []string{"gadget", "gizmo"}}},
}

// stateOf encodes a configuration or state. The attributes that are not given are null; nil is none.
func stateOf(t *testing.T, i *instances, values kind.Values) *tfprotov6.DynamicValue {
	t.Helper()
	typ := i.stateType().(tftypes.Object)
	whole := tftypes.NewValue(typ, nil)
	if values != nil {
		members := kind.Values{}
		for name, of := range typ.AttributeTypes {
			if members[name] = tftypes.NewValue(of, nil); values[name].Type() != nil {
				members[name] = values[name]
			}
		}
		whole = tftypes.NewValue(typ, members)
	}
	return Encode(whole)
}

// planOf has a gadget planned.
func planOf(t *testing.T, config, prior kind.Values, private string) (*tfprotov6.PlanResourceChangeResponse, kind.Values) {
	t.Helper()
	p := newInstances(gadget, nil, func() *resources.Provider { return nil })
	resp, err := p.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: "enms_gadget",
		Config: stateOf(t, p, config), PriorState: stateOf(t, p, prior), ProposedNewState: stateOf(t, p, config), PriorPrivate: []byte(private)})
	if err != nil {
		t.Fatal(err)
	}
	planned, err := Decode(resp.PlannedState, p.stateType())
	if err != nil {
		t.Fatal(err)
	}
	return resp, planned
}

func TestPlan_creation(t *testing.T) {
	t.Parallel()
	resp, planned := planOf(t, kind.Values{"name": text("g")}, nil, "")
	if len(resp.Diagnostics) > 0 || len(resp.RequiresReplace) > 0 || len(resp.PlannedPrivate) > 0 {
		t.Errorf("%v %v", resp.Diagnostics, resp.RequiresReplace)
	}
	if planned[kind.RowID].IsKnown() || !planned["type"].Equal(text("gadget")) || resp.PlannedIdentity == nil {
		t.Errorf("planned %v with the identity %v", planned, resp.PlannedIdentity)
	}
}

func TestPlan_unknownNameNotInIdentity(t *testing.T) {
	t.Parallel()
	resp, _ := planOf(t, kind.Values{"name": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}, nil, "")
	if len(resp.Diagnostics) > 0 || resp.PlannedIdentity != nil {
		t.Errorf("%v, the identity %v", resp.Diagnostics, resp.PlannedIdentity)
	}
}

func TestPlan_replacement(t *testing.T) {
	t.Parallel()
	resp, _ := planOf(t, kind.Values{"name": text("g"), "type": text("gizmo")}, kind.Values{"name": text("g"), "type": text("gadget"), "id": text("1")}, "")
	if len(resp.Diagnostics) > 0 || len(resp.RequiresReplace) != 1 || !resp.RequiresReplace[0].Equal(tftypes.NewAttributePath().WithAttributeName("type")) {
		t.Errorf("%v %v", resp.Diagnostics, resp.RequiresReplace)
	}
}

func TestPlan_deletion(t *testing.T) {
	t.Parallel()
	const private = `{"instance":"eyJtYW5hZ2VkIjpbInBhcnRzIl19"}`
	resp, planned := planOf(t, nil, kind.Values{"name": text("g"), "id": text("1")}, private)
	if len(resp.Diagnostics) > 0 || planned != nil || string(resp.PlannedPrivate) != private {
		t.Errorf("%v %v %s", resp.Diagnostics, planned, resp.PlannedPrivate)
	}
}

// What is unfinished makes a difference of a plan that has none.
func TestPlan_unfinishedWorkIsADifference(t *testing.T) {
	t.Parallel()
	config, prior := kind.Values{"name": text("g")}, kind.Values{"name": text("g"), "type": text("gadget"), "id": text("1")}
	for private, unknown := range map[string]bool{"": false, `{"instance":"eyJ1bmZpbmlzaGVkIjp7InJlY29tcHV0ZSI6dHJ1ZX19"}`: true} {
		if resp, planned := planOf(t, config, prior, private); len(resp.PlannedPrivate) == 0 || len(resp.Diagnostics) > 0 || planned[kind.RowID].IsKnown() == unknown {
			t.Errorf("%s: %v, the id %v", private, resp.Diagnostics, planned[kind.RowID])
		}
	}
}

func TestPlan_damagedPrivateState(t *testing.T) {
	t.Parallel()
	config, prior := kind.Values{"name": text("g")}, kind.Values{"name": text("g"), "type": text("gadget"), "id": text("1")}
	for _, private := range []string{`{`, `{"instance":"??"}`, `{"instance":"W10="}`} {
		resp, _ := planOf(t, config, prior, private)
		if len(resp.Diagnostics) != 1 || resp.Diagnostics[0].Summary != "Cannot read the private state" || !strings.Contains(resp.Diagnostics[0].Detail, "backup") {
			t.Errorf("%s: %v", private, resp.Diagnostics)
		}
	}
}
