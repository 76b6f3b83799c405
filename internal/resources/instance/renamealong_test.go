// Tests of services that eNMS has renamed with their workflow before their own turn comes,
// in one order after the other.

package instance_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// workflowOf returns the configuration of a workflow, in other workflows or in none.
func workflowOf(name string, workflows ...string) acctest.Attributes {
	return acctest.Attributes{"name": name, "type": "workflow", "workflows": workflows}
}

// stepOf returns the configuration of a service in workflows, or in none.
func stepOf(name string, workflows ...string) acctest.Attributes {
	return acctest.Attributes{"name": name, "type": "python_snippet_service", "workflows": workflows}
}

// checkService fails the test unless eNMS has a service of that name with the id of a
// state.
func checkService(s *acctest.Server, name string, state acctest.ResourceState) {
	s.T.Helper()
	if id := fmt.Sprint(s.Get("service", name)["id"]); id != state.Text(s.T, "id") {
		s.T.Errorf("%s has the id %s, want %s", name, id, state.Text(s.T, "id"))
	}
}

// The states of services are those of the plan, in which no workflow was renamed yet:
// each begins with the name that the renames before it have left.
func TestRenameAlong_servicesFollowTheirWorkflow(t *testing.T) {
	t.Parallel()
	for what, target := range map[string]acctest.Attributes{
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
			s, _ := acctest.NewServerBehindProxy(t)
			c, typ := s.Core(nil), "enms_service"
			outer := c.Applied(typ, workflowOf("W"), c.NoState(typ))
			other := c.Applied(typ, workflowOf("X"), c.NoState(typ))
			inner := c.Applied(typ, workflowOf("[W] Sub", "W"), c.NoState(typ))
			step := c.Applied(typ, stepOf("[[W] Sub] s", "[W] Sub"), c.NoState(typ))
			run := s.Core(nil).InOneRun()
			outer = run.Applied(typ, workflowOf("V"), outer)
			inner = run.Applied(typ, workflowOf("[V] Bus", "V"), inner)
			if what == "to what its workflow was" {
				other = run.Applied(typ, workflowOf("W"), other)
			}
			step = c.Refreshed(typ, run.Applied(typ, target, step))
			checkService(s, target["name"].(string), step)
			c.PlansNothing(typ, target, step)
			if made := simulatedServices(s); len(made) != 4 {
				t.Errorf("eNMS has the services %q", made)
			}
			for _, state := range []acctest.ResourceState{step, inner, outer, other} {
				c.Applied(typ, nil, state)
			}
		})
	}
}

// simulatedServices returns the names of the services that tests have made.
func simulatedServices(s *acctest.Server) (names []string) {
	s.T.Helper()
	rows := s.All("service")
	for _, row := range rows {
		if name := fmt.Sprint(row["name"]); !strings.HasPrefix(name, "[Shared] ") && name != "cluster_monitoring" {
			names = append(names, name)
		}
	}
	return names
}

// What is destroyed in the apply that renames its workflow is deleted under the name that
// it has by then; what others have renamed is not.
func TestRenameAlong_deletedAfterTheRename(t *testing.T) {
	t.Parallel()
	s, _ := acctest.NewServerBehindProxy(t)
	c, typ := s.Core(nil), "enms_service"
	workflow := c.Applied(typ, workflowOf("W"), c.NoState(typ))
	first := c.Applied(typ, stepOf("[W] s", "W"), c.NoState(typ))
	second := c.Applied(typ, stepOf("[W] t", "W"), c.NoState(typ))
	off := stepOf("[W] u", "W")
	off["deletion_policy"] = "disable"
	third := c.Applied(typ, off, c.NoState(typ))
	run := s.Core(nil).InOneRun()
	run.Applied(typ, workflowOf("V"), workflow)
	run.Applied(typ, nil, first)
	run.Applied(typ, nil, third)
	if _, disabled := s.Get("service", "[V] u")["disabled"].(bool); !disabled && acctest.ServerKind() != "enms-4.4" {
		t.Error("it was not disabled")
	}
	s.Put("service", enms.Object{"name": "[V] t", "scoped_name": "theirs", "new_name": "[V] theirs"})()
	if _, diags := run.Apply(typ, nil, second); !s.Says(`renamed to "[V] theirs"`).MatchString(diags.String()) {
		t.Errorf("what others renamed was deleted: %s", diags)
	}
}

