// Tests of creations that take two requests: eNMS replaces the owners of what is created, so
// that they are sent in a second one.

package instance_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// owned returns a resource and an entry, both of the same device, with these owners.
func owned(name string, owners ...string) map[string]acctest.Attributes {
	list := make([]any, len(owners))
	for i, owner := range owners {
		list[i] = owner
	}
	return map[string]acctest.Attributes{
		"enms_device":         {"name": name, "owners": owners},
		acctest.TypeInstances: {"type": "device", "instances": acctest.ObjectValue(map[string]any{name: map[string]any{"owners": list}})},
	}
}

// An owner that eNMS does not have is found before the first request of a creation: nothing
// is made, nothing is tainted, and the error is about the owners.
func TestOwners_missingBeforeTheCreation(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("user", enms.Object{"name": "NAME-there"})()
	for typ, config := range owned(s.Expand("NAME-d"), s.Expand("NAME-there"), s.Expand("NAME-nobody"), s.Expand("NAME-none")) {
		c := s.Core(nil)
		state, diags := c.Apply(typ, config, c.NoState(typ))
		text := diags.String()
		if !s.Says(`Cannot create device "NAME-d"`, "owners", `user "NAME-nobody", user "NAME-none"`, "Create it first", "Nothing was changed").MatchString(text) {
			t.Errorf("%s: %s", typ, text)
		}
		if strings.Count(text, "ERROR") != 1 || strings.Contains(text, "NAME-there") || !state.Value.IsNull() {
			t.Errorf("%s has the state %s: %s", typ, state.Value, text)
		}
		s.Check(s.Absent("device", "NAME-d"))
	}
}

// An owner who is deleted between the two requests: the error says that the device exists,
// and blames nobody for owners that were never written.
func TestOwners_deletedBeforeTheSecondRequest(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{"enms_device", acctest.TypeInstances} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			s, l := acctest.NewServerBehindProxy(t)
			s.Put("user", enms.Object{"name": "NAME-gone"})()
			var writes atomic.Int32
			l.SetRewrite(func(r *http.Request, _ func() (int, []byte)) []byte {
				if r.Method == http.MethodPost && r.URL.Path == "/rest/instance/device" && writes.Add(1) == 2 {
					s.Drop("user", "NAME-gone")()
				}
				return nil
			})
			c := s.Core(nil)
			state, diags := c.Apply(typ, owned("NAME-d", "NAME-gone")[typ], c.NoState(typ))
			text := diags.String()
			// eNMS 5 leaves the name out without an error.
			words := acctest.ByLine([]string{`Cannot finish creating device "NAME-d"`, "owners", "NAME-gone", "Create it first", "The device itself was created"},
				[]string{`eNMS did not keep the configured owners of device "NAME-d"`, "plan again"})
			if !s.Says(words...).MatchString(text) || state.Value.IsNull() {
				t.Errorf("%s %s", state.Value, text)
			}
			if strings.Contains(text, "Nothing was changed") || strings.Contains(text, acctest.ByLine("Somebody else", "Cannot")) || strings.Count(text, "ERROR") != 1 {
				t.Error(text)
			}
			s.Put("user", enms.Object{"name": "NAME-gone"})()
			state = c.Applied(typ, owned("NAME-d", "NAME-gone")[typ], c.Refreshed(typ, state))
			s.Check(s.Holds("device", "NAME-d", "owners", "[NAME-gone]"))
			c.PlansNothing(typ, owned("NAME-d", "NAME-gone")[typ], c.Refreshed(typ, state))
		})
	}
}
