// Tests of what a creation whose answer was lost leaves in the state, and of how its instance is known again.

package faultstest

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// afterThePlan is the first request of a creation itself: its plan looks for the name.
const afterThePlan = 2

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

// Terraform destroys what is tainted, and with -refresh=false nothing is read before. Not even the same values prove that
// an entry is what the creation has made.
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

// Once it is read, an entry whose creation had happened is replaced with the resource.
func TestPendingCreate_entryIsReplacedOnceRead(t *testing.T) {
	t.Parallel()
	p := newFaultyPlay(t, faultyCase{operation: operationNamed("create"), kind: "device"})
	config := acctest.Attributes{"type": "device", "instances": map[string]any{"one": map[string]any{}}}
	if err := p.injector.Set(faults.Rule{Fault: faults.HTML, Nth: afterThePlan + 1}); err != nil {
		t.Fatal(err)
	}
	state, diags := p.faultyCore().Apply("enms_instances", config, p.core().NoState("enms_instances"))
	if !strings.Contains(diags.String(), "Cannot read back") || !state.Tainted {
		t.Fatal(diags)
	}
	state = p.core().Applied("enms_instances", config, p.core().Refreshed("enms_instances", state))
	acctest.PlanIsEmpty(p.core(), "enms_instances", config, state)
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
