// Tests of reads that go another way: by the name, by the place, after a move, or with a request that fails.

package reading

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/resourcetest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// eNMS is a server of eNMS 4.7, which has the workflow v, too, with a provider for it.
type eNMS struct{ *resourcetest.Server }

func newENMS(t *testing.T) *eNMS {
	t.Helper()
	s := &eNMS{resourcetest.New(t, simulator.V47)}
	s.Add(t, "workflow", testserver.Object{"name": "v", "scoped_name": "v"})
	s.IDs["v"] = fmt.Sprint(s.Get(t, "workflow", "v")["id"])
	return s
}

// reader returns the reader of a type.
func (s *eNMS) reader(typ string) *Reader { return New(kind.Named(kinds.All(), typ), s.Provider) }

// Which instance is the one of a state, where the name or the place decide, or where a request fails.
func TestIdentify_byNameAndPlace(t *testing.T) {
	t.Parallel()
	edge := map[string]string{"id": "99", "name": "e", "workflow": "w", "source": "[Shared] Start", "destination": "[Shared] End", "subtype": "success"}
	changed := func(attribute, v string) map[string]string {
		state := map[string]string{}
		for name, v := range edge {
			state[name] = v
		}
		state[attribute] = v
		return state
	}
	device := map[string]string{"id": "99", "name": "x"}
	pending := record.Record{PendingCreate: &record.PendingWrite{}}
	marked := record.Record{Origin: &record.Origin{Mark: &enms.Mark{ID: 1}}}
	restored := record.Record{Origin: &record.Origin{Created: "2026"}}
	here := func() record.Record { // with their ids, as the test fills in
		return record.Record{Origin: &record.Origin{Ends: []string{"[Shared] Start", "[Shared] End", "w"}}}
	}
	for name, test := range map[string]struct {
		typ    string
		state  map[string]string
		record record.Record
		byID   bool
		named  value.Object
		fails  string
		want   string
		says   string
	}{
		"what has the place":                              {typ: "workflow_edge", state: changed("name", "old"), want: "e, unmarked"},
		"what has the name, in the same workflow":         {typ: "workflow_edge", state: changed("subtype", "failure"), named: value.Object{"name": "e", "workflow": "w"}, want: "e, unmarked"},
		"what has the name, in another workflow":          {typ: "workflow_edge", state: changed("workflow", "v"), named: value.Object{"name": "e", "workflow": "w"}, want: "gone"},
		"a place that is not found":                       {typ: "workflow_edge", state: edge, fails: "/rest/search", want: "error"},
		"no instance":                                     {typ: "device", state: device, want: "gone"},
		"no instance, as far as is known":                 {typ: "device", state: device, fails: "/rest/", want: "error"},
		"no instance of a pending creation":               {typ: "device", state: device, record: pending, fails: "/rest/", want: "gone"},
		"the place of others":                             {typ: "workflow_edge", state: changed("name", "old"), record: record.Record{Origin: &record.Origin{Ends: []string{"7", "8", "9"}}}, byID: true, want: "gone"},
		"its place":                                       {typ: "workflow_edge", state: changed("name", "old"), record: here(), byID: true, want: "e, unmarked"},
		"its place, which is not found":                   {typ: "workflow_edge", state: changed("name", "old"), record: here(), byID: true, fails: `"source"`, want: "error"},
		"its creation_time":                               {typ: "device", state: device, record: restored, byID: true, named: value.Object{"id": "7", "name": "x", object.LineField: "2026"}, want: "x, unmarked"},
		"a creation_time, which is not recorded":          {typ: "device", state: device, byID: true, named: value.Object{"id": "99", "name": "x", object.LineField: "2026"}, want: "x"},
		"another creation_time":                           {typ: "device", state: device, record: restored, byID: true, named: value.Object{"id": "99", "name": "x", object.LineField: "2025"}, want: "untold"},
		"an id that is not found":                         {typ: "device", state: device, byID: true, fails: "/rest/", want: "error"},
		"an id that is not found, whoever asks":           {typ: "device", state: device, byID: true, fails: "id_filter", want: "error"},
		"another name, without a record":                  {typ: "device", state: map[string]string{"id": "a", "name": "x"}, byID: true, want: "untold"},
		"an id that another type has by now":              {typ: "device", state: map[string]string{"id": "a", "name": "x"}, record: record.Record{Origin: &record.Origin{Type: "gateway"}}, byID: true, want: "untold", says: "belongs to another"},
		"a changelog that tells nothing of another id":    {typ: "device", state: device, byID: true, named: value.Object{"id": "7", "name": "x"}, want: "untold"},
		"a changelog without the mark":                    {typ: "device", state: device, record: marked, byID: true, want: "untold"},
		"a changelog that is not read":                    {typ: "device", state: device, record: marked, byID: true, fails: "changelog", want: "error"},
		"a changelog that is not read, of what has an id": {typ: "device", state: device, record: marked, byID: true, named: value.Object{"id": "99", "name": "x"}, fails: "changelog", want: "error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newENMS(t)
			if s.IdentifyByName = !test.byID; test.fails != "" {
				s.Refuse(test.fails)
			}
			if origin := test.record.Origin; origin != nil {
				for i, name := range origin.Ends {
					origin.Ends[i] = cmp.Or(s.IDs[name], name)
				}
			}
			state := resourcetest.Texts(test.state)
			if id := s.IDs[test.state["id"]]; id != "" {
				state["id"] = tftypes.NewValue(tftypes.String, id)
			}
			found, err := s.reader(test.typ).Identify(t.Context(), state, test.record, test.named, Earlier)
			got := found.Name()
			switch {
			case err != nil:
				got = "error"
			case found.Unmarked:
				got += ", unmarked"
			case found.Gone:
				got = "gone"
			case found.Untold != "":
				got = "untold"
			}
			if got != test.want {
				t.Errorf("it is %s, %v, want %s", got, err, test.want)
			}
			if got != "untold" || test.named != nil {
				return
			}
			says := cmp.Or(test.says, "Nothing has this name")
			if test.record.Origin == nil {
				says = "Terraform has no record by which eNMS's changelog could tell whether it was renamed. " + says
			}
			if _, _, diags := s.reader(test.typ).Read(t.Context(), state, test.record); !strings.Contains(resourcetest.Text(diags), says) {
				t.Errorf("a read says %s", resourcetest.Text(diags))
			}
		})
	}
}

