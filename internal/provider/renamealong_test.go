// Tests of services that eNMS has renamed with their workflow before their own turn comes,
// in one order after the other.

package provider_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// workflowOf returns the configuration of a workflow, in other workflows or in none.
func workflowOf(name string, workflows ...string) attributes {
	return attributes{"name": name, "type": "workflow", "workflows": workflows}
}

// stepOf returns the configuration of a service in workflows, or in none.
func stepOf(name string, workflows ...string) attributes {
	return attributes{"name": name, "type": "python_snippet_service", "workflows": workflows}
}

// expectService fails the test unless eNMS has a service of that name with the id of a
// state.
func (s *server) expectService(name string, state resourceState) {
	s.t.Helper()
	if id := fmt.Sprint(s.get("service", name)["id"]); id != state.text(s.t, "id") {
		s.t.Errorf("%s has the id %s, want %s", name, id, state.text(s.t, "id"))
	}
}

// The states of services are those of the plan, in which no workflow was renamed yet:
// each begins with the name that the renames before it have left.
func TestRenamedAlong(t *testing.T) {
	t.Parallel()
	for what, target := range map[string]attributes{
		"with its workflow":         stepOf("[[V] Bus] t", "[V] Bus"),
		"with its workflow alone":   stepOf("[[V] Bus] s", "[V] Bus"),
		"to the outer workflow":     stepOf("[V] s", "V"),
		"to another workflow":       stepOf("[X] t", "X"),
		"to no workflow":            stepOf("s"),
		"to what its workflow was":  stepOf("[W] s", "W"),
		"to a name with brackets":   stepOf("[[V] Bus] [s] t", "[V] Bus"),
		"with something else":       {"name": "[[V] Bus] s", "type": "python_snippet_service", "workflows": []string{"[V] Bus"}, "description": "d"},
		"to the name of the other":  stepOf("[X] s", "X"),
		"with a scoped_name as set": {"name": "[[V] Bus] u", "scoped_name": "u", "type": "python_snippet_service", "workflows": []string{"[V] Bus"}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s, _ := newLiar(t)
			c, typ := s.core(nil), "enms_service"
			outer := c.applied(typ, workflowOf("W"), c.none(typ))
			other := c.applied(typ, workflowOf("X"), c.none(typ))
			inner := c.applied(typ, workflowOf("[W] Sub", "W"), c.none(typ))
			step := c.applied(typ, stepOf("[[W] Sub] s", "[W] Sub"), c.none(typ))
			run := s.core(nil).inOneRun()
			outer = run.applied(typ, workflowOf("V"), outer)
			inner = run.applied(typ, workflowOf("[V] Bus", "V"), inner)
			if what == "to what its workflow was" {
				other = run.applied(typ, workflowOf("W"), other)
			}
			step = c.refreshed(typ, run.applied(typ, target, step))
			s.expectService(target["name"].(string), step)
			if p, diags := c.plan(typ, target, step); diags.failed() || !p.noop {
				t.Errorf("the next plan is not empty: %s %s", diags, p.value)
			}
			if made := s.simulatedServices(); len(made) != 4 {
				t.Errorf("eNMS has the services %q", made)
			}
			for _, state := range []resourceState{step, inner, outer, other} {
				c.applied(typ, nil, state)
			}
		})
	}
}

