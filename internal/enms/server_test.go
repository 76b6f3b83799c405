// The eNMS that the tests of this package speak to: the simulator behind faults,
// with a log of what reaches it. What neither can do is left to server.hook: to
// act between two certain requests, to hold one until the test goes on, and to
// spoil an answer in a way that depends on the body of the request or that no
// eNMS and no gateway is known for, such as an upsert that answers more names
// than it was sent.

package enms

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// TestMain fails when a goroutine is left over by the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// server is a simulator behind faults, and what it was sent.
type server struct {
	*simulator.Server
	injector *faults.Injector
	url      string

	mu sync.Mutex
	// hook sees each request first; true says that it has answered it.
	hook func(w http.ResponseWriter, r *http.Request, body []byte) bool
	seen []string // "POST /rest/instance/device", faults included
	// pages counts searches without criteria; most is how many requests were in
	// flight at a time.
	pages, inFlight, most int
}

func newServer(t testing.TB, opts simulator.Options) *server {
	t.Helper()
	s := &server{Server: simulator.New(opts)}
	var err error
	s.injector, err = faults.New(s.Server)
	must(t, err)
	served := httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(served.Close)
	s.url = served.URL
	return s
}

func (s *server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	hook := s.hook
	s.seen = append(s.seen, r.Method+" "+r.URL.Path)
	if bytes.Contains(body, []byte(`"search_criteria":{}`)) {
		s.pages++
	}
	s.inFlight++
	s.most = max(s.most, s.inFlight)
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		s.inFlight--
		s.mu.Unlock()
	}()
	if hook == nil || !hook(w, r, body) {
		s.injector.ServeHTTP(w, r)
	}
}

// client makes a client that does not wait long before it tries again.
func (s *server) client(t testing.TB, change ...func(*Config)) *Client {
	t.Helper()
	return newTestClient(t, s.url, change...)
}

func newTestClient(t testing.TB, at string, change ...func(*Config)) *Client {
	t.Helper()
	cfg := Config{BaseURL: at, Username: "admin", Password: "admin",
		MaxRetries: 2, RetryWait: time.Millisecond, RequestTimeout: time.Minute}
	for _, do := range change {
		do(&cfg)
	}
	c, err := New(cfg)
	must(t, err)
	t.Cleanup(c.Close)
	return c
}

// set replaces the rules and forgets what was sent.
func (s *server) set(t testing.TB, rules ...faults.Rule) {
	t.Helper()
	must(t, s.injector.Set(rules...))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = nil
}

// intercept replaces the hook.
func (s *server) intercept(hook func(w http.ResponseWriter, r *http.Request, body []byte) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = hook
}

// requests are the requests since set.
func (s *server) requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.seen)
}

// count gives the number of requests whose method and path begin so.
func (s *server) count(begin string) (n int) {
	for _, request := range s.requests() {
		if strings.HasPrefix(request, begin) {
			n++
		}
	}
	return n
}

// calm takes the faults away, waits for what is under way, and gives the devices.
func (s *server) calm(t testing.TB) map[string]Object {
	t.Helper()
	s.set(t)
	s.injector.Wait()
	devices := map[string]Object{}
	for _, row := range s.query(t, "device", nil) {
		if _, twice := devices[text(row, "name")]; twice {
			t.Errorf("%q is there twice", row["name"])
		}
		devices[text(row, "name")] = row
	}
	return devices
}

// ask asks the simulator directly, past faults and log, as somebody or as admin,
// and gives what it answers.
func (s *server) ask(t testing.TB, user, method, path string, body, answer any) {
	t.Helper()
	raw, err := json.Marshal(body)
	must(t, err)
	r := httptest.NewRequest(method, path, bytes.NewReader(raw))
	r.Header.Set("Content-Type", "application/json")
	r.SetBasicAuth(cmp.Or(user, "admin"), cmp.Or(user, "admin"))
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	if w.Code != http.StatusOK || bytes.Contains(w.Body.Bytes(), []byte(`"failure"`)) {
		t.Fatalf("%s %s: %d %s", method, path, w.Code, w.Body)
	}
	decoder := json.NewDecoder(w.Body)
	decoder.UseNumber()
	must(t, decoder.Decode(answer))
}

// add puts instances there.
func (s *server) add(t testing.TB, typ string, objects ...Object) { s.addAs(t, "", typ, objects...) }

func (s *server) addAs(t testing.TB, user, typ string, objects ...Object) {
	t.Helper()
	for part := range slices.Chunk(objects, 1000) {
		list := make([]Object, len(part))
		for i, o := range part {
			list[i] = complete(typ, o)
		}
		s.ask(t, user, http.MethodPost, "/rest/instance/"+typ, list, new(any))
	}
}

// complete adds what eNMS wants of every instance of a type.
func complete(typ string, payload Object) Object {
	whole := Object{}
	switch spaceOf(typ) {
	case "service":
		whole["scoped_name"] = payload["name"]
	case "task":
		whole["service"] = "[Shared] Start"
	}
	for key, value := range payload {
		whole[key] = value
	}
	return whole
}

// query gives the instances whose properties equal the filter's.
func (s *server) query(t testing.TB, typ string, filter url.Values) (rows []Object) {
	t.Helper()
	s.ask(t, "", http.MethodGet, "/rest/query/"+typ+"?"+filter.Encode(), nil, &rows)
	return rows
}

// get is one instance, nil when there is none.
func (s *server) get(t testing.TB, typ, name string) Object {
	t.Helper()
	if rows := s.query(t, spaceOf(typ), url.Values{"name": {name}}); len(rows) > 0 {
		return rows[0]
	}
	return nil
}

// names are the names of the instances of a type.
func (s *server) names(t testing.TB, typ string) (names []string) {
	t.Helper()
	for _, row := range s.query(t, typ, nil) {
		names = append(names, text(row, "name"))
	}
	slices.Sort(names)
	return names
}

// must ends the test at an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%T %v", err, err)
	}
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

// typeOf is a type as the kinds' tables tell it.
func typeOf(name string) Type {
	isTask := name == "task"
	return Type{Name: name, Namespace: spaceOf(name), NoTimestamps: isTask, CommittedOneByOne: isTask}
}

// poison is a value of description for which the database refuses a whole list
// (enms-rest.md 1.1).
var poison = Object{"no": "text"}

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

func device(i int) string { return fmt.Sprintf("d%05d", i) }

// create makes an instance as the provider does: one that is found after a lost
// answer is the one that was sent when its scalars are.
func create(ctx context.Context, c *Client, typ string, payload Object) error {
	payload = complete(typ, payload)
	return c.Create(ctx, typeOf(typ), payload, func(row Object) bool {
		for key, sent := range payload {
			if got, has := row[key]; has && isScalar(sent) && fmt.Sprint(sent) != fmt.Sprint(got) {
				return false
			}
		}
		return true
	})
}
