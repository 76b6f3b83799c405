// Tests of what every table must hold.

package kinds

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
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