// simulatedServices returns the names of the services that tests have made.
func (s *server) simulatedServices() (names []string) {
	s.t.Helper()
	rows, err := s.client.Query(s.ctx(), "service", nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, row := range rows {
		if name := fmt.Sprint(row["name"]); !strings.HasPrefix(name, "[Shared] ") && name != "cluster_monitoring" {
			names = append(names, name)
		}
	}
	return names
}

// What is destroyed in the apply that renames its workflow is deleted under the name that
// it has by then; what others have renamed is not.
func TestDeletedAfterItsWorkflowWasRenamed(t *testing.T) {
	t.Parallel()
	s, _ := newLiar(t)
	c, typ := s.core(nil), "enms_service"
	workflow := c.applied(typ, workflowOf("W"), c.none(typ))
	first := c.applied(typ, stepOf("[W] s", "W"), c.none(typ))
	second := c.applied(typ, stepOf("[W] t", "W"), c.none(typ))
	off := stepOf("[W] u", "W")
	off["deletion_policy"] = "disable"
	third := c.applied(typ, off, c.none(typ))
	run := s.core(nil).inOneRun()
	workflow = run.applied(typ, workflowOf("V"), workflow)
	run.applied(typ, nil, first)
	run.applied(typ, nil, third)
	if _, disabled := s.get("service", "[V] u")["disabled"].(bool); !disabled && testServer() != "enms-4.4" {
		t.Error("it was not disabled")
	}
	s.put("service", enms.Object{"name": "[V] t", "scoped_name": "theirs", "new_name": "[V] theirs"})()
	if _, diags := run.apply(typ, nil, second); !s.says(`renamed it to "[V] theirs"`).MatchString(diags.String()) {
		t.Errorf("what others renamed was deleted: %s", diags)
	}
	s.drop("service", "[V] theirs")()
	s.drop("service", "[V] u")()
	c.applied(typ, nil, workflow)
}

// A service that has another name than the renames of this run explain is somebody else's
// business, and what only has the id of the service is another one.
func TestRenamedAlongByOthers(t *testing.T) {
	t.Parallel()
	s, _ := newLiar(t)
	c, typ := s.core(nil), "enms_service"
	workflow := c.applied(typ, workflowOf("W"), c.none(typ))
	step := c.applied(typ, stepOf("[W] s", "W"), c.none(typ))

	// Others have renamed the workflow to what is planned for the service.
	s.put("workflow", enms.Object{"name": "W", "scoped_name": "V", "new_name": "V"})()
	step = c.applied(typ, stepOf("[V] t", "V"), step)
	s.expectService("[V] t", step)

	// Others have renamed the workflow to something else.
	s.put("workflow", enms.Object{"name": "V", "scoped_name": "U", "new_name": "U"})()
	after, diags := c.apply(typ, stepOf("[X] t", "X"), step)
	if !s.says(`is now called "[U] t"`, "plan again").MatchString(diags.String()) || after.text(t, "name") != "[V] t" {
		t.Errorf("%s %s", diags, after.value)
	}

	// It has the planned workflow, and is not what the state holds.
	s.put("service", enms.Object{"name": "[U] t", "description": "theirs"})()
	if _, diags = c.apply(typ, stepOf("[U] r", "U"), step); !s.says(`is now called "[U] t"`, "plan again").MatchString(diags.String()) {
		t.Errorf("%s", diags)
	}
	s.drop("service", "[U] t")()
	c.applied(typ, nil, c.refreshed(typ, workflow))
}

// A workflow is renamed between the look for a service, which leaves it, and the write by
// the old name: eNMS would make a second service, so the rename waits.
func TestRenameWaitsForAServiceThatLeaves(t *testing.T) {
	t.Parallel()
	s, liar := newLiar(t)
	c, typ := s.core(nil), "enms_service"
	workflow := c.applied(typ, workflowOf("W"), c.none(typ))
	other := c.applied(typ, workflowOf("X"), c.none(typ))
	step := c.applied(typ, stepOf("[W] s", "W"), c.none(typ))
	run := s.core(nil).inOneRun()
	rename, renamed := make(chan bool), make(chan resourceState, 1)
	go func() {
		<-rename
		state, _ := run.apply(typ, workflowOf("V"), workflow)
		renamed <- state
	}()
	id, begun := step.text(t, "id"), atomic.Bool{} // requests are served by goroutines of their own
	liar.tell(func(r *http.Request, act func() (int, []byte)) []byte {
		if r.URL.Path != "/rest/query/service" || r.URL.Query().Get("id") != id || begun.Swap(true) {
			return nil
		}
		_, answer := act()
		close(rename)
		select {
		case state := <-renamed:
			renamed <- state
			t.Error("the workflow was renamed under a service that was leaving it")
		case <-time.After(time.Second): // longer than a rename takes
		}
		return answer
	})
	step = run.applied(typ, stepOf("[X] s", "X"), step)
	s.expectService("[X] s", step)
	workflow = <-renamed
	s.expectService("V", workflow)
	if made := s.simulatedServices(); len(made) != 3 {
		t.Errorf("eNMS has the services %q", made)
	}
	for _, state := range []resourceState{step, other, workflow} {
		c.applied(typ, nil, state)
	}
}
