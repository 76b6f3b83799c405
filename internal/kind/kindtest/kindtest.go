// Package kindtest holds kinds that have an attribute of every type, and their values, for the tests
// of the packages below kind.
package kindtest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Now is when the tests plan.
var Now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Gadget is a kind with an attribute of every type.
var Gadget = &kind.Kind{
	Name: "gadget", Namespace: "gadget",
	Attributes: []kind.Attribute{
		{Name: "type", Role: kind.Subtype, Default: "gadget", Recreate: true, OneOf: []string{"gadget", "gizmo"}},
		{Name: "label", Default: ""},
		{Name: "size", Type: kind.Number, Default: 22},
		{Name: "often", Type: kind.Number, Reset: 0},
		{Name: "active", Type: kind.Flag, Default: false, ChangesOnWrite: true},
		{Name: "owner", Type: kind.One, Of: "person", ReadFrom: "owner_name"},
		{Name: "keeper", Type: kind.One, Of: "person", IDField: "keeper_id"},
		{Name: "parts", Type: kind.Many, Of: "part"},
		{Name: "extra", Type: kind.JSON},
		{Name: "mode", Default: "odd", OnCreate: "even", Reset: "even"},
		{Name: "short_name", Derived: true},
		{Name: "info", ReadOnly: true},
		{Name: "now", ReadOnly: true, DataOnly: true},
	},
	Rules: kind.Rules{ChangesOnWrite: func(*kind.Plan) bool { return true }},

	Relations: []string{"friends"},
	Unwatched: []string{"last_seen"},
	Secrets:   []string{"password"},
	Off:       value.Object{"active": false},
}

// ValuesFor makes a kind's values of Go ones; what is not in them is null.
func ValuesFor(k *kind.Kind, given map[string]any) kind.Values {
	values := kind.Values{}
	for _, a := range k.Rows() {
		if a.DataOnly {
			continue
		}
		switch v := given[a.Name].(type) {
		case tftypes.Value:
			values[a.Name] = v
		case []string:
			members := []tftypes.Value{}
			for _, s := range v {
				members = append(members, tftypes.NewValue(tftypes.String, s))
			}
			values[a.Name] = tftypes.NewValue(value.StringSet, members)
		case map[string]any:
			values[a.Name] = value.FromJSON(Decoded(v))
		default:
			values[a.Name] = a.Value(v)
		}
	}
	return values
}

// Decoded returns a Go value as an answer would have it.
func Decoded(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	var out any
	if err := decoder.Decode(&out); err != nil {
		panic(err)
	}
	return out
}

// Answer returns an answer with the members.
func Answer(v map[string]any) value.Object { return Decoded(v).(map[string]any) }

// Show returns values as JSON: unknown ones as "?", and without null ones.
func Show(values kind.Values) string {
	out := map[string]any{}
	for name, v := range values {
		switch {
		case !v.IsFullyKnown():
			out[name] = "?"
		case !v.IsNull():
			out[name] = value.ToJSON(v)
		}
	}
	raw, _ := json.Marshal(out)
	return string(raw)
}

// Same adds an error unless both values are the same as JSON.
func Same(t *testing.T, what string, got, want any) {
	t.Helper()
	g, _ := json.Marshal(got)
	w, _ := json.Marshal(want)
	if !bytes.Equal(g, w) {
		t.Errorf("%s:\n got %s\nwant %s", what, g, w)
	}
}

