// Terraform interrupted (Ctrl-C) at every moment of a creation, an update and a deletion.

package instance_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// interruptedServer is an eNMS behind a server that interrupts Terraform when a request arrives.
type interruptedServer struct {
	*acctest.Server
	core     *acctest.Core
	requests atomic.Int64
	at       atomic.Int64 // the number of the request; 0 for none
	ofWrites bool         // only writes are counted
}

// newInterruptedServer returns a server for a provider that sends mostRequests at the same time; 0 for the default.
func newInterruptedServer(t *testing.T, mostRequests int) *interruptedServer {
	t.Helper()
	i := &interruptedServer{Server: acctest.NewServer(t)}
	i.OnlySimulated("the interrupt comes with a certain request")
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		isWrite := r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/rest/instance/")
		if (isWrite || !i.ofWrites) && i.requests.Add(1) == i.at.Load() {
			if _, err := i.core.Provider.StopProvider(context.Background(), &tfprotov6.StopProviderRequest{}); err != nil {
				t.Error(err)
			}
		}
		i.Simulator.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	i.Former = []string{front.URL}
	config := acctest.Attributes{"base_url": front.URL, "former_base_urls": []string{i.URL}}
	if mostRequests > 0 {
		config["max_concurrent_requests"] = mostRequests
	}
	i.core = i.Core(config)
	i.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
	i.Put("device", enms.Object{"name": "NAME-d0", "vendor": "Cisco"})()
	return i
}

// apply applies a plan, with an interrupt at the request with a number. It returns how many
// requests arrived.
func (i *interruptedServer) apply(typ string, config acctest.Attributes, state acctest.ResourceState, at int64) (acctest.ResourceState, acctest.Problems, int64) {
	i.T.Helper()
	c := i.core
	p, diags := c.Plan(typ, config, state)
	if diags.Failed() {
		i.T.Fatal(diags)
	}
	i.requests.Store(0)
	i.at.Store(at)
	resp, err := c.Provider.ApplyResourceChange(context.Background(), &tfprotov6.ApplyResourceChangeRequest{TypeName: typ,
		PriorState: c.Encode(state.Value), PlannedState: c.Encode(p.Value), Config: c.Encode(p.Config), PlannedPrivate: p.Private, PlannedIdentity: p.Identity})
	if err != nil {
		i.T.Fatal(err)
	}
	i.at.Store(0)
	next := acctest.ResourceState{Value: c.Decode(typ, resp.NewState), Private: resp.Private, Identity: resp.NewIdentity}
	next.Tainted = acctest.Problems(resp.Diagnostics).Failed() && state.Value.IsNull() && !next.Value.IsNull()
	if planned := acctest.Members(i.T, next.Value); config != nil && !acctest.Problems(resp.Diagnostics).Failed() && !resp.UnsafeToUseLegacyTypeSystem { //nolint:staticcheck // as Terraform does
		for name, want := range acctest.Members(i.T, p.Value) {
			if want.IsFullyKnown() && !planned[name].Equal(want) {
				i.T.Errorf("Terraform would find an inconsistent result for %s: %s, planned %s", name, planned[name], want)
			}
		}
	}
	c.Configure() // the next run
	return next, resp.Diagnostics, i.requests.Load()
}

// interrupted are configurations whose operations take several requests, with a change.
func interrupted(s *acctest.Server) map[string][2]acctest.Attributes {
	changed := func(of, change acctest.Attributes) [2]acctest.Attributes {
		next := maps.Clone(of)
		maps.Copy(next, change)
		return [2]acctest.Attributes{of, next}
	}
	named := func(attributes acctest.Attributes) acctest.Attributes {
		attributes["name"] = s.Expand("NAME-x")
		return attributes
	}
	criteria := acctest.Criteria(map[string]acctest.Attributes{"vendor": {"value": "Cisco"}})
	entries := map[string]any{}
	for n := range 3 {
		entries[s.Expand(fmt.Sprintf("NAME-x%d", n))] = map[string]any{"vendor": "Cisco"}
	}
	more := maps.Clone(entries)
	more[s.Expand("NAME-x1")] = map[string]any{"vendor": "Nokia"}
	return map[string][2]acctest.Attributes{
		"enms_device": changed(named(acctest.Attributes{"vendor": "Cisco"}), acctest.Attributes{"vendor": "Nokia"}),
		"enms_pool": changed(named(acctest.Attributes{"device_criteria": criteria}),
			acctest.Attributes{"description": "y"}),
		"enms_task": changed(named(acctest.Attributes{"service": s.Expand("NAME-w"), "devices": []string{s.Expand("NAME-d0")}, "scheduling_mode": "cron", "crontab_expression": "1 2 * * *", "is_active": true}),
			acctest.Attributes{"crontab_expression": "3 4 * * *"}),
		"enms_service":   changed(acctest.Attributes{"name": s.Expand("NAME-x"), "type": "workflow", "owners": []string{"admin"}, "target_devices": []string{s.Expand("NAME-d0")}}, acctest.Attributes{"name": s.Expand("NAME-y")}),
		"enms_instances": changed(acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(entries)}, acctest.Attributes{"instances": acctest.ObjectValue(more)}),
	}
}

