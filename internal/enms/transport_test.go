// Tests of the transport: addresses, TLS, proxies, retries, errors, secrets.

package enms

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// newHandler serves a handler and gives its address.
func newHandler(t testing.TB, handle http.HandlerFunc) string {
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server.URL
}

func TestWhatIsSent(t *testing.T) {
	t.Parallel()
	var got *http.Request
	at := newHandler(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Clone(context.Background())
		_, _ = io.WriteString(w, `[]`)
	})
	f := newFake(t)
	c := f.client(t, func(cfg *Config) {
		cfg.BaseURL, cfg.UserAgent = at+"/enms/", "terraform-provider-enms/1.2.3"
		cfg.Headers = map[string]string{"x-token": "t", "host": "front.example"}
	})
	if _, err := c.Search(t.Context(), Search{Type: "device", Columns: []string{"id"}}); err != nil {
		t.Fatal(err)
	}
	user, password, _ := got.BasicAuth()
	for what, ok := range map[string]bool{
		"path":    got.URL.Path == "/enms/rest/search",
		"user":    user == "admin" && password == "s3cret-password",
		"agent":   got.UserAgent() == "terraform-provider-enms/1.2.3",
		"type":    got.Header.Get("Content-Type") == "application/json",
		"headers": got.Header.Get("X-Token") == "t" && got.Host == "front.example",
	} {
		if !ok {
			t.Errorf("%s: %v %v", what, got.URL, got.Header)
		}
	}
}

func TestNamesInPaths(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	c := f.client(t)
	for _, name := range oddNames {
		f.add("device", Object{"name": name})
		if row, err := c.Get(t.Context(), "device", name); err != nil || row["name"] != name {
			t.Errorf("get %q: %v %v", name, row, err)
		}
		if row, err := c.Find(t.Context(), "device", name, nil); err != nil || row["name"] != name {
			t.Errorf("find %q: %v %v", name, row, err)
		}
		if err := c.Delete(t.Context(), "device", name); err != nil || f.get("device", name) != nil {
			t.Errorf("delete %q: %v", name, err)
		}
	}
}

func TestErrorsOfAnswers(t *testing.T) {
	t.Parallel()
	type test struct {
		status     int
		kind, body string
		want       func(error) bool
	}
	notJSON := func(err error) bool { _, ok := errors.AsType[*NotJSONError](err); return ok }
	answer := func(err error) bool { _, ok := errors.AsType[*AnswerError](err); return ok }
	field := func(err error) bool { _, ok := errors.AsType[*FieldError](err); return ok }
	for what, test := range map[string]test{
		"401":      {401, "application/json", `{"alert":"Error 401 - Wrong Credentials."}`, func(err error) bool { return errors.Is(err, ErrUnauthorized) }},
		"401 html": {401, "text/html", `<html>`, func(err error) bool { return errors.Is(err, ErrUnauthorized) }},
		"403":      {403, "application/json", `{}`, func(err error) bool { return errors.Is(err, ErrForbidden) && !errors.Is(err, ErrNotFound) }},
		"302":      {302, "text/html", ``, func(err error) bool { r, ok := errors.AsType[*RedirectError](err); return ok && r.Location == "/login" }},
		"404": {404, "application/json", `{"alert":"Error 404 - Not Found."}`, func(err error) bool {
			s, ok := errors.AsType[*StatusError](err)
			return ok && strings.Contains(s.Alert, "404")
		}},
		"500":        {500, "application/json", `{"alert":"Error 500 - Internal Server Error."}`, InternalServerError},
		"500 html":   {500, "text/html", `<html>`, func(err error) bool { n, ok := errors.AsType[*NotJSONError](err); return ok && n.Status == 500 }},
		"503":        {503, "text/html", `<html>`, func(err error) bool { s, ok := errors.AsType[*StatusError](err); return ok && s.Status == 503 }},
		"html":       {200, "text/html", `<html>`, notJSON},
		"empty":      {200, "application/json", ``, notJSON},
		"cut":        {200, "application/json", `[{"id": 1`, notJSON},
		"trailing":   {200, "application/json", `[] []`, notJSON},
		"deep":       {200, "application/json", strings.Repeat("[", 500) + strings.Repeat("]", 500), notJSON},
		"object":     {200, "application/json", `{"message": "x"}`, answer},
		"null":       {200, "application/json", `null`, answer},
		"not rows":   {200, "application/json", `[1]`, answer},
		"bad name":   {200, "application/json", `[{"id":1,"name":null,"type":"device"}]`, field},
		"bad id":     {200, "application/json", `[{"id":"1","name":"a","type":"device"}]`, field},
		"huge id":    {200, "application/json", `[{"id":99999999999999999999,"name":"a","type":"device"}]`, field},
		"broken id":  {200, "application/json", `[{"id":1.5,"name":"a","type":"device"}]`, field},
		"bad type":   {200, "application/json", `[{"id":1,"name":"a","type":[]}]`, field},
		"other name": {200, "application/json", `[{"id":1,"name":"b","type":"device"}]`, func(err error) bool { return errors.Is(err, ErrNotFound) }},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			at := newHandler(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", test.kind)
				w.Header().Set("Location", "/login?next=secret")
				w.WriteHeader(test.status)
				_, _ = io.WriteString(w, test.body)
			})
			f := newFake(t)
			c := f.client(t, func(cfg *Config) { cfg.BaseURL = at })
			for name, do := range map[string]func() error{
				"query": func() error { _, err := c.queryOne(t.Context(), "device", "name", "a"); return err },
				"find":  func() error { _, err := c.Find(t.Context(), "device", "a", nil); return err },
			} {
				err := do()
				if err == nil || !test.want(err) || strings.ContainsAny(err.Error(), "\n<") || strings.Contains(err.Error(), "secret") {
					t.Errorf("%s: %T %v", name, err, err)
				}
			}
		})
	}
}

