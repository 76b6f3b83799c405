// Tests of single steps of operations: with what others have done just before, and with a request that fails.

package instance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/resourcetest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// server is an eNMS with a provider for it.
type server struct{ *resourcetest.Server }

func newServer(t *testing.T, version simulator.Version) *server {
	t.Helper()
	return &server{resourcetest.New(t, version)}
}

// of returns the instances of a type.
func (s *server) of(typ string) *Instances { return New(kind.Named(kinds.All(), typ), s.Provider) }

// state returns the state of what has an id, or the id of a name.
func (s *server) state(typ, id, name string) kind.Values {
	return resourcetest.Texts(map[string]string{"name": name, "id": cmp.Or(s.IDs[id], id), "type": typ})
}

// sort names the type of an error, "" for nil.
func sort(err error) string {
	if err == nil {
		return ""
	}
	for name, is := range map[string]func(error) bool{
		"gone": failures.Is[failures.Gone], "replaced": failures.Is[*failures.Replaced], "untold": failures.Is[*failures.Untold],
		"unknown id": failures.Is[failures.UnknownID], "failed": failures.Is[*enms.StatusError], "field": failures.Is[*enms.FieldError], "unknown field": failures.Is[*failures.UnknownField],
	} {
		if is(err) {
			return name
		}
	}
	if errors.Is(err, enms.ErrNotFound) {
		return "absent"
	}
	return err.Error()
}

// What is deleted is found by the name and the id; what came in between is told.
func TestDeletion_find(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		typ, id, name string
		inMany        bool
		fails         []string
		want          string
		searches      int // 0 for any number
	}{
		"the instance":            {typ: "device", id: "a", name: "a", searches: 1},
		"another id":              {typ: "device", id: "99", name: "a", want: "untold"},
		"no instance":             {typ: "device", id: "99", name: "x", want: "gone"},
		"another id and type":     {typ: "device", id: "99", name: "r", want: "untold"},
		"no id":                   {typ: "device", name: "a", want: "unknown id", searches: 1},
		"no id and no instance":   {typ: "device", name: "x", want: "absent"},
		"no id of an entry":       {typ: "device", name: "a", inMany: true, want: "unknown id"},
		"no id, another type":     {typ: "device", name: "r", want: "gone"},
		"its id, another type":    {typ: "device", id: "r", name: "r", inMany: true, want: "gone"},
		"an entry of other type":  {typ: "device", id: "99", name: "r", inMany: true, want: "absent"},
		"an instance not read":    {typ: "device", id: "a", name: "a", fails: []string{"/rest/"}, want: "failed"},
		"an unknown one not read": {typ: "device", name: "a", fails: []string{"/rest/"}, want: "failed"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.V47)
			s.Refuse(test.fails...)
			i := s.of(test.typ)
			i.InMany = test.inMany
			state := s.state(test.typ, test.id, test.name)
			s.Set(t)
			found, err := i.deletionOf(state, record.Record{}).findByNameAndID(t.Context())
			if got := sort(err); got != test.want || got == "" && found.ID != s.IDs[test.name] || test.searches > 0 && s.Count("POST /rest/search") != test.searches {
				t.Errorf("%q, %v, want %q; requests %v", got, found, test.want, s.Requests())
			}
		})
	}
}

// eNMS has answered that nothing has the name: the instance is gone, or somewhere else.
func TestDeletion_confirmGone(t *testing.T) {
	t.Parallel()
	pending := record.Record{PendingRename: &record.PendingWrite{Sent: value.Object{"name": "a"}}}
	for what, test := range map[string]struct {
		id, name string
		record   record.Record
		fails    []string
		want     string
	}{
		"no id":       {name: "a", want: "gone"},
		"gone":        {id: "99", name: "x", want: "gone"},
		"elsewhere":   {id: "a", name: "x", want: "untold"},
		"still there": {id: "a", name: "a", record: pending, want: "eNMS answered that nothing has its name, and finds it nevertheless. Apply again"},
		"not read":    {id: "a", name: "a", fails: []string{"/rest/query/device?id"}, want: "failed"},
	} {
		s := newServer(t, simulator.V47)
		s.Refuse(test.fails...)
		if got := sort(s.of("device").deletionOf(s.state("device", test.id, test.name), test.record).confirmGone(t.Context())); got != test.want {
			t.Errorf("%s: %q, want %q", what, got, test.want)
		}
	}
}

