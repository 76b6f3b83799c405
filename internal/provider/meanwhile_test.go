// What others do between a plan and its apply, or to what this provider has let
// go of: nothing is doubled, taken for another, or planned away.

package provider_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// An instance that somebody renames between the plan and the apply is not created a
// second time: eNMS would create what it does not find by name.
func TestRenamedBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	device := attributes{"name": s.expand("NAME-d"), "ip_address": "10.0.0.1"}
	state := c.applied("enms_device", device, c.none("enms_device"))
	t.Cleanup(s.drop("device", "NAME-e"))
	device["vendor"] = "Cisco"
	s.put("device", enms.Object{"name": "NAME-d", "new_name": "NAME-e"})()
	after, diags := c.apply("enms_device", device, state)
	if !s.says("Cannot update device", `renamed it to "NAME-e"`, "deleted again", "Plan again").MatchString(diags.String()) {
		t.Error(diags)
	}
	if after.text(t, "id") != state.text(t, "id") || s.absent("device", "NAME-d")(nil) != nil {
		t.Errorf("%s; a second device: %v", after.value, s.absent("device", "NAME-d")(nil))
	}
	c.applied("enms_device", device, c.refreshed("enms_device", after))
	if err := s.absent("device", "NAME-e")(nil); err != nil || s.get("device", "NAME-d")["vendor"] != "Cisco" {
		t.Error("did not converge:", err)
	}

	workflow := attributes{"name": s.expand("NAME-W"), "type": "workflow"}
	c.applied("enms_service", workflow, c.none("enms_service"))
	t.Cleanup(s.drop("service", "NAME-W2"))
	step := attributes{"name": s.expand("[NAME-W] x"), "workflows": []string{s.expand("NAME-W")}}
	state = c.applied("enms_service", step, c.none("enms_service"))
	step["description"] = "changed"
	s.put("workflow", enms.Object{"name": "NAME-W", "scoped_name": "NAME-W2", "new_name": "NAME-W2"})()
	after, diags = c.apply("enms_service", step, state)
	if !s.says("Cannot update service", `renamed it to "[NAME-W2] x"`).MatchString(diags.String()) || after.text(t, "id") != state.text(t, "id") {
		t.Error(diags)
	}
	for _, second := range []string{"x", "[NAME-W] x"} {
		if err := s.absent("service", second)(nil); err != nil {
			t.Error(err)
		}
	}
}

// A service that somebody shares in eNMS gets another name by that. It is not gone.
func TestSharedByOthers(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	config := attributes{"name": s.expand("NAME-x"), "shared": false}
	state := c.applied("enms_service", config, c.none("enms_service"))
	s.put("service", enms.Object{"name": "NAME-x", "scoped_name": "NAME-x", "shared": true, "new_name": "[Shared] NAME-x"})()
	now := c.refreshed("enms_service", state)
	if now.value.IsNull() || now.text(t, "name") != s.expand("[Shared] NAME-x") {
		t.Fatalf("not recognised: %s", now.value)
	}
	now = c.applied("enms_service", config, now)
	if err := s.absent("service", "[Shared] NAME-x")(nil); err != nil || now.text(t, "id") != state.text(t, "id") {
		t.Error(now.value, err)
	}
	c.applied("enms_service", nil, now)
}

// A task of another service is not the one that was in the state, even if it
// got its id and has the same schedule.
func TestTaskWithTheIdOfAnother(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("ids are only reused for sure when nobody else writes")
	c := s.core(nil)
	schedule := attributes{"service": "[Shared] Start", "scheduling_mode": "cron", "crontab_expression": "0 2 * * *", "is_active": true}
	schedule["name"] = "mine"
	state := c.applied("enms_task", schedule, c.none("enms_task"))
	s.drop("task", "mine")()
	s.put("task", enms.Object{"name": "theirs", "service": "[Shared] End", "scheduling_mode": "cron", "crontab_expression": "0 2 * * *", "is_active": true})()
	state = c.applied("enms_task", schedule, c.refreshed("enms_task", state))
	c.planIsEmpty("enms_task", schedule, state)
	if err := s.holds("task", "theirs", "service", "[Shared] End")(nil); err != nil || state.text(t, "id") == fmt.Sprint(s.get("task", "theirs")["id"]) {
		t.Errorf("somebody else's task was taken for a renamed one: %s %v", state.value, err)
	}
}

