// Tests of the comparison of an instance with its plan after a write.

package states

import (
	"fmt"
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// notConfigured is a planned string that the configuration does not set.
type notConfigured string

func TestDeviations(t *testing.T) {
	t.Parallel()
	red, both := filter(map[string]kind.Criterion{"color": {Value: "red"}}), filter(map[string]kind.Criterion{"color": {Value: "red"}, "shape": {}, "form": {}})
	for name, test := range map[string]struct {
		row           string
		plan, state   any
		held          string // the field that the answer has
		sent, existed bool
		want          any    // in the state to store
		deviations    string // {attribute, field, absent, member}
	}{
		"as planned":                {"color", "a", "a", "color", true, true, "a", "[]"},
		"otherwise":                 {"color", "a", "b", "color", true, true, "b", "[{color color false }]"},
		"unknown":                   {"color", crate.Row("color").Unknown(), "b", "color", true, true, "b", "[]"},
		"default":                   {"color", "", nil, "", true, false, "", "[]"},
		"not the default any more":  {"color", "", "b", "color", true, false, "b", "[{color color false }]"},
		"no such field":             {"color", "a", "a", "", true, true, nil, "[{color color true }]"},
		"no such field, not sent":   {"color", "a", nil, "", false, true, nil, "[{color color false }]"},
		"no such list":              {"tags", []string{}, []string{}, "", true, false, nil, "[{tags tags true }]"},
		"name of a relation":        {"room", "a", "b", "room_name", true, true, "b", "[{room room_name false }]"},
		"changing on write":         {"active", true, false, "active", true, true, true, "[]"},
		"relation, sent":            {"keepers", []string{"a"}, []string{"b"}, "", true, true, []string{"b"}, "[{keepers keepers false }]"},
		"relation, not sent":        {"keepers", []string{"a"}, []string{"b"}, "keepers", false, true, []string{"a"}, "[]"},
		"relation of a creation":    {"keepers", []string{"a"}, []string{"b"}, "keepers", false, false, []string{"b"}, "[{keepers keepers false }]"},
		"relation to one, not sent": {"room", "a", "b", "room_name", false, true, "b", "[{room room_name false }]"},
		"strings, not sent":         {"tags", []string{"a"}, []string{"b"}, "tags", false, true, []string{"b"}, "[{tags tags false }]"},
		"not configured, not sent":  {"color", notConfigured("a"), "b", "color", false, true, "a", "[]"},
		"not configured, sent":      {"color", notConfigured("a"), "b", "color", true, true, "b", "[{color color false }]"},
		"not configured, creation":  {"color", notConfigured("a"), "b", "color", false, false, "b", "[{color color false }]"},
		"criteria":                  {"filter", red, red, "part_color_match", false, true, red, "[]"},
		"other criteria":            {"filter", red, filter(nil), "part_color_match", false, true, filter(nil), "[{filter filter false }]"},
		"no such criteria":          {"filter", both, red, "part_color_match", false, true, red, "[{filter part_form true form} {filter part_shape true shape}]"},
		"no name":                   {"name", "c", "c", "", true, true, "c", "[]"},
	} {
		answer, sent := value.Object{test.held: ""}, value.Object{}
		if test.sent {
			sent[test.row] = ""
		}
		planned, state := kind.Values{}, kind.Values{}
		for _, a := range crate.Table().Resource {
			planned[a.Name], state[a.Name] = a.Unknown(), a.Null()
		}
		of := func(x any) kind.Values { return kindtest.ValuesFor(crate, map[string]any{test.row: x}) }
		config := kind.Values{}
		if plan, is := test.plan.(notConfigured); is {
			test.plan = string(plan)
		} else {
			config[test.row] = of(test.plan)[test.row]
		}
		planned[test.row], state[test.row] = of(test.plan)[test.row], of(test.state)[test.row]
		kept, deviations := Deviations(crate, answer, sent, state, config, planned, test.existed)
		if got := fmt.Sprint(deviations); got != test.deviations || !value.Same(kept[test.row], of(test.want)[test.row]) || !value.Same(state[test.row], of(test.state)[test.row]) {
			t.Errorf("%s: the state holds %s, and deviations are %s", name, kept[test.row], got)
		}
	}
}

func TestAfterWrite(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	answer := crateAnswer(object{"label": "x"})
	planned := crateOf(object{kind.RowProperties: object{"label": "x", "team": "t", "area": "a", "code": "c"}, "key_wo_version": 2})
	if missing := Missing(crate, answer, planned); !slices.Equal(missing, []string{"area", "team"}) {
		t.Errorf("missing are %q", missing)
	}
	prior := crateOf(object{kind.RowProperties: object{"label": "was", "team": "was"}, "key_wo_version": 1, "properties_wo_version": crate.Row("key_wo_version").Unknown()})
	for name, test := range map[string]struct {
		planned kind.Values
		want    string
	}{
		"properties":    {planned, `{"key_wo_version":1,"name":"c","properties":{"label":"x","team":"was"}}`},
		"no properties": {crateOf(nil), `{"key_wo_version":1,"name":"c"}`},
	} {
		if got := kindtest.Show(Unwritten(crate, answer, test.planned, prior)); got != test.want {
			t.Errorf("unwritten, %s:\n got %s\nwant %s", name, got, test.want)
		}
	}
	before := crateOf(object{"color": "was", "size": 5})
	if got, want := kindtest.Show(Known(crateOf(object{"color": crate.Row("color").Unknown(), "size": 4}), before)), `{"color":"was","name":"c","size":4}`; got != want {
		t.Errorf("known:\n got %s\nwant %s", got, want)
	}
	state := crateOf(object{"color": "x", "size": 5, "active": true, "shelf": "s"})
	plan := crateOf(object{"shelf": nil})
	if got, want := kindtest.Show(WithoutLeftOut(crate, state, plan)), `{"active":true,"name":"c","shelf":"s"}`; got != want {
		t.Errorf("without what was left out:\n got %s\nwant %s", got, want)
	}
	delete(plan, "color")
	plan["size"] = crate.Row("size").Value(5)
	if got, want := kindtest.Show(WithoutLeftOut(crate, state, plan)), kindtest.Show(state); got != want {
		t.Errorf("with what is planned:\n got %s\nwant %s", got, want)
	}
	held := crateOf(object{"filter": filter(map[string]kind.Criterion{"a": {}})})
	for want, plan := range map[bool]kind.Values{true: crateOf(nil), false: crateOf(object{"filter": filter(nil)})} {
		if got := WithPlannedCriteria(crate, held, plan); got["filter"].IsNull() != want || held["filter"].IsNull() {
			t.Errorf("the criteria of %s are left out: %v", kindtest.Show(plan), !want)
		}
	}
	if got := WithPlannedCriteria(crate, kind.Values{}, crateOf(nil)); len(got) > 0 {
		t.Errorf("criteria that the state lacks are added: %v", got)
	}
}

func TestMayBeOutcome(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	sent := value.Object{"name": "c", "color": "red", "room": "r", "label": "x", "mine": "y", "keepers": []any{"a", "b"}}
	whole := object{"color": "red", "room_name": "r", "label": "x", "mine": "y", "keepers": []any{"b", "a"}}
	for name, test := range map[string]struct {
		change         object
		inFull, inPart bool
	}{
		"whole":                    {object{}, true, true},
		"default for what is sent": {object{"color": ""}, false, true},
		"default otherwise":        {object{"size": 3}, true, true},
		"null":                     {object{"size": nil}, false, false},
		"another value":            {object{"color": "blue"}, false, false},
		"what was not sent":        {object{"size": 4}, false, false},
		"not of its type":          {object{"size": "x"}, false, false},
		"another field":            {object{"mine": "z"}, false, true},
		"computed":                 {object{"info": "x"}, true, true},
		"changing on write":        {object{"active": true}, true, true},
		"filled in":                {object{"owners": []any{"me"}}, true, true},
		"without a relation":       {object{"keepers": []any{"k"}}, false, false},
	} {
		answer := object{}
		for _, changes := range []object{whole, test.change} {
			for field, x := range changes {
				answer[field] = x
			}
		}
		if full, part := MayBeOutcome(crate, sent, crateAnswer(answer), InFull), MayBeOutcome(crate, sent, crateAnswer(answer), InPart); full != test.inFull || part != test.inPart {
			t.Errorf("%s: in full %v, in part %v", name, full, part)
		}
	}
	for mode, want := range map[string]bool{"even": true, "odd": true, "other": false} { // its reset value and its default
		if got := MayBeOutcome(kindtest.Gadget, value.Object{"name": "g", "mode": "sent"}, kindtest.Answer(object{"name": "g", "mode": mode}), InPart); got != want {
			t.Errorf("%s in place of what was sent: %v", mode, got)
		}
	}
	state := crateOf(object{"type": "crate"})
	lacking := crateAnswer(whole)
	delete(lacking, "mine")
	untyped := crateAnswer(whole)
	delete(untyped, "type")
	for name, test := range map[string]struct {
		answer value.Object
		want   bool
	}{
		"whole": {crateAnswer(whole), true}, "without a type": {untyped, true}, "without a field": {lacking, true},
		"of another type": {kindtest.Answer(object{"type": "trunk", "color": "red"}), false}, "otherwise": {crateAnswer(object{"color": "blue"}), false}, "in part": {crateAnswer(object{"color": ""}), false},
	} {
		if got := CreatedBy(crate, sent, test.answer, state); got != test.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
