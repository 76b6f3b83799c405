// Tests of what every table must hold.

package kinds

import (
	"encoding/json"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// What is taken out of the configuration goes back to something that can be sent.
// Null never is, so that a plan would promise what no request does.
func TestAttributesGoBack(t *testing.T) {
	t.Parallel()
	for _, k := range All() {
		for _, a := range k.Rows() {
			switch {
			case a.Role != kind.Field || a.Required || a.ReadOnly || a.Derived:
				continue
			case a.Type == kind.Many, a.Type == kind.JSON, a.Type == kind.Properties, a.Type == kind.Criteria:
				continue
			}
			if a.Default == nil && a.Reset == nil && (a.Type != kind.One || a.IDField == "") {
				t.Errorf("%s.%s is not Required and has neither Default nor Reset nor IDField", k.Name, a.Name)
			}
		}
	}
}

// An import makes a configuration of what eNMS answers: what must not be sent may not
// be in it, or the next plan would refuse it.
func TestImportsHoldNothingThatMustNotBeSent(t *testing.T) {
	t.Parallel()
	for _, k := range All() {
		answer := value.Object{"id": json.Number("1"), "name": "n", "type": "x", "further": "x"}
		for _, field := range k.NeverSent {
			answer[field] = "x"
		}
		state, err := k.ImportedState(answer, kind.Values{})
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		properties := value.Members(state[kind.RowProperties])
		if properties["further"] != "x" {
			t.Errorf("%s: the properties %v lack a field", k.Name, properties)
		}
		for _, field := range k.NeverSent {
			if _, is := properties[field]; is {
				t.Errorf("%s: an import holds %s, which must not be sent", k.Name, field)
			}
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