// Three runs that create the same at the same time: each instance is in the state
// of one of them, and the others are told that its name is taken. Of a task all
// three may be told so: eNMS keeps tasks of a list that it refuses, and does not
// say which (enms-rest.md 0.1).
func TestRunsThatCreateTheSame(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.put("device", enms.Object{"name": "NAME-target"})()
	t.Cleanup(s.drop("device", "NAME-target"))
	runs := []*core{s.core(nil), s.core(nil), s.core(nil)}
	for i, c := range runs {
		runs[i] = c.inOneRun()
	}
	for typ, config := range map[string]attributes{
		"enms_device":  {"vendor": "Nokia"},
		"enms_service": {"type": "python_snippet_service"},
		"enms_task":    {"service": "[Shared] Start", "devices": []string{s.expand("NAME-target")}},
	} {
		const instances = 4
		var states [instances][3]resourceState
		var callers sync.WaitGroup
		for i := range instances {
			for j, c := range runs {
				callers.Go(func() {
					config := maps.Clone(config)
					config["name"] = s.expand(fmt.Sprintf("NAME-%d", i))
					var diags problems
					states[i][j], diags = c.apply(typ, config, c.none(typ))
					if states[i][j].value.IsNull() && !(diags.on("name") && strings.Contains(diags.String(), "already has a")) {
						t.Errorf("%s %d: %s", typ, i, diags)
					}
				})
			}
		}
		callers.Wait()
		for i := range instances {
			owners := 0
			for j, state := range states[i] {
				if !state.value.IsNull() {
					owners++
					if _, diags := runs[j].apply(typ, nil, state); diags.failed() {
						t.Error(diags)
					}
				}
			}
			if owners == 0 && typ == "enms_task" {
				s.drop("task", fmt.Sprintf("NAME-%d", i))()
				owners = 1
			}
			if owners != 1 {
				t.Errorf("%s %d is in %d states", typ, i, owners)
			}
		}
	}
}

// What eNMS does not answer, such as a secret, does not count as written when
// the update failed.
func TestSecretOfAFailedUpdate(t *testing.T) {
	t.Parallel()
	notOn(t, "services have no field conn_timeout, which is to be refused here", "enms-4.4")
	s := newServer(t)
	c := s.core(nil)
	config := func(properties map[string]any) attributes {
		return attributes{"name": s.expand("NAME-s"), "type": "netmiko_commands_service", "properties": properties}
	}
	state := c.applied("enms_service", config(map[string]any{"driver": "device"}), c.none("enms_service"))
	state, diags := c.apply("enms_service", config(map[string]any{"driver": "device", "custom_password": "new", "conn_timeout": "abc"}), state)
	if !diags.failed() {
		t.Fatal("a text was taken for a number of seconds")
	}
	wanted := config(map[string]any{"driver": "device", "custom_password": "new"})
	if p, diags := c.plan("enms_service", wanted, c.refreshed("enms_service", state)); diags.failed() || p.noop {
		t.Error("the password counts as written", diags)
	}
	c.applied("enms_service", nil, state)
}

// An update that never got out has set nothing.
func TestUpdateThatWasNotSent(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	config := attributes{"name": s.expand("NAME-d")}
	state := c.applied("enms_device", config, c.none("enms_device"))
	s.put("device", enms.Object{"name": "NAME-d", "location": "roof"})()
	state = c.refreshed("enms_device", state)
	config["location"] = "cellar"
	away := newCoreOf(t, impatient(), attributes{"base_url": "http://127.0.0.1:1", "username": "a", "password": "b", "max_retries": 0})
	state, diags := away.apply("enms_device", config, state)
	if !diags.failed() {
		t.Fatal("nobody is there")
	}
	delete(config, "location")
	if p, diags := c.plan("enms_device", config, c.refreshed("enms_device", state)); diags.failed() || !p.noop {
		t.Errorf("the location of somebody else is planned away: %s %s", p.value, diags)
	}
	c.applied("enms_device", nil, state)
}

// An attribute that was removed from the configuration while it had its default is no
// longer managed: changes by others are not reported as drift.
func TestAttributeLetGoAtItsDefault(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	config := attributes{"name": s.expand("NAME-d"), "description": ""}
	state := c.applied("enms_device", config, c.none("enms_device"))
	s.put("device", enms.Object{"name": "NAME-d", "description": "by hand"})()
	if p, _ := c.plan("enms_device", config, c.refreshed("enms_device", state)); p.noop {
		t.Error("the drift of a configured attribute is not seen")
	}
	delete(config, "description")
	state = c.refreshed("enms_device", state)
	if p, _ := c.plan("enms_device", config, state); !p.noop {
		t.Errorf("the description of somebody else is planned away: %s", p.value)
	}
	c.applied("enms_device", nil, state)
}

