// Tests of single updates, of their read back, and of why a write was refused.

package instance

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/resourcetest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// The state after an update is what eNMS has. An update that was refused, or not sent, leaves it as it was.
func TestUpdate_steps(t *testing.T) {
	t.Parallel()
	deleted, renamed := drops("device", "b"), func(to string) step { return makes("device", testserver.Object{"name": "b", "new_name": to}) }
	replaced := inTurn(deleted, device("next"), device("b"))
	for what, test := range map[string]struct {
		id, to   string // the id, "" for that of b or "none", and the new name
		vendor   string
		before   step
		fails    []string
		converts bool // eNMS keeps the vendor z
		says     string
		vendors  string // in the state
		name     string // in the state
		dropped  bool   // the record says that the state no longer has the instance
		pending  bool   // the record has a pending rename
		requests int    // how many writes were sent
		searches int    // 0 for any number
		was      record.Record
		canceled bool // Terraform is interrupted
	}{
		"a change":                 {vendor: "x", vendors: "x", name: "b", requests: 1},
		"no change":                {name: "b", searches: -1},
		"what was left":            {name: "b", was: record.Record{Unfinished: &record.Unfinished{}}},
		"dropped before":           {vendor: "x", was: record.Record{Dropped: true}, before: has("b", applying.Deleted), says: "deleted this device", name: "b", dropped: true},
		"interrupted":              {vendor: "x", canceled: true, before: isDeleted, says: "canceled", name: "b"},
		"its history, not read":    {vendor: "x", fails: []string{"changelog"}, says: "Cannot update device", name: "b"},
		"a rename":                 {to: "n", name: "n", requests: 1},
		"refused":                  {vendor: "x", fails: []string{"POST /rest/instance"}, says: "Cannot update device", name: "b", requests: 1},
		"a rename, refused":        {to: "n", fails: []string{"POST /rest/instance"}, says: "Cannot rename device", name: "b", requests: 1},
		"a name that is taken":     {to: "a", says: `already has a device named "a"`, name: "b", pending: true, requests: 1},
		"not read before":          {vendor: "x", fails: []string{"/rest/search"}, says: "Cannot update device", name: "b"},
		"not read after":           {vendor: "x", fails: []string{"/rest/search", `"vendor"`}, says: "Cannot read back device", vendors: "x", name: "b", requests: 1},
		"no id":                    {id: "none", vendor: "x", says: "its id is not in the state", name: "b"},
		"a rename without an id":   {id: "none", to: "n", says: "its id is not in the state", name: "b"},
		"another id":               {id: "99", vendor: "x", says: "Cannot update device", name: "b", searches: 11},
		"a rename of another id":   {id: "99", to: "n", says: "Cannot update device", name: "b"},
		"replaced":                 {vendor: "x", before: replaced, says: "Somebody deleted it and created another one", name: "b", dropped: true},
		"a rename of what is new":  {to: "n", before: replaced, says: "Somebody deleted it and created another one", name: "b", dropped: true},
		"renamed":                  {vendor: "x", before: renamed("z"), says: `renamed to "z"`, name: "b"},
		"renamed by itself":        {vendor: "x", before: renamed("z"), was: record.Record{PendingRename: &record.PendingWrite{Sent: value.Object{"name": "b", "new_name": "z"}}}, says: `renamed to "z"`, name: "b", pending: true},
		"renamed, and replaced":    {vendor: "x", before: inTurn(renamed("z"), device("b")), says: `renamed to "z"`, name: "b"},
		"renamed at that moment":   {vendor: "x", before: atWrite(renamed("z")), says: "somebody deleted or renamed it", name: "b", requests: 1},
		"deleted at that moment":   {vendor: "x", before: atWrite(replaced), says: "somebody deleted or renamed it", name: "b", requests: 1},
		"renamed as planned":       {to: "n", vendor: "x", before: renamed("n"), vendors: "x", name: "n", requests: 1},
		"renamed otherwise":        {to: "n", before: renamed("z"), says: `is now called "z"`, name: "b", pending: true},
		"changed since the plan":   {vendor: "x", before: makes("device", testserver.Object{"name": "b", "model": "m"}), vendors: "x", name: "b", requests: 1},
		"another value kept":       {vendor: "x", converts: true, says: "did not keep the configured vendor", vendors: "z", name: "b", requests: 2},
		"a rename, another value":  {to: "n", vendor: "x", converts: true, says: "did not keep the configured vendor", vendors: "z", name: "n", pending: true, requests: 1},
		"of another resource":      {vendor: "x", before: has("b", applying.Owned), says: "has this device", name: "b", dropped: true},
		"deleted by another":       {vendor: "x", before: has("b", applying.Deleted), says: "deleted this device", name: "b"},
		"deleted by others":        {vendor: "x", before: deleted, says: "Somebody deleted it", name: "b"},
		"a rename of what is gone": {to: "n", before: deleted, says: "There is no such instance", name: "b", pending: true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.V47)
			i := s.of("device")
			prior := s.read(t, "device", "b")
			switch test.id {
			case "":
			case "none":
				prior["id"] = tftypes.NewValue(tftypes.String, nil)
			default:
				prior["id"] = tftypes.NewValue(tftypes.String, test.id)
			}
			private := s.recordOf(t, "device", "b")
			private.Unfinished, private.Dropped, private.PendingRename, private.Managed = test.was.Unfinished, test.was.Dropped, test.was.PendingRename, []string{"location"}
			if test.before != nil {
				test.before(t, s, New(i.Kind, s.Provider))
			}
			config := resourcetest.Texts(map[string]string{"name": "b", "vendor": test.vendor})
			if test.to != "" {
				config["name"] = tftypes.NewValue(tftypes.String, test.to)
			}
			planned := s.planOf("device", config, prior)
			s.Set(t)
			s.Refuse(test.fails...)
			if test.converts {
				s.Intercept(func(_ http.ResponseWriter, r *http.Request, body []byte) bool {
					r.Body = io.NopCloser(strings.NewReader(strings.ReplaceAll(string(body), `"vendor":"x"`, `"vendor":"z"`)))
					return false
				})
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if test.canceled {
				cancel()
			}
			state, private, diags := i.Update(ctx, config, planned, prior, private)
			got := resourcetest.Text(diags)
			if n := s.Count("POST /rest/search"); test.searches > 0 && n != test.searches || test.searches < 0 && len(s.Requests()) > 0 || private.Unfinished != nil || slices.Contains(private.Managed, "location") != diags.HasError() {
				t.Errorf("its record is %+v; requests %v", private, s.Requests())
			}
			if diags.HasError() && test.requests == 0 && slices.Contains(private.Managed, "vendor") {
				t.Errorf("an update that was not sent manages %q", private.Managed)
			}
			if value.Text(state["name"]) != test.name || value.Text(state["vendor"]) != test.vendors || (got == "") != (test.says == "") || !strings.Contains(got, test.says) {
				t.Errorf("the state has %q with the vendor %q. %s", value.Text(state["name"]), value.Text(state["vendor"]), got)
			}
			if private.Dropped != test.dropped || (private.PendingRename != nil) != test.pending || s.Count("POST /rest/instance") != test.requests {
				t.Errorf("its record is %+v; requests %v", private, s.Requests())
			}
		})
	}
}

