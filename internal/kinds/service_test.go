// Tests of how the names of services follow those of their workflows.

package kinds

import (
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
)

func TestServiceFollowsItsWorkflow(t *testing.T) {
	t.Parallel()
	k := service()
	for _, c := range []struct{ name, from, to, want string }{
		{"[W] s", "W", "V", "[V] s"},
		{"[[W] Sub] s", "W", "V", "[[V] Sub] s"},
		{"[[W] Sub] s", "[W] Sub", "[V] Bus", "[[V] Bus] s"},
		{"[[W] Sub] s", "Sub", "Bus", "[[W] Sub] s"},
		{"W", "W", "V", "V"},
		{"[WW] s", "W", "V", "[WW] s"},
		{"s [W] t", "W", "V", "s [W] t"},
		{"[Shared] s", "Shared", "V", "[Shared] s"},
	} {
		if got := relate.Renamed(k, c.name, c.from, c.to); got != c.want {
			t.Errorf("after %q became %q, %q is called %q, want %q", c.from, c.to, c.name, got, c.want)
		}
	}
	for name, want := range map[string][]string{"[[[A] B] C] s": {"A", "[A] B", "[[A] B] C"}, "s": nil, "[Shared] s": nil} {
		if got := relate.Scopes(k, name); !slices.Equal(got, want) {
			t.Errorf("%q begins with %q, want %q", name, got, want)
		}
	}
}
