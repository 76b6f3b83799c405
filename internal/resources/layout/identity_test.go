// Tests of which workflow is the one of a layout: what others rename, delete and make anew, on both lines of eNMS.

package layout_test

import (
	"fmt"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

const typ = "enms_workflow_layout"

// layoutOnBothLines plays a test on a simulated server of each line: with the layout of a workflow NAME-w, its
// configuration, and a provider.
func layoutOnBothLines(t *testing.T, play func(s *acctest.Server, c *acctest.Core, config acctest.Attributes, state acctest.ResourceState)) {
	t.Parallel()
	for name, options := range map[string]simulator.Options{"4.7": {}, "5.3": {Version: simulator.V53}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServerWith(t, name, options)
			s.OnlySimulated("both lines are compared")
			s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
			c := s.Core(nil)
			config := acctest.Attributes{"workflow": s.Expand("NAME-w"), "labels": labelValues(map[string]map[string]any{"title": labelValue("Upgrade", 0, 0, nil, nil)})}
			play(s, c, config, c.Refreshed(typ, c.Applied(typ, config, c.NoState(typ))))
		})
	}
}

// labelled returns the names of the workflows in which something has a label.
func labelled(s *acctest.Server) (names []string) {
	for _, row := range s.All("workflow") {
		if name := fmt.Sprint(row["name"]); len(labelsIn(s, name)) > 0 {
			names = append(names, name)
		}
	}
	return names
}

// Somebody renames a workflow and makes another one with its name, as designers do for a new version. The layout belongs
// to the renamed one, and a plan does not give it to the other one. By name, it does, and the layout is gone before that.
func TestLayout_versions(t *testing.T) {
	layoutOnBothLines(t, func(s *acctest.Server, c *acctest.Core, config acctest.Attributes, state acctest.ResourceState) {
		s.Put("workflow", enms.Object{"name": "NAME-w", "new_name": "NAME-w old", "scoped_name": "NAME-w old"})()
		byName := s.Core(acctest.Attributes{"identify_by": "name"})
		if read := byName.Refreshed(typ, state); !read.Value.IsNull() {
			s.T.Errorf("by name, the layout is %s", read.Value)
		}
		byName.Applied(typ, nil, state)
		if in := labelled(s); len(in) != 1 {
			s.T.Errorf("by name, the destroyed layout has left labels in %q", in)
		}
		s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
		old := s.Expand("NAME-w old")

		run := c.NewRun()
		read := run.Refreshed(typ, state)
		if now := read.Text(s.T, "workflow"); now != old {
			s.T.Errorf("the layout is of %q", now)
		}
		_, diags := run.Plan(typ, config, read)
		acctest.CheckSays(diags, s.T, fmt.Sprintf("The name %q belongs to another service", s.Expand("NAME-w")), old, `identify_by = "name"`)
		if _, diags := c.Apply(typ, nil, state); !diags.Failed() && len(labelled(s)) > 0 {
			s.T.Errorf("the destroyed layout left labels in %q", labelled(s))
		}

		read = byName.NewRun().Refreshed(typ, state)
		byName.Applied(typ, config, read)
		if in := labelled(s); fmt.Sprint(in) != fmt.Sprint([]string{s.Expand("NAME-w")}) {
			s.T.Errorf("by name, there are labels in %q", in)
		}
	})
}

// A workflow is deleted and made anew, and the changelog is emptied, so that eNMS does not tell which one the layout
// belongs to: nothing is written and nothing removed until the user says that the name decides.
func TestLayout_untold(t *testing.T) {
	layoutOnBothLines(t, func(s *acctest.Server, c *acctest.Core, config acctest.Attributes, state acctest.ResourceState) {
		s.Put("workflow", enms.Object{"name": "NAME-other", "scoped_name": "NAME-other"})() // so that the id is not given again
		s.Drop("workflow", "NAME-w")()
		s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w", "labels": enms.Object{"theirs" + fmt.Sprintf("%030d", 1): enms.Object{"content": "Theirs", "positions": []int{1, 2}}}})()
		s.Simulator.EmptyChangelog("")
		before := fmt.Sprint(labelsIn(s, "NAME-w"))

		_, diags := c.Apply(typ, nil, state)
		acctest.CheckSays(diags, s.T, "Cannot remove the layout of workflow", "identify_by")
		read, diags := c.Refresh(typ, state)
		acctest.CheckSays(diags, s.T, fmt.Sprintf("eNMS does not tell which service is %q in the state", s.Expand("NAME-w")), "identify_by")
		if diags.Failed() || read.Value.IsNull() {
			s.T.Fatalf("%s %s", read.Value, diags)
		}
		_, diags = c.Plan(typ, config, read)
		acctest.CheckSays(diags, s.T, "Cannot lay out workflow", "identify_by")
		_, diags = c.Plan(typ, nil, read)
		acctest.CheckSays(diags, s.T, "Cannot remove the layout of workflow", "identify_by")
		for _, next := range []acctest.Attributes{config, nil} { // planned without this refresh
			if _, diags := c.Apply(typ, next, read); !diags.Failed() {
				s.T.Errorf("nothing was refused: %s", diags)
			}
		}
		if after := fmt.Sprint(labelsIn(s, "NAME-w")); after != before {
			s.T.Errorf("the labels are %s, were %s", after, before)
		}

		byName := s.Core(acctest.Attributes{"identify_by": "name"})
		state = byName.Applied(typ, config, byName.Refreshed(typ, read))
		state = c.Refreshed(typ, state)
		c.PlansNothing(typ, config, state)
		c.Applied(typ, nil, state)
		if after := fmt.Sprint(labelsIn(s, "NAME-w")); after != before {
			s.T.Errorf("after all, the labels are %s, were %s", after, before)
		}
	})
}