// read returns the state of an instance. The provider has read nothing afterwards.
func (s *server) read(t *testing.T, typ, name string) kind.Values {
	t.Helper()
	k := kind.Named(s.Kinds, typ)
	state, err := New(k, resourcetest.Provider(t, s.Server.Server)).ReadExisting(t.Context(), name, plans.WithAllProperties(kind.Values{}))
	testserver.Must(t, err)
	return state
}

// recordOf returns the record of an instance that was read just now.
func (s *server) recordOf(t *testing.T, typ, name string) record.Record {
	t.Helper()
	i := New(kind.Named(s.Kinds, typ), resourcetest.Provider(t, s.Server.Server))
	_, private, diags := i.Read(t.Context(), resourcetest.Texts(map[string]string{"name": name}), record.Record{Imported: true})
	if diags.HasError() {
		t.Fatal(resourcetest.Text(diags))
	}
	return private
}

// step is what others, or another resource of the run, do with the instances of a type.
type step func(t *testing.T, s *server, i *Instances)

// inTurn does several things, one after the other.
func inTurn(steps ...step) step {
	return func(t *testing.T, s *server, i *Instances) {
		t.Helper()
		for _, do := range steps {
			do(t, s, i)
		}
	}
}

// atWrite does something when the first write or deletion arrives, before eNMS acts on it.
func atWrite(do step) step {
	return func(t *testing.T, s *server, i *Instances) {
		t.Helper()
		var once sync.Once
		s.Intercept(func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
			if r.Method != http.MethodGet && strings.HasPrefix(r.URL.Path, "/rest/instance") {
				once.Do(func() { do(t, s, i) })
			}
			return false
		})
	}
}

