// Tests of the tables of properties against a simulated eNMS, whose own tables
// are held against recordings of a real one.

package kinds

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// ask sends a request to a server and gives its answer, which is an object.
func ask(t *testing.T, method, address string, body any) value.Object {
	t.Helper()
	document, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	req, err := http.NewRequestWithContext(t.Context(), method, address, bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	req.SetBasicAuth("admin", "admin")
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	answer := value.Object{}
	if err != nil || resp.StatusCode != http.StatusOK || decoder.Decode(&answer) != nil {
		t.Fatalf("%s %s: %d %s %v", method, address, resp.StatusCode, text, err)
	}
	return answer
}

// TestDefaultsOfSubtypes creates an instance of every subtype with nothing but a
// name, and imports it: all that eNMS answers has a row, no row has no field, and
// nothing is left in properties, because the rows know the defaults.
func TestDefaultsOfSubtypes(t *testing.T) {
	t.Parallel()
	_, base := simtest.Start(t, simulator.Options{})
	types := map[string]int{"device": 3, "service": 33}
	for _, k := range All() {
		if len(k.Subtypes) != types[k.Name] {
			t.Errorf("%s: %d subtypes", k.Name, len(k.Subtypes))
		}
		for _, table := range k.Subtypes {
			t.Run(table.Name, func(t *testing.T) {
				t.Parallel()
				name := "of " + table.Name
				ask(t, http.MethodPost, base+"/rest/instance/"+table.Name, value.Object{"name": name, "scoped_name": name})
				answer := ask(t, http.MethodGet, base+"/rest/instance/"+table.Name+"/"+url.PathEscape(name), nil)
				state, err := states.Imported(k, answer, kindtest.ValuesFor(k, given{"name": name}))
				if err != nil {
					t.Fatal(err)
				}
				left := value.Members(state[kind.RowProperties])
				if k.Name == "service" {
					if left["parameterized_form"] != "" { // what the provider creates has one
						t.Errorf("that there is no form is not left in properties: %v", left)
					}
					delete(left, "parameterized_form")
				}
				if len(left) > 0 {
					t.Errorf("not at their defaults: %v", left)
				}
				for _, a := range slices.Concat(k.Properties, table.Fields) {
					_, answered := answer[a.Name]
					if silent := a.Line == 5 || a.Sample || a.Type == kind.One || slices.Contains(k.Secrets, a.Name); !answered && !silent {
						t.Errorf("no field %s", a.Name)
					}
				}
			})
		}
	}
}

// TestTypesOfSubtypes sends every row a value of its type, and its choices, and
// reads them back: what the plan takes is what eNMS takes.
func TestTypesOfSubtypes(t *testing.T) {
	t.Parallel()
	_, base := simtest.Start(t, simulator.Options{})
	values := map[kind.ValueType]any{kind.Text: "a text", kind.Number: json.Number("7"), kind.Decimal: json.Number("2.5"), kind.Flag: true,
		kind.List: []any{"x", map[string]any{"y": "z"}}, kind.JSON: map[string]any{"a": []any{"b"}}, kind.Anything: []any{"c"}}
	for _, k := range All() {
		for _, table := range k.Subtypes {
			t.Run(table.Name, func(t *testing.T) {
				t.Parallel()
				name := "of " + table.Name
				sent := value.Object{}
				for _, a := range slices.Concat(k.Properties, table.Fields) {
					x, is := values[a.Type]
					switch {
					case a.Line == 5: // this server is another line
					case a.Sample || !is || slices.Contains(k.Secrets, a.Name): // not there, or not answered
					case len(a.OneOf) > 0 && a.Type == kind.List:
						sent[a.Name] = []any{a.OneOf[0]}
					case len(a.OneOf) > 0:
						sent[a.Name] = a.OneOf[len(a.OneOf)-1]
					default:
						sent[a.Name] = x
					}
				}
				post := maps.Clone(sent)
				post["name"], post["scoped_name"] = name, name
				ask(t, http.MethodPost, base+"/rest/instance/"+table.Name, post)
				answer := ask(t, http.MethodGet, base+"/rest/instance/"+table.Name+"/"+url.PathEscape(name), nil)
				for field, x := range sent {
					if !value.Equal(x, answer[field]) {
						t.Errorf("%s: sent %v, answered %v", field, x, answer[field])
					}
				}
				config := kindtest.ValuesFor(k, given{"name": name, k.SubtypeRow(): table.Name, kind.RowProperties: value.FromJSON(sent)})
				for _, d := range plans.New(k, config, nil, nil, noon).Diagnostics {
					if !strings.HasPrefix(d.Summary(), "token looks like a secret") { // that of Slack
						t.Errorf("the plan says %v", d)
					}
				}
			})
		}
	}
}

// TestRowsOfSubtypes holds what every row of the tables must: a name that occurs
// once in its type, and a description in whole sentences.
func TestRowsOfSubtypes(t *testing.T) {
	t.Parallel()
	for _, k := range All() {
		attributes := map[string]bool{}
		for _, a := range k.Rows() {
			attributes[a.Name] = true
		}
		for _, table := range k.Subtypes {
			seen := maps.Clone(attributes)
			for _, a := range slices.Concat(k.Properties, table.Fields) {
				if seen[a.Name] {
					t.Errorf("%s has %s twice", table.Name, a.Name)
				}
				seen[a.Name] = true
				if !strings.HasSuffix(a.Doc, ".") {
					t.Errorf("%s.%s: %q is no sentence", table.Name, a.Name, a.Doc)
				}
			}
			if !strings.HasSuffix(table.Doc, ".") {
				t.Errorf("%s: %q is no sentence", table.Name, table.Doc)
			}
		}
	}
}

// TestInverses holds the other sides of relations against the simulator: an instance of
// the related type has a field of that name. eNMS answers everything when a search names
// a relation that is none (enms-rest.md 5.3).
func TestInverses(t *testing.T) {
	t.Parallel()
	lines := map[int]string{}
	_, lines[0] = simtest.Start(t, simulator.Options{})
	_, lines[5] = simtest.Start(t, simulator.Options{Version: simulator.V53})
	have := map[int]map[string]value.Object{0: {}, 5: {}}
	for _, k := range All() {
		base := lines[k.Line]
		for _, a := range k.Rows() {
			if a.Type != kind.Many || a.Of == "" {
				continue
			}
			typ := a.Of
			if typ == "node" {
				typ = "device"
			}
			have := have[k.Line]
			if have[typ] == nil {
				name := "an instance of " + typ
				ask(t, http.MethodPost, base+"/rest/instance/"+typ, map[string]any{"name": name, "scoped_name": name})
				have[typ] = ask(t, http.MethodGet, base+"/rest/instance/"+typ+"/"+url.PathEscape(name), nil)
			}
			if _, is := have[typ][a.Inverse].([]any); !is {
				t.Errorf("%s.%s: a %s has no list %q", k.Name, a.Name, a.Of, a.Inverse)
			}
		}
	}
}