// A deletion with each of its requests failing deletes nothing, and says why.
func TestDelete_requestsFail(t *testing.T) {
	t.Parallel()
	sent := record.Record{PendingCreate: &record.PendingWrite{Sent: value.Object{"name": "a"}}}
	other := record.Record{PendingCreate: &record.PendingWrite{Sent: value.Object{"name": "a", "description": "x"}}}
	for what, test := range map[string]struct {
		typ, id, name, policy string
		record                record.Record
		inMany                bool
		fails                 []string
		says                  string
		left                  bool
		owned                 bool      // another resource has updated the link
		meanwhile             step      // what others do when the first deletion arrives
		known                 bool      // it was read before
		linked                [2]string // the source and the destination of another link
	}{
		"nothing fails":             {typ: "device", id: "b", name: "b", record: record.Record{Origin: &record.Origin{}}},
		"its deletion":              {typ: "device", id: "b", name: "b", fails: []string{"DELETE"}, says: "Cannot delete device", left: true},
		"its dependents":            {typ: "device", id: "a", name: "a", says: `eNMS would also delete: link "l"`, left: true},
		"a link from it":            {typ: "device", id: "b", name: "b", linked: [2]string{"b", "r"}, says: `eNMS would also delete: link "m"`, left: true},
		"a link to it":              {typ: "device", id: "b", name: "b", linked: [2]string{"r", "b"}, says: `eNMS would also delete: link "m"`, left: true},
		"those of a service":        {typ: "service", id: "[w] s", name: "[w] s", says: `eNMS would also delete: task "t". `, left: true},
		"those of a workflow":       {typ: "service", id: "w", name: "w", says: `eNMS would also delete: service "[w] s", task "t". Terraform does not manage them, or has not destroyed them yet. Delete or move them first; if this configuration moves them, apply that while it still contains the service. Or set deletion_policy = "cascade" to delete them`, left: true},
		"dependents of an entry":    {typ: "device", id: "a", name: "a", inMany: true, says: `link "l"`, left: true},
		"the look for dependents":   {typ: "device", id: "a", name: "a", policy: kind.PolicyCascade, fails: []string{"link"}, says: "Cannot delete device", left: true},
		"their deletion":            {typ: "device", id: "a", name: "a", policy: kind.PolicyCascade, fails: []string{"DELETE", "link"}, says: `Deleting link "l" first`, left: true},
		"the look for theirs":       {typ: "service", id: "w", name: "w", policy: kind.PolicyCascade, fails: []string{"task"}, says: "Cannot delete service", left: true},
		"dependents with others":    {typ: "service", id: "w", name: "w", policy: kind.PolicyCascade, says: `service "[w] s", task "t". What`},
		"dependents that are gone":  {typ: "device", id: "a", name: "a", policy: kind.PolicyCascade, meanwhile: drops("link", "l"), says: `deleted first: link "l"`},
		"those of a dependent":      {typ: "service", id: "w", name: "w", policy: kind.PolicyCascade, fails: []string{"task", "^(ID)$"}, says: "Cannot delete service", left: true},
		"dependents of another":     {typ: "device", id: "a", name: "a", policy: kind.PolicyCascade, owned: true, says: `link "l". Another resource`, left: true},
		"a pending one":             {typ: "device", name: "a", record: sent, says: `link "l"`, left: true},
		"a pending one's":           {typ: "device", name: "a", record: sent, fails: []string{"link"}, says: "Cannot delete device", left: true},
		"a pending one of others":   {typ: "device", name: "b", record: other, left: true},
		"a pending one, not read":   {typ: "device", name: "b", record: sent, fails: []string{"/rest/"}, says: "Cannot read device", left: true},
		"the members of a group":    {typ: "group", name: "g", fails: []string{"GET /rest/instance/group/g"}, says: "Cannot delete group", left: true},
		"the emptying of a group":   {typ: "group", name: "g", fails: []string{"POST /rest/instance/group"}, says: "Cannot delete group", left: true},
		"to switch it off":          {typ: "service", id: "[w] s", name: "[w] s", policy: kind.PolicyDisable, fails: []string{"POST /rest/instance"}, says: "Cannot delete service", left: true},
		"a policy that leaves it":   {typ: "device", id: "a", name: "a", policy: kind.PolicyAbandon, fails: []string{"/rest/"}, left: true},
		"gone":                      {typ: "device", id: "99", name: "x"},
		"gone, cascade":             {typ: "device", id: "99", name: "x", policy: kind.PolicyCascade},
		"gone, to be left":          {typ: "device", id: "99", name: "x", policy: kind.PolicyAbandon},
		"gone, to be switched off":  {typ: "service", id: "99", name: "x", policy: kind.PolicyDisable},
		"replaced at that moment":   {typ: "device", id: "b", name: "b", known: true, meanwhile: inTurn(drops("device", "b"), device("next"), device("b")), says: "eNMS deleted another device of that name"},
		"renamed at that moment":    {typ: "device", id: "b", name: "b", known: true, meanwhile: makes("device", testserver.Object{"name": "b", "new_name": "z"}), says: `renamed to "z"`},
		"an id that is another one": {typ: "device", id: "99", name: "a", says: "has the id 1, not 99", left: true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.V47)
			if test.typ == "group" {
				s.Add(t, "group", testserver.Object{"name": "g", "users": []string{"admin"}})
				test.id = fmt.Sprint(s.Get(t, "group", "g")["id"])
			}
			if test.linked[0] != "" {
				s.Add(t, "link", testserver.Object{"name": "m", "source": test.linked[0], "destination": test.linked[1]})
			}
			if test.owned {
				s.of("link").recordOutcome(s.state("link", "", "l"), "", applying.Ownership{Status: applying.Owned})
			}
			for n, word := range test.fails {
				test.fails[n] = strings.Replace(word, "ID", s.IDs["[w] s"], 1)
			}
			if test.known {
				test.record = s.recordOf(t, test.typ, test.name)
			}
			i := s.of(test.typ)
			if s.Refuse(test.fails...); test.meanwhile != nil {
				atWrite(test.meanwhile)(t, s, i)
			}
			i.InMany = test.inMany
			state := s.state(test.typ, test.id, test.name)
			state["deletion_policy"] = tftypes.NewValue(tftypes.String, cmp.Or(test.policy, kind.PolicyDelete))
			if test.typ == "service" {
				state["type"] = tftypes.NewValue(tftypes.String, map[bool]string{true: "workflow", false: "service"}[test.name == "w"])
			}
			s.Set(t)
			diags := i.Delete(t.Context(), state, test.record)
			if all := s.Requests(); what == "nothing fails" && len(all) != 3 {
				t.Errorf("its requests are %v", all)
			}
			got := resourcetest.Text(diags)
			s.Intercept(nil)
			if known := i.known(test.name, ""); test.record.PendingCreate == nil && (known.Status == applying.Undeleted) != diags.HasError() {
				t.Errorf("it is recorded as %v", known.Status)
			}
			left := false
			for _, name := range s.Names(t, test.typ) {
				left = left || name == test.name
			}
			if left != test.left || (got == "") != (test.says == "") || !strings.Contains(got, test.says) {
				t.Errorf("it is left: %t. %s", left, got)
			}
		})
	}
}