// makes writes an instance.
func makes(typ string, object testserver.Object) step {
	return func(t *testing.T, s *server, _ *Instances) {
		t.Helper()
		s.Add(t, typ, object)
	}
}

// device makes a device.
func device(name string) step { return makes("device", testserver.Object{"name": name}) }

// drops deletes an instance.
func drops(typ, name string) step {
	return func(t *testing.T, s *server, _ *Instances) {
		t.Helper()
		s.Ask(t, "", http.MethodDelete, "/rest/instance/"+typ+"/"+name, nil, new(any))
	}
}

// isDeleted begins a deletion of b.
func isDeleted(t *testing.T, s *server, i *Instances) {
	t.Helper()
	end, err := i.begin(t.Context(), applying.Delete, s.IDs["b"], "b")
	testserver.Must(t, err)
	t.Cleanup(end)
}

// has records what another resource has done with a device.
func has(name string, status applying.Status) step {
	return func(_ *testing.T, s *server, i *Instances) {
		i.recordOutcome(s.state("device", name, name), "", applying.Ownership{Status: status})
	}
}

// An answer that is not as planned is read again, and what eNMS does not return is asked for.
func TestReadBack(t *testing.T) {
	t.Parallel()
	text := func(x string) tftypes.Value { return tftypes.NewValue(tftypes.String, x) }
	for what, test := range map[string]struct {
		planned         kind.Values
		existed         bool // it is an update
		late            int  // the search before which the device gets the vendor x
		fails           []string
		says            string
		searches, reads int    // 0 searches for any requests
		again           int    // the reads when the same is read back once more
		answer          string // of searches, in place of eNMS's
	}{
		"as planned":           {searches: 1},
		"late":                 {planned: kind.Values{"vendor": text("x")}, late: 2, searches: 2},
		"not kept":             {planned: kind.Values{"vendor": text("y")}, says: "did not keep the configured vendor", searches: 8, again: 0},
		"not found":            {fails: []string{"/rest/search"}, says: "Cannot read back device", searches: 1},
		"unreadable":           {answer: `[{"id":5,"name":"b","type":"device","vendor":7}]`, says: "Cannot read back device", searches: 1},
		"unknown gateways":     {planned: kind.Values{"gateways": tftypes.NewValue(value.StringSet, tftypes.UnknownValue)}, existed: true, searches: 1, reads: 1, again: 1},
		"unknown at creation":  {planned: kind.Values{"gateways": tftypes.NewValue(value.StringSet, tftypes.UnknownValue)}, searches: 1},
		"a property":           {planned: kind.Values{"properties": value.FromJSON(map[string]any{"unknown": "x"})}, says: `does not return the field "unknown"`, searches: 1, reads: 1, again: 1},
		"a property, not read": {planned: kind.Values{"properties": value.FromJSON(map[string]any{"unknown": "x"})}, fails: []string{"GET"}, says: "Cannot read back device", searches: 1, reads: 1},
		"rights":               {planned: kind.Values{"rbac_read": value.SetOf([]string{"g"})}, searches: 1, reads: 1},
		"rights of an update":  {planned: kind.Values{"rbac_read": value.SetOf([]string{"g"})}, existed: true, searches: 1, reads: 1},
		"no rights":            {planned: kind.Values{"rbac_edit": value.SetOf(nil)}, searches: 1, reads: 1},
		"unknown rights":       {planned: kind.Values{"rbac_read": tftypes.NewValue(value.StringSet, tftypes.UnknownValue)}, existed: true, searches: 1, reads: 1, again: 1},
		"other rights":         {planned: kind.Values{"rbac_read": value.SetOf([]string{"h"})}, says: "did not keep the configured rbac_read"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.V47)
			s.Add(t, "group", testserver.Object{"name": "g"})
			s.Add(t, "device", testserver.Object{"name": "b", "rbac_read": []string{"g"}})
			planned := s.read(t, "device", "b")
			for _, a := range kind.Named(s.Kinds, "device").Table().Unsearched {
				if a.Automatic != nil {
					planned[a.Name] = a.Null()
				}
			}
			maps.Copy(planned, test.planned)
			refusal := testserver.Refusal(test.fails...)
			s.Set(t)
			s.Intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
				if s.Count("POST /rest/search") == test.late && test.late > 0 {
					s.Add(t, "device", testserver.Object{"name": "b", "vendor": "x"})
				}
				if test.answer != "" && r.URL.Path == "/rest/search" {
					_, _ = io.WriteString(w, test.answer)
					return true
				}
				return len(test.fails) > 0 && refusal(w, r, body)
			})
			w := s.of("device").write(planned, planned, nil, record.Record{})
			w.existed = test.existed
			found := w.readBack(t.Context(), value.Object{"name": "b"})
			_, diags := w.stateAfterWrite(t.Context(), found)
			if got := resourcetest.Text(diags); (got == "") != (test.says == "") || !strings.Contains(got, test.says) {
				t.Errorf("it says %q, want %q", got, test.says)
			}
			if test.searches == 0 {
				return
			}
			if s.Count("POST /rest/search") != test.searches || s.Count("GET /rest/instance") != test.reads {
				t.Errorf("its requests are %v", s.Requests())
			}
			s.Set(t)
			w.readBack(t.Context(), value.Object{"name": "b"})
			if test.fails == nil && s.Count("GET /rest/instance") != test.again {
				t.Errorf("the next time, its requests are %v", s.Requests())
			}
		})
	}
}

