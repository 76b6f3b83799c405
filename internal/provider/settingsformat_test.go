// Test that settings, printed by whatever panics or logs, hold no secret.

package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// No verb of package fmt prints a secret of the settings.
func TestSettings_printedWithoutSecrets(t *testing.T) {
	t.Parallel()
	s := settings{config: enms.Config{Password: "hidden", Headers: map[string]string{"X": "hidden"}}, clientKey: []byte("hidden")}
	for _, value := range []any{s, &s, []settings{s}, struct{ S *settings }{&s}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
			if out := fmt.Sprintf(verb, value); strings.Contains(out, "hidden") || strings.Contains(out, fmt.Sprintf("%x", "hidden")) || strings.Contains(out, "104 105") {
				t.Errorf("%s of %T: %s", verb, value, out)
			}
		}
	}
}