func TestForbiddenAndAbsent(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.add("device", Object{"name": "there"}, Object{"name": "kept", "protected": true})
	c := f.client(t)
	if _, err := c.Get(t.Context(), "device", "gone"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if err := c.Delete(t.Context(), "device", "gone"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	err := c.Delete(t.Context(), "device", "kept")
	if refused, ok := errors.AsType[*RefusedError](err); !ok || refused.Reason != "It is not allowed to delete 'it'." {
		t.Error(err)
	}
	if row, err := c.FindByID(t.Context(), "device", "1"); err != nil || row["name"] != "there" {
		t.Error(row, err)
	}
	if _, err := c.FindByID(t.Context(), "device", "99"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if err := c.Alive(t.Context()); err != nil {
		t.Error(err)
	}
	f.fault = func(r *http.Request, _ []byte) string {
		return map[bool]string{true: "403"}[strings.Contains(r.URL.Path, "/instance/")]
	}
	if _, err := c.Get(t.Context(), "device", "there"); !errors.Is(err, ErrForbidden) || errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if err := c.Delete(t.Context(), "device", "there"); !errors.Is(err, ErrForbidden) {
		t.Error(err)
	}
	if f.count("HEAD") != 0 {
		t.Error("HEAD makes eNMS fail")
	}
}

func TestRetries(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		what     string
		attempts int // at least as many for 429, whose limit may pass
	}{
		{"reset", 4}, {"cut", 4}, {"429", 4}, {"502", 4}, {"503", 4}, {"504", 4},
		{"500", 1}, {"html500", 1}, {"401", 1}, {"302", 1}, {"html", 1}, {"empty", 1},
	} {
		f := newFake(t)
		var attempts atomic.Int32
		f.fault = func(*http.Request, []byte) string { attempts.Add(1); return test.what }
		c := f.client(t, func(cfg *Config) { cfg.MaxRetries = 3 })
		_, err := c.Query(t.Context(), "device", nil)
		if made := int(attempts.Load()); err == nil || made < test.attempts || made > test.attempts && test.what != "429" {
			t.Errorf("%s: %d attempts, %v", test.what, attempts.Load(), err)
		}
		attempts.Store(0)
		f.fault = func(*http.Request, []byte) string {
			if attempts.Add(1) < 3 {
				return test.what
			}
			return ""
		}
		if _, err := c.Query(t.Context(), "device", nil); (err == nil) != (test.attempts > 1) {
			t.Errorf("%s that passes: %v", test.what, err)
		}
	}
}

func TestRetriesObeyTheContext(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.fault = func(*http.Request, []byte) string { return "503" }
	c := f.client(t, func(cfg *Config) { cfg.MaxRetries, cfg.RetryWait = 1000, time.Hour })
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	if _, err := c.Query(ctx, "device", nil); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

func TestTimeoutOfAnAttempt(t *testing.T) {
	t.Parallel()
	release := make(chan bool)
	at := newHandler(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(200)
		w.(http.Flusher).Flush()
		<-release // the answer never ends
	})
	t.Cleanup(func() { close(release) })
	f := newFake(t)
	c := f.client(t, func(cfg *Config) { cfg.BaseURL, cfg.RequestTimeout, cfg.MaxRetries = at, 20*time.Millisecond, 1 })
	_, err := c.Query(t.Context(), "device", nil)
	if unreachable, ok := errors.AsType[*UnreachableError](err); !ok || !unreachable.Sent || !strings.Contains(err.Error(), "within 20ms") {
		t.Error(err)
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	_ = listener.Close()
	f := newFake(t)
	c := f.client(t, func(cfg *Config) { cfg.BaseURL = "http://" + address })
	err = create(t.Context(), c, "device", Object{"name": "a", "password": "hidden-one"})
	unreachable, ok := errors.AsType[*UnreachableError](err)
	if !ok || unreachable.Sent || unreachable.Host != address || strings.Contains(err.Error(), "hidden") {
		t.Errorf("%T %v", err, err)
	}
}

func TestMutualTLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {}))
	server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	server.Config.ErrorLog = discard
	server.StartTLS()
	t.Cleanup(server.Close)
	f := newFake(t)
	c := f.client(t, func(cfg *Config) {
		cfg.BaseURL, cfg.TLS = server.URL, &tls.Config{InsecureSkipVerify: true}
	})
	err := create(t.Context(), c, "device", Object{"name": "a"})
	if unreachable, ok := errors.AsType[*UnreachableError](err); !ok || unreachable.Sent {
		t.Errorf("%T %v", err, err)
	}
}

