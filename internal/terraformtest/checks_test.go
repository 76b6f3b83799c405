// Tests of what the comparisons with the real Terraform do not show: a provider that breaks its
// promises, and configurations that the model refuses. TestModel_isTerraform in internal/lives has
// everything else.

package terraformtest

import (
	"context"
	"errors"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// thing is the schema of a resource.
var thing = tfprotov6.Schema{Block: &tfprotov6.SchemaBlock{Attributes: []*tfprotov6.SchemaAttribute{
	{Name: "id", Type: tftypes.String, Computed: true},
	{Name: "name", Type: tftypes.String, Required: true},
	{Name: "note", Type: tftypes.String, Optional: true},
}}}

// thingOf returns a thing; nil stands for null.
func thingOf(id, name, note any) tftypes.Value {
	return tftypes.NewValue(thing.ValueType(), map[string]tftypes.Value{
		"id": tftypes.NewValue(tftypes.String, id), "name": tftypes.NewValue(tftypes.String, name), "note": tftypes.NewValue(tftypes.String, note)})
}

// A provider must plan what is configured, unless it computes the attribute or the state has the value.
func TestCheckPlan(t *testing.T) {
	none := tftypes.NewValue(thing.ValueType(), nil)
	for name, test := range map[string]struct {
		config, plan, prior tftypes.Value
		invalid             bool
	}{
		"as configured":   {thingOf(nil, "a", "n"), thingOf(tftypes.UnknownValue, "a", "n"), none, false},
		"as in the state": {thingOf(nil, "a", "N"), thingOf("1", "a", "n"), thingOf("1", "a", "n"), false},
		"otherwise":       {thingOf(nil, "a", "n"), thingOf(tftypes.UnknownValue, "a", "x"), none, true},
		"not computed":    {thingOf(nil, "a", nil), thingOf(tftypes.UnknownValue, "a", "x"), none, true},
	} {
		if checkPlan("thing", &thing, test.config, test.plan, test.prior).Failed() != test.invalid {
			t.Errorf("%s: invalid must be %t", name, test.invalid)
		}
	}
}

// An apply must return what was planned, with a value for all that was unknown.
func TestCheckResult(t *testing.T) {
	none, planned := tftypes.NewValue(thing.ValueType(), nil), thingOf(tftypes.UnknownValue, "a", "n")
	for want, results := range map[string][]tftypes.Value{
		"": {thingOf("1", "a", "n")}, InvalidResult: {none, planned}, InconsistentResult: {thingOf("1", "a", "x")},
	} {
		for _, result := range results {
			found := checkResult("thing", planned, result)
			if found.Failed() != (want != "") || found.Failed() && found[0].Summary != want {
				t.Errorf("%s: got %v, want %q", result, found, want)
			}
		}
	}
}

// schemaServer is a provider that has nothing but its schema.
type schemaServer struct{ tfprotov6.ProviderServer }

func (schemaServer) GetProviderSchema(context.Context, *tfprotov6.GetProviderSchemaRequest) (*tfprotov6.GetProviderSchemaResponse, error) {
	return &tfprotov6.GetProviderSchemaResponse{ResourceSchemas: map[string]*tfprotov6.Schema{"test_thing": &thing}}, nil
}

func TestParse_notInModel(t *testing.T) {
	p := NewProvider(func() (tfprotov6.ProviderServer, error) { return schemaServer{}, nil })
	for name, source := range map[string]string{
		"a module":          "module \"m\" {\n source = \"./m\"\n}\n",
		"a function":        "output \"o\" {\n value = timestamp()\n}\n",
		"an alias":          "provider \"test\" {\n alias = \"x\"\n}\n",
		"another provider":  "resource \"terraform_data\" \"d\" {}\n",
		"a condition":       "resource \"test_thing\" \"a\" {\n lifecycle {\n  precondition {\n   condition = true\n  }\n }\n}\n",
		"a wrong reference": "resource \"test_thing\" \"a\" {\n name = test_thing.b.name\n}\n",
		"a circle":          "resource \"test_thing\" \"a\" {\n name = test_thing.b.id\n}\nresource \"test_thing\" \"b\" {\n name = test_thing.a.id\n}\n",
		"no HCL":            "resource {",
	} {
		if _, err := p.Parse(source); !errors.Is(err, ErrNotInModel) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