// What was created under the name later stays as it is, be it with the id of the state, or by a policy that switches it off.
func TestDelete_replaced(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		version     simulator.Version
		typ, policy string
		others      []step
	}{
		"its id":     {simulator.V53, "device", kind.PolicyDelete, []step{drops("device", "z"), device("z")}},
		"its old id": {simulator.V47, "device", kind.PolicyDelete, []step{drops("device", "z"), device("z")}},
		"another id": {simulator.V47, "service", kind.PolicyDisable, []step{drops("service", "z"), makes("service", testserver.Object{"name": "y", "scoped_name": "y"}), makes("service", testserver.Object{"name": "z", "scoped_name": "z"})}},
		"none":       {simulator.V53, "device", kind.PolicyDelete, nil},
		"once":       {simulator.V53, "device", kind.PolicyDelete, nil},
	} {
		s := newServer(t, test.version)
		if what == "once" { // the provider knows the name as that of an instance before
			makes("device", testserver.Object{"name": "z"})(t, s, nil)
			_, err := s.Client.FindOnce(t.Context(), "device", "z")
			testserver.Must(t, err)
			inTurn(makes("device", testserver.Object{"name": "y"}), drops("device", "z"))(t, s, nil)
		}
		makes(test.typ, testserver.Object{"name": "z", "scoped_name": "z"})(t, s, nil)
		state, private := s.read(t, test.typ, "z"), s.recordOf(t, test.typ, "z")
		state["deletion_policy"] = tftypes.NewValue(tftypes.String, test.policy)
		inTurn(test.others...)(t, s, nil)
		got := resourcetest.Text(s.of(test.typ).Delete(t.Context(), state, private))
		left, err := s.Client.FindNow(t.Context(), test.typ, "z", []string{"disabled"})
		replaced := test.others != nil
		if (err == nil) != replaced || left["disabled"] == true || strings.Contains(got, "Somebody deleted") != replaced || (got == "") == replaced {
			t.Errorf("%s: it is %v now, %v: %s", what, left, err, got)
		}
	}
}

// What is switched off is read back: eNMS may have ignored it.
func TestDisable_readBack(t *testing.T) {
	t.Parallel()
	for what, want := range map[string]string{"kept": "", "not kept": "field", "not known": "unknown field"} {
		s := newServer(t, simulator.V47)
		s.Set(t)
		s.Intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
			switch {
			case what == "kept" || r.URL.Path != "/rest/search" || !strings.Contains(string(body), `"disabled"`):
				return false
			case what == "not kept":
				s.Add(t, "service", testserver.Object{"name": "[w] s", "scoped_name": "s", "disabled": false})
				return false
			}
			answer := httptest.NewRecorder()
			s.Injector.ServeHTTP(answer, r)
			_, _ = io.WriteString(w, strings.ReplaceAll(answer.Body.String(), `"disabled"`, `"other"`))
			return true
		})
		err := s.of("service").deletionOf(s.state("service", "[w] s", "[w] s"), record.Record{}).disable(t.Context())
		if got := sort(err); got != want || what != "not kept" && s.Count("POST /rest/search") > 2 {
			t.Errorf("%s: %q; requests %v", what, got, s.Requests())
		}
	}
}

// A plan of a deletion warns of what others have written, in the order of the names, if it can know it.
func TestWarnOfOthers(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		typ, id, name, policy string
		fails                 []string
		forgotten             bool // the changelog is empty
		want                  string
	}{
		"others":             {typ: "device", id: "a", name: "a", want: `link "k" (last written by user "ann"), link "l" (last written by user "ann"). The apply will refuse`},
		"others, cascade":    {typ: "device", id: "a", name: "a", policy: kind.PolicyCascade, want: "so the apply deletes them, too"},
		"abandoned":          {typ: "device", id: "a", name: "a", policy: kind.PolicyAbandon},
		"none":               {typ: "device", id: "b", name: "b"},
		"no id":              {typ: "device", name: "a"},
		"no links":           {typ: "device", id: "a", name: "a", fails: []string{"link"}},
		"no authors":         {typ: "device", id: "a", name: "a", fails: []string{"last_modified_by"}},
		"no author of edges": {typ: "service", id: "w", name: "w", fails: []string{"changelog"}},
		"no edge of others":  {typ: "service", id: "w", name: "w", forgotten: true},
		"no workflow":        {typ: "service", id: "[w] s", name: "[w] s"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.V47)
			s.Add(t, "user", testserver.Object{"name": "ann", "password": "ann", "is_admin": true})
			s.AddAs(t, "ann", "link", testserver.Object{"name": "l", "source": "a", "destination": "a", "description": "hers"}, testserver.Object{"name": "k", "source": "a", "destination": "a"})
			s.Add(t, "link", testserver.Object{"name": "m", "source": "a", "destination": "a"})
			if s.Refuse(test.fails...); test.forgotten {
				s.EmptyChangelog("")
			}
			state := s.state(test.typ, test.id, test.name)
			state["deletion_policy"] = tftypes.NewValue(tftypes.String, cmp.Or(test.policy, kind.PolicyDelete))
			s.Set(t)
			if got := resourcetest.Text(s.of(test.typ).deletionOf(state, record.Record{}).warnOfOthers(t.Context())); (got == "") != (test.want == "") || !strings.Contains(got, test.want) || what == "no workflow" && len(s.Requests()) != 2 {
				t.Errorf("it says %q, want %q; requests %v", got, test.want, s.Requests())
			}
		})
	}
}

// A state has the name that its scope has got in this run, unless something else happened.
func TestFollowScope(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		id    string
		fails []string
		want  string
	}{
		"renamed along": {id: "[w] s", want: "[v] s"},
		"no id":         {want: "[v] s"},
		"another one":   {id: "w", want: "[w] s"},
		"not read":      {id: "[w] s", fails: []string{"/rest/query/service?id"}, want: "[w] s"},
		"gone":          {id: "99", want: "[w] s"},
	} {
		s := newServer(t, simulator.V47)
		if err := s.Client.Upsert(t.Context(), enms.Type{Name: "workflow", Namespace: "service"}, enms.Object{"name": "w", "scoped_name": "v", "new_name": "v"}); err != nil {
			t.Fatal(err)
		}
		s.Refuse(test.fails...)
		if got := value.Text(s.of("service").followScope(t.Context(), s.state("service", test.id, "[w] s"))["name"]); got != test.want {
			t.Errorf("%s: it is %q, want %q", what, got, test.want)
		}
	}
}