// An interrupted creation that eNMS finishes later is found by the next apply.
func TestInterruptedCreation(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("it has to be slow at the right moment")
	arrived, finish := make(chan bool), make(chan bool)
	done := make(chan bool)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/rest/instance") {
			body, _ := io.ReadAll(r.Body)
			late := r.Clone(context.Background())
			late.Body = io.NopCloser(bytes.NewReader(body))
			close(arrived)
			<-finish
			s.simulator.ServeHTTP(httptest.NewRecorder(), late)
			close(done)
			return
		}
		s.simulator.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	c := newCore(t, attributes{"base_url": front.URL, "username": "admin", "password": "admin"})
	config := attributes{"name": s.expand("NAME-d"), "vendor": "Cisco"}
	none := c.none("enms_device")
	p, diags := c.plan("enms_device", config, none)
	if diags.failed() {
		t.Fatal(diags)
	}
	ctx, interrupt := context.WithCancel(context.Background())
	go func() {
		<-arrived
		interrupt()
	}()
	resp, err := c.server.ApplyResourceChange(ctx, &tfprotov6.ApplyResourceChangeRequest{TypeName: "enms_device",
		PriorState: c.encode(none.value), PlannedState: c.encode(p.value), Config: c.encode(p.config), PlannedPrivate: p.private})
	if err != nil || !problems(resp.Diagnostics).failed() {
		t.Fatal(err, problems(resp.Diagnostics))
	}
	close(finish)
	<-done
	state := resourceState{value: c.decode("enms_device", resp.NewState), private: resp.Private, tainted: true}
	sound := s.core(nil)
	state = sound.refreshed("enms_device", state)
	if state.text(t, "id") == "" {
		t.Error("what eNMS made is in no state")
	}
	sound.applied("enms_device", config, state)
}

// What is merely unknown yet, or was there before, is no error.
func TestPlansThatAreNoErrors(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	unknown := tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
	if _, diags := s.core(attributes{"deletion_policy": "disable"}).plan("enms_device",
		attributes{"name": "x", "deletion_policy": unknown}, s.core(nil).none("enms_device")); diags.failed() {
		t.Error("an unknown deletion policy:", diags)
	}
	c := s.core(nil)
	s.put("task", enms.Object{"name": "NAME-t", "service": "[Shared] Start", "start_date": "2029-01-01", "end_date": "2030-01-01"})()
	t.Cleanup(s.drop("task", "NAME-t"))
	state, diags := c.importByName("enms_task", s.expand("NAME-t"))
	if diags.failed() {
		t.Fatal(diags)
	}
	if _, diags := c.plan("enms_task", attributes{"name": s.expand("NAME-t"), "service": "[Shared] Start"}, state); diags.failed() {
		t.Error("dates that are not configured:", diags)
	}
}

// An instance that was deleted between a plan and its apply is told as gone, and by nothing
// else: that eNMS keeps another id is no value of the configuration.
func TestDeletedBetweenPlanAndApply(t *testing.T) {
	t.Parallel()
	for typ, change := range map[string]attributes{"enms_device": {"vendor": "x"}, "enms_pool": {"description": "x"}, "enms_task": {"description": "x"}} {
		s := newServer(t)
		config := attributes{"name": s.expand("NAME-x")}
		if typ == "enms_task" {
			config["service"] = "[Shared] Start"
		}
		kind := strings.TrimPrefix(typ, "enms_")
		t.Cleanup(s.drop(kind, "NAME-x"))
		earlier, c := s.core(nil), s.core(nil)
		state := earlier.applied(typ, config, earlier.none(typ))
		maps.Copy(config, change)
		p, diags := c.plan(typ, config, state)
		if diags.failed() {
			t.Fatal(diags)
		}
		s.put(kind, enms.Object{"name": "NAME-other"})() // so that its id is not given again
		t.Cleanup(s.drop(kind, "NAME-other"))
		s.drop(kind, "NAME-x")()
		after, diags := c.applyWith(typ, p, config, state)
		if said := diags.String(); !strings.Contains(said, "was gone") || strings.Contains(said, "another id") || strings.Count(said, "ERROR") != 1 {
			t.Errorf("%s: %s", typ, said)
		}
		if next, diags := c.plan(typ, config, c.refreshed(typ, after)); diags.failed() {
			t.Errorf("%s: the plan after it: %s %s", typ, diags, next.value)
		}
	}
}
