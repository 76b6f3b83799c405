// Package testserver is the eNMS of the client's tests: the simulator behind faults, with a log of the requests.
// Intercept is for what these cannot do: act between two particular requests, hold a request until the test
// continues, or damage an answer in a way that depends on the request's body or that no known eNMS or gateway does,
// such as an upsert that returns more names than it was sent. A Script (script.go) serves tests of single requests,
// which need no eNMS behind the answers.
package testserver

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc/test/bufconn"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// Object is an instance, as package enms has it.
type Object = map[string]any

// Server is a simulator behind faults, with a log of its requests.
type Server struct {
	*simulator.Server
	Injector *faults.Injector
	URL      string

	mu       sync.Mutex
	hook     func(w http.ResponseWriter, r *http.Request, body []byte) bool // see Intercept
	requests []string                                                       // see Requests
	pages    int                                                            // see Pages
	inFlight int                                                            // the requests that are under way
	most     int                                                            // see Most
}

// Config returns the configuration of a client with short pauses before retries.
func Config(at string, change ...func(*rest.Config)) rest.Config {
	cfg := rest.Config{BaseURL: at, Username: "admin", Password: "admin",
		MaxRetries: 2, RetryWait: time.Millisecond, RequestTimeout: time.Minute}
	for _, do := range change {
		do(&cfg)
	}
	return cfg
}

// New starts a server, which ends with the test.
func New(t testing.TB, opts simulator.Options) *Server {
	t.Helper()
	s := &Server{}
	s.start(t, opts, httptest.NewServer(http.HandlerFunc(s.serve)))
	return s
}

// NewInMemory is New without a network, for tests with testing/synctest, whose clock stands still while
// something waits for a network. dial makes a client's configuration connect to the server in memory.
func NewInMemory(t testing.TB, opts simulator.Options) (s *Server, dial func(*rest.Config)) {
	t.Helper()
	s = &Server{}
	listener := bufconn.Listen(1 << 20)
	served := &httptest.Server{Listener: listener, Config: &http.Server{Handler: http.HandlerFunc(s.serve)}}
	served.Start()
	s.start(t, opts, served)
	return s, func(cfg *rest.Config) {
		cfg.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return listener.DialContext(ctx) }
	}
}

// start makes the simulator and the faults of a server.
func (s *Server) start(t testing.TB, opts simulator.Options, served *httptest.Server) {
	t.Helper()
	t.Cleanup(served.Close)
	s.Server, s.URL = simulator.New(opts), served.URL
	var err error
	s.Injector, err = faults.New(s.Server)
	Must(t, err)
}

// serve logs a request and passes it on: to the hook, or else to the faults.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	s.mu.Lock()
	hook := s.hook
	s.requests = append(s.requests, r.Method+" "+r.URL.Path)
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
		s.Injector.ServeHTTP(w, r)
	}
}

// Set replaces the rules of the faults, and forgets the requests so far.
func (s *Server) Set(t testing.TB, rules ...faults.Rule) {
	t.Helper()
	Must(t, s.Injector.Set(rules...))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests, s.most = nil, s.inFlight
}

// Intercept replaces the hook, which gets each request first and returns true if it has answered the request.
func (s *Server) Intercept(hook func(w http.ResponseWriter, r *http.Request, body []byte) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hook = hook
}

// Refuse refuses the requests that contain all words, in the method, the path or the body: see Refusal. Without words, none.
func (s *Server) Refuse(words ...string) {
	if len(words) > 0 {
		s.Intercept(Refusal(words...))
	}
}

// Refusal returns a hook for Intercept that answers 400 to requests that contain all words, in the method, the path or the
// body.
func Refusal(words ...string) func(w http.ResponseWriter, r *http.Request, body []byte) bool {
	return func(w http.ResponseWriter, r *http.Request, body []byte) bool {
		request := r.Method + " " + r.URL.RequestURI() + " " + string(body)
		if slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(request, word) }) {
			return false
		}
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, "{}")
		return true
	}
}

