// Tests of the calls about instances: what they return in the types of the protocol, and that they refuse what they cannot read.

package protocol

import (
	"context"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
)

func TestPath(t *testing.T) {
	t.Parallel()
	whole := path.Root("a").AtMapKey("b").AtListIndex(2).AtName("c")
	want := tftypes.NewAttributePath().WithAttributeName("a").WithElementKeyString("b").WithElementKeyInt(2).WithAttributeName("c")
	if got := Path(whole); !got.Equal(want) {
		t.Errorf("the path is %s", got)
	}
	if got := AppendPath(path.Root("x"), whole.Steps()); got.String() != `x.a["b"][2].c` {
		t.Errorf("appended, the path is %s", got)
	}
	for _, d := range []diag.Diagnostic{diag.NewWarningDiagnostic("S", "D"), diag.NewAttributeErrorDiagnostic(whole, "S", "D")} {
		got := Diagnostic(d)
		if got.Summary != "S" || got.Detail != "D" || (got.Severity == tfprotov6.DiagnosticSeverityError) != (got.Attribute != nil) || got.Attribute != nil && !got.Attribute.Equal(want) {
			t.Errorf("%v is %+v", d, got)
		}
	}
}

// A call with a value that does not fit the schema is an error, and a damaged private state one that the user sees.
func TestCalls_unreadable(t *testing.T) {
	t.Parallel()
	i := newInstances(gadget, noCalls{}, unconfigured)
	null := Encode(tftypes.NewValue(i.stateType(), nil))
	good := stateOf(t, i, kind.Values{"name": text("g"), "type": text("gizmo"), "id": text("1")})
	bad, ctx := &tfprotov6.DynamicValue{MsgPack: []byte{0xa1, 'x'}}, t.Context()
	apply := func(config, planned, prior *tfprotov6.DynamicValue, private string) ([]*tfprotov6.Diagnostic, error) {
		resp, err := i.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{Config: config, PlannedState: planned, PriorState: prior, PlannedPrivate: []byte(private)})
		return resp.Diagnostics, err
	}
	plan := func(config, prior *tfprotov6.DynamicValue) error {
		_, err := i.PlanResourceChange(ctx, &tfprotov6.PlanResourceChangeRequest{Config: config, PriorState: prior})
		return err
	}
	read := func(state *tfprotov6.DynamicValue, private string) (*tfprotov6.ReadResourceResponse, error) {
		return i.ReadResource(ctx, &tfprotov6.ReadResourceRequest{CurrentState: state, Private: []byte(private)})
	}
	_, ofData := i.readDataSource(ctx, &tfprotov6.ReadDataSourceRequest{Config: bad})
	_, ofConfig := i.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{Config: bad})
	_, ofPrior := apply(good, good, bad, "")
	_, ofPlanned := apply(good, bad, good, "")
	_, ofApplied := apply(bad, good, good, "")
	_, ofState := read(bad, "")
	for what, err := range map[string]error{"data source": ofData, "configuration": ofConfig, "prior state": ofPrior, "planned state": ofPlanned, "applied configuration": ofApplied, "read state": ofState,
		"planned configuration": plan(bad, null), "prior state of a plan": plan(good, bad)} {
		if err == nil {
			t.Errorf("the %s is no error", what)
		}
	}
	if diags, err := apply(good, good, good, "{"); err != nil || len(diags) != 1 || diags[0].Summary != "Cannot read the private state" {
		t.Errorf("an apply with a damaged private state: %v, %v", diags, err)
	}
	if resp, err := read(good, "{"); err != nil || len(resp.Diagnostics) != 1 || resp.NewState != good {
		t.Errorf("a read with a damaged private state: %v, %v", resp, err)
	}
	if resp, err := read(null, "{}"); err != nil || len(resp.Diagnostics) > 0 || resp.NewState != null || string(resp.Private) != "{}" {
		t.Errorf("a read of nothing: %v, %v", resp, err)
	}
	if resp, err := i.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{Config: null}); err != nil || len(resp.Diagnostics) > 0 {
		t.Errorf("of no configuration: %v, %v", resp, err)
	}
	wrong := stateOf(t, i, kind.Values{"name": text("a/b")})
	if resp, err := i.ValidateResourceConfig(ctx, &tfprotov6.ValidateResourceConfigRequest{Config: wrong}); err != nil || len(resp.Diagnostics) != 1 {
		t.Errorf("a name with a slash: %v, %v", resp, err)
	}
	for _, c := range []struct {
		state *tfprotov6.DynamicValue
		fails bool
		typ   any // in the configuration
	}{{good, false, "gizmo"}, {null, false, nil}, {bad, true, nil}} {
		resp, err := i.GenerateResourceConfig(ctx, &tfprotov6.GenerateResourceConfigRequest{State: c.state})
		if err != nil || len(resp.Diagnostics) > 0 != c.fails {
			t.Fatalf("generated: %v, %v", resp, err)
		}
		config, _ := Decode(resp.Config, i.stateType())
		if c.typ != nil && (!config["type"].Equal(text("gizmo")) || !config["id"].IsNull()) || c.typ == nil && config != nil {
			t.Errorf("generated: %v", config)
		}
	}
}

// noCalls is a framework that finds nothing wrong.
type noCalls struct{ tfprotov6.ResourceServer }

func (noCalls) ValidateResourceConfig(context.Context, *tfprotov6.ValidateResourceConfigRequest) (*tfprotov6.ValidateResourceConfigResponse, error) {
	return &tfprotov6.ValidateResourceConfigResponse{}, nil
}

func TestEncodeState(t *testing.T) {
	t.Parallel()
	i := newInstances(gadget, nil, unconfigured)
	values, err := Decode(stateOf(t, i, kind.Values{"name": text("g"), "type": text("gizmo"), "id": text("1")}), i.stateType())
	if err != nil {
		t.Fatal(err)
	}
	var diags diag.Diagnostics
	state, private, identity := i.encodeState(instance.State{Values: values, Record: record.Record{Managed: []string{"a"}}}, &diags)
	if diags.HasError() || len(private) == 0 || identity == nil || identity.IdentityData == nil {
		t.Fatalf("%s, %v, %v, %v", private, identity, diags, err)
	}
	if back, _, err := i.state(state, private); err != nil || !back.Values["name"].Equal(text("g")) || len(back.Record.Managed) != 1 {
		t.Errorf("it comes back as %v, %v", back, err)
	}
	state, private, identity = i.encodeState(instance.State{}, &diags)
	if none, _ := Decode(state, i.stateType()); state == nil || none != nil || private != nil || identity != nil {
		t.Errorf("nothing is %v, %s, %v", none, private, identity)
	}
}
