// A small eNMS for the tests of this package: names, lists in one transaction,
// tasks one by one, searches; and faults on demand.

package enms

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain fails when a goroutine is left over by the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// seen is a request as the fake logs it.
type seen struct {
	method, path string // the path is decoded
	entries      int    // of an upsert
	rows         int    // of a search's answer
	start        int    // of a search
	paged        bool   // a search without criteria
}

type fake struct {
	*httptest.Server

	// fault names what goes wrong with a request; "" is nothing. A name that
	// ends in "-after" goes wrong after the fake has acted.
	fault func(r *http.Request, body []byte) string
	// poison makes a whole list end in 500 when an entry has this value.
	poison string
	delay  time.Duration

	mu       sync.Mutex
	rows     map[string][]Object // by name space
	byName   map[string]map[string]Object
	nextID   int
	log      []seen
	inFlight int
	most     int // most writes and searches in flight at a time
}

// spaceOf is the name space of a type.
func spaceOf(typ string) string {
	switch {
	case typ == "device" || typ == "gateway":
		return "node"
	case strings.HasSuffix(typ, "service") || typ == "workflow":
		return "service"
	}
	return typ
}

func newFake(t testing.TB) *fake {
	f := &fake{rows: map[string][]Object{}, byName: map[string]map[string]Object{}}
	f.Server = httptest.NewServer(http.HandlerFunc(f.serve))
	t.Cleanup(f.Close)
	return f
}

// client makes a client of the fake that does not wait long.
func (f *fake) client(t testing.TB, change ...func(*Config)) *Client {
	t.Helper()
	cfg := Config{BaseURL: f.URL, Username: "admin", Password: "s3cret-password",
		MaxRetries: 2, RetryWait: time.Millisecond, RequestTimeout: 20 * time.Second}
	for _, do := range change {
		do(&cfg)
	}
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// add puts instances there without a request.
func (f *fake) add(typ string, objects ...Object) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, o := range objects {
		f.insert(typ, o)
	}
}

func (f *fake) insert(typ string, o Object) {
	space := spaceOf(typ)
	f.nextID++
	row := Object{"id": f.nextID, "type": typ}
	for key, value := range o {
		row[key] = value
	}
	if f.byName[space] == nil {
		f.byName[space] = map[string]Object{}
	}
	f.byName[space][text(row, "name")] = row
	f.rows[space] = append(f.rows[space], row)
}

func (f *fake) names(typ string) []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var names []string
	for _, row := range f.rows[spaceOf(typ)] {
		names = append(names, text(row, "name"))
	}
	slices.Sort(names)
	return names
}

func (f *fake) get(typ, name string) Object {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.byName[spaceOf(typ)][name]
}

// count gives the number of requests whose method and path begin so.
func (f *fake) count(begin string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	n := 0
	for _, s := range f.log {
		if strings.HasPrefix(s.method+" "+s.path, begin) {
			n++
		}
	}
	return n
}

func (f *fake) serve(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	what := ""
	f.mu.Lock()
	fault := f.fault
	f.inFlight++
	f.most = max(f.most, f.inFlight)
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		f.inFlight--
		f.mu.Unlock()
	}()
	if fault != nil {
		what = fault(r, body)
	}
	time.Sleep(f.delay)
	if what != "" && !strings.HasSuffix(what, "-after") {
		fail(w, what)
		return
	}
	status, answer := f.act(r, body)
	if what != "" {
		fail(w, strings.TrimSuffix(what, "-after"))
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(answer)
}

// fail makes the fault of that name.
func fail(w http.ResponseWriter, what string) {
	page := func(status int, kind, body string) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
	switch what {
	case "reset":
		conn, _, err := w.(http.Hijacker).Hijack()
		if err == nil {
			_ = conn.Close()
		}
	case "cut":
		w.Header().Set("Content-Length", "1000")
		page(200, "application/json", `{"succ`)
	case "html":
		page(200, "text/html; charset=utf-8", "<html>hello</html>")
	case "empty":
		page(200, "application/json", "")
	case "302":
		w.Header().Set("Location", "/login?next=s3cret-password")
		page(302, "text/html", "moved")
	case "429":
		page(429, "text/plain", "slow down")
	case "500":
		page(500, "application/json", `{"alert":"Error 500 - Internal Server Error."}`)
	case "html500":
		page(500, "text/html", "<html>Internal Server Error</html>")
	case "502", "503", "504":
		page(int(what[2]-'0')+500, "text/html", "<html>gateway</html>")
	case "401":
		page(401, "application/json", `{"alert":"Error 401 - Wrong Credentials."}`)
	case "403":
		page(403, "application/json", `{"alert":"Error 403 - Not Authorized."}`)
	}
}

