// Tests of single creations and adoptions: with what the run and others have done before, and with requests that fail.

package instance

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/resourcetest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// planOf returns the plan of a configuration.
func (s *server) planOf(typ string, config, prior kind.Values) kind.Values {
	return plans.New(kind.Named(s.Kinds, typ), config, prior, nil, time.Now()).Planned
}

// idOf returns the id of an instance, or "".
func (s *server) idOf(t *testing.T, typ, name string) string {
	t.Helper()
	if row := s.Get(t, typ, name); row != nil {
		return fmt.Sprint(row["id"])
	}
	return ""
}

// A creation has a state if what it made is in eNMS, and an adoption only if it has succeeded.
func TestCreate_steps(t *testing.T) {
	t.Parallel()
	vendor := kind.Values{"vendor": tftypes.NewValue(tftypes.String, "x")}
	owners := kind.Values{"owners": value.SetOf([]string{"admin"})}
	refused, made := []string{"POST /rest/instance"}, "w: [w] s -> [Shared] End (success)"
	flawed := kind.Values{"type": tftypes.NewValue(tftypes.String, "workflow"), "properties": value.FromJSON(map[string]any{"positions": []any{"x"}})}
	at := func(source string) kind.Values { return edge("", source, "[Shared] End") }
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for what, test := range map[string]struct {
		typ, name string
		config    kind.Values
		adopts    bool
		before    step
		fails     []string
		says      string // "" if it says nothing
		state     string // the name in the state, or "" for no state
		requests  int    // 0 for any number
		cancels   string // in a request at which Terraform is interrupted
	}{
		"new":                         {typ: "device", name: "n", state: "n", requests: 4},
		"new, with rights":            {typ: "device", name: "n", config: kind.Values{"rbac_read": value.SetOf([]string{"g"})}, before: makes("group", testserver.Object{"name": "g"}), state: "n", requests: 7},
		"new, after a mark":           {typ: "device", name: "n", before: marks, state: "n"},
		"taken":                       {typ: "device", name: "a", says: "already has a device"},
		"refused":                     {typ: "device", name: "n", fails: refused, says: "Cannot create device"},
		"adopted":                     {typ: "device", name: "a", adopts: true, config: vendor, state: "a"},
		"adopted as it is":            {typ: "device", name: "a", adopts: true, state: "a"},
		"adopted, made meanwhile":     {typ: "device", name: "n", adopts: true, before: atWrite(device("n")), says: "Apply again to take it over"},
		"adopted, absent":             {typ: "device", name: "n", adopts: true, state: "n"},
		"adopted, refused":            {typ: "device", name: "a", adopts: true, config: vendor, fails: refused, says: "Cannot update device"},
		"adopted, not read":           {typ: "device", name: "a", adopts: true, fails: []string{"/rest/search"}, says: "Cannot take over device"},
		"adopted from another":        {typ: "device", name: "a", adopts: true, before: leaves("a", applying.Owned), says: "has this device"},
		"adopted, as another updates": {typ: "device", name: "a", adopts: true, before: updates, says: "has this device"},
		"taken by another":            {typ: "device", name: "a", before: leaves("a", applying.Owned), says: "has this device"},
		"left by another":             {typ: "device", name: "a", before: leaves("a", applying.Abandoned), state: "a"},
		"released by another":         {typ: "device", name: "a", before: leaves("a", applying.Released), says: "already has a device"},
		"left switched off":           {typ: "service", name: "[w] s", before: switchedOff, state: "[w] s"},
		"given up by a rename":        {typ: "device", name: "b", before: givesUp("rename"), state: "b"},
		"given up by one that ended":  {typ: "device", name: "b", before: givesUp("rename that ends"), state: "b"},
		"given up by a deletion":      {typ: "device", name: "b", before: givesUp("deletion"), state: "b"},
		"left, with no id":            {typ: "device", name: "a", before: leaves("", applying.Abandoned), state: "a"},
		"another one left":            {typ: "device", name: "a", before: leaves("b", applying.Abandoned), says: "already has a device"},
		"another one left, adopted":   {typ: "device", name: "a", adopts: true, before: leaves("b", applying.Abandoned), state: "a"},
		"owners":                      {typ: "device", name: "n", config: owners, state: "n"},
		"interrupted":                 {typ: "device", name: "n", config: kind.Values{"owners": value.SetOf([]string{"ann"})}, cancels: "ann", says: "canceled", requests: 1},
		"owners, refused":             {typ: "device", name: "n", config: owners, fails: []string{"POST /rest/instance", `"owners"`}, says: "The device itself was created", state: "n"},
		"another owner, refused":      {typ: "device", name: "n", config: kind.Values{"owners": value.SetOf([]string{"ann"})}, before: makes("user", testserver.Object{"name": "ann"}), fails: []string{"POST /rest/instance", `"owners"`}, says: "The device itself was created", state: "n"},
		"owners, absent":              {typ: "device", name: "n", config: kind.Values{"owners": value.SetOf([]string{"nobody"})}, says: `has no user "nobody"`},
		"members not yet created":     {typ: "group", name: "n", config: kind.Values{"users": value.SetOf([]string{"admin", "bob"})}, says: "without some of its users", state: "n"},
		"one never created":           {typ: "task", name: "n", config: kind.Values{"service": tftypes.NewValue(tftypes.String, "[w] s"), "devices": value.SetOf([]string{"b", "x"})}, says: `has no device "x"`},
		"stored, with an error":       {typ: "service", name: "wf", config: flawed, says: "was created nevertheless", state: "wf"},
		"adopted, in part":            {typ: "workflow_edge", name: "e", config: kind.Values{"workflow": tftypes.NewValue(tftypes.String, "w")}, adopts: true, state: "e"},
		"its place":                   {typ: "workflow_edge", config: at("[w] s"), state: made, requests: 7},
		"a place, adopted":            {typ: "workflow_edge", config: at("[Shared] Start"), adopts: true, state: "e"},
		"a made name that is taken":   {typ: "workflow_edge", config: at("[w] s"), before: makes("workflow_edge", testserver.Object{"name": "e", "new_name": made}), state: made + " 2"},
		"a name that is elsewhere":    {typ: "workflow_edge", name: "e", config: at("[w] s"), says: "are others by now"},
		"adopted, but elsewhere":      {typ: "workflow_edge", name: "e", config: at("[w] s"), adopts: true, says: "are others by now"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.V47)
			i := s.of(test.typ)
			if test.before != nil {
				test.before(t, s, New(i.Kind, s.Provider))
			}
			s.Refuse(test.fails...)
			s.AdoptExisting = test.adopts
			endpoint := kind.Named(s.Kinds, "pool").Recompute.Endpoint
			s.Run.Computations.AddRequest(endpoint)
			marked := s.Client.HasMark()
			config := kind.Values{}
			for name, v := range test.config {
				config[name] = v
			}
			delete(config, "name")
			if test.name != "" {
				config["name"] = tftypes.NewValue(tftypes.String, test.name)
			}
			planned := s.planOf(test.typ, config, nil)
			if test.name == "" {
				planned["name"] = tftypes.NewValue(tftypes.String, tftypes.UnknownValue)
			}
			before := maps.Clone(planned)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if s.Set(t); test.cancels != "" {
				s.Intercept(func(_ http.ResponseWriter, _ *http.Request, body []byte) bool {
					if strings.Contains(string(body), test.cancels) {
						cancel()
					}
					return false
				})
			}
			state, private, diags := i.Create(ctx, config, planned)
			s.Intercept(nil)
			if all := s.Requests(); test.requests > 0 && len(all) != test.requests || test.typ == "device" && (s.Count("POST /rest/"+endpoint) > 0) != (state != nil) {
				t.Errorf("its requests are %v", all)
			}
			if !maps.EqualFunc(planned, before, tftypes.Value.Equal) {
				t.Errorf("the plan is another one: %v", planned)
			}
			got := resourcetest.Text(diags)
			if value.Text(state["name"]) != test.state || (got == "") != (test.says == "") || !strings.Contains(got, test.says) || value.Text(state["id"]) != s.idOf(t, test.typ, test.state) {
				t.Errorf("the state has %q, want %q. %s", value.Text(state["name"]), test.state, got)
			}
			if state == nil && strings.Contains(got, "nevertheless") || strings.Count("\n"+got, "\nError: ") > 1 {
				t.Error(got)
			}
			if state != nil && (private.Origin == nil || private.PendingCreate != nil || private.Adopted && !test.adopts || private.Origin.After != (marked || strings.Contains(got, "nevertheless"))) {
				t.Errorf("its record is %+v", private)
			}
			if end, taken, err := s.Run.Owners.BeginAdoption(interrupted, i.Kind.Namespace, s.IDs["a"]); err != nil || taken != (what == "adopted, as another updates") {
				t.Errorf("its adoption has not ended: %t, %v", taken, err)
			} else if end != nil {
				end()
			}
			if owned := i.known(test.name, ""); test.name != "" && (state != nil) != (owned != nil && owned.Owner == i.owner && owned.Status == applying.Owned) {
				t.Errorf("the run has recorded %+v", owned)
			}
		})
	}
}