// When two workflows have exchanged their names, a service of one has the name that a service of the other had.
func TestRenameAlong_exchange(t *testing.T) {
	t.Parallel()
	s, _ := acctest.NewServerBehindProxy(t)
	c, typ := s.Core(nil), "enms_service"
	first, second := c.Applied(typ, workflowOf("W"), c.NoState(typ)), c.Applied(typ, workflowOf("X"), c.NoState(typ))
	ofFirst, ofSecond := c.Applied(typ, stepOf("[W] s", "W"), c.NoState(typ)), c.Applied(typ, stepOf("[X] s", "X"), c.NoState(typ))
	run := s.Core(nil).InOneRun()
	var exchange sync.WaitGroup
	exchange.Go(func() { first, _ = run.Apply(typ, workflowOf("X"), first) })
	exchange.Go(func() { second, _ = run.Apply(typ, workflowOf("W"), second) })
	exchange.Wait()
	changed := stepOf("[X] s", "X")
	changed["description"] = "d"
	ofFirst, ofSecond = run.Applied(typ, changed, ofFirst), run.Applied(typ, stepOf("[W] s", "W"), ofSecond)
	checkService(s, "[X] s", ofFirst)
	checkService(s, "[W] s", ofSecond)
	if got := s.Get("service", "[X] s")["description"]; got != "d" {
		t.Errorf("its description is %v", got)
	}
	c.PlansNothing(typ, changed, ofFirst)
	for _, state := range []acctest.ResourceState{ofFirst, ofSecond, first, second} {
		c.Applied(typ, nil, state)
	}
}

// A service that has another name than the renames of this run explain is somebody else's
// business, and what only has the id of the service is another one.
func TestRenameAlong_byOthers(t *testing.T) {
	t.Parallel()
	s, _ := acctest.NewServerBehindProxy(t)
	c, typ := s.Core(nil), "enms_service"
	workflow := c.Applied(typ, workflowOf("W"), c.NoState(typ))
	step := c.Applied(typ, stepOf("[W] s", "W"), c.NoState(typ))

	// Others have renamed the workflow to what is planned for the service.
	s.Put("workflow", enms.Object{"name": "W", "scoped_name": "V", "new_name": "V"})()
	step = c.Applied(typ, stepOf("[V] t", "V"), step)
	checkService(s, "[V] t", step)

	// Others have renamed the workflow to something else.
	s.Put("workflow", enms.Object{"name": "V", "scoped_name": "U", "new_name": "U"})()
	after, diags := c.Apply(typ, stepOf("[X] t", "X"), step)
	if !s.Says(`is now called "[U] t"`, "plan again").MatchString(diags.String()) || after.Text(t, "name") != "[V] t" {
		t.Errorf("%s %s", diags, after.Value)
	}

	// It has the planned workflow, whatever else others have changed in it.
	s.Put("service", enms.Object{"name": "[U] t", "description": "theirs"})()
	_, _ = c.Apply(typ, stepOf("[U] r", "U"), step)
	s.Check(s.Holds("service", "[U] r", "description", "theirs"))
	s.Drop("service", "[U] r")()
	c.Applied(typ, nil, c.Refreshed(typ, c.Refreshed(typ, workflow))) // the first accepts the name
}

