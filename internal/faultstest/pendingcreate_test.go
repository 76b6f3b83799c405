// What is not known for certain must not do harm: an instance of somebody else
// is neither deleted nor taken into the state because an answer was lost.

package faultstest

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// An adoption that failed has taken nothing over: the deletion goes on.
func TestPendingCreate_failedAdoptionLetsDeletionGoOn(t *testing.T) {
	t.Parallel()
	p := newFaultyPlay(t, faultyCase{operation: operationNamed("adopt"), kind: "device"})
	const typ = "enms_device"
	left := p.core().Applied(typ, acctest.Attributes{"name": "one"}, p.core().NoState(typ))
	if err := p.injector.Set(faults.Rule{Fault: faults.Error500, Method: http.MethodPost, Path: "/rest/instance"}); err != nil {
		t.Fatal(err)
	}
	c := p.faultyCore().InOneRun()
	if state, diags := c.Apply(typ, acctest.Attributes{"name": "one", "vendor": "Cisco", "adopt_existing": true}, c.NoState(typ)); !diags.Failed() || !state.Value.IsNull() {
		t.Fatalf("%s %s", state.Value, diags)
	}
	if state, diags := c.Apply(typ, nil, left); diags.Failed() || !state.Value.IsNull() || len(diags) > 0 {
		t.Errorf("%s %s", state.Value, diags)
	}
	if p.s.IDOf("one") != "" {
		t.Error("the device is still there")
	}
}

// afterThePlan is the first request of a creation itself: its plan looks for the name.
const afterThePlan = 2

// uncertain returns a device whose creation never arrived, though nobody knows; then somebody
// else makes one of the same name.
func uncertain(t *testing.T, theirs enms.Object) (*faultyPlay, *managed) {
	t.Helper()
	p := newFaultyPlay(t, faultyCase{operation: operationNamed("create"), kind: "device"})
	p.wants("device", 0, "one")
	m := p.managed[0]
	m.config = acctest.Attributes{"name": "one", "ip_address": "10.0.0.1", "description": "first", "vendor": "Cisco", "port": 22,
		"properties": map[string]any{"creator": "somebody"}}
	if err := p.injector.Set(faults.Rule{Fault: faults.Reset, Nth: afterThePlan}); err != nil {
		t.Fatal(err)
	}
	var diags acctest.Problems
	if m.state, diags = p.faultyCore().Apply(m.typ(), m.config, m.state); !strings.Contains(diags.String(), "It is unknown whether") {
		t.Fatal(diags)
	}
	if !m.state.Tainted || m.state.Text(t, "id") != "" {
		t.Fatalf("the state is %s", m.state.Value)
	}
	theirs["name"] = "one"
	p.s.Put("device", theirs)()
	return p, m
}

// Terraform destroys what is tainted, and with -refresh=false nothing is read before: it
// does not hand over the private state then, which says that the creation is pending.
func TestPendingCreate_isNotDestroyedUnread(t *testing.T) {
	t.Parallel()
	p, m := uncertain(t, enms.Object{"vendor": "Nokia"})
	if _, diags := p.core().Apply(m.typ(), nil, acctest.ResourceState{Value: m.state.Value, Private: m.state.Private}); diags.Failed() {
		t.Error(diags)
	}
	if _, diags := p.core().Apply(m.typ(), m.config, m.state); !strings.Contains(diags.String(), "without -refresh=false") {
		t.Errorf("it is not known whose the device is, but: %s", diags)
	}
	if _, diags := p.core().Apply(m.typ(), m.config, p.core().Refreshed(m.typ(), m.state)); !strings.Contains(diags.String(), "import it with the id") {
		t.Errorf("the name is taken, but: %s", diags)
	}
	if got := p.s.Get("device", "one")["vendor"]; got != "Nokia" {
		t.Errorf("the device of somebody else has the vendor %v", got)
	}
}

