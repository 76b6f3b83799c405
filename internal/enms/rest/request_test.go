// Tests of one request with its attempts: what is sent, how often, and how long the client waits. They run by
// the clock of package synctest, with a server in memory.

package rest

import (
	"context"
	"errors"
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc/test/bufconn"
)

// inMemory serves a handler without a network, and makes a client of it.
func inMemory(t *testing.T, cfg Config, handle http.HandlerFunc) *Client {
	t.Helper()
	listener := bufconn.Listen(1 << 20)
	served := &httptest.Server{Listener: listener, Config: &http.Server{Handler: handle, ErrorLog: discard}}
	served.Start()
	t.Cleanup(served.Close)
	if cfg.DialContext == nil {
		cfg.DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) { return listener.DialContext(ctx) }
	}
	cfg.BaseURL = "http://enms.example/at//"
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// status answers with a status, and with headers: "Retry-After", "5".
func status(status int, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for header := range slices.Chunk(headers, 2) {
			w.Header().Set(header[0], header[1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "{}")
	}
}

func broken(http.ResponseWriter, *http.Request)      { panic(http.ErrAbortHandler) }
func hanging(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

// begun begins an answer that never ends.
func begun(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

func TestDo(t *testing.T) {
	t.Parallel()
	const s = time.Second
	ok, busy, limited := status(200), status(503), status(429, "Retry-After", "60")
	cut := status(200, "Content-Length", "100")
	for name, test := range map[string]struct {
		request     Request
		answers     []http.HandlerFunc // the last one is that of all further requests, too; nil refuses a connection
		retries     int
		requests    int32
		fails, lost bool
		least, most time.Duration
		kept        bool // connections are
	}{
		"success":                              {answers: []http.HandlerFunc{ok}, retries: 3, requests: 1},
		"it passes":                            {answers: []http.HandlerFunc{busy, status(502), ok}, retries: 3, requests: 3, lost: true, least: 12 * s, most: 24 * s},
		"it lasts":                             {answers: []http.HandlerFunc{busy}, retries: 2, requests: 3, fails: true, lost: true, least: 12 * s, most: 24 * s},
		"a pause is asked for":                 {answers: []http.HandlerFunc{status(503, "Retry-After", "45"), ok}, retries: 1, requests: 2, lost: true, least: 45 * s, most: 45 * s},
		"a limit":                              {answers: []http.HandlerFunc{limited, ok}, requests: 2, retries: 1, lost: true, least: 60 * s, most: 60 * s},
		"a limit that lasts":                   {answers: []http.HandlerFunc{limited}, retries: 1, requests: 17, fails: true, lost: true, least: 960 * s, most: 960 * s},
		"a limit that names no pause":          {answers: []http.HandlerFunc{status(429)}, retries: 1, requests: 8, fails: true, lost: true, least: 984 * s, most: 984 * s},
		"a limit, without retries":             {answers: []http.HandlerFunc{limited}, requests: 1, fails: true},
		"eNMS fails":                           {answers: []http.HandlerFunc{status(500)}, retries: 3, requests: 1, fails: true},
		"broken":                               {answers: []http.HandlerFunc{broken, ok}, retries: 3, requests: 2, lost: true, least: 4 * s, most: 8 * s},
		"cut off":                              {answers: []http.HandlerFunc{cut, ok}, retries: 3, requests: 2, lost: true, least: 4 * s, most: 8 * s},
		"refused":                              {answers: []http.HandlerFunc{nil, ok}, retries: 3, requests: 2, least: 4 * s, most: 8 * s},
		"too slow":                             {answers: []http.HandlerFunc{hanging, ok}, retries: 3, requests: 2, lost: true, least: 104 * s, most: 108 * s},
		"too slow, and long":                   {request: Request{Long: true}, answers: []http.HandlerFunc{hanging, ok}, retries: 3, requests: 1, fails: true, least: 100 * s, most: 100 * s},
		"broken, and once":                     {request: Request{Once: true}, answers: []http.HandlerFunc{broken, ok}, retries: 3, requests: 1, fails: true},
		"refused, and once":                    {request: Request{Once: true}, answers: []http.HandlerFunc{nil, ok}, retries: 3, requests: 2, least: 4 * s, most: 8 * s},
		"a kept connection breaks":             {answers: []http.HandlerFunc{busy, broken, ok}, retries: 1, requests: 3, lost: true, least: 4 * s, most: 8 * s, kept: true},
		"broken, then refused":                 {answers: []http.HandlerFunc{broken, nil}, retries: 2, requests: 3, fails: true, lost: true, least: 12 * s, most: 24 * s},
		"too slow within the answer, and long": {request: Request{Long: true}, answers: []http.HandlerFunc{begun}, retries: 3, requests: 1, fails: true, least: 100 * s, most: 100 * s},
		"more than the request permits":        {request: Request{Limit: 1}, answers: []http.HandlerFunc{ok}, retries: 3, requests: 1, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var requests atomic.Int32
				next := func() http.HandlerFunc { return test.answers[min(int(requests.Load()), len(test.answers)-1)] }
				cfg := Config{MaxRetries: test.retries, RetryWait: 8 * s, RequestTimeout: 100 * s}
				c := inMemory(t, cfg, func(w http.ResponseWriter, r *http.Request) {
					handle := next()
					requests.Add(1)
					handle(w, r)
				})
				dial := c.transport.DialContext
				c.transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
					if next() == nil {
						requests.Add(1)
						return nil, errors.New("refused")
					}
					return dial(ctx, network, address)
				}
				c.transport.DisableKeepAlives = !test.kept
				begin := time.Now()
				test.request.Method, test.request.Path = http.MethodGet, "/rest/x"
				answer, err := c.Do(t.Context(), test.request)
				if took := time.Since(begin); took < test.least || took > test.most {
					t.Errorf("it takes %s, want %s to %s", took, test.least, test.most)
				}
				if (err != nil) != test.fails || answer.Lost != test.lost || requests.Load() != test.requests {
					t.Errorf("%v, lost is %v, %d requests", err, answer.Lost, requests.Load())
				}
			})
		})
	}
}

