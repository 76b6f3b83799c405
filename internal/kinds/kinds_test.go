// Tests of what every table must hold, with the choices that eNMS itself ships.

package kinds

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/kindtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// What is taken out of the configuration goes back to something that can be sent. Null never is, so that a plan would
// promise what no request does. The types of properties have no Terraform type: an attribute with one would be a string.
// A relation to many has an inverse, which TestTables_rowsAreFields compares with eNMS's.
func TestTables_attributesGoBackAndHaveTypes(t *testing.T) {
	t.Parallel()
	for _, k := range All() {
		for _, a := range k.Rows() {
			isSet := a.Role == kind.Field && !a.Required && !a.ReadOnly && !a.Derived
			switch a.Type {
			case kind.Many:
				if a.Of != "" && a.Inverse == "" {
					t.Errorf("%s.%s cannot be searched: it has no Inverse", k.Name, a.Name)
				}
			case kind.Decimal, kind.List, kind.Anything:
				t.Errorf("%s.%s has a type of properties; a list of strings is kind.Many without Of", k.Name, a.Name)
			case kind.JSON, kind.Properties, kind.Criteria:
			default:
				if isSet && a.Default == nil && a.Reset == nil && (a.Type != kind.One || a.IDField == "") {
					t.Errorf("%s.%s is not Required and has neither Default nor Reset nor IDField", k.Name, a.Name)
				}
			}
		}
	}
}

// An import makes a configuration of what eNMS answers: what must not be sent must not
// be in it, or the next plan would refuse it. A network of eNMS 5.2 answers "serialized", all of its fields as text: it
// changes with each write.
func TestImportsHoldNothingThatMustNotBeSent(t *testing.T) {
	t.Parallel()
	for _, k := range All() {
		answer := value.Object{"id": json.Number("1"), "name": "n", "type": "x", "further": "x"}
		never := k.NeverSent
		if k.Name == "network" {
			never = append(slices.Clone(never), "serialized")
		}
		for _, field := range never {
			answer[field] = "x"
		}
		state, err := states.Imported(k, answer, kind.Values{})
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		properties := value.Members(state[kind.RowProperties])
		if properties["further"] != "x" {
			t.Errorf("%s: the properties %v lack a field", k.Name, properties)
		}
		for _, field := range never {
			if _, is := properties[field]; is {
				t.Errorf("%s: an import holds %s, which must not be sent", k.Name, field)
			}
		}
	}
}

// A relation of dependents that no attribute holds would be no obstacle to a plan that loses
// them.
func TestCascadesAreDependences(t *testing.T) {
	t.Parallel()
	for _, k := range All() {
		for _, c := range k.Cascades {
			if found := relate.Dependences(kind.Named(All(), c.Type), []*kind.Kind{{Name: k.Name, Cascades: []kind.Cascade{c}}}); len(found) != 1 {
				t.Errorf("the %s of a %s is deleted along with it, and has no attribute that says so", c.Type, k.Name)
			}
		}
	}
}

// With which instances eNMS deletes an instance, as far as names tell.
func TestParents(t *testing.T) {
	t.Parallel()
	for what, c := range map[string]struct {
		typ   string
		state given
		want  string
	}{
		"a service in a workflow": {"service", given{"name": "[W] s", "workflows": []string{"W"}}, "[{workflow [W] }]"},
		"a nested one":            {"service", given{"name": "[[W] in] s", "workflows": []string{"[W] in"}}, "[{workflow [[W] in] } {workflow [W] }]"},
		"a shared one":            {"service", given{"name": "[Shared] s", "workflows": []string{"W", "V"}}, "[]"},
		"one by itself":           {"service", given{"name": "s", "workflows": []string{}}, "[]"},
		"a task":                  {"task", given{"name": "t", "service": "[W] s"}, "[{service [[W] s] } {workflow [W] }]"},
		"of a shared one":         {"task", given{"name": "t", "service": "[Shared] s"}, "[{service [[Shared] s] }]"},
		"a link without end":      {"ethernet_link", given{"name": "l", "source": "a"}, "[{device [a] }]"},
		"a device":                {"device", given{"name": "d", "gateways": []string{"g"}}, "[]"},
	} {
		var got []relate.Related
		k := kind.Named(All(), c.typ)
		for _, d := range relate.Dependences(k, All()) {
			got = append(got, d.Parents(kindtest.ValuesFor(k, c.state))...)
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s is deleted with %v, want %s", what, got, c.want)
		}
	}
}