// Of an entry of enms_instances, the same holds: not even the same values prove that it is what the creation has made.
func TestPendingCreate_entryIsNotDestroyedUnread(t *testing.T) {
	t.Parallel()
	p := newFaultyPlay(t, faultyCase{operation: operationNamed("create"), kind: "device"})
	config := acctest.Attributes{"type": "device", "instances": map[string]any{"one": map[string]any{}}}
	if err := p.injector.Set(faults.Rule{Fault: faults.Reset, Nth: afterThePlan}); err != nil {
		t.Fatal(err)
	}
	state, diags := p.faultyCore().Apply("enms_instances", config, p.core().NoState("enms_instances"))
	if !strings.Contains(diags.String(), "It is unknown whether") || !state.Tainted {
		t.Fatal(diags)
	}
	p.s.Put("device", enms.Object{"name": "one", "vendor": "Nokia"})()
	if _, diags := p.core().Apply("enms_instances", config, state); !strings.Contains(diags.String(), "its id is not in the state") {
		t.Errorf("it is not known whose the device is, but: %s", diags)
	}
	if got := p.s.Get("device", "one")["vendor"]; got != "Nokia" {
		t.Errorf("the device of somebody else has the vendor %v", got)
	}
}

// What differs from what was sent, in whatever way, did not come of it.
func TestPendingCreate_otherContentIsSomebodyElses(t *testing.T) {
	t.Parallel()
	ours := enms.Object{"ip_address": "10.0.0.1", "description": "first", "vendor": "Cisco", "port": 22, "creator": "somebody"}
	for property, value := range map[string]any{"vendor": "Nokia", "creator": "another", "model": "not sent at all"} {
		theirs := enms.Object{}
		for name, x := range ours {
			theirs[name] = x
		}
		theirs[property] = value
		p, m := uncertain(t, theirs)
		if refreshed, diags := p.core().Refresh(m.typ(), m.state); diags.Failed() || !refreshed.Value.IsNull() {
			t.Errorf("another %s: %s %s", property, refreshed.Value, diags)
		}
	}
	p, m := uncertain(t, ours)
	if refreshed, diags := p.core().Refresh(m.typ(), m.state); diags.Failed() || refreshed.Text(t, "id") == "" {
		t.Errorf("the same: %s %s", refreshed.Value, diags)
	}
}

// An instance that was taken over is not destroyed because it could not be read
// back: it does not become a tainted resource.
func TestPendingCreate_adoptedInstanceIsNotTainted(t *testing.T) {
	t.Parallel()
	p := newFaultyPlay(t, faultyCase{operation: operationNamed("adopt"), kind: "device"})
	p.c.operation.begin(p)
	m := p.managed[0]
	id := p.s.Get("device", "one")["id"]
	if err := p.injector.Set(faults.Rule{Fault: faults.HTML, Path: "/rest/search", Nth: 3}); err != nil {
		t.Fatal(err)
	}
	state, diags := p.faultyCore().Apply(m.typ(), m.config, m.state)
	if !diags.Failed() || !state.Value.IsNull() {
		t.Errorf("%s %s", state.Value, diags)
	}
	state, diags = p.core().Apply(m.typ(), m.config, state)
	if diags.Failed() || state.Text(t, "id") != p.s.Get("device", "one")["id"].(interface{ String() string }).String() {
		t.Errorf("%s %s", state.Value, diags)
	}
	if now := p.s.Get("device", "one")["id"]; now != id {
		t.Errorf("the id was %v and is %v", id, now)
	}
}

// What is remembered of a creation goes into the state file, without secrets. Damage of it is an error: without it, a
// read would forget the instance that was created.
func TestPendingCreate_whatIsKept(t *testing.T) {
	t.Parallel()
	p := newFaultyPlay(t, faultyCase{operation: operationNamed("create"), kind: "service"})
	p.wants("service", 0, "one")
	m := p.managed[0]
	m.config["properties"] = map[string]any{"custom_password": "hunter-two"}
	if err := p.injector.Set(faults.Rule{Fault: faults.Reset, When: faults.After, Nth: afterThePlan}); err != nil {
		t.Fatal(err)
	}
	state, diags := p.faultyCore().Apply(m.typ(), m.config, m.state)
	kept := map[string][]byte{}
	if err := json.Unmarshal(state.Private, &kept); err != nil || !diags.Failed() {
		t.Fatalf("%v, %s, kept %s", err, diags, state.Private)
	}
	if memory := string(kept["instance"]); !strings.Contains(memory, "scoped_name") || strings.Contains(memory+diags.String(), "hunter-two") {
		t.Errorf("remembered: %s", memory)
	}
	kept["instance"] = []byte(`{"pending_create":{"sent":5}}`)
	state.Private, _ = json.Marshal(kept)
	if after, diags := p.core().Refresh(m.typ(), state); !diags.Failed() || after.Value.IsNull() {
		t.Errorf("read: %s %s", after.Value, diags)
	}
	if _, diags := p.core().Apply(m.typ(), nil, acctest.ResourceState{Value: state.Value, Private: state.Private}); !diags.Failed() || p.s.Get("service", "one") == nil {
		t.Errorf("deleted: %s", diags)
	}
}

