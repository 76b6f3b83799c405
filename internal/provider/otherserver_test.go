// Tests of a state that was written at one server, and of a provider block with another one.

package provider_test

import (
	"context"
	"net/http/httptest"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

const otherServer = "This state belongs to another eNMS"

// besideInstances are resources that are no instances: the type, a configuration, and another one.
func besideInstances(s *acctest.Server) []besideInstance {
	s.Put("workflow", enms.Object{"name": "NAME-w", "scoped_name": "NAME-w"})()
	s.Put("python_snippet_service", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s", "run_method": "once", "skip_value": "success", "source_code": "results['success'] = True"})()
	s.Put("network", enms.Object{"name": "NAME-n"})()
	s.Put("device", enms.Object{"name": "NAME-d", "networks": []string{s.Expand("NAME-n")}})()
	at := func(member string, x float64) any {
		return acctest.Positions(map[string][2]float64{s.Expand(member): {x, 1}})
	}
	return []besideInstance{
		{"enms_workflow_layout", acctest.Attributes{"workflow": s.Expand("NAME-w"), "positions": at("[Shared] End", 700)}, acctest.Attributes{"workflow": s.Expand("NAME-w"), "positions": at("[Shared] End", 800)}},
		{"enms_network_layout", acctest.Attributes{"network": s.Expand("NAME-n"), "positions": at("NAME-d", 700)}, acctest.Attributes{"network": s.Expand("NAME-n"), "positions": at("NAME-d", 800)}},
		{"enms_service_run", acctest.Attributes{"service": s.Expand("NAME-s"), "triggers": headerMap("a", "1")}, acctest.Attributes{"service": s.Expand("NAME-s"), "triggers": headerMap("a", "2")}},
		{"enms_pools_update", acctest.Attributes{"triggers": headerMap("a", "1")}, acctest.Attributes{"triggers": headerMap("a", "2")}},
	}
}

type besideInstance struct {
	typ             string
	config, changed acctest.Attributes
}

// newAddress serves the simulator of a server at another address, too: a server whose content is alike.
func newAddress(s *acctest.Server) (url string) {
	s.OnlySimulated("it is served at two addresses")
	served := httptest.NewServer(s.Simulator)
	s.T.Cleanup(served.Close)
	return served.URL
}

// For a state of another server, nothing is sent: by no read, no plan, no apply of a saved plan and no deletion.
func TestOtherServer_nothingIsSent(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	a, b := s.Core(nil), s.Core(acctest.Attributes{"base_url": newAddress(s)})
	for _, r := range besideInstances(s) {
		state := a.Refreshed(r.typ, a.Applied(r.typ, r.config, a.NoState(r.typ)))
		change, _ := a.Plan(r.typ, r.changed, state)
		deletion, _ := a.Plan(r.typ, nil, state)
		saved := map[string]acctest.Planned{"a change": change, "a deletion": deletion}
		if r.typ == "enms_service_run" { // tainted, it is created anew, and the plan keeps the address for the deletion
			tainted := state
			tainted.Tainted = true
			again, _ := a.Plan(r.typ, r.config, tainted)
			again.Value, again.Config = a.NoState(r.typ).Value, a.NoState(r.typ).Value
			saved["the deletion of a tainted run"] = again
		}
		s.Simulator.ResetRequests()
		read, diags := b.Refresh(r.typ, state)
		acctest.CheckSays(diags, t, otherServer, s.URL, "former_base_urls")
		if !read.Value.Equal(state.Value) {
			t.Errorf("%s: the state has become %s", r.typ, read.Value)
		}
		for what, config := range map[string]acctest.Attributes{"no change": r.config, "a change": r.changed, "a deletion": nil} {
			if _, diags = b.Plan(r.typ, config, state); len(diags) != 1 || !diags.Failed() {
				t.Errorf("%s: plan of %s with -refresh=false: %s", r.typ, what, diags)
			}
		}
		for what, saved := range saved {
			if saved.Replace && !saved.Value.IsNull() {
				continue // its first half is the deletion
			}
			resp, err := b.Provider.ApplyResourceChange(context.Background(), &tfprotov6.ApplyResourceChangeRequest{TypeName: r.typ, PriorState: b.Encode(state.Value),
				PlannedState: b.Encode(saved.Value), Config: b.Encode(saved.Config), PlannedPrivate: saved.Private, PlannedIdentity: saved.Identity})
			if err != nil {
				t.Fatal(err)
			}
			acctest.CheckSays(resp.Diagnostics, t, otherServer)
			if !b.Decode(r.typ, resp.NewState).Equal(state.Value) {
				t.Errorf("%s: apply of a saved plan of %s: the state has become %s", r.typ, what, b.Decode(r.typ, resp.NewState))
			}
		}
		if sent := s.Simulator.Requests(); len(sent) > 0 {
			t.Errorf("%s: %d requests were sent: %v", r.typ, len(sent), sent)
		}
	}
}

// A run that only plans has one error, whatever the number of resources.
func TestOtherServer_isSaidOnce(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	a, b := s.Core(nil), s.Core(acctest.Attributes{"base_url": newAddress(s)})
	run, found := b.NewRun(), 0
	for _, r := range besideInstances(s) {
		state := a.Applied(r.typ, r.config, a.NoState(r.typ))
		read, diags := run.Refresh(r.typ, state)
		found += len(diags)
		_, diags = run.Plan(r.typ, r.changed, read)
		found += len(diags)
	}
	if found != 1 {
		t.Errorf("%d diagnostics, want 1", found)
	}
}

// A server that has moved is accepted if the setting lists its former address. A read then records the new one,
// as it does for a state that has none.
func TestOtherServer_formerAddress(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	moved := newAddress(s)
	a, b := s.Core(nil), s.Core(acctest.Attributes{"base_url": moved})
	listed := s.Core(acctest.Attributes{"base_url": moved, "former_base_urls": textList("https://enms.example.com", s.URL+"/")})
	for _, r := range besideInstances(s) {
		state := listed.Refreshed(r.typ, a.Applied(r.typ, r.config, a.NoState(r.typ)))
		b.PlansNothing(r.typ, r.config, state)
		_, diags := a.Plan(r.typ, r.config, state)
		acctest.CheckSays(diags, t, otherServer, moved)
		state = listed.Applied(r.typ, r.changed, a.Applied(r.typ, r.config, a.NoState(r.typ)))
		state = b.Applied(r.typ, r.config, state)
		b.Applied(r.typ, nil, state)

		state = a.Applied(r.typ, r.config, a.NoState(r.typ))
		state.Private = nil
		state = b.Refreshed(r.typ, state)
		_, diags = a.Plan(r.typ, r.config, state)
		acctest.CheckSays(diags, t, otherServer, moved)
	}
}
