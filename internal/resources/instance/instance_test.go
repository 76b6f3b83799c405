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

// An instance that somebody replaced by one of a type derived from its own is another one, even if that has its id.
func TestInstance_replacedByOneOfADerivedType(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := acctest.Attributes{"type": "device", "name": s.Expand("NAME-d")}
	state := c.Applied("enms_instance", config, c.NoState("enms_instance"))
	s.Drop("device", "NAME-d")()
	s.Put("gateway", enms.Object{"name": "NAME-d"})()
	t.Cleanup(s.Drop("device", "NAME-d"))
	if state = c.Refreshed("enms_instance", state); !state.Value.IsNull() {
		t.Errorf("it is %s", state.Value)
	}
	if _, diags := c.Plan("enms_instance", config, state); !s.Says("is taken", "It is a gateway").MatchString(diags.String()) {
		t.Errorf("the plan of the creation: %s", diags)
	}
}