func TestProxy(t *testing.T) {
	t.Parallel()
	var asked atomic.Value
	proxy := newHandler(t, func(w http.ResponseWriter, r *http.Request) {
		asked.Store(r.URL.String())
		_, _ = io.WriteString(w, `{}`)
	})
	at, _ := url.Parse(proxy)
	at.User = url.UserPassword("proxy", "hidden-proxy")
	f := newFake(t)
	c := f.client(t, func(cfg *Config) { cfg.BaseURL, cfg.ProxyURL = "http://enms.invalid", at.String() })
	if err := c.Alive(t.Context()); err != nil || asked.Load() != "http://enms.invalid/rest/is_alive" {
		t.Error(err, asked.Load())
	}
	c = f.client(t, func(cfg *Config) { cfg.BaseURL, cfg.ProxyURL = "http://enms.invalid", "http://u:hidden@127.0.0.1:1" })
	if err := c.Alive(t.Context()); err == nil || strings.Contains(err.Error(), "hidden") {
		t.Error(err)
	}
}

// Neither errors nor the log may hold a secret, whatever the server echoes.
func TestSecrets(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var logged strings.Builder
	f := newFake(t)
	c := f.client(t, func(cfg *Config) {
		cfg.Headers = map[string]string{"X-Gateway": "gateway-secret"}
		cfg.Logger = func(_ context.Context, msg string, fields map[string]any) {
			mu.Lock()
			defer mu.Unlock()
			fmt.Fprintln(&logged, msg, fields)
		}
	})
	payload := Object{"name": "a", "password": "instance-secret", "refuse": true}
	err := create(t.Context(), c, "credential", payload)
	if refused, ok := errors.AsType[*RefusedError](err); !ok || !strings.Contains(refused.Reason, "***") {
		t.Error(err)
	}
	f.fault = once("302", http.MethodGet, "/")
	_, redirected := c.Query(t.Context(), "credential", map[string]string{"name": "a"})
	all := fmt.Sprint(err, redirected, logged.String())
	for _, secret := range []string{"s3cret-password", "gateway-secret", "instance-secret", "Traceback"} {
		if strings.Contains(all, secret) {
			t.Errorf("%s in %s", secret, all)
		}
	}
	for _, field := range []string{"method:POST", "path:/rest/instance/credential", "entries:1", "status:200", "attempt:1", "duration:"} {
		if !strings.Contains(all, field) {
			t.Errorf("%s is not in the log: %s", field, all)
		}
	}
}
