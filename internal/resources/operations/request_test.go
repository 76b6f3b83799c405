// Tests of what is asked for, of the checks of it, and of what is kept of a result.

package operations

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

func set(names ...string) types.Set {
	elements := []attr.Value{}
	for _, name := range names {
		elements = append(elements, types.StringValue(name))
	}
	return types.SetValueMust(types.StringType, elements)
}

func TestRequest(t *testing.T) {
	t.Parallel()
	none := types.SetNull(types.StringType)
	parameters := types.ObjectValueMust(map[string]attr.Type{"a": types.BoolType, "b": types.StringType},
		map[string]attr.Value{"a": types.BoolValue(true), "b": types.StringNull()})
	r := request{Service: types.StringValue("s"), Devices: set("d2", "d1"), Pools: none, IPAddresses: none, Parameters: types.DynamicValue(parameters)}
	var diags diag.Diagnostics
	run := r.run(t.Context(), &diags)
	if diags.HasError() || run.Service != "s" || !reflect.DeepEqual(run.Devices, []string{"d1", "d2"}) || run.Pools != nil ||
		!strings.HasPrefix(run.Name, namePrefix) || !reflect.DeepEqual(run.Parameters, map[string]any{"a": true}) {
		t.Errorf("%+v %v", run, diags)
	}
	if other := r.run(t.Context(), &diags); other.Name == run.Name {
		t.Error("two runs of one name")
	}
	if w := r.waiting(nil); w.timeout != time.Hour || w.interval != 5*time.Second {
		t.Errorf("%+v", w)
	}
	// A set that is unknown when Terraform plans may turn out to be empty.
	r.Devices, r.Pools, r.IPAddresses = set(), set(), set()
	r.run(t.Context(), &diags)
	for n, attribute := range []string{"devices", "pools", "ip_addresses"} {
		if len(diags) != 3 || !diags[n].(diag.DiagnosticWithPath).Path().Equal(path.Root(attribute)) || !strings.HasPrefix(diags[n].Detail(), attribute+" is an empty set") {
			t.Errorf("%s: %v", attribute, diags)
		}
	}
}

func TestValidators(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		value attr.Value
		good  bool
	}{
		"null": {nil, true}, "a null string": {types.StringNull(), true}, "an unknown string": {types.StringUnknown(), true}, "a string": {types.StringValue("{}"), false},
		"a map": {types.MapNull(types.StringType), true}, "a list": {types.ListValueMust(types.StringType, nil), false},
	} {
		resp := &validator.DynamicResponse{}
		object{}.ValidateDynamic(t.Context(), validator.DynamicRequest{Path: path.Root("parameters"), ConfigValue: types.DynamicValue(test.value)}, resp)
		if resp.Diagnostics.HasError() == test.good {
			t.Errorf("%s: %v", name, resp.Diagnostics)
		}
	}
	for _, value := range []types.String{types.StringNull(), types.StringUnknown(), types.StringValue("^a")} {
		resp := &validator.StringResponse{}
		if (expression{}).ValidateString(t.Context(), validator.StringRequest{Path: path.Root("only"), ConfigValue: value}, resp); resp.Diagnostics.HasError() {
			t.Errorf("%s: %v", value, resp.Diagnostics)
		}
	}
	for _, test := range []struct {
		validators []validator.String
		text       string
		good       bool
	}{
		{aName, "a", true}, {aName, "", false}, {aRunName, "a", true}, {aRunName, "", false}, {aRunName, "a/b", false},
		{aRunName, strings.Repeat("ü", maxName), true}, {aRunName, strings.Repeat("ü", maxName+1), false},
	} {
		resp := &validator.StringResponse{}
		for _, v := range test.validators {
			v.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("name"), ConfigValue: types.StringValue(test.text)}, resp)
		}
		if resp.Diagnostics.HasError() == test.good {
			t.Errorf("%q: %v", test.text, resp.Diagnostics)
		}
	}
	// An expression that is unknown when Terraform validates is compiled when it is read.
	var diags diag.Diagnostics
	patternsOf(t.Context(), types.ListValueMust(types.StringType, []attr.Value{types.StringValue("(")}), "only", nil, &diags)
	if len(diags) != 1 || diags[0].Summary() != invalidExpression {
		t.Errorf("an invalid expression: %v", diags)
	}
}

// What may contain passwords is not shown in plans.
func TestSchemas_sensitive(t *testing.T) {
	t.Parallel()
	attributes := func(d datasource.DataSource) map[string]schema.Attribute {
		resp := &datasource.SchemaResponse{}
		d.Schema(t.Context(), datasource.SchemaRequest{}, resp)
		return resp.Schema.Attributes
	}
	entry := attributes(NewChangelog())["entries"].(schema.ListNestedAttribute).NestedObject.Attributes
	for name, a := range map[string]schema.Attribute{"content": entry["content"], "changes": entry["changes"], "text": attributes(NewConfiguration())["text"]} {
		if !a.IsSensitive() {
			t.Errorf("%s is not sensitive", name)
		}
	}
}

func TestDurations(t *testing.T) {
	t.Parallel()
	for text, good := range map[string]bool{"1h30m": true, "90s": true, "0s": false, "-1s": false, "90": false, "": false, "soon": false} {
		resp := &validator.StringResponse{}
		duration{}.ValidateString(t.Context(), validator.StringRequest{Path: path.Root("timeout"), ConfigValue: types.StringValue(text)}, resp)
		if resp.Diagnostics.HasError() == good {
			t.Errorf("%q: %v", text, resp.Diagnostics)
		}
	}
}

// What fits is kept as it is; of anything else remains JSON that says so.
func TestBounded(t *testing.T) {
	t.Parallel()
	devices := map[string]any{}
	for i := range 2000 {
		devices[fmt.Sprintf("device-%04d", i)] = map[string]any{"success": true, "result": strings.Repeat("ü", 200)}
	}
	for name, c := range map[string]struct {
		content map[string]any
		want    string // the whole text, when it is short
		member  string // of which something must be left
	}{
		"small":        {map[string]any{"success": true, "result": map[string]any{"a": []any{json.Number("1.50"), nil, "<b>"}}}, `{"result":{"a":[1.50,null,"<b>"]},"success":true}`, "result"},
		"just fits":    {map[string]any{"result": strings.Repeat("x", maxResult-len(`{"result":""}`))}, `{"result":"` + strings.Repeat("x", maxResult-len(`{"result":""}`)) + `"}`, "result"},
		"a long text":  {map[string]any{"success": false, "result": strings.Repeat("ü", maxResult)}, "", "result"},
		"many devices": {map[string]any{"success": false, "devices": devices}, "", "success"},
		"short texts":  {map[string]any{"result": slices.Repeat([]any{strings.Repeat("x", shortText+10)}, maxResult/(shortText+10))}, "", "result"},
		"long names":   {map[string]any{strings.Repeat("x", maxResult): true}, `{"truncated":true}`, "truncated"},
		"a long list":  {map[string]any{"success": true, "result": []any{devices, strings.Repeat("y", 100)}}, "", "success"},
	} {
		text := bounded(c.content)
		var read map[string]any
		if err := json.Unmarshal([]byte(text), &read); err != nil || len(text) > maxResult {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
		if _, left := read[c.member]; !left || c.want != "" && text != c.want || c.want == "" && read[truncatedField] != true {
			t.Errorf("%s: %.200s", name, text)
		}
	}
	if long := (map[string]any{"result": strings.Repeat("x", maxResult)}); bounded(long) == "" || len(long["result"].(string)) != maxResult {
		t.Error("the content itself was cut")
	}
}
