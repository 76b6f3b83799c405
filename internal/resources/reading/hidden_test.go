// Tests of users who may not read what is in the state.

package reading_test

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// eNMS hides what a user may not read. It is not gone, then: a read keeps the state, and a deletion
// and an update of an older plan fail. What is gone is decided where eNMS shows it: devices as
// nodes, types without rights, and everything to an administrator. On eNMS 5, there are no nodes, and
// every user sees all networks.
func TestRights_mayNotRead(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("its group reads everything that other tests write")
	userOf(s, "low", enms.Object{})
	userOf(s, "drift", enms.Object{"force_read_access": true, "rbac_read_services": []string{"[Shared] Placeholder"}})
	admin, low, drift := s.Core(nil), s.Core(acctest.Attributes{"username": "low", "password": "pw"}), s.Core(acctest.Attributes{"username": "drift", "password": "pw"})
	gone := map[string]bool{"device": acctest.ByLine(true, false), "network": acctest.ByLine(true, false), "group": true, "pool": false, "credential": false}
	for typ, gone := range gone {
		config := acctest.Attributes{"name": "x" + typ}
		if typ == "group" {
			config["users"] = []string{}
		}
		resource := "enms_" + typ
		state := admin.Applied(resource, config, admin.NoState(resource))
		if typ != "group" && typ != acctest.ByLine("", "network") {
			s.Put(typ, enms.Object{"name": "x" + typ, "admin_only": true})()
			hidden(t, "a read of "+typ, low, resource, state)
			_, diags := low.Apply(resource, nil, state)
			if said := diags.String(); !strings.Contains(said, "may not read it") {
				t.Errorf("a deletion of a hidden %s: %q", typ, said)
			}
			if s.Get(typ, "x"+typ) == nil {
				t.Fatalf("the %s was deleted", typ)
			}
			config["description"] = "other"
			if _, diags := low.Apply(resource, config, state); !strings.Contains(diags.String(), "may not read it") {
				t.Errorf("an update of a hidden %s: %q", typ, diags)
			}
		}
		s.Drop(typ, "x"+typ)()
		if gone {
			if now := low.Refreshed(resource, state); !now.Value.IsNull() {
				t.Errorf("a %s that is gone is not seen to be", typ)
			}
		} else {
			hidden(t, "a read of a deleted "+typ, low, resource, state)
		}
		for who, c := range map[string]*acctest.Core{"admin": admin, "drift": drift} {
			if now := c.Refreshed(resource, state); !now.Value.IsNull() {
				t.Errorf("%s does not see that a %s is gone", who, typ)
			}
		}
	}
}

// An entry that the user may not read stays in the state, and is not said to be deleted.
func TestRights_mayNotReadEntries(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	userOf(s, "NAME-low", enms.Object{})
	admin, low := s.Core(nil), s.Core(acctest.Attributes{"username": s.Expand("NAME-low"), "password": "pw"})
	config := acctest.Entries(s, "pool", map[string]any{"NAME-p": map[string]any{}, "NAME-q": map[string]any{}})
	state := admin.Applied("enms_instances", config, admin.NoState("enms_instances"))
	hidden(t, "a read", low, "enms_instances", state)
	if after, diags := low.Apply("enms_instances", nil, state); !strings.Contains(diags.String(), "may not read it") || after.Value.IsNull() {
		t.Errorf("a deletion of hidden entries: %q, state %s", diags, after.Value)
	}
}

// userOf makes a user, with a group that may use the REST interface.
func userOf(s *acctest.Server, name string, group enms.Object) {
	name = s.Expand(name)
	s.Put("user", enms.Object{"name": name, "password": "pw"})()
	fields := enms.Object{"name": name + "-g", "menu": []string{}, "pages": []string{}, "users": []string{name},
		"get_requests": []string{"/rest/instance", "/rest/query"}, "post_requests": []string{"/rest/instance", "/rest/search"}, "delete_requests": []string{"/rest/instance"}}
	for field, x := range group {
		fields[field] = x
	}
	s.Put("group", fields)()
}

// hidden fails the test unless a read keeps the state, with an error that says why.
func hidden(t *testing.T, when string, c *acctest.Core, resource string, state acctest.ResourceState) {
	t.Helper()
	now, diags := c.Refresh(resource, state)
	if said := diags.String(); !strings.Contains(said, "may not read it") || !strings.Contains(said, "rbac_read") || now.Value.IsNull() {
		t.Errorf("%s: %q, state %s", when, said, now.Value)
	}
}
