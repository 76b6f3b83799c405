// Tests of diagnostics that say the same about many entries.

package entries

import (
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
)

// A warning about a thousand entries is one warning that names some of them; of errors, ten are shown.
func TestDiagnosticsOf_alike(t *testing.T) {
	t.Parallel()
	var diags diag.Diagnostics
	for n := range 1000 {
		name := "R" + strings.Repeat("1", n%7) + strings.Repeat("2", n/7)
		diags.AddAttributeWarning(at(name).AtMapKey("icon"), "Unknown value for icon", "Did you mean \"router\"?")
		diags.AddAttributeError(at(name).AtMapKey("port"), "Invalid port", "It is no number.")
	}
	shown := map[string]int{}
	for _, d := range diagnosticsOf(diags) {
		shown[d.Severity.String()]++
		if d.Summary != "Invalid port" && !strings.Contains(d.Detail, "And 999 more: instances[") {
			t.Errorf("the warning is %q: %s", d.Summary, d.Detail)
		}
	}
	if shown["WARNING"] != 1 || shown["ERROR"] != mostAlike {
		t.Errorf("shown are %v", shown)
	}
}