// A workflow is renamed between the look for a service, which leaves it, and the write by
// the old name: eNMS would make a second service, so the rename waits.
func TestRenameAlong_waitsForAServiceThatLeaves(t *testing.T) {
	t.Parallel()
	s, liar := acctest.NewServerBehindProxy(t)
	c, typ := s.Core(nil), "enms_service"
	workflow := c.Applied(typ, workflowOf("W"), c.NoState(typ))
	c.Applied(typ, workflowOf("X"), c.NoState(typ))
	step := c.Applied(typ, stepOf("[W] s", "W"), c.NoState(typ))
	run := s.Core(nil).InOneRun()
	rename, renamed := make(chan bool), make(chan acctest.ResourceState, 1)
	go func() {
		<-rename
		state, _ := run.Apply(typ, workflowOf("V"), workflow)
		renamed <- state
	}()
	id, begun := step.Text(t, "id"), atomic.Bool{} // requests are served by goroutines of their own
	liar.SetRewrite(func(r *http.Request, act func() (int, []byte)) []byte {
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
	step = run.Applied(typ, stepOf("[X] s", "X"), step)
	checkService(s, "[X] s", step)
	checkService(s, "V", <-renamed)
	if made := simulatedServices(s); len(made) != 3 {
		t.Errorf("eNMS has the services %q", made)
	}
}

// A workflow was renamed, and another resource adopts its service by the new name while the one that had it deletes it
// by the old name: it is left to the one that adopts it.
func TestRenameAlong_adoptedWhileItIsDeleted(t *testing.T) {
	t.Parallel()
	s, liar := acctest.NewServerBehindProxy(t)
	c, typ := s.Core(nil), "enms_service"
	workflow := c.Applied(typ, workflowOf("W"), c.NoState(typ))
	step := c.Applied(typ, stepOf("[W] s", "W"), c.NoState(typ))
	run := s.Core(nil).InOneRun()
	run.Applied(typ, workflowOf("V"), workflow)
	deleted := make(chan acctest.Problems, 1)
	liar.SetRewrite(func(r *http.Request, _ func() (int, []byte)) []byte {
		if r.Method == http.MethodPost && r.URL.Path == "/rest/instance/python_snippet_service" {
			go func() {
				_, diags := run.Apply(typ, nil, step)
				deleted <- diags
			}()
		}
		return nil
	})
	adopts := stepOf("[V] s", "V")
	adopts["adopt_existing"], adopts["description"] = true, "adopted"
	adopted := run.Applied(typ, adopts, c.NoState(typ))
	if diags := <-deleted; !s.Says("was not deleted", "Another resource of the same configuration").MatchString(diags.String()) {
		t.Errorf("%s", diags)
	}
	checkService(s, "[V] s", adopted)
	s.Check(s.Holds("service", "[V] s", "description", "adopted"))
}

// A creation waits for a rename that gives up its name, and that rename for a name that nobody gives up: the rename ends
// with an error, and then the creation, too.
func TestRename_thatACreationWaitsFor(t *testing.T) {
	t.Parallel()
	s, liar := acctest.NewServerBehindProxy(t)
	c, typ := s.Core(nil), "enms_device"
	named := func(name string) acctest.Attributes { return acctest.Attributes{"name": s.Expand(name)} }
	state := c.Applied(typ, named("NAME-C"), c.NoState(typ))
	s.Put("device", enms.Object{"name": "NAME-D"})()
	run := s.Core(nil).InOneRun()
	renamed, created := make(chan acctest.Problems, 1), make(chan acctest.Problems, 1)
	var begin sync.Once
	liar.SetRewrite(func(r *http.Request, _ func() (int, []byte)) []byte {
		if r.Method == http.MethodPost && r.URL.Path == "/rest/instance/device" {
			begin.Do(func() { // the creation is there before the rename
				go func() {
					_, diags := run.Apply(typ, named("NAME-D"), state)
					renamed <- diags
				}()
			})
		}
		return nil
	})
	go func() {
		_, diags := run.Apply(typ, named("NAME-C"), c.NoState(typ))
		created <- diags
	}()
	for what, ended := range map[string]chan acctest.Problems{`named "NAME-D"`: renamed, `named "NAME-C"`: created} {
		select {
		case diags := <-ended:
			acctest.CheckSays(diags, t, s.Expand("eNMS already has a device "+what))
		case <-time.After(20 * time.Second):
			t.Fatalf("nobody says that eNMS has a device %s", s.Expand(what))
		}
	}
}

// A member gets the name of its workflow while that is deleted: the rename holds the workflow's name as its scope, and
// waits for it as its new name. One of the two says what is in its way, and neither stands still.
func TestRename_toTheNameOfADeletedScope(t *testing.T) {
	t.Parallel()
	s, liar := acctest.NewServerBehindProxy(t)
	c, typ := s.Core(nil), "enms_service"
	name, scoped := s.Expand("NAME-w"), s.Expand("[NAME-w] a")
	workflow := c.Applied(typ, workflowOf(name), c.NoState(typ))
	member := c.Applied(typ, stepOf(scoped, name), c.NoState(typ))
	run := s.Core(nil).InOneRun()
	ended := make(chan acctest.Problems, 2)
	var begin sync.Once
	liar.SetRewrite(func(r *http.Request, _ func() (int, []byte)) []byte {
		if r.Method == http.MethodPost && r.URL.Path == "/rest/instance/python_snippet_service" {
			begin.Do(func() { // the rename is there before the deletion
				go func() {
					_, diags := run.Apply(typ, nil, workflow)
					ended <- diags
				}()
			})
		}
		return nil
	})
	go func() {
		_, diags := run.Apply(typ, stepOf(name), member)
		ended <- diags
	}()
	for range 2 {
		select {
		case diags := <-ended:
			t.Log(diags)
		case <-time.After(20 * time.Second):
			t.Fatal("the rename and the deletion wait for each other")
		}
	}
}