// An update of relations alone is not sent if eNMS has them by now, and is if that cannot be found out.
func TestAlreadyHolds(t *testing.T) {
	t.Parallel()
	text := func(x string) tftypes.Value { return tftypes.NewValue(tftypes.String, x) }
	for what, test := range map[string]struct {
		typ, name string
		planned   kind.Values
		fails     []string
		want      bool
		asked     bool
	}{
		"has":                    {typ: "task", name: "t", planned: kind.Values{"devices": value.SetOf([]string{"b"})}, want: true, asked: true},
		"has others":             {typ: "task", name: "t", planned: kind.Values{"devices": value.SetOf([]string{"a"})}, asked: true},
		"has one of two":         {typ: "task", name: "t", planned: kind.Values{"devices": value.SetOf([]string{"b"}), "service": text("w")}, asked: true},
		"has both":               {typ: "task", name: "t", planned: kind.Values{"devices": value.SetOf([]string{"b"}), "service": text("[w] s")}, want: true, asked: true},
		"not only relations":     {typ: "task", name: "t", planned: kind.Values{"devices": value.SetOf([]string{"b"}), "description": text("x")}},
		"not read":               {typ: "task", name: "t", planned: kind.Values{"devices": value.SetOf([]string{"b"})}, fails: []string{"/rest/"}, asked: true},
		"in one's own":           {typ: "device", name: "b", planned: kind.Values{"gateways": value.SetOf([]string{"g"})}, want: true, asked: true},
		"in one's own, not read": {typ: "device", name: "b", planned: kind.Values{"gateways": value.SetOf([]string{"g"})}, fails: []string{"/rest/"}, asked: true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.V47)
			s.Add(t, "task", testserver.Object{"name": "t", "service": "[w] s", "devices": []string{"b"}})
			s.Add(t, "gateway", testserver.Object{"name": "g"})
			s.Add(t, "device", testserver.Object{"name": "b", "gateways": []string{"g"}})
			prior := s.read(t, test.typ, test.name)
			planned := maps.Clone(prior)
			for name, v := range test.planned {
				planned[name] = v
				prior[name] = tftypes.NewValue(v.Type(), nil)
			}
			s.Set(t)
			s.Refuse(test.fails...)
			w := s.of(test.typ).write(planned, planned, prior, record.Record{})
			if got := w.alreadyHolds(t.Context(), payloads.Update(w.kind, w.config, planned, prior)); got != test.want || (len(s.Requests()) > 0) != test.asked {
				t.Errorf("%t, want %t; requests %v", got, test.want, s.Requests())
			}
		})
	}
}