// A layout that is created together with its workflow knows the creation_time of eNMS 5 from the first read on: it follows
// a rename of which the changelog says nothing. On eNMS 4, nothing tells.
func TestLayout_createdWithItsWorkflow(t *testing.T) {
	layoutOnBothLines(t, func(s *acctest.Server, c *acctest.Core, _ acctest.Attributes, _ acctest.ResourceState) {
		x, y := s.Expand("NAME-x"), s.Expand("NAME-y")
		run := c.InOneRun()
		run.Applied("enms_service", acctest.Attributes{"name": x, "type": "workflow"}, run.NoState("enms_service"))
		state := run.Applied(typ, acctest.Attributes{"workflow": x, "positions": acctest.Positions(map[string][2]float64{"[Shared] End": {30, 40}})}, run.NoState(typ))
		state = c.Refreshed(typ, state)
		s.Simulator.SetLogging(false)
		s.Put("workflow", enms.Object{"name": x, "new_name": y, "scoped_name": y})()
		s.Simulator.SetLogging(true)
		read, diags := c.Refresh(typ, state)
		if _, is5 := s.Get("workflow", y)["creation_time"]; !is5 {
			acctest.CheckSays(diags, s.T, "Cannot read the layout of workflow", "Nothing has this name", "identify_by")
		} else if diags.Failed() || read.Text(s.T, "workflow") != y {
			s.T.Errorf("the layout is %s %s", read.Value, diags)
		}
	})
}

// A plan saw the workflow, and somebody replaced it before the apply: nothing is written, and nothing removed.
func TestLayout_workflowReplacedAfterThePlan(t *testing.T) {
	layoutOnBothLines(t, func(s *acctest.Server, c *acctest.Core, config acctest.Attributes, state acctest.ResourceState) {
		s.Put("workflow", enms.Object{"name": "NAME-other", "scoped_name": "NAME-other"})()
		s.Drop("workflow", "NAME-w")()
		theirs := labelValues(map[string]map[string]any{"title": labelValue("Theirs", 0, 0, nil, nil)})
		s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
		c.Applied(typ, acctest.Attributes{"workflow": s.Expand("NAME-w"), "labels": theirs}, c.NoState(typ))
		before := fmt.Sprint(labelsIn(s, "NAME-w"))
		moved := acctest.Attributes{"workflow": s.Expand("NAME-w"), "labels": labelValues(map[string]map[string]any{"title": labelValue("Upgrade", 9, 9, nil, nil)})}

		_, diags := c.Apply(typ, moved, state)
		acctest.CheckSays(diags, s.T, "Cannot lay out workflow", "Somebody deleted it and created another one")
		c.Applied(typ, nil, state)
		if after := fmt.Sprint(labelsIn(s, "NAME-w")); after != before {
			s.T.Errorf("the labels are %s, were %s", after, before)
		}
	})
}

// A workflow is replaced by one that gets its id. A read takes the layout for that of the new one, which is then written.
func TestLayout_workflowReplacedWithItsID(t *testing.T) {
	layoutOnBothLines(t, func(s *acctest.Server, c *acctest.Core, config acctest.Attributes, state acctest.ResourceState) {
		id := s.Get("workflow", "NAME-w")["id"]
		s.Drop("workflow", "NAME-w")()
		s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
		if now := s.Get("workflow", "NAME-w")["id"]; now != id {
			s.T.Skipf("the id is %v, and was %v", now, id)
		}
		c.PlansNothing(typ, config, c.Refreshed(typ, c.Applied(typ, config, c.Refreshed(typ, state))))
	})
}