// After a failed update, the state is that of the instance under any name that it may have.
func TestAfterFailedUpdate_names(t *testing.T) {
	t.Parallel()
	lost := &enms.AmbiguousError{Type: "device", Name: "a"}
	for now, test := range map[string]struct {
		payload value.Object
		cause   error
		want    string
	}{
		"a":         {value.Object{"name": "a"}, lost, "a"},
		"new":       {value.Object{"name": "a"}, lost, "new"},
		"temporary": {value.Object{"name": "temporary"}, lost, "temporary"},
		"another":   {value.Object{"name": "a"}, &enms.RenamedError{Asked: "a", Got: "another"}, "another"},
		"nowhere":   {value.Object{"name": "a"}, lost, "a"},
		"unsent":    {value.Object{"name": "unsent"}, &enms.UnreachableError{}, "a"},
	} {
		s := newServer(t, simulator.V47)
		if now != "a" {
			s.Add(t, "device", testserver.Object{"name": "b", "new_name": now})
		}
		planned := s.state("device", "b", "new")
		w := s.of("device").write(planned, planned, s.state("device", "b", "a"), record.Record{})
		if now == "a" {
			w.prior = s.state("device", "a", "a")
		}
		state, diags := w.afterFailedUpdate(t.Context(), test.payload, test.cause)
		if got := value.Text(state["name"]); got != test.want || !strings.Contains(resourcetest.Text(diags), `Cannot update device "a"`) {
			t.Errorf("%q: the state has %q, want %q", now, got, test.want)
		}
	}
}

// What earlier updates have left unfinished is done with an update, if it is still wanted.
func TestFinishUpdate_recomputes(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		changed, left, other, off, fails bool // other: something else is left
		want                             int
	}{
		"nothing":                {},
		"a change":               {changed: true, want: 1},
		"a change and the rest":  {changed: true, left: true, want: 1},
		"a change, other rest":   {changed: true, other: true, want: 1},
		"other rest":             {other: true},
		"the rest":               {left: true, want: 1},
		"the rest, switched off": {left: true, off: true},
		"a failure":              {left: true, fails: true, want: 1},
	} {
		s := newServer(t, simulator.V47)
		if test.fails {
			s.Refuse("update_all_pools")
		}
		i := s.of("pool")
		prior, private := s.state("", "7", "p"), record.Record{}
		planned := s.state("", "7", "p")
		if test.changed {
			planned[i.Kind.Recompute.Attributes[0]] = tftypes.NewValue(tftypes.String, "any")
		}
		if test.off {
			planned[i.Kind.Recompute.Setting] = tftypes.NewValue(tftypes.Bool, false)
		}
		if test.left || test.other {
			private.Unfinished = &record.Unfinished{Recompute: test.left}
		}
		s.Set(t)
		still, diags := i.write(planned, planned, prior, private).finishUpdate(t.Context())
		if n := s.Count("POST /rest/" + i.Kind.Recompute.Endpoint); n < test.want || test.want == 0 && n > 0 || diags.HasError() != test.fails || (still != nil) != test.fails || still != nil && !still.Recompute {
			t.Errorf("%s: %v, left %v: %s", what, s.Requests(), still, resourcetest.Text(diags))
		}
	}
}

// A computation that is repeated because others were written after it may fail: that is a warning.
func TestComputeLate_fails(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct{ requested, written, fails bool }{
		"not requested": {written: true}, "nothing written": {requested: true}, "repeated": {requested: true, written: true}, "failed": {requested: true, written: true, fails: true},
	} {
		s := newServer(t, simulator.V47)
		i := s.of("device")
		endpoint := kind.Named(kinds.All(), "pool").Recompute.Endpoint
		if test.fails {
			s.Refuse(endpoint)
		}
		if test.requested {
			i.Provider.Run.Computations.AddRequest(endpoint)
		}
		s.Set(t)
		got := resourcetest.Text(i.computeLate(t.Context(), test.written))
		if (got != "") != test.fails || !strings.Contains(got, map[bool]string{true: "Warning: Cannot compute the"}[test.fails]) || (s.Count("POST /rest/"+endpoint) > 0) != (test.requested && test.written) {
			t.Errorf("%s: %v %s", what, s.Requests(), got)
		}
		asked := len(s.Requests())
		if i.computeLate(t.Context(), false); len(s.Requests()) != asked {
			t.Errorf("%s: it is repeated although nothing was written: %v", what, s.Requests())
		}
	}
}

// A write that computes is over: what is written meanwhile is computed by itself, and does not leave that to this one.
func TestComputeLate_isNoWrite(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.V47)
	i := s.of("device")
	computations := &i.Provider.Run.Computations
	computed := 0
	s.Intercept(func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		if strings.HasSuffix(r.URL.Path, "update_all_pools") {
			computed++
			if !computations.AwaitLast(r.Context()) {
				t.Error("a write that computes counts as one in progress")
			}
		}
		return false
	})
	computations.AddRequest("update_all_pools")
	config := resourcetest.Texts(map[string]string{"name": "n"})
	state, private, diags := i.Create(t.Context(), config, s.planOf("device", config, nil))
	config = resourcetest.Texts(map[string]string{"name": "n", "vendor": "v"})
	_, _, more := i.Update(t.Context(), config, s.planOf("device", config, state), state, private)
	if got := resourcetest.Text(append(diags, more...)); got != "" || computed != 2 {
		t.Errorf("%d computations. %s", computed, got)
	}
}