// leaves records what another resource has done with the instance that it knows as a.
func leaves(id string, status applying.Status) step {
	return func(_ *testing.T, s *server, i *Instances) {
		i.recordOutcome(s.state("device", id, "a"), "", applying.Ownership{Status: status})
	}
}

// marks takes a mark, as a read does.
func marks(t *testing.T, s *server, _ *Instances) {
	t.Helper()
	s.Client.TakeMark(t.Context())
}

// switchedOff leaves the service [w] s disabled, as another resource does with the policy "disable".
func switchedOff(t *testing.T, s *server, i *Instances) {
	t.Helper()
	state := s.read(t, "service", "[w] s")
	s.Add(t, "service", testserver.Object{"name": "[w] s", "scoped_name": "s", "disabled": true})
	i.recordOutcome(state, "", applying.Ownership{Status: applying.Abandoned})
	t.Cleanup(func() {
		if s.Get(t, "service", "[w] s")["disabled"] != false {
			t.Error("it is still disabled")
		}
	})
}

// givesUp lets another operation of the run give up the name b once the creation has found that it is taken.
func givesUp(by string) step {
	return func(t *testing.T, s *server, i *Instances) {
		t.Helper()
		renames, name := &s.Run.Renames, i.NameOf(s.state("device", "b", "b"))
		var rename *applying.Rename
		if by != "deletion" {
			rename = renames.Begin(name, applying.Name{Namespace: name.Namespace, Text: "z"}, nil)
		}
		var once sync.Once
		s.Intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) (answered bool) {
			if !strings.HasPrefix(r.URL.Path, "/rest/search") {
				return false
			}
			once.Do(func() {
				answered = true
				s.Injector.ServeHTTP(w, r)
				if rename == nil {
					s.Ask(t, "", http.MethodDelete, "/rest/instance/device/b", nil, new(any))
					renames.Free(name)
					return
				}
				s.Add(t, "device", testserver.Object{"name": "b", "new_name": "z"})
				if rename.Release(); by == "rename that ends" {
					renames.End(rename, false)
				}
			})
			return answered
		})
	}
}