// What this user writes is stamped with the moment, as the server's clock has it.
func TestPendingCreate_stampTellsWhoWroteAndWhen(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	for typ, payload := range map[string]enms.Object{
		"device":   {"name": "NAME-d"},
		"workflow": {"name": "NAME-w", "scoped_name": "NAME-w"},
	} {
		begin := time.Now()
		s.Put(typ, payload)()
		t.Cleanup(s.Drop(typ, payload["name"].(string)))
		for what, row := range map[string]enms.Object{
			"got":   s.Get(typ, payload["name"].(string)),
			"found": s.Find(typ, payload["name"].(string), "last_modified", "last_modified_by"),
		} {
			window := s.Client.Since(begin)
			if row["last_modified"] == nil || !s.Client.Wrote(row, window) {
				t.Errorf("%s %s: written by %v at %v, which is not in %v", typ, what, row["last_modified_by"], row["last_modified"], window)
			}
			earlier := enms.Window{From: window.From.Add(-8 * time.Minute), Until: window.Until.Add(-5 * time.Minute)}
			if s.Client.Wrote(row, earlier) {
				t.Errorf("%s %s: written at %v, which is not in %v", typ, what, row["last_modified"], earlier)
			}
		}
	}
}

// A creation whose answer was lost is recognised by what eNMS keeps of the values
// that were sent, which may be of another JSON type (enms-rest.md 1.1).
func TestPendingCreate_recognisedByConvertedValues(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "lost answers", simulator.Options{})
	var lose atomic.Bool
	losing := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/rest/instance/") && lose.Swap(false) {
			s.Simulator.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		}
		s.Simulator.ServeHTTP(w, r)
	}))
	t.Cleanup(losing.Close)
	s.URL = losing.URL
	c := s.Core(nil)
	for typ, config := range map[string]acctest.Attributes{
		"enms_device":  {"name": "d", "properties": map[string]any{"property1": true, "property2": 5}},
		"enms_service": {"name": "s", "type": "netmiko_commands_service", "properties": map[string]any{"enable_mode": "false", "read_timeout": "7", "commands": 5, "use_genie": 1}},
	} {
		lose.Store(true)
		state := c.Refreshed(typ, c.Applied(typ, config, c.NoState(typ)))
		if p, diags := c.Plan(typ, config, state); lose.Load() || diags.Failed() || !p.Noop {
			t.Errorf("%s: lost %v, %s%s", typ, !lose.Load(), diags, p.Value)
		}
	}
}

// A creation whose result could not be read back has left the name alone in the state: nobody has changed the rest.
func TestPendingCreate_nobodyHasChangedIt(t *testing.T) {
	t.Parallel()
	p := newFaultyPlay(t, faultyCase{operation: operationNamed("create"), kind: "device"})
	if err := p.injector.Set(faults.Rule{Fault: faults.HTML, Nth: afterThePlan + 1}); err != nil {
		t.Fatal(err)
	}
	const typ = "enms_device"
	config := acctest.Attributes{"name": "one", "ip_address": "10.0.0.1"}
	state, diags := p.faultyCore().Apply(typ, config, p.core().NoState(typ))
	if !strings.Contains(diags.String(), "Cannot read back") || !state.Tainted {
		t.Fatalf("%s %s", state.Value, diags)
	}
	if state, diags = p.core().Refresh(typ, state); len(diags) > 0 || state.Text(t, "ip_address") != "10.0.0.1" {
		t.Errorf("%s %s", state.Value, diags)
	}
}
