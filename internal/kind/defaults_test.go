// Tests of the defaults of the provider block: what is planned and sent, and what the state holds.

package kind

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// crateOf returns the values of a crate with properties of its own and by default; nil for none.
func crateOf(properties, byDefault map[string]any) Values {
	values := Values{}
	for _, a := range parcel.rows().resource {
		values[a.Name] = a.null()
	}
	values[RowName], values["type"] = tftypes.NewValue(tftypes.String, "c"), tftypes.NewValue(tftypes.String, "crate")
	for name, members := range map[string]map[string]any{RowProperties: properties, RowDefaultProperties: byDefault} {
		if members != nil {
			values[name] = value.FromJSON(members)
		}
	}
	return values
}

type fields = map[string]any

// Properties of a resource and by default stay apart in plans and states, and are sent together;
// what is not set by default any more is reset.
func TestDefaults_properties(t *testing.T) {
	for _, c := range []struct {
		what                string
		own, defaults       fields // configured
		had, hadByDefault   fields // in the state
		managed             []string
		planned, plannedToo fields // properties, and default_properties
		sent                fields
	}{
		{"new", fields{"label": "a"}, fields{"team": "x", "label": "b"}, nil, nil, nil,
			fields{"label": "a"}, fields{"team": "x"}, fields{"team": "x", "label": "a"}},
		{"nothing but defaults", nil, fields{"team": "x"}, nil, nil, nil,
			nil, fields{"team": "x"}, fields{"team": "x"}},
		{"unchanged", fields{"label": "a"}, fields{"team": "x"}, fields{"label": "a"}, fields{"team": "x"}, []string{"properties", "properties.label", "properties.team"},
			fields{"label": "a"}, fields{"team": "x"}, nil},
		{"drift", nil, fields{"team": "x"}, nil, fields{"team": "y"}, []string{"properties", "properties.team"},
			nil, fields{"team": "x"}, fields{"team": "x"}},
		{"a default that the resource sets", fields{"team": "mine"}, fields{"team": "x"}, nil, fields{"team": "x"}, []string{"properties", "properties.team"},
			fields{"team": "mine"}, nil, fields{"team": "mine"}},
		{"a default that the resource sets to the same", fields{"team": "x"}, fields{"team": "x"}, nil, fields{"team": "x"}, []string{"properties", "properties.team"},
			fields{"team": "x"}, nil, nil},
		{"null", fields{"team": nil}, fields{"team": "x"}, nil, fields{"team": "x"}, []string{"properties", "properties.team"},
			fields{"team": nil}, nil, fields{"team": ""}},
		{"removed", nil, nil, nil, fields{"team": "x", "count": json.Number("5"), "weeks": json.Number("7")}, []string{"properties", "properties.team", "properties.count"},
			nil, nil, fields{"team": "", "count": json.Number("3")}},
		{"an import that has it", nil, fields{"team": "x"}, fields{"team": "x", "price": json.Number("7")}, nil, nil,
			fields{"team": "x", "price": json.Number("7")}, nil, nil},
		{"an import that has it otherwise", nil, fields{"team": "x"}, fields{"team": "y", "price": json.Number("7")}, nil, nil,
			fields{"price": json.Number("7")}, fields{"team": "x"}, fields{"team": "x"}},
		{"an import beside properties", fields{"price": json.Number("7")}, fields{"team": "x"}, fields{"team": "y", "price": json.Number("7")}, nil, nil,
			fields{"price": json.Number("7")}, fields{"team": "x"}, fields{"team": "x"}},
	} {
		config, defaults := crateOf(c.own, nil), Values{}
		if c.defaults != nil {
			defaults[RowProperties] = value.FromJSON(c.defaults)
		}
		var prior Values
		if c.had != nil || c.hadByDefault != nil {
			prior = crateOf(c.had, c.hadByDefault)
			prior[RowID] = tftypes.NewValue(tftypes.String, "1")
		}
		full := parcel.WithDefaults(config, prior, defaults)
		plan := parcel.NewPlan(full, parcel.Joined(prior), c.managed, time.Time{})
		plan.Separate(config, prior)
		planned := plan.Planned()
		show := func(x fields) string { return fmt.Sprint(value.ToJSON(value.FromJSON(x))) }
		if c.planned == nil && !planned[RowProperties].IsNull() || c.planned != nil && fmt.Sprint(value.ToJSON(planned[RowProperties])) != show(c.planned) {
			t.Errorf("%s: properties are planned as %s, expected %v", c.what, planned[RowProperties], c.planned)
		}
		if c.plannedToo == nil && !planned[RowDefaultProperties].IsNull() || c.plannedToo != nil && fmt.Sprint(value.ToJSON(planned[RowDefaultProperties])) != show(c.plannedToo) {
			t.Errorf("%s: default_properties are planned as %s, expected %v", c.what, planned[RowDefaultProperties], c.plannedToo)
		}
		joined := parcel.JoinedPlan(planned, prior, full)
		payload := parcel.CreatePayload(full, joined)
		if prior != nil {
			payload = parcel.UpdatePayload(full, joined, parcel.Joined(prior))
		}
		sent := fields{}
		for name, x := range payload {
			if _, ofRow := parcel.rows().byName[name]; !ofRow {
				sent[name] = x
			}
		}
		if c.sent == nil {
			c.sent = fields{}
		}
		if fmt.Sprint(sent) != show(c.sent) {
			t.Errorf("%s: %v is sent, expected %v", c.what, sent, c.sent)
		}
		state := parcel.Separated(joined, planned, prior, full)
		for _, name := range []string{RowProperties, RowDefaultProperties} {
			if !state[name].Equal(planned[name]) {
				t.Errorf("%s: %s is %s after the apply, planned %s", c.what, name, state[name], planned[name])
			}
		}
	}
}

// A field whose reset has failed stays in the state, so that the next plan resets it.
func TestDefaults_failedReset(t *testing.T) {
	prior := crateOf(nil, fields{"team": "x"})
	full := parcel.WithDefaults(crateOf(nil, nil), prior, nil)
	state := parcel.Separated(parcel.Joined(prior), crateOf(nil, nil), prior, full)
	if got := value.Members(state[RowDefaultProperties]); got["team"] != "x" {
		t.Errorf("the state holds %s", state[RowDefaultProperties])
	}
}

// Whatever is unknown stays so until the apply.
func TestDefaults_unknownProperties(t *testing.T) {
	defaults := Values{RowProperties: unknownProperties}
	full := parcel.WithDefaults(crateOf(nil, nil), nil, defaults)
	plan := parcel.NewPlan(full, nil, nil, time.Time{})
	plan.Separate(crateOf(nil, nil), nil)
	if planned := plan.Planned(); planned[RowDefaultProperties].IsKnown() || !planned[RowProperties].IsNull() || IsKnown(defaults) {
		t.Errorf("planned %s and %s", planned[RowProperties], planned[RowDefaultProperties])
	}
	known := parcel.WithDefaults(crateOf(nil, nil), nil, Values{RowProperties: value.FromJSON(fields{"team": "x"})})
	joined := parcel.JoinedPlan(plan.Planned(), nil, known)
	if got := value.Members(joined[RowProperties]); got["team"] != "x" {
		t.Errorf("applied %s", joined[RowProperties])
	}
}