// The positions of members in an instance that is made anew are restored, for the members that it has and that still exist.
// Their ids, or that of the instance, are sent along: eNMS creates nothing for an id that the user may not edit.
func TestRestorePositions(t *testing.T) {
	t.Parallel()
	at := map[string]any{"x": 1.0, "y": 2.0}
	for version, words := range map[simulator.Version]map[string]bool{
		simulator.V47: {`{"name":"[w] s","id":%s,"positions":{"w":{"x":1,"y":2}}}`: true, `{"name":"[w] two","id":`: true, "Start": false, "gone": false},
		simulator.V53: {`"id":%s,`: false, `"positions"`: true, `"[w] s":{"x":1,"y":2}`: true, `"[w] two":{"x":1,"y":2}`: true, `Start":{"x":1,"y":2}`: false, "gone": false},
	} {
		for _, fails := range []bool{false, true} {
			s := newServer(t, version)
			s.Add(t, "service", testserver.Object{"name": "[w] two", "scoped_name": "two", "workflows": []string{"w"}})
			planned := s.state("workflow", "w", "w")
			planned["workflows"] = tftypes.NewValue(value.StringSet, []tftypes.Value{tftypes.NewValue(tftypes.String, "[w] two")})
			w := s.of("service").write(planned, planned, nil, record.Record{})
			referring := relate.Referring{Relations: map[string]relate.Related{"services": {Type: "service", Names: []string{"[w] s", "[w] gone"}}},
				Positions: map[string]map[string]any{"service": {"[w] s": at, "[w] two": at, "[w] gone": at, "[Shared] Start": at}}}
			var sent string
			s.Intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
				if r.Method == http.MethodPost && strings.HasPrefix(r.URL.Path, "/rest/instance") {
					sent += string(body)
				}
				return fails && testserver.Refusal("POST /rest/instance")(w, r, body)
			})
			if err := w.restorePositions(t.Context(), referring); (err != nil) != fails {
				t.Error(err)
			}
			if fails { // the first failure ends the other moves
				continue
			}
			for word, want := range words {
				if word = strings.ReplaceAll(word, "%s", s.IDs["[w] s"]); strings.Contains(sent, word) != want {
					t.Errorf("%s: it sends %s", word, sent)
				}
			}
		}
	}
}

// The references to what was made anew are restored, but for those to what is gone, or written since; what cannot be
// restored is named.
func TestRestoreReferring(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		tasks   []string // that referred to it
		unknown bool
		since   string // a task that its own resource has written since
		fails   []string
		says    string
		want    string // the devices of the task t
	}{
		"restored":             {tasks: []string{"t"}, want: "[b]"},
		"one is gone":          {tasks: []string{"t", "gone"}, want: "[b]"},
		"written since":        {tasks: []string{"t"}, since: "t", want: "[]"},
		"another written":      {tasks: []string{"t"}, since: "other", want: "[b]"},
		"nothing referred":     {fails: []string{"POST /rest/instance"}, want: "[]"},
		"unknown":              {unknown: true, says: "the answer to its deletion", want: "[]"},
		"refused":              {tasks: []string{"t"}, fails: []string{"POST /rest/instance/device"}, says: "its references (tasks) could not be restored", want: "[]"},
		"positions, refused":   {tasks: []string{"t"}, fails: []string{`"positions"`}, says: "the positions of its members could not be restored", want: "[b]"},
		"positions of nothing": {fails: []string{`"positions"`}, want: "[]"},
	} {
		s := newServer(t, simulator.V47)
		state := s.state("device", "b", "b")
		referring := relate.Referring{Unknown: test.unknown, Positions: map[string]map[string]any{"task": {"t": map[string]any{"x": 1.0}}}}
		if len(test.tasks) > 0 {
			referring.Relations = map[string]relate.Related{"tasks": {Type: "task", Names: test.tasks}}
		}
		s.of("device").recordOutcome(state, "", applying.Ownership{Status: applying.Deleted, Referring: referring})
		if test.since != "" {
			s.of("task").recordOutcome(s.state("task", "", test.since), "", applying.Ownership{Status: applying.Owned})
		}
		s.Refuse(test.fails...)
		got := resourcetest.Text(s.of("device").write(state, state, nil, record.Record{}).restoreReferring(t.Context()))
		s.Intercept(nil)
		task, err := s.Client.Get(t.Context(), "task", "t")
		if devices := fmt.Sprint(task["devices"]); err != nil || devices != test.want || (got == "") != (test.says == "") || !strings.Contains(got, test.says) {
			t.Errorf("%s: the task has the devices %v, %v: %s", what, devices, err, got)
		}
	}
}

// An instance gets a temporary name only if it has the name of the state.
func TestRenameTemporarily(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct{ id, name, want string }{
		"its name": {"b", "b", "b (renamed by Terraform"}, "another name": {"b", "x", ""}, "gone": {"99", "b", ""},
	} {
		s := newServer(t, simulator.V47)
		state, diags := s.of("device").RenameTemporarily(t.Context(), s.state("device", test.id, test.name))
		is := test.want != "" && strings.HasPrefix(value.Text(state["name"]), test.want) && s.idOf(t, "device", value.Text(state["name"])) == s.IDs["b"]
		if stays := s.idOf(t, "device", "b") != ""; is == stays || diags.HasError() == is {
			t.Errorf("%s: %v %s", what, state, resourcetest.Text(diags))
		}
	}
}

// An update waits for the name that another rename gives up. It takes a temporary name only if the other one waits for its own.
func TestSendUpdate_takenName(t *testing.T) {
	t.Parallel()
	for to, isTemporary := range map[string]bool{"z": false, "b": true} {
		s := newServer(t, simulator.V47)
		named := func(name string) applying.Name { return applying.Name{Namespace: "node", Text: name} }
		prior, renames := s.read(t, "device", "b"), &s.Run.Renames
		planned := s.planOf("device", resourcetest.Texts(map[string]string{"name": "a"}), prior)
		mine := renames.Begin(named("b"), named("a"), nil)
		other := renames.Begin(named("a"), named(to), func(context.Context) error {
			return s.Client.Upsert(t.Context(), enms.Type{Name: "device", Namespace: "node"}, value.Object{"name": "a", "new_name": "y"})
		})
		renames.Blocker(other)
		other.Release()
		sent, err := s.of("device").write(planned, planned, prior, record.Record{}).sendUpdate(t.Context(), mine, value.Object{"name": "b", "new_name": "a"})
		if err != nil || (sent["name"] != "b") != isTemporary || s.idOf(t, "device", "a") != s.IDs["b"] {
			t.Errorf("while the other is renamed to %s: %v, %v", to, sent, err)
		}
	}
}

// A made name that is too long is shortened for its number.
func TestNumbered(t *testing.T) {
	t.Parallel()
	for made, want := range map[string]string{"e": "e 2", strings.Repeat("ü", kind.CommonLength): strings.Repeat("ü", kind.CommonLength-2) + " 2", strings.Repeat("ü", kind.CommonLength-2): strings.Repeat("ü", kind.CommonLength-2) + " 2"} {
		if got := numbered(made, 2); got != want {
			t.Errorf("%q has %d characters", got, len([]rune(got)))
		}
	}
}

