// Tests of the defaults of the provider block: what is planned and sent, and what the state holds.

package plans

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// crateOf returns the values of a crate with properties and properties_all; nil for none.
func crateOf(properties, all map[string]any) kind.Values {
	values := kind.Values{}
	for _, a := range kindtest.Parcel.Table().Resource {
		values[a.Name] = a.Null()
	}
	values[kind.RowName], values["type"] = tftypes.NewValue(tftypes.String, "c"), tftypes.NewValue(tftypes.String, "crate")
	for name, members := range map[string]map[string]any{kind.RowProperties: properties, kind.RowPropertiesAll: all} {
		if members != nil {
			values[name] = value.FromJSON(members)
		}
	}
	return values
}

type fields = map[string]any

// The properties of a resource are planned as configured, and properties_all holds what is sent:
// what a resource sets takes precedence, and what is not set by default any more is reset.
func TestDefaults_properties(t *testing.T) {
	managed := []string{"properties", "properties.count", "properties.house_rule", "properties.label", "properties.team"}
	for _, c := range []struct {
		what                string
		own, defaults       fields // configured
		had, hadAll         fields // in the state
		managed             []string
		planned, plannedAll fields
		sent                fields
	}{
		{what: "no defaults", own: fields{"label": "a"}, planned: fields{"label": "a"}, sent: fields{"label": "a"}},
		{what: "new", own: fields{"label": "a"}, defaults: fields{"team": "x", "label": "b"},
			planned: fields{"label": "a"}, plannedAll: fields{"team": "x", "label": "a"}, sent: fields{"team": "x", "label": "a"}},
		{what: "nothing but defaults", defaults: fields{"team": "x"}, plannedAll: fields{"team": "x"}, sent: fields{"team": "x"}},
		{what: "unchanged", own: fields{"label": "a"}, defaults: fields{"team": "x"}, had: fields{"label": "a"}, hadAll: fields{"label": "a", "team": "x"}, managed: managed,
			planned: fields{"label": "a"}, plannedAll: fields{"label": "a", "team": "x"}},
		{what: "drift", defaults: fields{"team": "x"}, hadAll: fields{"team": "y"}, managed: managed,
			plannedAll: fields{"team": "x"}, sent: fields{"team": "x"}},
		{what: "a default that the resource sets", own: fields{"team": "mine"}, defaults: fields{"team": "x"}, hadAll: fields{"team": "x"}, managed: managed,
			planned: fields{"team": "mine"}, plannedAll: fields{"team": "mine"}, sent: fields{"team": "mine"}},
		{what: "a default that the resource sets to the same", own: fields{"team": "x"}, defaults: fields{"team": "x"}, hadAll: fields{"team": "x"}, managed: managed,
			planned: fields{"team": "x"}, plannedAll: fields{"team": "x"}},
		{what: "a default that the resource does not set any more", defaults: fields{"team": "x"}, had: fields{"team": "x"}, hadAll: fields{"team": "x"}, managed: managed,
			plannedAll: fields{"team": "x"}},
		{what: "null", own: fields{"team": nil}, defaults: fields{"team": "x", "label": "b"}, hadAll: fields{"team": "x", "label": "b"}, managed: managed,
			planned: fields{"team": nil}, plannedAll: fields{"label": "b"}, sent: fields{"team": ""}},
		{what: "removed", hadAll: fields{"team": "x", "count": json.Number("5"), "weeks": json.Number("7"), "house_rule": false}, managed: managed,
			sent: fields{"team": "", "count": json.Number("3")}},
		{what: "removed with the resource's own", had: fields{"team": "mine"}, hadAll: fields{"team": "mine", "label": "b"}, managed: managed,
			sent: fields{"label": ""}},
		{what: "an import that has it", defaults: fields{"team": "x"}, had: fields{"team": "x", "price": json.Number("7")}, hadAll: fields{"team": "x", "price": json.Number("7")},
			planned: fields{"team": "x", "price": json.Number("7")}, plannedAll: fields{"team": "x", "price": json.Number("7")}},
		{what: "an import that has what is configured", own: fields{"price": json.Number("7")}, defaults: fields{"team": "x"}, had: fields{"team": "x", "price": json.Number("7")}, hadAll: fields{"team": "x", "price": json.Number("7")},
			planned: fields{"team": "x", "price": json.Number("7")}, plannedAll: fields{"team": "x", "price": json.Number("7")}},
		{what: "an import that has it otherwise", defaults: fields{"team": "x"}, had: fields{"team": "y", "price": json.Number("7")}, hadAll: fields{"team": "y", "price": json.Number("7")},
			plannedAll: fields{"team": "x"}, sent: fields{"team": "x"}},
		{what: "an import beside properties", own: fields{"price": json.Number("7")}, defaults: fields{"team": "x"}, had: fields{"team": "y", "price": json.Number("7")}, hadAll: fields{"team": "y", "price": json.Number("7")},
			planned: fields{"price": json.Number("7")}, plannedAll: fields{"price": json.Number("7"), "team": "x"}, sent: fields{"team": "x"}},
		{what: "an import without defaults", had: fields{"price": json.Number("7")}, hadAll: fields{"team": "x", "price": json.Number("7")}},
		{what: "a default that an imported instance does not have any more", had: fields{"price": json.Number("7")}, hadAll: fields{"team": "x", "price": json.Number("7")}, managed: []string{"properties", "properties.team"},
			sent: fields{"team": ""}},
	} {
		config, defaults := crateOf(c.own, nil), kind.Values{}
		if c.defaults != nil {
			defaults[kind.RowProperties] = value.FromJSON(c.defaults)
		}
		var prior kind.Values
		if c.had != nil || c.hadAll != nil {
			prior = crateOf(c.had, c.hadAll)
			prior[kind.RowID] = tftypes.NewValue(tftypes.String, "1")
		}
		full, fullPrior := WithDefaults(kindtest.Parcel, config, defaults), WithAllProperties(prior)
		plan := New(kindtest.Parcel, full, fullPrior, c.managed, time.Time{})
		ShowDefaults(plan, config, prior, defaults)
		planned := plan.Planned
		for name, want := range map[string]fields{kind.RowProperties: c.planned, kind.RowPropertiesAll: c.plannedAll} {
			if got := planned[name]; got.IsNull() != (want == nil) || fmt.Sprint(value.ToJSON(got)) != fmt.Sprint(value.ToJSON(value.FromJSON(want))) && want != nil {
				t.Errorf("%s: %s is planned as %s, expected %v", c.what, name, planned[name], want)
			}
		}
		applied := WithAllProperties(planned)
		payload := payloads.Create(kindtest.Parcel, full, applied)
		if prior != nil {
			before := kindtest.Show(applied)
			resets := WithResets(kindtest.Parcel, applied, fullPrior, DefaultProperties(kindtest.Parcel, prior, c.managed))
			if kindtest.Show(applied) != before {
				t.Errorf("%s: the resets changed the plan itself", c.what)
			}
			applied = resets
			payload = payloads.Update(kindtest.Parcel, full, applied, fullPrior)
		}
		sent := fields{}
		for name, x := range payload {
			if _, ofRow := kindtest.Parcel.Table().ByName[name]; !ofRow {
				sent[name] = x
			}
		}
		if fmt.Sprint(sent) != fmt.Sprint(c.sent) {
			t.Errorf("%s: %v is sent, expected %v", c.what, sent, c.sent)
		}
		state := Shown(kindtest.Parcel, applied, planned, prior, false)
		for _, name := range []string{kind.RowProperties, kind.RowPropertiesAll} {
			if !state[name].Equal(planned[name]) {
				t.Errorf("%s: %s is %s after the apply, planned %s", c.what, name, state[name], planned[name])
			}
		}
		if prior != nil && prior[kind.RowProperties].Equal(planned[kind.RowProperties]) && prior[kind.RowPropertiesAll].Equal(planned[kind.RowPropertiesAll]) {
			continue // there is no apply
		}
		state[kind.RowID] = tftypes.NewValue(tftypes.String, "1")
		again := New(kindtest.Parcel, full, WithAllProperties(state), Managed(kindtest.Parcel, full, applied, nil), time.Time{})
		if ShowDefaults(again, config, state, defaults); !again.Planned[kind.RowProperties].Equal(state[kind.RowProperties]) || !again.Planned[kind.RowPropertiesAll].Equal(state[kind.RowPropertiesAll]) {
			t.Errorf("%s: the plan after the apply has %s and %s", c.what, again.Planned[kind.RowProperties], again.Planned[kind.RowPropertiesAll])
		}
	}
}