// What has the id and the name of a state is looked up in the changelog only if that can tell of another one.
func TestIsMeanwhileAnother_unasked(t *testing.T) {
	t.Parallel()
	s := newENMS(t)
	mark := s.Client.TakeMark(t.Context())
	asked := s.Count("")
	for what, origin := range map[string]*record.Origin{"no record": nil, "no mark": {Name: "a", Type: "device"}, "a creation_time": {Name: "a", Type: "device", Mark: mark, Created: "2026"}} {
		state := resourcetest.Texts(map[string]string{"name": "a", "id": s.IDs["a"]})
		another, err := s.reader("device").IsMeanwhileAnother(t.Context(), state, record.Record{Origin: origin}, value.Object{"id": s.IDs["a"], "name": "a"})
		if another || err != nil || s.Count("") > asked {
			t.Errorf("%s: %t, %v, %q", what, another, err, s.Requests())
		}
	}
}

// Where eNMS may hide a pool from the user, the changelog tells whether it is gone.
func TestIdentify_hidden(t *testing.T) {
	t.Parallel()
	for what, want := range map[string]string{"deleted": "gone", "hidden": "hidden", "not told": "error"} {
		s := newENMS(t)
		s.Add(t, "pool", testserver.Object{"name": "p"})
		mark := s.Client.TakeMark(t.Context())
		if what == "deleted" {
			s.Ask(t, "", http.MethodDelete, "/rest/instance/pool/p", nil, new(any))
		}
		s.Intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
			asked := r.URL.RequestURI() + string(body)
			switch {
			case what == "not told" && strings.Contains(asked, "/rest/query/user"):
				w.WriteHeader(http.StatusBadRequest)
			case strings.Contains(asked, "/rest/query/user"), strings.Contains(asked, `"pool"`), strings.Contains(asked, `{"users":["admin"]}`):
				_, _ = io.WriteString(w, "[]")
			default:
				return false
			}
			return true
		})
		rec := record.Record{Origin: &record.Origin{Mark: mark, Type: "pool", Name: "p"}}
		found, err := s.reader("pool").Identify(t.Context(), resourcetest.Texts(map[string]string{"id": "99", "name": "p"}), rec, nil, Now)
		got := "gone"
		if hidden := failures.Is[*enms.MaybeHiddenError](err); hidden {
			got = "hidden"
		} else if err != nil {
			got = "error"
		}
		if got != want || found.Gone != (want == "gone") {
			t.Errorf("%s: %s, %v, %v", what, got, found, err)
		}
	}
}