// edge returns the values of an edge of the workflow w.
func edge(name, source, destination string) kind.Values {
	return resourcetest.Texts(map[string]string{"name": name, "workflow": "w", "source": source, "destination": destination, "subtype": "success"})
}

// Which instance has the planned place, and whether a name is that of an instance there.
func TestPlace_occupants(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		planned kind.Values
		fails   []string
		key     string // of occupantKey: with "e" for its id
		name    string // of occupantName
		err     bool
		free    string // the name that a creation would take
		hidden  bool   // no services can be read
	}{
		"the place of another":      {planned: edge("f", "[Shared] Start", "[Shared] End"), key: "workflow_edge e", name: "e", free: "f"},
		"its own place":             {planned: edge("e", "[Shared] Start", "[Shared] End"), key: ownPlace, name: "e", free: "e"},
		"a free place":              {planned: edge("f", "[Shared] Start", "[w] s"), free: "f"},
		"a free place, its name":    {planned: edge("e", "[Shared] Start", "[w] s"), free: "e 2"},
		"no workflow":               {planned: resourcetest.Texts(map[string]string{"name": "f", "workflow": "", "source": "[Shared] Start"}), free: "f"},
		"places that are not read":  {planned: edge("f", "[Shared] Start", "[Shared] End"), fails: []string{"/rest/search"}, err: true},
		"relations that are hidden": {planned: edge("e", "[Shared] Start", "[w] s"), hidden: true, free: "e 2"},
		"relations not read":        {planned: edge("f", "[Shared] Start", "[Shared] End"), fails: []string{"/rest/search", `"type":"service"`}, key: "workflow_edge e", err: true, free: "f"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.V47)
			if s.Refuse(test.fails...); test.hidden {
				s.Intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
					is := strings.Contains(string(body), `"type":"service"`) || r.URL.Path == "/rest/query/service"
					if is {
						_, _ = io.WriteString(w, "[]")
					}
					return is
				})
			}
			w := s.of("workflow_edge").write(test.planned, test.planned, nil, record.Record{})
			if what != "no workflow" {
				if got := w.occupantKey(t.Context()); got != strings.Replace(test.key, " e", " "+s.IDs["e"], 1) {
					t.Errorf("it is taken by %q, want %q", got, test.key)
				}
			}
			if name, err := w.occupantName(t.Context()); name != test.name || (err != nil) != test.err {
				t.Errorf("it is taken by %q, %v, want %q", name, err, test.name)
			}
			err := w.takeFreeName(t.Context())
			if got := w.name(); (err != nil) != (test.free == "") || err == nil && got != test.free {
				t.Errorf("the name is %q, %v, want %q", got, err, test.free)
			}
		})
	}
}

// A write that is refused is sent again if the place was left, and not if it was refused for another reason.
func TestWriteToPlace(t *testing.T) {
	t.Parallel()
	refused, stays := &enms.StatusError{Method: http.MethodPost, Status: http.StatusInternalServerError}, errors.New("")
	for what, test := range map[string]struct {
		planned kind.Values
		answers []error
		sent    int
		leaves  error // of the update by which the edge e leaves its place meanwhile; stays for none
		updated bool  // the write is an update of e
		visited bool  // while the write is sent the second time, e comes to the place, and leaves it
	}{
		"accepted":                {planned: edge("f", "[Shared] Start", "[w] s"), answers: []error{nil}, sent: 1, leaves: stays},
		"refused otherwise":       {planned: edge("f", "[Shared] Start", "[w] s"), answers: []error{enms.ErrForbidden}, sent: 1, leaves: stays},
		"a free place":            {planned: edge("f", "[Shared] Start", "[w] s"), answers: []error{refused, nil}, sent: 2, leaves: stays},
		"a free place, and still": {planned: edge("f", "[Shared] Start", "[w] s"), answers: []error{refused, refused}, sent: 2, leaves: stays},
		"and still, of an update": {planned: edge("e", "[Shared] Start", "[w] s"), answers: []error{refused, refused}, sent: 2, leaves: stays, updated: true},
		"visited, and free again": {planned: edge("f", "[Shared] Start", "[w] s"), answers: []error{refused, refused, refused, nil}, sent: 4, leaves: stays, visited: true},
		"its own place":           {planned: edge("e", "[Shared] Start", "[Shared] End"), answers: []error{refused}, sent: 1, leaves: stays},
		"its own place, renamed":  {planned: edge("f", "[Shared] Start", "[Shared] End"), answers: []error{refused}, sent: 1, leaves: stays, updated: true},
		"nobody leaves it":        {planned: edge("f", "[Shared] Start", "[Shared] End"), answers: []error{refused}, sent: 1, leaves: stays},
		"another leaves it":       {planned: edge("f", "[Shared] Start", "[Shared] End"), answers: []error{refused, nil}, sent: 2, leaves: nil},
		"another fails to":        {planned: edge("f", "[Shared] Start", "[Shared] End"), answers: []error{refused}, sent: 1, leaves: enms.ErrForbidden},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.V47)
			sent := 0
			i := s.of("workflow_edge")
			e, prior := s.state("workflow_edge", "e", "e"), kind.Values(nil)
			if test.updated {
				prior = e
			}
			s.Set(t)
			err := i.write(test.planned, test.planned, prior, record.Record{}).writeToPlace(t.Context(), func() error {
				sent++
				if visits := map[int]string{2: "[w] s", 3: "[Shared] End"}[sent]; test.visited && visits != "" {
					s.Add(t, "workflow_edge", testserver.Object{"name": "e", "destination": visits})
				}
				if !errors.Is(test.leaves, stays) {
					i.leavePlace(e, test.leaves)
				} else if test.visited && sent == 2 {
					i.leavePlace(e, nil)
				}
				return test.answers[min(sent, len(test.answers))-1]
			})
			if want := test.answers[len(test.answers)-1]; sent != test.sent || !errors.Is(err, want) {
				t.Errorf("sent %d times: %v, want %v", sent, err, want)
			}
			if all := s.Requests(); strings.HasPrefix(what, "its own place") && len(all) != 1 {
				t.Errorf("it waited for itself: requests %v", all)
			}
		})
	}
}