// A field that might not have been reset, because the update failed, stays in the state, so that
// the next plan resets it.
func TestDefaults_failedReset(t *testing.T) {
	prior := crateOf(nil, fields{"team": "x"})
	state := Shown(kindtest.Parcel, crateOf(fields{"team": "x"}, nil), crateOf(nil, nil), prior, true)
	if got := value.Members(state[kind.RowPropertiesAll]); got["team"] != "x" {
		t.Errorf("the state holds %s", state[kind.RowPropertiesAll])
	}
}

// Whatever is unknown stays so until the apply.
func TestDefaults_unknownProperties(t *testing.T) {
	defaults := kind.Values{kind.RowProperties: unknownProperties}
	plan := New(kindtest.Parcel, WithDefaults(kindtest.Parcel, crateOf(nil, nil), defaults), nil, nil, time.Time{})
	ShowDefaults(plan, crateOf(nil, nil), nil, defaults)
	if planned := plan.Planned; planned[kind.RowPropertiesAll].IsKnown() || !planned[kind.RowProperties].IsNull() || kind.IsKnown(defaults) {
		t.Errorf("planned %s and %s", planned[kind.RowProperties], planned[kind.RowPropertiesAll])
	}
}

// Each attribute has its own default; what is unknown hides the defaults of properties.
func TestWithDefaults(t *testing.T) {
	t.Parallel()
	colour, weight := kindtest.Parcel.Row("colour"), kindtest.Parcel.Row("weight")
	defaults := kind.Values{"colour": colour.Value("red"), "weight": weight.Value(5), kind.RowProperties: value.FromJSON(fields{"team": "x"})}
	config := crateOf(nil, nil)
	config["colour"], config[kind.RowProperties] = colour.Value("blue"), unknownProperties
	full := WithDefaults(kindtest.Parcel, config, defaults)
	if !full["colour"].Equal(config["colour"]) || !full["weight"].Equal(weight.Value(5)) || full[kind.RowProperties].IsKnown() || !config["weight"].IsNull() {
		t.Errorf("with defaults: %v", full)
	}
}