// stampLayout is how eNMS writes last_modified.
const stampLayout = "2006-01-02 15:04:05.000000"

var internalError = Object{"alert": "Error 500 - Internal Server Error."}

func (f *fake) act(r *http.Request, body []byte) (int, any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	entry := seen{method: r.Method, path: r.URL.Path}
	defer func() { f.log = append(f.log, entry) }()
	segments := strings.SplitN(strings.TrimPrefix(r.URL.EscapedPath(), "/rest/"), "/", 3)
	for i := range segments {
		segments[i], _ = url.PathUnescape(segments[i])
	}
	switch {
	case segments[0] == "is_alive":
		return 200, Object{"name": 1, "cluster_id": true}
	case segments[0] == "query":
		return 200, f.query(segments[1], r.URL.Query())
	case segments[0] == "search":
		var status int
		var rows []Object
		status, rows, entry.start, entry.paged = f.search(body)
		entry.rows = len(rows)
		return status, rows
	case r.Method == http.MethodPost:
		var status int
		var answer any
		status, answer, entry.entries = f.upsert(segments[1], body)
		return status, answer
	}
	row := f.byName[spaceOf(segments[1])][segments[2]]
	if row == nil {
		return 403, Object{"alert": "Error 403 - Not Authorized."}
	}
	if r.Method == http.MethodDelete {
		if row["protected"] == true {
			return 200, Object{"delete_aborted": true, "log_level": "error", "log": "It is not allowed to delete 'it'."}
		}
		space := spaceOf(segments[1])
		delete(f.byName[space], segments[2])
		f.rows[space] = slices.DeleteFunc(f.rows[space], func(o Object) bool { return o["name"] == segments[2] })
	}
	return 200, row
}

func (f *fake) query(typ string, filter url.Values) []Object {
	rows := []Object{}
	for _, row := range f.rows[spaceOf(typ)] {
		match := true
		for key := range filter {
			match = match && fmt.Sprint(row[key]) == filter.Get(key)
		}
		if match {
			rows = append(rows, row)
		}
	}
	return rows
}

func (f *fake) search(body []byte) (status int, rows []Object, start int, paged bool) {
	var s struct {
		Type     string
		Columns  []string
		Criteria map[string]any `json:"search_criteria"`
		Start    int
		Limit    int `json:"maximum_return_records"`
	}
	if json.Unmarshal(body, &s) != nil || len(s.Columns) == 0 || s.Limit == 0 {
		return 500, nil, 0, false
	}
	rows = []Object{}
	var match *regexp.Regexp
	if p, ok := s.Criteria["name"].(string); ok {
		match = regexp.MustCompile(p)
	}
	all := f.rows[spaceOf(s.Type)]
	if match != nil && len(all) > 2000 {
		// Plain names only: a regular expression over so many rows takes long.
		p := s.Criteria["name"].(string)
		var few []Object
		for name := range strings.SplitSeq(p[2:len(p)-2], "|") {
			if row := f.byName[spaceOf(s.Type)][name]; row != nil {
				few = append(few, row)
			}
		}
		all = few
	}
	skipped := 0
	for _, row := range all {
		name, _ := row["name"].(string)
		if match != nil && !match.MatchString(name) || !related(row, s.Criteria) {
			continue
		}
		if skipped < s.Start {
			skipped++
			continue
		}
		if len(rows) == s.Limit {
			break
		}
		answer := Object{}
		for _, column := range s.Columns {
			if value, has := row[column]; has {
				if _, isList := value.([]string); !isList {
					answer[column] = value
				}
			}
		}
		rows = append(rows, answer)
	}
	return 200, rows, s.Start, len(s.Criteria) == 0
}