// eNMS keeps the names of several types unique together, whatever the resource is called
// that manages one of them: two resources for one object are known by that.
func TestNamespaceOfAnyType(t *testing.T) {
	t.Parallel()
	for typ, want := range map[string]string{
		"gateway": "node", "network": "node", "generic_device": "node", "workflow": "service", "ping_service": "service",
		"example_service": "service", "ethernet_link": "link", "workflow_edge": "workflow_edge", "site": "site",
	} {
		k := All()[len(All())-1].For(kind.Values{"type": tftypes.NewValue(tftypes.String, typ)})
		if k.Namespace != want {
			t.Errorf("the names of type %q are unique within %q, want %q", typ, k.Namespace, want)
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

// shipped are values in the migrations of eNMS 4.5 to 4.7.1, the default one and the examples (enms-rest.md 1.5), that its
// forms do not offer, or that are variants of what they offer, by the type and the field.
var shipped = map[string]map[string][]string{
	"workflow":               {"run_method": {"per_device", "per_service_with_workflow_targets", "per_service_with_service_targets"}},
	"python_snippet_service": {"run_method": {"once"}, "validation_method": {"none"}},
	"scrapli_service":        {"transport": {"system"}, "driver": {"device"}},
	"device":                 {"netmiko_driver": {mikrotik, "cisco_ios_ssh", "cisco_ios_telnet", "cisco_ios_serial", "no such driver"}, "icon": {"site", "l3switch", "core_router"}},
	"user":                   {"authentication": {"database"}, "theme": {"default"}, "landing_page": {"/dashboard"}},
}

// Values that eNMS's own migrations use, such as validation_method = "none", can be
// planned, although its forms do not offer them.
func TestShippedChoices(t *testing.T) {
	t.Parallel()
	for typ, fields := range shipped {
		for field, values := range fields {
			for _, x := range values {
				k := kind.Named(All(), typ)
				config, found := many.Config(k, typ, "n", map[string]tftypes.Value{field: tftypes.NewValue(tftypes.String, x)})
				if len(found) > 0 {
					t.Errorf("%s: %s = %q: %v", typ, field, x, found)
				}
				for _, d := range plans.New(k, config, nil, nil, time.Now()).Diagnostics {
					t.Errorf("%s: %s = %q: %s: %s", typ, field, x, d.Summary(), d.Detail())
				}
			}
		}
	}
	// Of an edge with a subtype of people's own, which eNMS's examples have, it warns.
	edges := kind.Named(All(), "workflow_edge")
	config, _ := many.Config(edges, "workflow_edge", "n", map[string]tftypes.Value{"subtype": value.FromJSON("motion")})
	if found := plans.New(edges, config, nil, nil, time.Now()).Diagnostics; found.HasError() || len(found) != 1 {
		t.Errorf("subtype = motion: %v", found)
	}
}

// The least and the greatest value that a field takes, or that a map shows.
func TestBounds(t *testing.T) {
	t.Parallel()
	for field, bounds := range map[string][2]int{
		"device.port": {0, 65535}, "network.port": {0, 65535}, "service.log_level": {-1, 4},
		"device.latitude": {-90, 90}, "device.longitude": {-180, 180}, "network.latitude": {-90, 90}, "network.longitude": {-180, 180},
	} {
		typ, name, _ := strings.Cut(field, ".")
		k := kind.Named(All(), typ)
		for x, valid := range map[int]bool{bounds[0] - 1: false, bounds[0]: true, bounds[1]: true, bounds[1] + 1: false} {
			v := tftypes.NewValue(tftypes.Number, x)
			if strings.HasSuffix(name, "itude") {
				v = value.FromJSON(fmt.Sprint(x))
			}
			config, found := many.Config(k, typ, "n", map[string]tftypes.Value{name: v})
			for _, d := range plans.New(k, config, nil, nil, time.Now()).Diagnostics {
				found.Append(d)
			}
			if (len(found) == 0) != valid {
				t.Errorf("%s = %d: %v", field, x, found)
			}
		}
	}
}
