// Tests of generated configurations, of the managed attributes, and of what a creation may take over.

package plans

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// crate is a kind that makes the name of its instances, of their title.
var crate = &kind.Kind{
	Name: "crate", Namespace: "crate",
	Attributes: []kind.Attribute{
		{Name: "type", Role: kind.Subtype, Default: "crate"},
		{Name: "title", Derived: true, Default: "t"},
		{Name: "base", Default: "flat", OnCreate: "round", Reset: "square"},
		{Name: "top", Default: "", OnlyWith: "base"},
		{Name: "size", Type: kind.Number, Default: 3},
		{Name: "unit", Default: "", OnlyWith: "size"},
		{Name: "active", Type: kind.Flag, Default: false, ChangesOnWrite: true},
		{Name: "tags", Type: kind.Many},
		{Name: "mirror", Type: kind.Many, Of: "crate", Membership: kind.Membership{Mirrored: true}},
		{Name: "owners", Type: kind.Many, Of: "person", Automatic: func(value.Object) bool { return false }},
		{Name: "filter", Type: kind.Criteria, Conditions: kind.Conditions{Prefix: "part_", Properties: []string{"color"}}},
		{Name: "info", ReadOnly: true},
		{Name: "key", Role: kind.Secret},
	},
	Subtypes: []kind.SubtypeTable{{Name: "crate", Fields: []kind.Attribute{{Name: "lid", Default: ""}, {Name: "hinge", Default: "", OnlyWith: "lid"}, {Name: "depth", Type: kind.Number, Default: 1}}}},
	Secrets:  []string{"code"},
	Off:      value.Object{"active": false, "unknown": false},
	Rules: kind.Rules{
		MakeName:       func(p *kind.Plan) (string, bool) { title, known := p.Text("base"); return "made " + title, known },
		ChangesOnWrite: func(p *kind.Plan) bool { return p.Changed("size") },
	},
}

// crateState returns the values of a crate without null.
func crateState(changes object) kind.Values {
	all := object{"name": "c", "id": "7", "type": "crate"}
	for name, v := range changes {
		all[name] = v
	}
	return kindtest.ValuesFor(crate, all)
}

func TestGenerated(t *testing.T) {
	t.Parallel()
	red := kind.CriteriaValue(map[string]*kind.Criterion{"color": {Value: "red", Match: kind.MatchInclusion}})
	for name, test := range map[string]struct{ state, want object }{
		"nothing else":              {object{}, object{}},
		"computed and settings":     {object{"info": "i", "adopt_existing": true, "key_wo_version": 1, "title": "t", "mirror": []string{"c"}}, object{}},
		"derived":                   {object{"title": "mine"}, object{"title": "mine"}},
		"defaults":                  {object{"base": "flat", "size": 3, "tags": []string{}, "top": "x"}, object{}},
		"reset value":               {object{"base": "square", "top": "x"}, object{}},
		"value of a creation":       {object{"base": "round", "top": "x"}, object{}},
		"other values":              {object{"base": "oval", "size": 0, "tags": []string{"a"}, "top": "a\r\nb", "active": true, "owners": []string{"o"}}, object{"base": "oval", "size": 0, "tags": []string{"a"}, "top": "a\nb", "active": true, "owners": []string{"o"}}},
		"of a base that is not set": {object{"base": nil, "top": "x", "size": nil, "unit": "x"}, object{"top": "x", "unit": "x"}},
		"criteria":                  {object{"filter": red}, object{"filter": tftypes.NewValue(kind.CriteriaType, map[string]tftypes.Value{"color": tftypes.NewValue(kind.CriterionType, map[string]tftypes.Value{kind.CriterionValue: tftypes.NewValue(tftypes.String, "red"), kind.CriterionMatch: tftypes.NewValue(tftypes.String, nil), kind.CriterionInvert: tftypes.NewValue(tftypes.Bool, nil)})})}},
		"no criteria":               {object{"filter": kind.CriteriaValue(nil)}, object{}},
		"a null criterion":          {object{"filter": tftypes.NewValue(kind.CriteriaType, map[string]tftypes.Value{"a": tftypes.NewValue(kind.CriterionType, nil)})}, object{"filter": tftypes.NewValue(kind.CriteriaType, map[string]tftypes.Value{"a": tftypes.NewValue(kind.CriterionType, nil)})}},
		"fields":                    {object{kind.RowProperties: object{"depth": 2, "mine": "x", "lid": "open", "hinge": "h", "code": "c"}}, object{kind.RowProperties: object{"depth": 2, "mine": "x", "lid": "open", "hinge": "h"}}},
		"field without an effect":   {object{kind.RowProperties: object{"lid": "", "hinge": "h", "depth": 1}}, object{}},
	} {
		state := crateState(test.state)
		want := kindtest.ValuesFor(crate, test.want)
		want[kind.RowName], want["type"] = state[kind.RowName], crate.Row("type").Null()
		got := Generated(crate, state)
		if kindtest.Show(got) != kindtest.Show(want) || len(got) != len(want) {
			t.Errorf("%s:\n got %s\nwant %s", name, kindtest.Show(got), kindtest.Show(want))
		}
		if top := test.state["top"]; top != nil && value.Text(state["top"]) != top {
			t.Errorf("%s: the state was changed", name)
		}
	}
	config, warnings := GeneratedWithWarnings(shelf, shelfOf(object{"id": "7", "name": "a/b", "color": "odd", "extra": object{"my_token": "x"}}))
	if got, want := kindtest.Said(warnings), `Warning: Not to be created anew: shelf "a/b"; Warning: Secrets in the configuration of shelf "a/b"`; got != want || value.Text(config["wall"]) != "w" {
		t.Errorf("got  %q\nwant %q", got, want)
	} else if !strings.Contains(warnings[0].Detail(), "a slash") || !strings.Contains(warnings[1].Detail(), "eNMS returns extra.my_token,") {
		t.Errorf("the details are %v", warnings)
	}
	if _, warnings := GeneratedWithWarnings(crate, crateState(object{"size": 4})); len(warnings) > 0 {
		t.Errorf("a valid crate: %v", warnings)
	}
}