// updates begins an update of a, which its resource knows by another name.
func updates(t *testing.T, s *server, i *Instances) {
	t.Helper()
	end, err := i.begin(t.Context(), applying.Update, s.IDs["a"], "another name")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
}

// What a failed creation has left is in the state if it is the outcome, and pending if that is not certain.
func TestRecoverFailedCreate(t *testing.T) {
	t.Parallel()
	refused, unread := &enms.RefusedError{Reason: "x"}, []string{"GET /rest/instance"}
	for what, test := range map[string]struct {
		name    string
		payload value.Object
		since   time.Duration // the creation began this long from now
		cause   error
		fails   []string
		want    string // the name in the state, with "?" if it is pending
	}{
		"stored":                    {name: "a", cause: refused, want: "a"},
		"not stored":                {name: "n", cause: refused},
		"of others":                 {name: "a", payload: value.Object{"name": "a", "scoped_name": "z", "vendor": "x"}, cause: refused},
		"of before":                 {name: "a", since: time.Hour, cause: refused},
		"not read":                  {name: "a", cause: refused, fails: unread, want: "a?"},
		"lost":                      {name: "a", cause: &enms.AmbiguousError{}, want: "a?"},
		"taken":                     {name: "a", cause: &enms.ExistsError{}},
		"never sent":                {name: "a", cause: &enms.UnreachableError{}},
		"a 500":                     {name: "a", cause: &enms.StatusError{Method: "POST", Status: 500}},
		"a 500, not read":           {name: "a", cause: &enms.StatusError{Method: "POST", Status: 500}, fails: unread, want: "a?"},
		"another name":              {name: "n", cause: &enms.RenamedError{Asked: "n", Got: "a"}, want: "a"},
		"another name, and no more": {name: "a", cause: &enms.RenamedError{Asked: "a", Got: "n"}, want: "a"},
	} {
		s := newServer(t, simulator.V47)
		if test.payload != nil {
			s.Add(t, "device", testserver.Object{"name": "a", "vendor": "y"})
		}
		s.Refuse(test.fails...)
		planned := s.state("device", "", test.name)
		begin := time.Now().Add(test.since - time.Minute)
		payload := value.Object{"name": test.name}
		if test.payload != nil {
			payload = test.payload
		}
		state, private, diags := s.of("device").write(planned, planned, nil, record.Record{}).afterFailedCreate(t.Context(), creation{payload: payload, refused: test.cause, err: test.cause}, begin)
		got := value.Text(state["name"])
		if pending := private.PendingCreate; pending != nil {
			got += "?"
			if window := pending.When.Until.Sub(pending.When.From); window < stillAtWork {
				t.Errorf("%s: it is pending for %s", what, window)
			}
		} else if state != nil && private.Origin == nil {
			t.Errorf("%s: its record is %+v", what, private)
		}
		if said := resourcetest.Text(diags); got != test.want || strings.Contains(said, "was created nevertheless") != (state != nil && private.PendingCreate == nil) {
			t.Errorf("%s: the state has %q, want %q; it says %s", what, got, test.want, said)
		}
	}
}
