// Tests of the planner, as the plugin protocol calls it.

package lifecycle

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// text is a string of a configuration or state.
func text(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }

// planOf has a gadget planned. The attributes that are not given are null; nil is none.
func planOf(t *testing.T, config, prior kind.Values, private string) (*tfprotov6.PlanResourceChangeResponse, kind.Values) {
	t.Helper()
	p := NewPlanner([]*kind.Kind{gadgets.kind}, func() *Provider { return nil })
	typ := p.resources["enms_gadget"].typ().(tftypes.Object)
	object := func(values kind.Values) *tfprotov6.DynamicValue {
		members := kind.Values{}
		for name, of := range typ.AttributeTypes {
			if members[name] = tftypes.NewValue(of, nil); values[name].Type() != nil {
				members[name] = values[name]
			}
		}
		whole := tftypes.NewValue(typ, members)
		if values == nil {
			whole = tftypes.NewValue(typ, nil)
		}
		dynamic, err := ProtocolValue(whole)
		if err != nil {
			t.Fatal(err)
		}
		return dynamic
	}
	resp, err := p.PlanResourceChange(t.Context(), &tfprotov6.PlanResourceChangeRequest{TypeName: "enms_gadget",
		Config: object(config), PriorState: object(prior), ProposedNewState: object(config), PriorPrivate: []byte(private)})
	if err != nil {
		t.Fatal(err)
	}
	planned, err := ValuesOfProtocol(resp.PlannedState, typ)
	if err != nil {
		t.Fatal(err)
	}
	return resp, planned
}

func TestPlannerCreates(t *testing.T) {
	t.Parallel()
	resp, planned := planOf(t, kind.Values{"name": text("g")}, nil, "")
	if len(resp.Diagnostics) > 0 || len(resp.RequiresReplace) > 0 {
		t.Errorf("%v %v", resp.Diagnostics, resp.RequiresReplace)
	}
	if planned[kind.RowID].IsKnown() || !planned["type"].Equal(text("gadget")) || resp.PlannedIdentity == nil {
		t.Errorf("planned %v with the identity %v", planned, resp.PlannedIdentity)
	}
}

func TestPlannerKeepsUnknownNamesOutOfTheIdentity(t *testing.T) {
	t.Parallel()
	resp, _ := planOf(t, kind.Values{"name": tftypes.NewValue(tftypes.String, tftypes.UnknownValue)}, nil, "")
	if len(resp.Diagnostics) > 0 || resp.PlannedIdentity != nil {
		t.Errorf("%v, the identity %v", resp.Diagnostics, resp.PlannedIdentity)
	}
}

func TestPlannerReplaces(t *testing.T) {
	t.Parallel()
	resp, _ := planOf(t, kind.Values{"name": text("g"), "type": text("gizmo")}, kind.Values{"name": text("g"), "type": text("gadget"), "id": text("1")}, "")
	if len(resp.Diagnostics) > 0 || len(resp.RequiresReplace) != 1 || !resp.RequiresReplace[0].Equal(tftypes.NewAttributePath().WithAttributeName("type")) {
		t.Errorf("%v %v", resp.Diagnostics, resp.RequiresReplace)
	}
}

func TestPlannerDeletes(t *testing.T) {
	t.Parallel()
	resp, planned := planOf(t, nil, kind.Values{"name": text("g"), "id": text("1")}, `{"set":"WyJwYXJ0cyJd"}`)
	if len(resp.Diagnostics) > 0 || planned != nil || string(resp.PlannedPrivate) != `{"set":"WyJwYXJ0cyJd"}` {
		t.Errorf("%v %v %s", resp.Diagnostics, planned, resp.PlannedPrivate)
	}
}

// What is unfinished makes a difference of a plan that has none.
func TestPlannerFinishes(t *testing.T) {
	t.Parallel()
	config, prior := kind.Values{"name": text("g")}, kind.Values{"name": text("g"), "type": text("gadget"), "id": text("1")}
	for private, unknown := range map[string]bool{"": false, `{"unfinished":"eyJyZWNvbXB1dGUiOnRydWV9"}`: true} {
		if resp, planned := planOf(t, config, prior, private); len(resp.Diagnostics) > 0 || planned[kind.RowID].IsKnown() == unknown {
			t.Errorf("%s: %v, the id %v", private, resp.Diagnostics, planned[kind.RowID])
		}
	}
}

func TestPlannerTellsOfDamage(t *testing.T) {
	t.Parallel()
	config, prior := kind.Values{"name": text("g")}, kind.Values{"name": text("g"), "type": text("gadget"), "id": text("1")}
	for _, private := range []string{`{`, `{"set":"??"}`, `{"set":"e30="}`} {
		resp, _ := planOf(t, config, prior, private)
		if len(resp.Diagnostics) != 1 || resp.Diagnostics[0].Summary != "Cannot read the private state" || !strings.Contains(resp.Diagnostics[0].Detail, "backup") {
			t.Errorf("%s: %v", private, resp.Diagnostics)
		}
	}
}