func TestManaged(t *testing.T) {
	t.Parallel()
	config := crateState(object{"base": "flat", "active": true, "size": 1, kind.RowProperties: object{"lid": "x"}, "adopt_existing": true, "id": nil})
	for name, test := range map[string]struct {
		state  object
		before []string
		want   []string
	}{
		"eNMS has all":     {object{"base": "flat", "active": true, "size": 1, kind.RowProperties: object{}}, nil, []string{"active", "active=true", "base", "name", "properties", "properties.lid", "size", "type"}},
		"eNMS has not all": {object{}, []string{"tags", "base"}, []string{"base", "name", "tags", "type"}},
		"nothing was read": {object{"id": nil, "type": nil}, []string{"tags", "size"}, []string{"active", "active=true", "base", "name", "properties", "properties.lid", "size", "tags", "type"}},
	} {
		kindtest.Same(t, name, Managed(crate, config, crateState(test.state), test.before), test.want)
	}
	before, now := crateState(object{"base": "square", "active": false, "size": 3, "tags": []string{"a"}}), crateState(object{"base": "oval", "active": true, "size": 3, "tags": []string{"b"}})
	kindtest.Same(t, "still managed", StillManaged(crate, []string{"active", "active=false", "active=true", "base", "size", "tags"}, before, now), []string{"active=true", "size", "tags"})
}

func TestPlanOfCrate(t *testing.T) {
	t.Parallel()
	none := crate.Row(kind.RowProperties).Null()
	held := object{"type": "chest", "title": "own", "base": "oval", "size": 1, "active": true, "owners": []string{"o"}}
	for name, test := range map[string]struct {
		config, held object // held is in the state; nil for a creation
		managed      []string
		want         object // what is planned otherwise than held
	}{
		"creation":                       {object{}, nil, nil, object{"id": "?", "type": "crate", "title": "?", "base": "round", "top": "", "unit": "", "size": 3, "active": "?", "tags": "?", "mirror": "?", "info": "?"}},
		"made name":                      {object{"base": "b"}, nil, []string{}, object{"id": "?", "name": "made b", "type": "crate", "title": "?", "base": "b", "top": "", "unit": "", "size": 3, "active": "?", "tags": "?", "mirror": "?", "info": "?"}},
		"made name, unknown":             {object{"base": crate.Row("base").Unknown()}, nil, []string{}, object{"id": "?", "name": "?", "type": "crate", "title": "?", "base": "?", "top": "", "unit": "", "size": 3, "active": "?", "tags": "?", "mirror": "?", "info": "?"}},
		"nothing":                        {object{}, held, nil, object{}},
		"removed":                        {object{}, held, []string{"active", "base", "name", "owners", "title"}, object{"active": false, "base": "square", "owners": nil}},
		"what changes at no other write": {object{"base": "flat"}, held, nil, object{"base": "flat"}},
		"what changes at this write":     {object{"size": 2}, held, nil, object{"size": 2, "active": "?"}},
		"removed, beside a change":       {object{"size": 2}, held, []string{"active"}, object{"size": 2, "active": false}},
		"no properties":                  {object{kind.RowProperties: object{}}, object{kind.RowProperties: none}, nil, object{kind.RowProperties: object{}}},
		"criteria": {object{"filter": tftypes.NewValue(kind.CriteriaType, map[string]tftypes.Value{"a": tftypes.NewValue(kind.CriterionType, map[string]tftypes.Value{
			kind.CriterionValue: tftypes.NewValue(tftypes.String, "x"), kind.CriterionMatch: tftypes.NewValue(tftypes.String, nil), kind.CriterionInvert: tftypes.NewValue(tftypes.Bool, nil)})})},
			held, nil, object{"filter": kind.CriteriaValue(map[string]*kind.Criterion{"a": {Value: "x", Match: kind.MatchInclusion}})}},
	} {
		var prior kind.Values
		if test.held != nil {
			prior = crateState(test.held)
		}
		want := kind.Values{kind.RowName: crate.Row(kind.RowName).Value("c")}
		maps.Copy(want, prior)
		for row, v := range test.want {
			if v == "?" {
				v = crate.Row(row).Unknown()
			}
			want[row] = kindtest.ValuesFor(crate, object{row: v})[row]
		}
		config := object{"name": "c"}
		if test.managed != nil {
			config = object{} // without a name
		}
		maps.Copy(config, test.config)
		if got := kindtest.Show(New(crate, kindtest.ValuesFor(crate, config), prior, test.managed, kindtest.Now).Planned); got != kindtest.Show(want) {
			t.Errorf("%s:\n got %s\nwant %s", name, got, kindtest.Show(want))
		}
	}
}