// The caller's context ends each kind of waiting, also that for another request, with its own error.
func TestDo_interrupted(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]http.HandlerFunc{
		"for an answer": hanging, "for the next attempt": status(503), "for a limit": status(429, "Retry-After", "60"),
	} {
		synctest.Test(t, func(t *testing.T) {
			c := inMemory(t, Config{MaxRetries: 3, RetryWait: time.Minute, MaxConcurrentRequests: 1}, answer)
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			begin := time.Now()
			var callers sync.WaitGroup
			for range 2 {
				callers.Go(func() {
					if _, err := c.Do(ctx, alive); err != context.DeadlineExceeded || time.Since(begin) != time.Second { //nolint:errorlint // it must not be taken for a timeout of the request
						t.Errorf("waiting %s ends after %s: %v", name, time.Since(begin), err)
					}
				})
			}
			callers.Wait()
		})
	}
}

// As many requests as the limit are under way at a time, and no more.
func TestMaxConcurrentRequests(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int]time.Duration{1: 10 * time.Second, 3: 4 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			c := inMemory(t, Config{MaxConcurrentRequests: limit}, func(w http.ResponseWriter, r *http.Request) {
				time.Sleep(time.Second)
				status(200)(w, r)
			})
			begin := time.Now()
			var callers sync.WaitGroup
			for range 10 {
				callers.Go(func() {
					if _, err := c.Do(t.Context(), alive); err != nil {
						t.Error(err)
					}
				})
			}
			callers.Wait()
			if took := time.Since(begin); took != want {
				t.Errorf("10 requests take %s with a limit of %d", took, limit)
			}
		})
	}
}

// sentRequest is what a server of a test gets.
type sentRequest struct {
	method, host, target, body string
	header                     http.Header
}