// A rename is sent with the name that the instance has by now, unless others gave it another one.
func TestResolveRename(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		id      string
		to      string
		scope   string // of the plan
		renamed string // the workflow w, by this client
		others  string // the workflow w, by others
		fails   []string
		want    string // the name and the new name, or ""
	}{
		"as before":             {id: "[w] s", to: "[w] n", want: "[w] s to [w] n"},
		"no rename":             {id: "[w] s", fails: []string{"/rest/"}, want: "[w] s"},
		"along":                 {id: "[w] s", to: "[v] n", renamed: "v", want: "[v] s to [v] n"},
		"along, as planned":     {id: "[w] s", to: "[v] s", renamed: "v", want: "[v] s"},
		"by others":             {id: "[w] s", to: "[v] n", others: "v"},
		"by others, as planned": {id: "[w] s", to: "[v] n", scope: "v", others: "v", want: "[v] s to [v] n"},
		"gone":                  {id: "99", to: "[w] n"},
		"not read":              {id: "[w] s", to: "[w] n", fails: []string{"/rest/"}},
	} {
		s := newServer(t, simulator.V47)
		prior := s.state("service", test.id, "[w] s")
		planned := maps.Clone(prior)
		if test.scope != "" {
			planned["workflows"] = value.SetOf([]string{test.scope})
		}
		payload := value.Object{"name": "[w] s"}
		if test.to != "" {
			payload["new_name"] = test.to
		}
		w := s.of("service").write(planned, planned, prior, record.Record{})
		if test.renamed != "" {
			testserver.Must(t, s.Client.Upsert(t.Context(), enms.Type{Name: "workflow", Namespace: "service"}, enms.Object{"name": "w", "scoped_name": "v", "new_name": "v"}))
		}
		if test.others != "" {
			s.Add(t, "workflow", testserver.Object{"name": "w", "scoped_name": "v", "new_name": "v"})
		}
		s.Set(t)
		s.Refuse(test.fails...)
		resolved, err := w.resolveRename(t.Context(), payload)
		got := fmt.Sprint(resolved["name"])
		if to, is := resolved["new_name"]; is {
			got += fmt.Sprint(" to ", to)
		}
		if err != nil {
			got = ""
		}
		if got != test.want || s.Count("GET /rest/query/service") > 1 {
			t.Errorf("%s: %q, %v, want %q; requests %v", what, got, err, test.want, s.Requests())
		}
	}
}

