// Tests of workflows that contain [Shared] Placeholder.

package kinds_test

import (
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// servicesOf returns the services of a workflow in order.
func servicesOf(s *acctest.Server, workflow string) (names []string) {
	s.T.Helper()
	members, _ := s.Get("workflow", workflow)["services"].([]any)
	for _, member := range members {
		names = append(names, member.(string))
	}
	slices.Sort(names)
	return names
}

// The placeholder of a workflow is added and removed alone: its other services stay, also those
// that were added since, and so does the placeholder of other workflows.
func TestPlaceholder_isOneMemberOfMany(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c, typ := s.Core(nil), "enms_service"
	w, other := s.Expand("NAME-w"), s.Expand("NAME-other")
	held := func(what string, want ...string) {
		t.Helper()
		if have := servicesOf(s, w); !slices.Equal(have, want) {
			t.Errorf("%s the workflow contains %q, want %q", what, have, want)
		}
	}
	second := c.Applied(typ, acctest.Attributes{"name": other, "type": "workflow", "placeholder": true}, c.NoState(typ))
	config := acctest.Attributes{"name": w, "type": "workflow", "placeholder": true}
	state := c.Refreshed(typ, c.Applied(typ, config, c.NoState(typ)))
	held("new,", "[Shared] End", "[Shared] Placeholder", "[Shared] Start")
	c.PlansNothing(typ, config, state)
	imported := c.Imported(typ, w)
	c.PlansNothing(typ, config, imported)

	// A step is added, and somebody removes the placeholder: that is drift.
	step := c.Applied(typ, acctest.Attributes{"name": "[" + w + "] s", "workflows": []string{w}}, c.NoState(typ))
	s.Put("workflow", enms.Object{"name": w, "scoped_name": w, "services": []string{"[Shared] Start", "[Shared] End", "[" + w + "] s"}})()
	state = c.Refreshed(typ, state)
	if p, diags := c.Plan(typ, config, state); diags.Failed() || p.Noop {
		t.Errorf("a placeholder that was removed is no difference: %s", diags)
	}
	state = c.Refreshed(typ, c.Applied(typ, config, state))
	held("after the repair", "[Shared] End", "[Shared] Placeholder", "[Shared] Start", "["+w+"] s")

	// Together with another change, and when it is removed from the configuration.
	config = acctest.Attributes{"name": w, "type": "workflow", "description": "x"}
	state = c.Refreshed(typ, c.Applied(typ, config, state))
	held("without placeholder", "[Shared] End", "[Shared] Start", "["+w+"] s")
	c.PlansNothing(typ, config, state)
	if have := servicesOf(s, other); !slices.Equal(have, []string{"[Shared] End", "[Shared] Placeholder", "[Shared] Start"}) {
		t.Errorf("the other workflow contains %q", have)
	}
	config["placeholder"], config["name"] = true, s.Expand("NAME-v")
	w = s.Expand("NAME-v")
	state = c.Refreshed(typ, c.Applied(typ, config, state))
	held("renamed,", "[Shared] End", "[Shared] Placeholder", "[Shared] Start", "["+w+"] s")

	// What was imported and is not configured is left as it is.
	imported, _ = c.ImportByName(typ, other)
	c.PlansNothing(typ, acctest.Attributes{"name": other, "type": "workflow"}, imported)
	c.Applied(typ, nil, c.Refreshed(typ, c.Refreshed(typ, step))) // an apply -refresh-only accepts the name that it has got with the workflow
	c.Applied(typ, nil, c.Refreshed(typ, state))
	c.Applied(typ, nil, second)
}

// An adopted workflow gets the placeholder beside what it contains.
func TestPlaceholder_ofAnAdoptedWorkflow(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	w := s.Expand("NAME-w")
	s.Put("workflow", enms.Object{"name": w, "scoped_name": w})()
	s.Put("service", enms.Object{"name": "[" + w + "] s", "scoped_name": "s", "workflows": []string{w}})()
	c, typ := s.Core(nil), "enms_service"
	config := acctest.Attributes{"name": w, "type": "workflow", "placeholder": true, "adopt_existing": true}
	state := c.Refreshed(typ, c.Applied(typ, config, c.NoState(typ)))
	if have := servicesOf(s, w); !slices.Equal(have, []string{"[Shared] End", "[Shared] Placeholder", "[Shared] Start", "[" + w + "] s"}) {
		t.Errorf("the workflow contains %q", have)
	}
	c.PlansNothing(typ, config, state)
}