// What was made before an interrupt is in the state, whole and not tainted; what was not begun is
// not made. The next apply continues.
func TestInterrupt_atEveryRequest(t *testing.T) {
	t.Parallel()
	for _, typ := range []string{"enms_device", "enms_pool", "enms_task", "enms_service", "enms_instances"} {
		for _, operation := range []string{"create", "update", "delete"} {
			t.Run(typ+" "+operation, func(t *testing.T) {
				t.Parallel()
				for at, last := int64(0), int64(0); at <= last; at++ {
					requests := interruptAt(t, typ, operation, at)
					last = max(last, requests)
				}
			})
		}
	}
}

// interruptAt interrupts one operation at one request, and then continues with it.
func interruptAt(t *testing.T, typ, operation string, at int64) (requests int64) {
	s := newInterruptedServer(t, 0)
	s.T = t
	configs := interrupted(s.Server)[typ]
	before, after := s.core.NoState(typ), configs[0]
	if operation != "create" {
		before, after = s.core.Applied(typ, configs[0], before), configs[1]
	}
	if operation == "delete" {
		after = nil
	}
	state, diags, requests := s.apply(typ, after, before, at)
	if at > 0 && (state.Tainted || diags.Failed() && strings.Contains(diags.String(), "read back")) {
		t.Errorf("interrupted at request %d, what was made is tainted or not read back: %s", at, diags)
	}
	next := s.Core(nil)
	again := next.Refreshed(typ, state)
	if !state.Value.IsNull() && !again.Value.Equal(state.Value) {
		t.Errorf("interrupted at request %d, the state is not what eNMS has: %s, then %s", at, state.Value, again.Value)
	}
	if !diags.Failed() && after != nil {
		if p, more := next.Plan(typ, after, again); !p.Noop && !diags.Warned() {
			t.Errorf("interrupted at request %d without an error, the next plan is not empty: %s %s", at, p.Value, more)
		}
	}
	if done, more := next.Apply(typ, after, again); more.Failed() || (after == nil) != done.Value.IsNull() {
		t.Errorf("interrupted at request %d, the next apply does not continue: %s", at, more)
	}
	return requests
}

// A creation of enms_instances that was interrupted before some entries were sent is not tainted:
// its state lacks them, and the next apply creates them, and nothing else.
func TestInterrupt_entriesNotBegun(t *testing.T) {
	t.Parallel()
	s := newInterruptedServer(t, 1) // so that the second list waits for the first one
	s.ofWrites = true               // the interrupt comes with the first list, whatever else is on its way
	entries := map[string]any{}
	for n := range 1001 { // one more than a list holds
		entries[s.Expand(fmt.Sprintf("NAME-x%d", n))] = map[string]any{"vendor": "Cisco"}
	}
	config := acctest.Attributes{"type": "device", "instances": acctest.ObjectValue(entries)}
	state, diags, _ := s.apply("enms_instances", config, s.core.NoState("enms_instances"), 1)
	made := acctest.Members(t, acctest.Members(t, state.Value)["instances"])
	missing := fmt.Sprintf("%d of 1001 entries were not created", 1001-len(made))
	if state.Tainted || len(made) == 0 || len(made) == 1001 || !s.Says("interrupted", missing, "Apply again").MatchString(diags.String()) {
		t.Errorf("%d entries are in the state: %s", len(made), diags)
	}
	next := s.Core(nil)
	p, _ := next.Plan("enms_instances", config, next.Refreshed("enms_instances", state))
	if p.Replace || p.Noop {
		t.Errorf("the next plan does not create the missing entry: %v %v", p.Replace, p.Noop)
	}
	state = next.Applied("enms_instances", config, state)
	next.Applied("enms_instances", nil, state)
}