// A workflow has what a search finds, or a GET shows; what is not known is no reason to warn.
func TestCheckEnds(t *testing.T) {
	t.Parallel()
	elsewhere := edge("f", "[Shared] Start", "other")
	elsewhere["workflow"] = tftypes.NewValue(tftypes.String, "v")
	for what, test := range map[string]struct {
		planned, prior kind.Values
		fails          []string
		isLate         bool // searches do not show the members yet
		want           string
	}{
		"members":            {planned: edge("f", "[Shared] Start", "[w] s")},
		"of others":          {planned: edge("f", "[Shared] Start", "other"), want: `"other" is not a service of the workflow`},
		"as before":          {planned: edge("f", "[Shared] Start", "other"), prior: edge("f", "[Shared] End", "other")},
		"another end":        {planned: edge("f", "[Shared] Start", "other"), prior: edge("f", "[Shared] Start", "[w] s"), want: `"other" is not a service of the workflow`},
		"as before, of w":    {planned: edge("f", "[Shared] Start", "other"), prior: elsewhere, want: `"other" is not a service of the workflow`},
		"no end":             {planned: edge("f", "[Shared] Start", "")},
		"shared":             {planned: edge("f", "[Shared] Start", "[Shared] mine")},
		"shared with others": {planned: edge("f", "[Shared] Start", "[Shared] theirs"), want: "[Shared] theirs"},
		"not found":          {planned: edge("f", "[Shared] Start", "[Shared] theirs"), fails: []string{"/rest/search"}},
		"not read":           {planned: edge("f", "[Shared] Start", "[Shared] theirs"), fails: []string{"GET"}},
		"not searched":       {planned: edge("f", "[Shared] Start", "[w] s"), isLate: true},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newServer(t, simulator.V47)
			s.Add(t, "service", testserver.Object{"name": "[Shared] mine", "scoped_name": "mine", "shared": true, "workflows": []string{"w"}}, testserver.Object{"name": "[Shared] theirs", "scoped_name": "theirs", "shared": true})
			if s.Refuse(test.fails...); test.isLate {
				s.Intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
					if r.Method == http.MethodPost {
						_, _ = io.WriteString(w, "[]")
					}
					return r.Method == http.MethodPost
				})
			}
			got := resourcetest.Text(s.of("workflow_edge").write(test.planned, test.planned, test.prior, record.Record{}).checkEnds(t.Context()))
			if (got == "") != (test.want == "") || !strings.Contains(got, test.want) || what == "shared" && s.Count("GET") > 0 {
				t.Errorf("it says %q, want %q; requests %v", got, test.want, s.Requests())
			}
		})
	}
}

// An import, or a move, shows all properties, with which a configuration is written; other reads those of the state, and who
// has changed them. A pending creation has left the name alone in the state, so that nobody has changed the rest.
func TestLifecycle_readWithDefaults(t *testing.T) {
	t.Parallel()
	changed := []string{"description"}
	for what, test := range map[string]struct {
		record record.Record
		all    bool
		warns  bool
	}{
		"imported": {record.Record{Imported: true}, true, false}, "moved": {record.Record{Moved: true}, true, false}, "read": {record.Record{}, false, false},
		"changed": {record.Record{Managed: changed}, false, true},
		"pending": {record.Record{Managed: changed, PendingCreate: &record.PendingWrite{Sent: value.Object{"name": "b", "description": "x"}}}, false, false},
	} {
		s := newServer(t, simulator.V47)
		s.Add(t, "device", testserver.Object{"name": "b", "description": "x"})
		k := kind.Named(kinds.All(), "device")
		s.Defaults = map[string]kind.Values{k.Resource(): {"properties": value.FromJSON(map[string]any{"vendor": "x"})}}
		state, diags := NewLifecycle(k, func() *resources.Provider { return s.Provider }).Read(t.Context(), State{s.state("device", "b", "b"), test.record})
		if shown := !state.Values["properties_all"].IsNull(); shown != test.all || state.Values == nil || diags.HasError() || (len(diags) > 0) != test.warns {
			t.Errorf("%s: it shows all properties: %t, %s", what, shown, resourcetest.Text(diags))
		}
	}
}