// An import does not know the configuration: with defaults, properties_all holds all that the state has.
func TestShownImport(t *testing.T) {
	t.Parallel()
	before := crateOf(fields{"team": "x"}, fields{"team": "x", "label": "y", "price": "z"})
	state := crateOf(fields{"team": "a", "label": "b"}, nil)
	read := Shown(kindtest.Parcel, state, before, nil, false)
	if own, all := value.ToJSON(read[kind.RowProperties]), value.ToJSON(read[kind.RowPropertiesAll]); fmt.Sprint(own, all) != fmt.Sprint(fields{"team": "a"}, fields{"team": "a", "label": "b", "price": "z"}) {
		t.Errorf("a read shows %v and %v", own, all)
	}
	if imported := ShownImport(kindtest.Parcel, state, kind.Values{}); !imported[kind.RowPropertiesAll].IsNull() {
		t.Errorf("an import without defaults shows %v", imported)
	}
	imported := ShownImport(kindtest.Parcel, state, kind.Values{kind.RowProperties: value.FromJSON(fields{"team": "x"})})
	if !imported[kind.RowPropertiesAll].Equal(state[kind.RowProperties]) || !state[kind.RowPropertiesAll].IsNull() {
		t.Errorf("an import shows %v of %v", imported, state)
	}
}