// A creation may adopt an instance, and takes over what is not configured.
func TestPlanOfAdoption(t *testing.T) {
	t.Parallel()
	// setUnknown returns the attributes that are unknown after a change of the plan, although they were known before.
	setUnknown := func(k *kind.Kind, config kind.Values, derived string, change func(*kind.Plan)) (names []string) {
		p := New(k, config, nil, nil, kindtest.Now)
		p.SetText(derived, "u")
		before := maps.Clone(p.Planned)
		change(p)
		for _, name := range slices.Sorted(maps.Keys(before)) {
			if before[name].IsKnown() && !p.Planned[name].IsKnown() {
				names = append(names, name)
			}
		}
		return names
	}
	named, unnamed := crateState(object{"id": nil, "size": 1}), crateState(object{"id": nil, "name": nil, "filter": kind.CriteriaValue(nil)})
	titled := crateState(object{"id": nil, "name": nil, "title": "u"})
	gadget := kindtest.ValuesFor(kindtest.Gadget, object{})
	for what, test := range map[string]struct{ got, want []string }{
		"name":                   {setUnknown(crate, named, "title", SetNameUnknown), nil},
		"made name":              {setUnknown(crate, unnamed, "title", SetNameUnknown), []string{"name"}},
		"no name":                {setUnknown(kindtest.Gadget, gadget, "short_name", SetNameUnknown), nil},
		"defaults":               {setUnknown(crate, named, "title", SetDefaultsUnknown), []string{"base", "top", "unit"}},
		"adoption":               {setUnknown(crate, named, "title", SetUnknownForAdoption), []string{"filter"}},
		"adoption, made name":    {setUnknown(crate, unnamed, "title", SetUnknownForAdoption), []string{"title"}},
		"adoption, own title":    {setUnknown(crate, titled, "title", SetUnknownForAdoption), []string{"filter"}},
		"adoption, no made name": {setUnknown(kindtest.Gadget, gadget, "short_name", SetUnknownForAdoption), nil},
	} {
		kindtest.Same(t, what, test.got, test.want)
	}
	planned := kind.Values{"base": crate.Row("base").Value("oval"), "tags": crate.Row("tags").Unknown(), "top": crate.Row("top").Null()}
	existing := crateState(object{"base": "flat", "tags": []string{"a"}, "top": "x", "key_wo_version": 1})
	p := Adoption(crate, crateState(object{"id": nil, "key_wo": "x", "key_wo_version": 1}), planned, existing, kindtest.Now)
	if got, want := kindtest.Show(p.Planned), `{"base":"oval","id":"7","key_wo_version":1,"name":"c","tags":["a"],"top":"x","type":"crate"}`; got != want || existing["key_wo_version"].IsKnown() {
		t.Errorf("an adoption plans\n got %s\nwant %s", got, want)
	}
}

func TestSwitchedOn(t *testing.T) {
	t.Parallel()
	on, active := crateState(object{"active": true, "size": 1}), crate.Row("active")
	for name, test := range map[string]struct {
		config, before kind.Values
		want           tftypes.Value
	}{
		"not configured": {crateState(object{"id": nil}), on, active.Value(true)},
		"configured":     {crateState(object{"active": false}), on, active.Value(false)},
		"unknown before": {crateState(object{}), kind.Values{"active": active.Unknown()}, active.Null()},
	} {
		if got := SwitchedOn(crate, test.config, test.before); !got["active"].Equal(test.want) || !got["size"].IsNull() || len(got) != len(test.config) {
			t.Errorf("%s: %s", name, kindtest.Show(got))
		}
	}
}

func TestOwnFindings(t *testing.T) {
	t.Parallel()
	at := path.Root(kind.RowProperties).AtMapKey
	found := diag.Diagnostics{
		diag.NewAttributeWarningDiagnostic(at("own"), "own", ""), diag.NewAttributeWarningDiagnostic(at("default"), "default", ""), diag.NewAttributeErrorDiagnostic(at("default"), "an error", ""),
		diag.NewAttributeWarningDiagnostic(path.Root(kind.RowProperties), "all", ""), diag.NewAttributeWarningDiagnostic(path.Root("extra").AtMapKey("default"), "a member", ""), diag.NewWarningDiagnostic("none", ""),
	}
	want := `Warning: properties["own"]: own; Error: properties["default"]: an error; Warning: properties: all; Warning: extra["default"]: a member; Warning: none`
	if got := kindtest.Said(OwnFindings(found, func(property string) bool { return property == "own" })); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