// A check after a write asks again while it is undecided, and not after an interrupt.
func TestCheckAfterWrite(t *testing.T) {
	t.Parallel()
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	for what, test := range map[string]struct {
		ctx   context.Context
		next  string
		held  testserver.Object // by eNMS
		fails []string
		says  string
		asked int
	}{
		"decided":                {next: "Not Scheduled", says: "does not schedule"},
		"undecided":              {next: "Scheduler Unreachable", asked: 1},
		"undecided, then not":    {next: "Scheduler Unreachable", held: testserver.Object{"name": "t", "frequency": 60}, says: "does not schedule", asked: 1},
		"undecided, not read":    {next: "Scheduler Unreachable", fails: []string{"/rest/search"}, says: "It is unknown", asked: 1},
		"undecided, interrupted": {ctx: interrupted, next: "Scheduler Unreachable"},
	} {
		s := newServer(t, simulator.V47)
		if test.held != nil {
			s.Add(t, "task", test.held)
		}
		planned := s.read(t, "task", "t")
		planned["is_active"] = tftypes.NewValue(tftypes.Bool, true)
		ctx := t.Context()
		if test.ctx != nil {
			ctx = test.ctx
		}
		s.Set(t)
		s.Refuse(test.fails...)
		w := s.of("task").write(planned, planned, nil, record.Record{})
		answer := value.Object{"name": "t", "is_active": true, "frequency": 1.0, "next_run_time": test.next}
		got := resourcetest.Text(w.checkAfterWrite(ctx, answer))
		if (got == "") != (test.says == "") || !strings.Contains(got, test.says) || s.Count("POST /rest/search") != test.asked {
			t.Errorf("%s: it says %q; requests %v", what, got, s.Requests())
		}
	}
}

// What eNMS does not do by itself after an update is sent, and what failed stays to be done.
func TestFinishUpdate_writesOthers(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		typ, name string
		attribute string
		to        tftypes.Value
		id        string   // in place of that of what has the name
		left      []string // groups that an earlier update has left to be written
		fails     []string
		says      string
		writes    int
		still     int // how many relations are left to be written
	}{
		"a member":               {typ: "service", name: "w", attribute: "placeholder", to: value.FromJSON(true), writes: 1},
		"no member":              {typ: "service", name: "w", attribute: "placeholder", to: value.FromJSON(false)},
		"a member of another":    {typ: "service", name: "w", id: "99", attribute: "placeholder", to: value.FromJSON(true), says: "created another one"},
		"a member, not read":     {typ: "service", name: "w", attribute: "placeholder", to: value.FromJSON(true), fails: []string{"GET /rest/instance"}, says: "GET /rest/instance"},
		"a member, refused":      {typ: "service", name: "w", attribute: "placeholder", to: value.FromJSON(true), fails: []string{"POST /rest/instance"}, says: "Cannot update service", writes: 1},
		"refreshed":              {typ: "user", name: "admin", attribute: "groups", to: value.SetOf([]string{"g", "gone"}), writes: 1},
		"not refreshed":          {typ: "user", name: "admin", attribute: "groups", to: value.SetOf(nil)},
		"refreshed with what is": {typ: "user", name: "admin", attribute: "groups", to: value.SetOf(nil), left: []string{"g"}, writes: 1},
		"refreshed, refused":     {typ: "user", name: "admin", attribute: "groups", to: value.SetOf([]string{"g"}), left: []string{"g"}, fails: []string{"POST /rest/instance"}, says: `riting group "g" again`, writes: 1, still: 2},
		"refreshed, not read":    {typ: "user", name: "admin", attribute: "groups", to: value.SetOf([]string{"g"}), fails: []string{"/rest/search"}, says: `riting group "g" again`, still: 1},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.V47)
			s.Add(t, "group", testserver.Object{"name": "g"})
			prior := s.state(test.typ, cmp.Or(test.id, test.name), test.name)
			prior["type"] = tftypes.NewValue(tftypes.String, "workflow")
			planned := maps.Clone(prior)
			planned[test.attribute] = test.to
			if test.typ == "user" {
				prior["groups"] = value.SetOf(nil)
			}
			private := record.Record{}
			if test.left != nil {
				private.Unfinished = &record.Unfinished{Refresh: []relate.Related{{Type: "group", Names: test.left}}}
			}
			s.Set(t)
			s.Refuse(test.fails...)
			still, diags := s.of(test.typ).write(planned, planned, prior, private).finishUpdate(t.Context())
			s.Intercept(nil)
			got, left := resourcetest.Text(diags), 0
			if still != nil {
				left = len(still.Refresh)
			}
			if (got == "") != (test.says == "") || !strings.Contains(got, test.says) || (still != nil) != (got != "") || left != test.still || s.Count("POST /rest/instance") != test.writes {
				t.Errorf("it says %q, with %v left; requests %v", got, still, s.Requests())
			}
			if w, err := s.Client.Get(t.Context(), "service", "w"); err != nil || slices.Contains(w["services"].([]any), any("[Shared] Placeholder")) != (what == "a member") {
				t.Errorf("the workflow has %v, %v", w["services"], err)
			}
		})
	}
}

