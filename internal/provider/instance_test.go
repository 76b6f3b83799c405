// Tests of instances of any type.

package provider_test

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

func TestInstanceSecrets(t *testing.T) {
	t.Parallel()
	s, w := newWatched(t)
	c := s.core(nil)
	config := attributes{"type": "credential", "name": "c", "properties": map[string]any{"username": "u"},
		"properties_wo": map[string]any{"password": "hidden"}, "properties_wo_version": 1}
	state := c.refreshed("enms_instance", c.applied("enms_instance", config, c.none("enms_instance")))
	if sent := w.about("c"); len(sent) != 1 || sent[0].payload["password"] != "hidden" || sent[0].path != "/rest/instance/credential" {
		t.Errorf("at creation %v was sent", sent)
	}
	w.forget()
	config["properties_wo"] = map[string]any{"password": "other"}
	if p, diags := c.plan("enms_instance", config, state); diags.failed() || !p.noop {
		t.Errorf("without another version the plan is not empty: %s", diags)
	}
	config["properties_wo_version"] = 2
	state = c.applied("enms_instance", config, state)
	if sent := w.about("c"); len(sent) != 1 || sent[0].payload["password"] != "other" || sent[0].payload["username"] != nil {
		t.Errorf("with another version %v was sent", sent)
	}
	if strings.Contains(state.value.String()+string(state.private), "other") {
		t.Error("the secret is in the state")
	}
}

// Types that a client must not manage are refused, with the reason.
func TestInstanceRefusedTypes(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	for typ, why := range map[string]string{"server": "adopts its settings", "run": "whenever a service runs", "result": "when services run",
		"service_log": "writes logs", "changelog": "writes the changelog", "worker": "ends its process", "session": "sessions", "file": "from their paths", "folder": "from their paths"} {
		if _, diags := c.plan("enms_instance", attributes{"type": typ, "name": "x"}, c.none("enms_instance")); !diags.on("type") || !strings.Contains(diags.String(), why) {
			t.Errorf("%s: %s", typ, diags)
		}
	}
	if _, diags := c.plan("enms_instance", attributes{"type": "credential", "name": "x"}, c.none("enms_instance")); diags.failed() {
		t.Error(diags)
	}
}

func TestInstanceImport(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.put("credential", enms.Object{"name": "NAME-c", "username": "u"})()
	t.Cleanup(s.drop("credential", "NAME-c"))
	c := s.core(nil)
	state, diags := c.importByName("enms_instance", s.expand("credential/NAME-c"))
	if diags.failed() || state.text(t, "type") != "credential" || state.text(t, "name") != s.expand("NAME-c") {
		t.Fatalf("%s %s", state.value, diags)
	}
	config := attributes{"type": "credential", "name": s.expand("NAME-c"), "properties": map[string]any{"username": "u"}}
	if p, diags := c.plan("enms_instance", config, state); diags.failed() || !p.noop {
		t.Errorf("the plan after the import is not empty: %s %s", diags, p.value)
	}
	for _, id := range []string{s.expand("NAME-c"), "/x", s.expand("pool/NAME-c")} {
		if _, diags := c.importByName("enms_instance", id); !diags.failed() {
			t.Errorf("%s was imported", id)
		}
	}
}

// What of a type's fields are relations is not known, so that the order of no list
// counts.
func TestInstanceListsInAnyOrder(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	for _, name := range []string{"NAME-p1", "NAME-p2"} {
		s.put("pool", enms.Object{"name": name})()
		t.Cleanup(s.drop("pool", name))
	}
	c := s.core(nil)
	config := func(pools ...any) attributes {
		return attributes{"type": "credential", "name": s.expand("NAME-c"), "properties": map[string]any{"device_pools": pools}}
	}
	state := c.applied("enms_instance", config(s.expand("NAME-p2"), s.expand("NAME-p1")), c.none("enms_instance"))
	state = c.refreshed("enms_instance", state)
	if p, diags := c.plan("enms_instance", config(s.expand("NAME-p1"), s.expand("NAME-p2")), state); diags.failed() || !p.noop {
		t.Errorf("another order is a difference: %s %s", diags, p.value)
	}
	if p, diags := c.plan("enms_instance", config(s.expand("NAME-p1")), state); diags.failed() || p.noop {
		t.Errorf("another member is no difference: %s", diags)
	}
	c.applied("enms_instance", nil, state)
}

// An instance that somebody replaced by one of a type derived from its own is read as one
// of that type, and replaced.
func TestInstanceOfDerivedType(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	config := attributes{"type": "device", "name": s.expand("NAME-d")}
	state := c.applied("enms_instance", config, c.none("enms_instance"))
	s.drop("device", "NAME-d")()
	s.put("gateway", enms.Object{"name": "NAME-d"})()
	t.Cleanup(s.drop("device", "NAME-d"))
	state = c.refreshed("enms_instance", c.refreshed("enms_instance", state))
	if typ := state.text(t, "type"); typ != "gateway" {
		t.Errorf("its type is %q", typ)
	}
	if p, diags := c.plan("enms_instance", config, state); diags.failed() || !p.replace {
		t.Errorf("it is not to be replaced: %s", diags)
	}
}
