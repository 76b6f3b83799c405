// Tests of instances of any type.

package instance_test

import (
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

func TestInstance_secrets(t *testing.T) {
	t.Parallel()
	s, w := acctest.NewWatched(t)
	c := s.Core(nil)
	config := acctest.Attributes{"type": "credential", "name": "c", "properties": map[string]any{"username": "u"},
		"properties_wo": map[string]any{"password": "hidden"}, "properties_wo_version": 1}
	state := c.Refreshed("enms_instance", c.Applied("enms_instance", config, c.NoState("enms_instance")))
	if sent := w.About("c"); len(sent) != 1 || sent[0].Payload["password"] != "hidden" || sent[0].Path != "/rest/instance/credential" {
		t.Errorf("at creation %v was sent", sent)
	}
	w.Forget()
	config["properties_wo"] = map[string]any{"password": "other"}
	if p, diags := c.Plan("enms_instance", config, state); diags.Failed() || !p.Noop {
		t.Errorf("without another version the plan is not empty: %s", diags)
	}
	config["properties_wo_version"] = 2
	state = c.Applied("enms_instance", config, state)
	if sent := w.About("c"); len(sent) != 1 || sent[0].Payload["password"] != "other" || sent[0].Payload["username"] != nil {
		t.Errorf("with another version %v was sent", sent)
	}
	if strings.Contains(state.Value.String()+string(state.Private), "other") {
		t.Error("the secret is in the state")
	}
}

// Types that a client must not manage are refused, with the reason.
func TestInstance_refusedTypes(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	for typ, why := range map[string]string{"server": "adopts its settings", "run": "whenever a service runs", "result": "when services run",
		"service_log": "writes logs", "changelog": "writes the changelog", "worker": "ends its process", "session": "sessions", "file": "from their paths", "folder": "from their paths"} {
		if _, diags := c.Plan("enms_instance", acctest.Attributes{"type": typ, "name": "x"}, c.NoState("enms_instance")); !acctest.ErrorOn(diags, "type") || !strings.Contains(diags.String(), why) {
			t.Errorf("%s: %s", typ, diags)
		}
	}
	if _, diags := c.Plan("enms_instance", acctest.Attributes{"type": "credential", "name": "x"}, c.NoState("enms_instance")); diags.Failed() {
		t.Error(diags)
	}
}

func TestInstance_import(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("credential", enms.Object{"name": "NAME-c", "username": "u"})()
	t.Cleanup(s.Drop("credential", "NAME-c"))
	c := s.Core(nil)
	state, diags := c.ImportByName("enms_instance", s.Expand("credential/NAME-c"))
	if diags.Failed() || state.Text(t, "type") != "credential" || state.Text(t, "name") != s.Expand("NAME-c") {
		t.Fatalf("%s %s", state.Value, diags)
	}
	config := acctest.Attributes{"type": "credential", "name": s.Expand("NAME-c"), "properties": map[string]any{"username": "u"}}
	if p, diags := c.Plan("enms_instance", config, state); diags.Failed() || !p.Noop {
		t.Errorf("the plan after the import is not empty: %s %s", diags, p.Value)
	}
	for _, id := range []string{s.Expand("NAME-c"), "/x", s.Expand("pool/NAME-c")} {
		if _, diags := c.ImportByName("enms_instance", id); !diags.Failed() {
			t.Errorf("%s was imported", id)
		}
	}
}

// What of a type's fields are relations is not known, so that the order of no list
// counts.
func TestInstance_orderOfListsIsIgnored(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	for _, name := range []string{"NAME-p1", "NAME-p2"} {
		s.Put("pool", enms.Object{"name": name})()
		t.Cleanup(s.Drop("pool", name))
	}
	c := s.Core(nil)
	config := func(pools ...any) acctest.Attributes {
		return acctest.Attributes{"type": "credential", "name": s.Expand("NAME-c"), "properties": map[string]any{"device_pools": pools}}
	}
	state := c.Applied("enms_instance", config(s.Expand("NAME-p2"), s.Expand("NAME-p1")), c.NoState("enms_instance"))
	state = c.Refreshed("enms_instance", state)
	if p, diags := c.Plan("enms_instance", config(s.Expand("NAME-p1"), s.Expand("NAME-p2")), state); diags.Failed() || !p.Noop {
		t.Errorf("another order is a difference: %s %s", diags, p.Value)
	}
	if p, diags := c.Plan("enms_instance", config(s.Expand("NAME-p1")), state); diags.Failed() || p.Noop {
		t.Errorf("another member is no difference: %s", diags)
	}
	c.Applied("enms_instance", nil, state)
}

// An instance that somebody replaced by one of a type derived from its own is read as one
// of that type, and replaced.
func TestInstance_replacedByOneOfADerivedType(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := acctest.Attributes{"type": "device", "name": s.Expand("NAME-d")}
	state := c.Applied("enms_instance", config, c.NoState("enms_instance"))
	s.Drop("device", "NAME-d")()
	s.Put("gateway", enms.Object{"name": "NAME-d"})()
	t.Cleanup(s.Drop("device", "NAME-d"))
	state = c.Refreshed("enms_instance", c.Refreshed("enms_instance", state))
	if typ := state.Text(t, "type"); typ != "gateway" {
		t.Errorf("its type is %q", typ)
	}
	if p, diags := c.Plan("enms_instance", config, state); diags.Failed() || !p.Replace {
		t.Errorf("it is not to be replaced: %s", diags)
	}
}
