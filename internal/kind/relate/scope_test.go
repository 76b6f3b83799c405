package relate

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

// A name without a scope, and a name of a kind without scopes, has no scoped name.
func TestScopedName(t *testing.T) {
	t.Parallel()
	scoped := &kind.Kind{Scope: &kind.Scope{Split: servicename.Split}}
	for _, c := range []struct {
		k          *kind.Kind
		name, want string
	}{
		{scoped, "[W] s", "s"},
		{scoped, "[[V] W] s", "s"},
		{scoped, "s", ""},
		{&kind.Kind{}, "[W] s", ""},
	} {
		if got := ScopedName(c.k, c.name); got != c.want {
			t.Errorf("%q has the scoped name %q, want %q", c.name, got, c.want)
		}
	}
}