// A name that this provider was giving or taking is one of its own instance.
func TestIsRenamedByUs(t *testing.T) {
	t.Parallel()
	i := identification{record: record.Record{PendingRename: &record.PendingWrite{Sent: value.Object{"name": "old", "new_name": "new"}}}}
	for name, want := range map[string]bool{"old": true, "new": true, "other": false} {
		if got := i.isRenamedByUs(name); got != want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// What this run has deleted is gone, whatever eNMS says; what it has written may only be hidden.
func TestProveGone_afterThisRun(t *testing.T) {
	t.Parallel()
	for status, want := range map[applying.Status]bool{applying.Deleted: true, applying.Owned: false} {
		s := newENMS(t)
		s.Refuse("/rest/")
		s.Run.Owners.Set("node", applying.Ownership{Names: []string{"x"}, ID: "99", Status: status})
		if err := s.reader("device").proveGone(t.Context(), resourcetest.Texts(map[string]string{"name": "x", "id": "99"})); (err == nil) != want {
			t.Errorf("status %v: %v", status, err)
		}
	}
}

// A moved state names an instance by its name, and perhaps by its id. If both do not lead to the same one, nothing is moved.
func TestReadMoved(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		typ, name, id string
		byName        bool
		adopts        bool
		fails         []string
		want, says    string
	}{
		"both":                       {typ: "device", name: "a", id: "a", want: "a"},
		"the name alone":             {typ: "device", name: "a", want: "a"},
		"neither":                    {typ: "device", name: "x", id: "99"},
		"no name":                    {typ: "device", name: "x"},
		"renamed":                    {typ: "device", name: "x", id: "b", says: `The device with that id is "b" now.`},
		"replaced":                   {typ: "device", name: "a", id: "99", says: "No device has that id any longer."},
		"replaced, the name decides": {typ: "device", name: "a", id: "99", byName: true, want: "a"},
		"replaced, and taken over":   {typ: "device", name: "a", id: "99", adopts: true, want: "a"},
		"not read":                   {typ: "device", name: "a", id: "99", fails: []string{"/rest/instance/device/a"}, says: `Cannot read device "a"`},
		"an id that is not read":     {typ: "device", name: "x", id: "99", fails: []string{"/rest/query/device?id="}, says: `Cannot read device "x"`},
		"perhaps hidden":             {typ: "device", name: "x", fails: []string{"/rest/query/user"}, says: `Cannot read device "x"`},
		"another type":               {typ: "device", name: "r", want: "r"},
		"a type without it":          {typ: "instance", name: "r", fails: []string{"/rest/query/router"}, says: `Cannot read device "r"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newENMS(t)
			if s.IdentifyByName = test.byName; test.fails != nil {
				s.Refuse(test.fails...)
			}
			state := resourcetest.Texts(map[string]string{"name": test.name, "type": "device"})
			state["adopt_existing"] = value.FromJSON(test.adopts)
			if id := s.IDs[test.id]; id != "" {
				test.id = id
			}
			if test.id != "" {
				state["id"] = tftypes.NewValue(tftypes.String, test.id)
			}
			now, next, diags := s.reader(test.typ).Of(state).Read(t.Context(), state, record.Record{Moved: true})
			if got := value.Text(now["name"]); got != test.want || !strings.Contains(resourcetest.Text(diags), test.says) || diags.HasError() != (test.says != "") {
				t.Errorf("it is %q, want %q: %s", got, test.want, resourcetest.Text(diags))
			}
			if test.want == "" {
				return
			}
			if value.Text(now["id"]) != s.IDs[test.want] || next.Origin == nil || value.Text(state["id"]) != test.id || (value.Text(now["type"]) == "router") != (test.want == "r") {
				t.Errorf("the state is %v, its origin %v", now, next.Origin)
			}
		})
	}
}

// A known instance is read with what its record says, an imported one by its name alone.
func TestRead(t *testing.T) {
	t.Parallel()
	marked := record.Record{Origin: &record.Origin{Mark: &enms.Mark{ID: 987654}}}
	imported := record.Record{Imported: true}
	for name, test := range map[string]struct {
		typ, name, id string
		state         map[string]any
		record        record.Record
		byName, many  bool
		fails         []string
		want, says    string
		has           map[string]any // of the state that is read
	}{
		"managed, and changed by others":                {typ: "device", name: "a", id: "a", state: map[string]any{"vendor": "", "model": ""}, record: record.Record{Managed: []string{"model", "vendor"}}, want: "a [model]", has: map[string]any{"vendor": "x"}},
		"not read":                                      {typ: "device", name: "a", fails: []string{"/rest/instance/device/a"}, says: `Cannot read device "a"`},
		"an entry of another type":                      {typ: "device", name: "r", id: "r", many: true},
		"an entry that may be of another type":          {typ: "device", name: "r", id: "99", record: marked, many: true, want: "r []", says: `eNMS does not tell which device is "r"`},
		"with a secret":                                 {typ: "user", name: "u", id: "u", state: map[string]any{"password_wo_version": json.Number("7")}, want: "u []", has: map[string]any{"password_wo_version": json.Number("7")}},
		"with a secret of perhaps another":              {typ: "user", name: "u", id: "99", state: map[string]any{"password_wo_version": json.Number("7")}, record: marked, want: "u []", says: "does not tell", has: map[string]any{"password_wo_version": nil}},
		"with a secret, by its name":                    {typ: "user", name: "u", id: "u", state: map[string]any{"password_wo_version": json.Number("7")}, byName: true, want: "u []", has: map[string]any{"password_wo_version": json.Number("7")}},
		"with a secret of another, by its name":         {typ: "user", name: "u", id: "99", state: map[string]any{"password_wo_version": json.Number("7")}, byName: true, want: "u []", has: map[string]any{"password_wo_version": nil}},
		"created by a write that succeeded":             {typ: "device", name: "b", record: record.Record{PendingCreate: &record.PendingWrite{Sent: value.Object{"name": "b"}}}, state: map[string]any{"type": "device"}, want: "b []"},
		"created by a write that failed, and by others": {typ: "device", name: "b", record: record.Record{PendingCreate: &record.PendingWrite{Sent: value.Object{"name": "b"}, When: enms.Window{From: time.Unix(1, 0), Until: time.Unix(2, 0)}}}, state: map[string]any{"type": "device"}},
		"with a list in properties":                     {typ: "instance", name: "a", id: "a", state: map[string]any{"type": "device", "properties": map[string]any{"pools": []any{}}}, want: "a []", has: map[string]any{"properties": map[string]any{"pools": []any{"p"}}}},
		"with a deleted credential":                     {typ: "service", name: "c", id: "c", state: map[string]any{"type": "rest_call_service", "named_credential": "k"}, want: "c []", has: map[string]any{"named_credential": nil}},
		"imported by an id":                             {typ: "device", name: "17", record: imported, says: "Import by the full name, as eNMS shows it, not by an id."},
		"imported by a name with digits":                {typ: "device", name: "1a", record: imported, says: "as eNMS shows it."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newENMS(t)
			s.Add(t, "device", testserver.Object{"name": "a", "vendor": "x"})
			s.Add(t, "pool", testserver.Object{"name": "p", "manually_defined": true, "devices": []string{"a"}})
			s.Add(t, "credential", testserver.Object{"name": "k"})
			s.Add(t, "user", testserver.Object{"name": "u"})
			s.Add(t, "rest_call_service", testserver.Object{"name": "c", "scoped_name": "c", "named_credential": "k"})
			s.IDs["u"], s.IDs["c"] = fmt.Sprint(s.Get(t, "user", "u")["id"]), fmt.Sprint(s.Get(t, "service", "c")["id"])
			s.Ask(t, "", http.MethodDelete, "/rest/instance/credential/k", nil, new(any))
			if s.IdentifyByName = test.byName; test.fails != nil {
				s.Refuse(test.fails...)
			}
			state := resourcetest.Texts(map[string]string{"name": test.name, "id": cmp.Or(s.IDs[test.id], test.id)})
			for name, v := range test.state {
				state[name] = value.FromJSON(v)
			}
			r := s.reader(test.typ).Of(state)
			r.InMany = test.many
			now, next, diags := r.Read(t.Context(), state, test.record)
			got := ""
			if now != nil {
				got = fmt.Sprint(value.Text(now["name"]), " ", next.Managed)
			}
			if got != test.want || !strings.Contains(resourcetest.Text(diags), test.says) || len(diags) > 0 != (test.says != "") {
				t.Errorf("it is %q, want %q: %s", got, test.want, resourcetest.Text(diags))
			}
			if next.Untold != "" && *next.Origin.Mark != *marked.Origin.Mark {
				t.Errorf("of what is untold, it records %v", next.Origin)
			}
			for name, want := range test.has {
				if has := now[name]; !has.Equal(value.FromJSON(want)) && (want != nil || !has.IsNull()) {
					t.Errorf("%s is %s, want %v", name, has, want)
				}
			}
		})
	}
}

// A type that eNMS does not have is refused; a kind of the other line is such a type.
func TestCheckType(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ kind, typ, says string }{
		{"service", "ping_service", ""}, {"service", "own_service", `This eNMS has no type "own_service". Check the spelling. A type of your own`},
		{"service", "pimg_service", `Did you mean "ping_service"?`}, {"secret", "secret", `This eNMS has no type "secret": only eNMS 5 has it.`},
		{"workflow_edge", "workflow_edge", ""},
	} {
		if says := resourcetest.Text(newENMS(t).reader(test.kind).CheckType(t.Context(), test.typ)); !strings.Contains(says, test.says) || (says == "") != (test.says == "") {
			t.Errorf("%s %s: %s", test.kind, test.typ, says)
		}
	}
}

// An entry is imported by its name, with all its properties or the given ones.
func TestImport_entry(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		name       string
		properties []string
		fails      string
		says       string
	}{
		"whole":          {name: "a"},
		"one property":   {name: "a", properties: []string{"description"}},
		"another type":   {name: "r", says: "It is a router: import it by that type"},
		"a similar name": {name: "ab", says: "eNMS has no device with exactly that name"},
		"not read":       {name: "a", fails: "/rest/", says: `Cannot import device "a"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newENMS(t)
			if test.fails != "" {
				s.Refuse(test.fails)
			}
			r := s.reader("device")
			r.InMany = true
			entry, state, origin, diags := r.Import(t.Context(), resourcetest.Texts(map[string]string{"name": test.name, "type": "device"}), test.properties)
			imported := test.says == ""
			if (entry != nil) != imported || (state != nil) != imported || (origin != nil) != imported || diags.HasError() == imported || !strings.Contains(resourcetest.Text(diags), test.says) {
				t.Errorf("the entry is %v, the state %v, the origin %v: %s", entry, state, origin, resourcetest.Text(diags))
			}
		})
	}
}