// Parcel is a kind with properties of each type.
var Parcel = &kind.Kind{
	Name: "parcel", Namespace: "parcel",
	Attributes: []kind.Attribute{
		{Name: "type", Role: kind.Subtype, Default: "parcel", Recreate: true, Doc: "Its sort."},
		{Name: "weight", Type: kind.Number, Default: 1, Range: &kind.Range{Min: 1, Max: 9}, Doc: "How heavy."},
		{Name: "colour", Default: "", OneOf: []string{"red", "blue"}, Closed: true, Doc: "Its colour."},
		{Name: "stamps", Type: kind.Many, Of: "stamp", Doc: "Its stamps."},
		{Name: "sealed", Type: kind.Flag, Default: false, Doc: "Whether it is sealed."},
	},
	Properties: []kind.Attribute{
		{Name: "label", Default: "", MaxLength: kind.ShortLength, Doc: "A word."},
		{Name: "house_rule", Type: kind.Flag, Default: true, Sample: true, Doc: "A rule."},
	},
	Subtypes: []kind.SubtypeTable{
		{Name: "parcel", Doc: "A parcel."},
		{Name: "crate", Doc: "A crate.", Fields: []kind.Attribute{
			{Name: "count", Type: kind.Number, Default: 3, Doc: "How many."},
			{Name: "price", Type: kind.Decimal, Default: 2.5, Doc: "How much."},
			{Name: "fragile", Type: kind.Flag, Default: true, Doc: "Whether it breaks."},
			{Name: "route", Type: kind.List, OneOf: []string{"north", "south"}, Closed: true, Doc: "Where it goes."},
			{Name: "lid", Default: "", OneOf: []string{"open", "shut"}, Closed: true, Doc: "Its lid."},
			{Name: "contents", Type: kind.JSON, Doc: "What is in it."},
			{Name: "note", Type: kind.Anything, Doc: "Whatever."},
			{Name: "parts", Type: kind.Many, Of: "parcel", Doc: "Its parts."},
			{Name: "owner", Type: kind.One, Of: "user", Doc: "Whose it is."},
			{Name: "code", Default: "", Doc: "The code of its lock."},
		}},
	},
	Relations: []string{"lorries"},
	Unwatched: []string{"seen_at"},
	NeverSent: []string{"gone"},
	Secrets:   []string{"code"},
	Rules: kind.Rules{Check: func(p *kind.Plan) {
		if sealed, _ := p.Flag("sealed"); sealed {
			p.Error("sealed", "Sealed parcels are not taken", "Open it.")
		}
		if name, _ := p.Text(kind.RowName); name == "mine" {
			p.Refuse(kind.RowName, "It is not yours", "Leave it.")
		}
	}},
}

// Said returns the severities, paths and summaries of diagnostics.
func Said(found diag.Diagnostics) string {
	var all []string
	for _, d := range found {
		at := ""
		if on, is := d.(diag.DiagnosticWithPath); is && !on.Path().Equal(path.Empty()) {
			at = on.Path().String() + ": "
		}
		all = append(all, d.Severity().String()+": "+at+d.Summary())
	}
	return strings.Join(all, "; ")
}

// Attribute is what the attributes of every schema have.
type Attribute interface {
	IsRequired() bool
	IsOptional() bool
	IsComputed() bool
	IsWriteOnly() bool
	IsRequiredForImport() bool
	IsOptionalForImport() bool
}

// shown returns an attribute for Attributes.
func shown(a Attribute) string {
	words := strings.TrimSuffix(reflect.TypeOf(a).Name(), "Attribute") + " "
	checked := false
	switch a := a.(type) {
	case interface{ NumberValidators() []validator.Number }:
		checked = len(a.NumberValidators()) > 0
	case interface{ StringValidators() []validator.String }:
		checked = len(a.StringValidators()) > 0
	case interface{ ListValidators() []validator.List }:
		checked = len(a.ListValidators()) > 0
	case interface{ SetValidators() []validator.Set }:
		checked = len(a.SetValidators()) > 0
	case interface{ DynamicValidators() []validator.Dynamic }:
		checked = len(a.DynamicValidators()) > 0
	}
	for i, is := range []bool{a.IsRequired(), a.IsOptional(), a.IsComputed(), a.IsWriteOnly(), checked, a.IsRequiredForImport(), a.IsOptionalForImport()} {
		if is {
			words += "rocwv!?"[i : i+1]
		}
	}
	return words
}

// Attributes returns the attributes of a schema by their names: the type of each, and a letter for each thing that is true of
// it: it is required, optional, computed, write-only, has validators, and is required (!) or optional (?) for an import.
func Attributes[A Attribute](attributes map[string]A) map[string]string {
	all := map[string]string{}
	for name, a := range attributes {
		all[name] = shown(a)
	}
	return all
}
