// Tests of creations that take two requests: eNMS replaces the owners of what is created, so
// that they are sent in a second one.

package provider_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// owned returns a resource and an entry, both of the same device, with these owners.
func owned(name string, owners ...string) map[string]attributes {
	list := make([]any, len(owners))
	for i, owner := range owners {
		list[i] = owner
	}
	return map[string]attributes{
		"enms_device": {"name": name, "owners": owners},
		manyType:      {"type": "device", "instances": object(map[string]any{name: map[string]any{"owners": list}})},
	}
}

// An owner that eNMS does not have is found before the first request of a creation: nothing
// is made, nothing is tainted, and the error is about the owners.
func TestMissingOwner(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.put("user", enms.Object{"name": "NAME-there"})()
	t.Cleanup(s.drop("user", "NAME-there"))
	for typ, config := range owned(s.expand("NAME-d"), s.expand("NAME-there"), s.expand("NAME-nobody"), s.expand("NAME-none")) {
		c := s.core(nil)
		state, diags := c.apply(typ, config, c.none(typ))
		text := diags.String()
		if !s.says(`Cannot create device "NAME-d"`, "owners", `user "NAME-nobody", user "NAME-none"`, "Create it first", "Nothing was changed").MatchString(text) {
			t.Errorf("%s: %s", typ, text)
		}
		if strings.Count(text, "ERROR") != 1 || strings.Contains(text, "NAME-there") || !state.value.IsNull() {
			t.Errorf("%s has the state %s: %s", typ, state.value, text)
		}
		if err := s.absent("device", "NAME-d")(nil); err != nil {
			t.Error(err)
		}
	}
	s.run(s.failing(s.hcl(`resource "enms_device" "d" {
	  name   = "NAME-d"
	  owners = ["NAME-nobody"]
	}`), "Cannot create device", "owners = ", "NAME-nobody", "Nothing was changed"),
		resource.TestStep{Config: s.hcl(""), Check: s.absent("device", "NAME-d")})
}

// An owner who is deleted between the two requests: the error says that the device exists,
// and blames nobody for owners that were never written.
func TestOwnerDeletedBeforeSecondRequest(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{"enms_device", manyType} {
		t.Run(typ, func(t *testing.T) {
			t.Parallel()
			s, l := newLiar(t)
			s.put("user", enms.Object{"name": "NAME-gone"})()
			var writes atomic.Int32
			l.tell(func(r *http.Request, _ func() (int, []byte)) []byte {
				if r.Method == http.MethodPost && r.URL.Path == "/rest/instance/device" && writes.Add(1) == 2 {
					s.drop("user", "NAME-gone")()
				}
				return nil
			})
			c := s.core(nil)
			state, diags := c.apply(typ, owned("NAME-d", "NAME-gone")[typ], c.none(typ))
			text := diags.String()
			if !s.says(`Cannot finish creating device "NAME-d"`, "owners", "NAME-gone", "Create it first", "The device itself was created").MatchString(text) || state.value.IsNull() {
				t.Errorf("%s %s", state.value, text)
			}
			if strings.Contains(text, "Nothing was changed") || strings.Contains(text, "Somebody else") || strings.Count(text, "ERROR") != 1 {
				t.Error(text)
			}
			s.put("user", enms.Object{"name": "NAME-gone"})()
			state = c.applied(typ, owned("NAME-d", "NAME-gone")[typ], c.refreshed(typ, state))
			if err := s.holds("device", "NAME-d", "owners", "[NAME-gone]")(nil); err != nil {
				t.Error(err)
			}
			if p, diags := c.plan(typ, owned("NAME-d", "NAME-gone")[typ], c.refreshed(typ, state)); diags.failed() || !p.noop {
				t.Errorf("the plan after it: %s %s", p.value, diags)
			}
		})
	}
}