// The type in an answer is confirmed if it is not the one of the request.
func TestConfirmType(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		typ   any
		id    string
		fails bool
		want  string
	}{
		"the same type":               {typ: "device", id: "99"},
		"no type":                     {id: "99"},
		"a type of its own":           {typ: "router", id: "r"},
		"a type without it":           {typ: "router", id: "99", want: `is "router", by which eNMS does not find the instance`},
		"a type that eNMS has not":    {typ: "nothing", id: "99", want: `is "nothing", by which eNMS does not find the instance`},
		"a type that is not answered": {typ: "router", id: "r", fails: true, want: "400"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newENMS(t)
			if test.fails {
				s.Refuse("/rest/")
			}
			r := s.reader("instance").Of(resourcetest.Texts(map[string]string{"type": "device"}))
			id := test.id
			if s.IDs[id] != "" {
				id = s.IDs[id]
			}
			answer := value.Object{"id": json.Number(id), "name": "x"}
			if test.typ != nil {
				answer["type"] = test.typ
			}
			_, err := r.StateOf(t.Context(), answer, resourcetest.Texts(map[string]string{"name": "x", "type": "device"}))
			if (err != nil) != (test.want != "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// Of many instances, one that cannot be read is left to the caller, unless none can be read, or the error is about all.
func TestReadRows_failing(t *testing.T) {
	t.Parallel()
	rows := func(names ...string) (rows []value.Object) {
		for _, name := range names {
			rows = append(rows, value.Object{"name": name, "id": "1", "type": "device"})
		}
		return rows
	}
	for name, test := range map[string]struct {
		rows   []value.Object
		status int
		want   string
	}{
		"none fails":                 {rows("a", "b"), 0, "a b"},
		"one fails":                  {rows("a", "b", "broken1"), http.StatusInternalServerError, "a b broken1!"},
		"the only one fails":         {rows("broken1"), http.StatusInternalServerError, "broken1!"},
		"each fails":                 {rows("broken1", "broken2"), http.StatusInternalServerError, "error"},
		"one is gone":                {rows("a", "x"), 0, "a"},
		"an error that is about all": {rows("a", "broken1"), http.StatusBadRequest, "error"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newENMS(t)
			s.Intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
				if !strings.Contains(r.URL.RequestURI()+string(body), "broken") {
					return false
				}
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, "{}")
				return true
			})
			read := 0
			all, err := s.reader("device").ReadRows(t.Context(), test.rows, func(n int) { read = n })
			var got []string
			for _, i := range all {
				if got = append(got, i.Name); i.Err != nil {
					got[len(got)-1] += "!"
				} else if value.Text(i.State["name"]) != i.Name {
					t.Errorf("%s is %v", i.Name, i.State)
				}
			}
			if err != nil {
				got = []string{"error"}
			} else if read != len(all) {
				t.Errorf("%d of %d are read", read, len(all))
			}
			if strings.Join(got, " ") != test.want {
				t.Errorf("%v, %v, want %s", got, err, test.want)
			}
			if listed, err := s.reader("device").ImportTogether(t.Context(), true, test.rows); (err != nil) != (test.status != 0) || len(listed) != len(test.rows) {
				t.Errorf("listed with all values: %v, %v", listed, err)
			}
		})
	}
}