// related applies the criteria on relations.
func related(row, criteria Object) bool {
	for key, value := range criteria {
		names, ok := value.([]any)
		if !ok {
			continue
		}
		has, _ := row[key].([]string)
		if !slices.ContainsFunc(names, func(n any) bool { return slices.Contains(has, n.(string)) }) {
			return false
		}
	}
	return true
}

func (f *fake) upsert(typ string, body []byte) (status int, answer any, entries int) {
	var list []Object
	if json.Unmarshal(body, &list) != nil {
		var one Object
		if json.Unmarshal(body, &one) != nil {
			return 500, internalError, 0
		}
		list = []Object{one}
	}
	result := map[string][]any{}
	space := spaceOf(typ)
	var undo []func()
	for _, entry := range list {
		name := text(entry, "name")
		if entry["refuse"] == true {
			result["failure"] = append(result["failure"], []any{entry,
				"Traceback (most recent call last):\n  File \"x\"\neNMS.database.RbacError: There is no device named " + name + " " + text(entry, "password")})
			continue
		}
		row := f.byName[space][name]
		poisoned := f.poison != "" && entry["vendor"] == f.poison
		if poisoned || row != nil && (entry["must_be_new"] == true || row["type"] != typ) {
			if typ != "task" {
				for _, u := range slices.Backward(undo) {
					u()
				}
			}
			return 500, internalError, len(list)
		}
		final := cmp.Or(text(entry, "new_name"), name)
		if scoped := text(entry, "scoped_name"); scoped != "" {
			final = scoped
		}
		if other := f.byName[space][final]; other != nil && final != name {
			for _, u := range slices.Backward(undo) {
				u()
			}
			return 500, internalError, len(list)
		}
		undo = append(undo, f.store(typ, space, name, final, entry))
		result["success"] = append(result["success"], final)
	}
	return 200, result, len(list)
}

// store writes an entry and gives the way back.
func (f *fake) store(typ, space, name, final string, entry Object) func() {
	row := f.byName[space][name]
	if row == nil {
		f.insert(typ, Object{"name": name})
		row = f.byName[space][name]
		return f.fill(space, row, name, final, entry, func() {
			delete(f.byName[space], final)
			f.rows[space] = slices.DeleteFunc(f.rows[space], func(o Object) bool { return text(o, "name") == final })
		})
	}
	before := Object{}
	for key, value := range row {
		before[key] = value
	}
	return f.fill(space, row, name, final, entry, func() {
		delete(f.byName[space], final)
		for key, value := range before {
			row[key] = value
		}
		f.byName[space][name] = row
	})
}

func (f *fake) fill(space string, row Object, name, final string, entry Object, back func()) func() {
	for key, value := range entry {
		if key != "must_be_new" && key != "new_name" && key != "password" {
			row[key] = value
		}
	}
	if space != "task" {
		row["last_modified"], row["last_modified_by"] = time.Now().Format(stampLayout), "admin"
	}
	delete(f.byName[space], name)
	row["name"] = final
	f.byName[space][final] = row
	return back
}

// together runs n functions at the same time and gives their errors.
func together(n int, do func(i int) error) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = do(i) })
	}
	wg.Wait()
	return errs
}

// once makes a fault of the first request that matches.
func once(what, method, path string) func(*http.Request, []byte) string {
	var mu sync.Mutex
	done := false
	return func(r *http.Request, _ []byte) string {
		mu.Lock()
		defer mu.Unlock()
		if done || r.Method != method || !strings.HasPrefix(r.URL.Path, path) {
			return ""
		}
		done = true
		return what
	}
}

// typeOf is a type as the kinds' tables tell it.
func typeOf(name string) Type {
	isTask := name == "task"
	return Type{Name: name, Namespace: spaceOf(name), NoTimestamps: isTask, CommittedOneByOne: isTask}
}

func device(i int) string { return fmt.Sprintf("d%05d", i) }

// create makes an instance as the provider does: one that is found after a lost
// answer is the one that was sent when its scalars are.
func create(ctx context.Context, c *Client, typ string, payload Object) error {
	return c.Create(ctx, typeOf(typ), payload, func(row Object) bool {
		for key, sent := range payload {
			if got, has := row[key]; has && isScalar(sent) && fmt.Sprint(sent) != fmt.Sprint(got) {
				return false
			}
		}
		return true
	})
}
