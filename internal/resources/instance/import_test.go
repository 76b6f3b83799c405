// This file tests what an import may be written as.

package instance

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/resource"
	"github.com/hashicorp/terraform-plugin-framework/tfsdk"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// A wrong id of an import shows the right form: with the name that it has, if it has one.
func TestImportedBy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ typ, id, name, says string }{
		{"device", "d", "d", ""},
		{"device", "device/d", "", `Import by the name alone, as eNMS shows it, such as "d". Names contain no slash.`},
		{"device", "d/e", "", "Import by the name alone, as eNMS shows it. Names contain no slash."},
		{"device", "router/d/e", "", "Import by the name alone, as eNMS shows it. Names contain no slash."},
		{"service", "rest_call_service/s", "", `such as "s". Names contain no slash.`},
		{"workflow_edge", "w/[Shared] Start/x", "", `such as "Upgrade: [Shared] Start -> [Upgrade] Backup (success)". Names contain no slash.`},
		{"instance", "rack/r", "r", ""},
		{"instance", "r", "", `Import by the type and the name with a slash between them, such as "rack/DALLAS 12".`},
	} {
		r := &instanceResource{kind: kind.Named(kinds.All(), test.typ)}
		known, says := r.importedBy(resource.ImportStateRequest{ID: test.id, Identity: &tfsdk.ResourceIdentity{}})
		if name := value.Text(known["name"]); name != test.name || (says == "") != (test.says == "") || !strings.Contains(says, test.says) {
			t.Errorf("%s %q: the name is %q; it says %q", test.typ, test.id, name, says)
		}
	}
}