// A plan warns of what a resource configures itself, and not of defaults, of references to what is not there, and of what
// loses its last target. What eNMS does not tell is neither changed nor deleted.
func TestLifecycle_planWarnings(t *testing.T) {
	t.Parallel()
	unknown := value.FromJSON(map[string]any{"unknown_field": "x"})
	router, untold := kind.Values{"type": tftypes.NewValue(tftypes.String, "router")}, record.Record{Untold: "x"}
	for what, test := range map[string]struct {
		typ      string
		config   kind.Values // nil for a deletion
		defaults kind.Values
		prior    string // the name before; the name is n after it for a creation
		record   record.Record
		want     string
	}{
		"its own property":      {typ: "device", config: kind.Values{"properties": unknown}, want: "unknown_field"},
		"a default property":    {typ: "device", config: kind.Values{"properties": tftypes.NewValue(tftypes.DynamicPseudoType, nil)}, defaults: kind.Values{"properties": unknown}},
		"a missing reference":   {typ: "task", config: kind.Values{"service": tftypes.NewValue(tftypes.String, "[w] s"), "devices": value.SetOf([]string{"nowhere"})}, want: "nowhere"},
		"references to what is": {typ: "task", config: kind.Values{"service": tftypes.NewValue(tftypes.String, "[w] s"), "devices": value.SetOf([]string{"a"})}},
		"a reference to a plan": {typ: "task", config: kind.Values{"service": tftypes.NewValue(tftypes.String, "[w] s"), "devices": value.SetOf([]string{"planned"})}},
		"a task to switch on":   {typ: "task", config: kind.Values{"service": tftypes.NewValue(tftypes.String, "[w] s"), "devices": value.SetOf([]string{"a"}), "start_date": tftypes.NewValue(tftypes.String, "01/01/2099 00:00:00")}, want: "A new task is not active"},
		"no target":             {typ: "task", config: kind.Values{"service": tftypes.NewValue(tftypes.String, "[w] s")}, want: "The task has no target"},
		"a last target":         {typ: "device", prior: "b", want: `task "t"`},
		"used by others":        {typ: "device", prior: "b", want: `link "k" (last written by user "ann")`},
		"used by others' tasks": {typ: "service", prior: "[w] s", want: `task "u" (last written by user "ann")`},
		"no last target":        {typ: "device", prior: "a"},
		"of another server":     {typ: "device", prior: "b", record: record.Record{Origin: &record.Origin{Server: "https://other.example"}}, want: "belongs to another eNMS"},
		"replaced":              {typ: "device", prior: "b", config: router, want: `task "t"`},
		"replaced, not told":    {typ: "device", prior: "b", config: router, record: untold, want: "Cannot delete device"},
		"changed, not told":     {typ: "device", prior: "b", config: kind.Values{"vendor": tftypes.NewValue(tftypes.String, "x")}, record: untold, want: "Cannot update device"},
		"unchanged, not told":   {typ: "device", prior: "b", config: kind.Values{}, record: untold},
	} {
		s := newServer(t, simulator.V47)
		s.Add(t, "task", testserver.Object{"name": "t", "service": "[w] s", "devices": []string{"b"}})
		s.Add(t, "user", testserver.Object{"name": "ann", "password": "ann", "is_admin": true})
		s.AddAs(t, "ann", "link", testserver.Object{"name": "k", "source": "b", "destination": "b"})
		s.AddAs(t, "ann", "task", testserver.Object{"name": "u", "service": "[w] s"})
		k := kind.Named(kinds.All(), test.typ)
		if test.defaults != nil {
			s.Defaults = map[string]kind.Values{k.Resource(): test.defaults}
		}
		l, req := NewLifecycle(k, func() *resources.Provider { return s.Provider }), PlanRequest{Config: test.config, Record: test.record}
		if test.prior != "" {
			req.Prior = s.read(t, test.typ, test.prior)
		}
		other := kind.Values{"name": tftypes.NewValue(tftypes.String, "planned"), "ip_address": tftypes.NewValue(tftypes.String, "a b")} // an error is no reason for another one
		if _, diags := NewLifecycle(kind.Named(s.Kinds, "device"), func() *resources.Provider { return s.Provider }).Plan(t.Context(), PlanRequest{Config: other}); !diags.HasError() {
			t.Error("a wrong address is planned")
		}
		var diags diag.Diagnostics
		if test.config == nil {
			diags = l.PlanDeletion(t.Context(), req.Prior, test.record)
		} else {
			test.config["name"] = tftypes.NewValue(tftypes.String, cmp.Or(test.prior, "n"))
			_, diags = l.Plan(t.Context(), req)
		}
		if got := resourcetest.Text(diags); (got == "") != (test.want == "") || !strings.Contains(got, test.want) {
			t.Errorf("%s: it says %q, want %q", what, got, test.want)
		}
	}
}

// What a plan changes beside what is configured: the id if something is left to be done, and all of what goes with another
// instance that is replaced.
func TestLifecycle_plannedAnew(t *testing.T) {
	t.Parallel()
	text := func(x string) tftypes.Value { return tftypes.NewValue(tftypes.String, x) }
	for what, test := range map[string]struct {
		typ, name string
		record    record.Record
		policy    string // of its service, which is replaced
		want      string // the attributes
	}{
		"nothing":                     {typ: "pool", name: "p"},
		"the id":                      {typ: "pool", name: "p", record: record.Record{Unfinished: &record.Unfinished{Recompute: true}}, want: "id"},
		"with its service":            {typ: "task", name: "t", policy: kind.PolicyCascade, want: "id"},
		"a service that waits for it": {typ: "task", name: "t", policy: kind.PolicyDelete},
	} {
		s := newServer(t, simulator.V47)
		s.AdoptExisting = true
		s.Add(t, "pool", testserver.Object{"name": "p"})
		plan := func(typ, name string, change kind.Values, of record.Record) *kind.Plan {
			prior := s.read(t, typ, name)
			config := kind.Values{"name": text(name), "service": prior["service"], "workflows": prior["workflows"]}
			maps.Copy(config, change)
			l := NewLifecycle(kind.Named(s.Kinds, typ), func() *resources.Provider { return s.Provider })
			plan, diags := l.Plan(t.Context(), PlanRequest{Config: config, Prior: prior, Record: of})
			if diags.HasError() {
				t.Errorf("%s: %s", what, resourcetest.Text(diags))
			}
			return plan
		}
		if test.policy != "" {
			s.DeletionPolicy = test.policy
			plan("service", "[w] s", kind.Values{"type": text("ping_service")}, record.Record{})
		}
		planned := plan(test.typ, test.name, nil, test.record)
		var got []string
		for name, v := range planned.Planned {
			if !v.IsKnown() && !value.Same(v, planned.Prior[name]) {
				got = append(got, name)
			}
		}
		if fmt.Sprint(got) != "["+test.want+"]" || (len(planned.Replaced) > 0) != (test.policy == kind.PolicyCascade) {
			t.Errorf("%s: it changes %q, and replaces it for %q, want %q", what, got, planned.Replaced, test.want)
		}
	}
}

// A state of another server is neither read nor is its deletion planned, not even when this run has said so before.
func TestLifecycle_anotherServer(t *testing.T) {
	t.Parallel()
	s := newServer(t, simulator.V47)
	l := NewLifecycle(kind.Named(kinds.All(), "device"), func() *resources.Provider { return s.Provider })
	before := State{s.state("device", "99", "a"), record.Record{Origin: &record.Origin{Server: "https://other.example"}}}
	s.Set(t)
	for range 2 {
		after, _ := l.Read(t.Context(), before)
		if value.Text(after.Values["id"]) != "99" {
			t.Errorf("it is %v", after.Values)
		}
		l.PlanDeletion(t.Context(), before.Values, before.Record)
	}
	if requests := s.Requests(); len(requests) > 0 {
		t.Errorf("the other server was asked %v", requests)
	}
}