// A refusal gets the reason that can be found out.
func TestExplainRefusal(t *testing.T) {
	t.Parallel()
	failed := &enms.StatusError{Method: http.MethodPost, Status: http.StatusInternalServerError}
	exists := func(typ, name string) func(s *server) error {
		return func(s *server) error {
			return &enms.ExistsError{Type: typ, Name: name, ID: s.IDs[name], FoundType: typ}
		}
	}
	err := func(err error) func(*server) error { return func(*server) error { return err } }
	device := func(name string) kind.Values { return resourcetest.Texts(map[string]string{"name": name}) }
	targets := kind.Values{"name": tftypes.NewValue(tftypes.String, "n"), "service": tftypes.NewValue(tftypes.String, "[w] s"), "devices": value.SetOf([]string{"b", "nowhere", "absent"})}
	at := func(name, source string) kind.Values { return edge(name, source, "[Shared] End") }
	missing := &enms.RefusedError{Missing: &enms.Reference{Type: "device", Name: "nowhere"}}
	for what, test := range map[string]struct {
		typ     string
		planned kind.Values
		prior   kind.Values
		cause   func(s *server) error
		adopts  bool
		owned   bool // another resource has a
		deleted bool // in the Workflow Builder
		user    string
		fails   []string
		want    string
	}{
		"taken":                      {typ: "device", planned: device("a"), cause: exists("device", "a"), want: "*enms.ExistsError"},
		"taken by another resource":  {typ: "device", planned: device("a"), owned: true, cause: exists("device", "a"), want: "*failures.Owned"},
		"hidden":                     {typ: "device", planned: device("z"), cause: err(&enms.ExistsError{Type: "device", Name: "z", ID: "99", FoundType: "device"}), want: "*failures.Hidden"},
		"deleted in the builder":     {typ: "device", planned: device("z"), adopts: true, cause: err(&enms.ExistsError{Type: "device", Name: "z", ID: "99", FoundType: "device", SoftDeleted: true}), want: "*enms.ExistsError"},
		"to be adopted":              {typ: "device", planned: device("a"), adopts: true, cause: exists("device", "a"), want: "*failures.Meanwhile"},
		"to be adopted, renamed":     {typ: "device", planned: device("a"), prior: device("b"), adopts: true, cause: exists("device", "a"), want: "*enms.ExistsError"},
		"to be adopted, but spelled": {typ: "device", planned: device("A"), adopts: true, cause: err(&enms.ExistsError{Type: "device", Name: "A", ID: "1", FoundName: "a", FoundType: "device"}), want: "*enms.ExistsError"},
		"to be adopted, other type":  {typ: "device", planned: device("r"), adopts: true, cause: err(&enms.ExistsError{Type: "device", Name: "r", ID: "3", FoundType: "router"}), want: "*enms.ExistsError"},
		"elsewhere":                  {typ: "workflow_edge", planned: at("e", "[w] s"), cause: exists("workflow_edge", "e"), want: "*failures.Elsewhere"},
		"elsewhere, updated":         {typ: "workflow_edge", planned: at("e", "[w] s"), prior: at("f", "[w] s"), cause: exists("workflow_edge", "e"), want: "*enms.ExistsError"},
		"elsewhere, not read":        {typ: "workflow_edge", planned: at("e", "[w] s"), fails: []string{"/rest/search"}, cause: exists("workflow_edge", "e"), want: "*enms.ExistsError"},
		"at its place":               {typ: "workflow_edge", planned: at("e", "[Shared] Start"), cause: exists("workflow_edge", "e"), want: "*enms.ExistsError"},
		"a place that is taken":      {typ: "workflow_edge", planned: at("f", "[Shared] Start"), cause: err(failed), want: `refused to create workflow_edge "f"`},
		"a place, updated":           {typ: "workflow_edge", planned: at("f", "[Shared] Start"), prior: at("f", "[w] s"), cause: err(failed), want: "if the two exchange these, have Terraform make one of them anew (terraform apply -replace), or leave one out for one apply"},
		"a place, not read":          {typ: "workflow_edge", planned: at("f", "[Shared] Start"), fails: []string{"/rest/search"}, cause: err(failed), want: "*rest.StatusError"},
		"a place, refused otherwise": {typ: "workflow_edge", planned: at("f", "[Shared] Start"), cause: err(enms.ErrForbidden), want: "*errors.errorString"},
		"a free place":               {typ: "workflow_edge", planned: at("f", "[w] s"), cause: err(failed), want: "*rest.StatusError"},
		"its own place":              {typ: "workflow_edge", planned: at("e", "[Shared] Start"), cause: err(failed), want: "*rest.StatusError"},
		"no place":                   {typ: "device", planned: device("z"), cause: err(failed), want: "*rest.StatusError"},
		"missing":                    {typ: "task", planned: targets, cause: err(missing), want: `eNMS has no device "absent", device "nowhere"$`},
		"missing, but there by now":  {typ: "task", planned: targets, cause: err(&enms.RefusedError{Missing: &enms.Reference{Type: "device", Name: "b"}}), want: `eNMS has no device "absent", device "nowhere", device "b"`},
		"refused, of an update":      {typ: "device", planned: device("a"), prior: device("a"), user: "ann", cause: err(&enms.RefusedError{Reason: "x"}), want: "*endpoint.RefusedError"},
		"missing elsewhere":          {typ: "device", planned: device("z"), cause: err(missing), want: "*endpoint.RefusedError"},
		"refused for its values":     {typ: "task", planned: targets, cause: err(&enms.RefusedError{Reason: "x"}), want: "*endpoint.RefusedError"},
		"a right of an update":       {typ: "device", planned: device("a"), prior: device("a"), user: "ann", cause: err(failed), want: "add a group of this user to its rbac_edit"},
		"no right of a creation":     {typ: "device", planned: device("a"), user: "ann", cause: err(failed), want: "*rest.StatusError"},
		"all rights":                 {typ: "device", planned: device("a"), prior: device("a"), cause: err(failed), want: "*rest.StatusError"},
		"a right, refused otherwise": {typ: "device", planned: device("a"), prior: device("a"), user: "ann", cause: err(enms.ErrForbidden), want: "*errors.errorString"},
		"an unknown type":            {typ: "service", planned: resourcetest.Texts(map[string]string{"name": "n", "type": "no_such_service"}), cause: err(failed), want: "it has no such type"},
		"nothing":                    {typ: "device", planned: device("a"), cause: err(nil), want: "<nil>"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.V47)
			if test.user != "" {
				s.Add(t, "user", testserver.Object{"name": test.user, "password": test.user})
				s.Add(t, "group", testserver.Object{"name": "g", "users": []string{test.user}, "menu": []string{}, "pages": []string{}, "delete_requests": []string{}, "get_requests": []string{"/rest/instance", "/rest/query"}, "post_requests": []string{"/rest/search"}})
				s.Provider = resourcetest.ProviderOf(t, s.Server.Server, test.user)
			}
			for _, row := range s.Query(t, "workflow_edge", nil) {
				s.IDs["e"] = fmt.Sprint(row["id"])
			}
			if test.owned {
				has("a", applying.Owned)(t, s, s.of("device"))
			}
			s.AdoptExisting = test.adopts
			s.Refuse(test.fails...)
			found := s.of(test.typ).write(test.planned, test.planned, test.prior, record.Record{}).explainRefusal(t.Context(), test.cause(s))
			if got := fmt.Sprintf("%T", found); got != test.want && (strings.HasPrefix(test.want, "*") || found == nil || !strings.Contains(found.Error()+"$", test.want)) {
				t.Errorf("%s %v, want %s", got, found, test.want)
			}
		})
	}
}