func TestIsOfOne(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		err  error
		want bool
	}{
		{&enms.StatusError{Status: 404}, true}, {&enms.StatusError{Status: 500}, true}, {&enms.StatusError{Status: 502}, false},
		{&enms.NotJSONError{Status: 404}, true}, {&enms.NotJSONError{Status: 500}, true}, {&enms.NotJSONError{Status: 200}, false},
		{fmt.Errorf("%w", enms.ErrForbidden), true}, {&enms.AnswerError{}, true}, {&enms.FieldError{}, true}, {errors.New("x"), false},
	} {
		if got := isOfOne(test.err); got != test.want {
			t.Errorf("%T %v: %t", test.err, test.err, got)
		}
	}
}

// A read takes the mark of the changelog before it reads what it knows only by the name, and else none: what others do
// between the two is in the changelog after the mark.
func TestRead_takesTheMarkFirst(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		record        record.Record
		byName, entry bool
		want          bool
	}{
		"an import":           {record: record.Record{Imported: true}, want: true},
		"an old state":        {want: true},
		"a state":             {record: record.Record{Origin: &record.Origin{}}},
		"a state by its name": {record: record.Record{Origin: &record.Origin{}}, byName: true, want: true},
		"an entry":            {entry: true, want: true},
		"a dropped one":       {record: record.Record{Dropped: true, Origin: &record.Origin{}}},
	} {
		s := newENMS(t)
		s.IdentifyByName = test.byName
		first := ""
		s.Intercept(func(_ http.ResponseWriter, _ *http.Request, body []byte) bool {
			if first == "" {
				first = string(body) + " "
			}
			return false
		})
		state := resourcetest.Texts(map[string]string{"name": "a", "id": s.IDs["a"], "type": "device"})
		now, _, diags := s.reader("device").Read(t.Context(), state, test.record)
		if test.entry {
			first = ""
			now, _, _, diags = New(kind.Named(kinds.All(), "device"), resourcetest.Provider(t, s.Server.Server)).Import(t.Context(), state, nil)
		}
		if diags.HasError() || strings.Contains(first, "changelog") != test.want || (now == nil) != test.record.Dropped {
			t.Errorf("%s: the first request is %s, the state %v: %s", name, first, now, resourcetest.Text(diags))
		}
		row := value.Object{"id": s.IDs["a"], "name": "a", object.LineField: "2026"}
		if next := s.reader("device").OriginAfterRead(t.Context(), test.record, Identity{}, s.IDs["a"], row); next == nil || next.Mark == nil {
			t.Errorf("%s: the origin recorded is %v", name, next)
		}
		moved := record.Record{Origin: &record.Origin{Server: "http://former", Mark: s.Client.TakeMark(t.Context())}}
		if next := s.reader("device").OriginAfterRead(t.Context(), moved, Identity{}, s.IDs["a"], row); next.Server != s.Client.Address() || next.Created != "2026" {
			t.Errorf("%s: the origin recorded is that of %s, created %q", name, next.Server, next.Created)
		}
	}
}

// Without an inverse, searches tell nothing of a relation.
func TestHasRelations_withoutInverse(t *testing.T) {
	t.Parallel()
	s := newENMS(t)
	if has, known := s.reader("device").HasRelations(t.Context(), "a", []enms.Relation{{Name: "pools", Of: "pool"}}, nil); has || known || len(s.Requests()) > 0 {
		t.Errorf("has %t, known %t, after %v", has, known, s.Requests())
	}
}
