// Tests of names that begin with those of other instances.

package relate

import (
	"slices"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

func TestScopes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k      *kind.Kind
		name   string
		scopes []string
		own    string
	}{
		{shelf, "[W] s", []string{"W"}, "s"},
		{shelf, "[[[A] B] C] s", []string{"A", "[A] B", "[[A] B] C"}, "s"},
		{shelf, "s", nil, ""},
		{box, "[W] s", nil, ""},
	} {
		if got := Scopes(c.k, c.name); !slices.Equal(got, c.scopes) {
			t.Errorf("%q begins with %q, want %q", c.name, got, c.scopes)
		}
		if got := ScopedName(c.k, c.name); got != c.own {
			t.Errorf("%q has the scoped name %q, want %q", c.name, got, c.own)
		}
	}
}

func TestRenamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, from, to, want string }{
		{"[W] s", "W", "V", "[V] s"},
		{"[[W] Sub] s", "W", "V", "[[V] Sub] s"},
		{"[[W] Sub] s", "[W] Sub", "[V] Bus", "[[V] Bus] s"},
		{"[[W] Sub] s", "Sub", "Bus", "[[W] Sub] s"},
		{"W", "W", "V", "V"},
		{"[WW] s", "W", "V", "[WW] s"},
		{"s [W] t", "W", "V", "s [W] t"},
	} {
		if got := Renamed(shelf, c.name, c.from, c.to); got != c.want {
			t.Errorf("after %q became %q, %q is called %q, want %q", c.from, c.to, c.name, got, c.want)
		}
	}
}

func TestInPlannedScope(t *testing.T) {
	t.Parallel()
	text := func(s string) tftypes.Value { return tftypes.NewValue(tftypes.String, s) }
	planned := kind.Values{"rooms": value.SetOf([]string{"V"})}
	for what, c := range map[string]struct {
		k           *kind.Kind
		name, prior string
		planned     kind.Values
		want        bool
	}{
		"the planned scope":           {shelf, "[V] s", "[W] s", planned, true},
		"another scope":               {shelf, "[U] s", "[W] s", planned, false},
		"another name":                {shelf, "[V] t", "[W] s", planned, false},
		"no scope":                    {shelf, "s", "[W] s", kind.Values{"rooms": unknownMember}, false},
		"the name of another scope":   {shelf, "[V] s", "s", planned, true},
		"of a kind that has no scope": {box, "[V] s", "[W] s", planned, false},
	} {
		if got := InPlannedScope(c.k, c.name, c.planned, kind.Values{"name": text(c.prior)}); got != c.want {
			t.Errorf("%s: %v", what, got)
		}
	}
}
