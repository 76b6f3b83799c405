// Tests of the plan of an instance as the rules of its kind see it, and of the checks of names.

package kind_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
)

func TestPlan_moments(t *testing.T) {
	t.Parallel()
	v := kind.Values{"lid": text("a"), "parts": names("b", "a")}
	for name, test := range map[string]struct {
		p                          kind.Plan
		creating, changed, removed bool
	}{
		"creation":           {kind.Plan{Planned: v, Managed: []string{"lid"}}, true, false, false},
		"configuration only": {kind.Plan{Planned: v, ConfigOnly: true}, false, false, false},
		"the same":           {kind.Plan{Planned: v, Prior: v, Config: v, Managed: []string{"lid"}}, false, false, false},
		"another value":      {kind.Plan{Planned: v, Prior: kind.Values{"lid": text("b")}, Config: v}, false, true, false},
		"removed":            {kind.Plan{Planned: v, Prior: v, Managed: []string{"lid"}}, false, false, true},
		"never configured":   {kind.Plan{Planned: v, Prior: v, Managed: []string{"size"}}, false, false, false},
	} {
		same(t, name, []bool{test.p.Creating(), test.p.Changed("lid"), test.p.Removed("lid")}, []bool{test.creating, test.changed, test.removed})
	}
}

func TestPlan_values(t *testing.T) {
	t.Parallel()
	size := crate.Row("size")
	halfKnownNames := tftypes.NewValue(crate.Row("parts").TerraformType(), []tftypes.Value{text("a"), unknown})
	p := &kind.Plan{Kind: crate, Prior: kind.Values{"lid": text("old"), kind.RowProperties: members(map[string]any{"label": "was"})},
		Config:  kind.Values{"lid": unknown, kind.RowProperties: members(map[string]any{"label": "is", "number": 5})},
		Planned: kind.Values{"lid": unknown, "size": size.Unknown(), "place": null, "owner": text("o"), "sealed": flag(true), "first": crate.Row("first").Null(), "parts": halfKnownNames, "tags": names("a")},
		Managed: []string{"sealed", "sealed=true", "first=true"}}
	show := func(x any, known bool) string { return fmt.Sprint(x, " ", known) }
	for what, test := range map[string]struct{ got, want string }{
		"text":                      {show(p.Text("owner")), "o true"},
		"null":                      {show(p.Text("place")), " true"},
		"unknown and configured":    {show(p.Text("lid")), " false"},
		"prior text":                {p.PriorText("lid") + p.PriorText("place"), "old"},
		"unknown, not configured":   {show(p.Effective("size").Equal(number(4)), p.Effective("size").IsKnown()), "true true"},
		"flag":                      {show(p.Flag("sealed")), "true true"},
		"null as a flag":            {show(p.Flag("first")), "false true"},
		"names":                     {show(p.Names("tags")), "[a] true"},
		"names, half known":         {show(p.Names("parts")), "[a ] false"},
		"wrote true":                {show(p.WroteTrue("sealed")), "true true"},
		"wrote true, not managed":   {show(p.WroteTrue("first")), "true false"},
		"configured field":          {fmt.Sprint(p.ConfiguredField("label"), p.ConfiguredField("other")), "true false"},
		"text of a field":           {show2(p.FieldText("label")), "is was"},
		"text of a field, a number": {show2(p.FieldText("number")), " "},
	} {
		same(t, what, test.got, test.want)
	}
	for _, test := range []struct {
		v    tftypes.Value
		want string
	}{{number(0), "true true"}, {size.Null(), "true true"}, {number(1), "false true"}} {
		p.SetText("lid", "x")
		p.Planned["size"] = test.v
		same(t, test.v.String(), show(p.Zero("size")), test.want)
	}
	for what, config := range map[string]kind.Plan{
		"configured":         {Kind: crate, Config: kind.Values{"size": size.Unknown()}},
		"configuration only": {Kind: crate, ConfigOnly: true},
	} {
		config.Planned = kind.Values{"size": size.Unknown()}
		if config.Effective("size").IsKnown() {
			t.Errorf("%s: it is not unknown any more", what)
		}
	}
	noDefault := &kind.Plan{Kind: crate, Planned: kind.Values{"tags": crate.Row("tags").Unknown()}}
	same(t, "the reset value without OnCreate", noDefault.Effective("tags").Equal(names()), true)
}

func show2(x, y string) string { return x + " " + y }

func TestPlan_changes(t *testing.T) {
	t.Parallel()
	p := &kind.Plan{Kind: crate, Prior: kind.Values{"lid": text("old")}, Planned: kind.Values{}}
	p.SetFlag("sealed", true)
	p.SetText("place", "here")
	p.KeepPrior("lid")
	p.SetUnknown("owner")
	p.Recreate()
	same(t, "planned", kindtest.Show(p.Planned), `{"id":"?","lid":"old","owner":"?","place":"here","sealed":true}`)
	same(t, "replaced", p.Replaced, "[id]")
	p.Error("lid", "an error", "")
	p.Refuse("lid", "refused", "")
	p.ErrorAt("properties", "x", "an error of a member", "")
	p.Warn("lid", "a warning", "")
	p.WarnAt("properties", "x", "a warning of a member", "")
	same(t, "diagnostics", kindtest.Said(p.Diagnostics), `Error: lid: an error; Error: properties["x"]: an error of a member; Warning: lid: a warning; Warning: properties["x"]: a warning of a member`)
	same(t, "refused", kindtest.Said(p.Refused), "Error: lid: refused")
}

func TestNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"": "empty", "a b": "", strings.Repeat("ü", 255): "", strings.Repeat("ü", 256): "256 characters", "a/b": "slash", `a\b`: "slash", "a'b": "quote", `a"b`: "quote",
		"a\nb": "line break", "a\x00b": "NUL",
	} {
		wrong, resp := kind.WrongName(name), &validator.StringResponse{}
		if !strings.Contains(wrong, want) || (wrong == "") != (want == "") {
			t.Errorf("%q: %s", name, wrong)
		}
		kind.NameChecks[0].ValidateString(t.Context(), validator.StringRequest{Path: path.Root("name"), ConfigValue: types.StringValue(name)}, resp)
		if (kindtest.Said(resp.Diagnostics) == "Error: name: Invalid name") != (want != "") {
			t.Errorf("%q: %s", name, kindtest.Said(resp.Diagnostics))
		}
	}
	for _, v := range []types.String{types.StringNull(), types.StringUnknown()} {
		resp := &validator.StringResponse{}
		kind.NameChecks[0].ValidateString(t.Context(), validator.StringRequest{ConfigValue: v}, resp)
		same(t, v.String(), len(resp.Diagnostics), 0)
	}
	doubt := crate.Row(kind.RowName).Doubt
	if doubt("a b", nil) != "" || !strings.Contains(doubt(" a ", nil), `Write "a"`) {
		t.Error("blanks around a name are doubtful")
	}
}