// Requests returns the requests since the last Set, such as "POST /rest/instance/device", faults included.
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Count returns the number of requests whose method and path begin with a string.
func (s *Server) Count(begin string) (n int) {
	for _, request := range s.Requests() {
		if strings.HasPrefix(request, begin) {
			n++
		}
	}
	return n
}

// Calm removes the faults, waits for requests that are under way, and returns the devices by their names. The test
// fails if two have the same name.
func (s *Server) Calm(t testing.TB) map[string]Object {
	t.Helper()
	s.Set(t)
	s.Injector.Wait()
	devices := map[string]Object{}
	for _, row := range s.Query(t, "device", nil) {
		if _, twice := devices[fmt.Sprint(row["name"])]; twice {
			t.Errorf("%q is there twice", row["name"])
		}
		devices[fmt.Sprint(row["name"])] = row
	}
	return devices
}

// Ask makes a request to the simulator directly, without faults and log, as a user or as admin,
// and decodes the answer.
func (s *Server) Ask(t testing.TB, user, method, path string, body, answer any) {
	t.Helper()
	raw, err := json.Marshal(body)
	Must(t, err)
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
	Must(t, decoder.Decode(answer))
}

// Add creates instances.
func (s *Server) Add(t testing.TB, typ string, objects ...Object) { s.AddAs(t, "", typ, objects...) }

// AddAs is Add by a user, "" for admin.
func (s *Server) AddAs(t testing.TB, user, typ string, objects ...Object) {
	t.Helper()
	for part := range slices.Chunk(objects, 1000) {
		list := make([]Object, len(part))
		for i, o := range part {
			list[i] = Complete(typ, o)
		}
		s.Ask(t, user, http.MethodPost, "/rest/instance/"+typ, list, new(any))
	}
}

// Complete adds the fields that eNMS requires of every instance of a type.
func Complete(typ string, payload Object) Object {
	whole := Object{}
	switch SpaceOf(typ) {
	case "service":
		whole["scoped_name"] = payload["name"]
	case "task":
		whole["service"] = "[Shared] Start"
	}
	maps.Copy(whole, payload)
	return whole
}

// Query returns the instances whose properties equal the filter's.
func (s *Server) Query(t testing.TB, typ string, filter url.Values) (rows []Object) {
	t.Helper()
	s.Ask(t, "", http.MethodGet, "/rest/query/"+typ+"?"+filter.Encode(), nil, &rows)
	return rows
}

// Get returns one instance, or nil if there is none.
func (s *Server) Get(t testing.TB, typ, name string) Object {
	t.Helper()
	if rows := s.Query(t, SpaceOf(typ), url.Values{"name": {name}}); len(rows) > 0 {
		return rows[0]
	}
	return nil
}

// Names returns the names of the instances of a type.
func (s *Server) Names(t testing.TB, typ string) (names []string) {
	t.Helper()
	for _, row := range s.Query(t, typ, nil) {
		names = append(names, fmt.Sprint(row["name"]))
	}
	slices.Sort(names)
	return names
}

// Must ends the test if err is not nil.
func Must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%T %v", err, err)
	}
}

// SpaceOf returns the namespace of a type.
func SpaceOf(typ string) string {
	switch {
	case typ == "device" || typ == "gateway":
		return "node"
	case strings.HasSuffix(typ, "service") || typ == "workflow":
		return "service"
	}
	return typ
}

// Poison is a value of description for which the database refuses a whole list (enms-rest.md 1.1).
var Poison = Object{"no": "text"}

// Together runs n functions at the same time and returns their errors.
func Together(n int, do func(i int) error) []error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { errs[i] = do(i) })
	}
	wg.Wait()
	return errs
}

// Device returns the name of the i-th device.
func Device(i int) string { return fmt.Sprintf("d%05d", i) }

// Pages returns the number of searches without criteria.
func (s *Server) Pages() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pages
}

// Most returns the most requests that were under way at the same time since the last Set.
func (s *Server) Most() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.most
}
