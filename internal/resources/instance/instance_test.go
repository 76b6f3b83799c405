// Tests of instances of any type.

package instance_test

import (
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

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
	c.PlansNothing("enms_instance", config(s.Expand("NAME-p1"), s.Expand("NAME-p2")), state)
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