// What is sent and logged: headers of the configuration come before the client's own.
func TestDo_whatIsSent(t *testing.T) {
	t.Parallel()
	own := map[string]string{"Authorization": "Basic dTpwYXNz", "User-Agent": "agent", "Accept": "application/json"}
	for name, test := range map[string]struct {
		request Request
		headers map[string]string
		want    sentRequest
		header  map[string]string // besides own
		entries int
	}{
		"a search": {Request{Method: "POST", Path: Path("search"), Body: []byte("[]"), Entries: 7}, nil,
			sentRequest{method: "POST", host: "enms.example", target: "/at/rest/search", body: "[]"}, map[string]string{"Content-Type": "application/json"}, 7},
		"a query": {Request{Method: "GET", Path: Path("query", "a/b"), Query: url.Values{"name": {"x y"}}}, map[string]string{"x-token": "t", "accept": "text/plain", "host": "front.example"},
			sentRequest{method: "GET", host: "front.example", target: "/at/rest/query/a%2Fb?name=x+y"}, map[string]string{"X-Token": "t", "Accept": "text/plain"}, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			var got sentRequest
			var logged map[string]any
			var asked time.Time
			cfg := Config{Username: "u", Password: "pass", UserAgent: "agent", Headers: test.headers,
				Logger:   func(_ context.Context, _ string, fields map[string]any) { logged = fields },
				Answered: func(_ *http.Response, sent time.Time) { asked = sent }}
			begin := time.Now()
			c := inMemory(t, cfg, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got = sentRequest{r.Method, r.Host, r.RequestURI, string(body), r.Header}
				time.Sleep(time.Second)
				status(200)(w, r)
			})
			a, err := c.Do(t.Context(), test.request)
			if err != nil || a.Status != 200 || a.ContentType != "application/json" || a.Title != "" || string(a.Body) != "{}" || a.basePath != "/at" {
				t.Errorf("%s: %+v, %v", name, a, err)
			}
			want := maps.Clone(own)
			maps.Copy(want, test.header)
			for key, value := range want {
				if got.header.Get(key) != value {
					t.Errorf("%s: %s is %q", name, key, got.header.Get(key))
				}
			}
			if got.header = nil; !reflect.DeepEqual(got, test.want) || !asked.Equal(begin) {
				t.Errorf("%s: %+v was sent at %s", name, got, asked)
			}
			path, _, _ := strings.Cut(strings.TrimPrefix(test.want.target, "/at"), "?")
			fields := map[string]any{"method": test.want.method, "path": "/at" + path, "entries": test.entries, "status": 200, "duration": "1s", "attempt": 1}
			if !reflect.DeepEqual(logged, fields) {
				t.Errorf("%s: the log has %v, want %v", name, logged, fields)
			}
		})
	}
}

// A page that is not eNMS's own answer is known by its title, which holds no secret.
func TestDo_title(t *testing.T) {
	t.Parallel()
	const page = "<title>Not for hidden-one</title>"
	for kind, want := range map[string]string{"text/html": "Not for ***", "application/json; charset=utf-8": ""} {
		for _, status := range []int{http.StatusOK, http.StatusCreated} {
			synctest.Test(t, func(t *testing.T) {
				c := inMemory(t, Config{Password: "hidden-one"}, func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", kind)
					w.WriteHeader(status)
					_, _ = io.WriteString(w, page)
				})
				if a, err := c.Do(t.Context(), alive); err != nil || a.Title != want && status == http.StatusOK || a.Title == "" && status != http.StatusOK {
					t.Errorf("%d %s: %q, %v", status, kind, a.Title, err)
				}
			})
		}
	}
}

// An attempt without an answer is logged, too; what cannot be sent is not.
func TestDo_noAnswer(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var logged map[string]any
		c := inMemory(t, Config{Logger: func(_ context.Context, _ string, fields map[string]any) { logged = fields }}, broken)
		_, err := c.Do(t.Context(), alive)
		if !Lost(err) || logged["status"] != 0 {
			t.Errorf("%v, the log has %v", err, logged)
		}
		_, cut := inMemory(t, Config{}, status(200, "Content-Length", "100")).Do(t.Context(), alive)
		for _, err := range []error{err, cut} {
			if err == nil || !strings.Contains(err.Error(), "closed before the answer was complete") {
				t.Error(err)
			}
		}
		if _, err := c.Do(t.Context(), Request{Method: "GET", Path: "\x00"}); !Unacted(err) || !strings.Contains(err.Error(), "malformed") {
			t.Error(err)
		}
	})
}
