// Tests of single requests: addresses, bounds, waits, TLS, secrets.

package rest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain fails when a goroutine is left over by the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// discard is where servers of tests complain about clients that hang up.
var discard = log.New(io.Discard, "", 0)

// newClient makes a client that does not wait long.
func newClient(t testing.TB, cfg Config) *Client {
	t.Helper()
	cfg.RetryWait = time.Millisecond
	c, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// alive is a request.
var alive = Request{Method: http.MethodGet, Path: Path("is_alive")}

// newHandler serves a handler and gives its address.
func newHandler(t testing.TB, handle http.HandlerFunc) string {
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server.URL
}

func TestNew(t *testing.T) {
	t.Parallel()
	for _, bad := range []Config{
		{}, {BaseURL: "enms.example"}, {BaseURL: "ftp://enms.example"}, {BaseURL: "http://"},
		{BaseURL: "http://user:hidden@h"}, {BaseURL: "http://h/?a=b"}, {BaseURL: "http://h/#f"}, {BaseURL: "http://hidden\x7f"},
		{BaseURL: "http://h", ProxyURL: "://hidden"}, {BaseURL: "http://h", ProxyURL: "hidden"}, {BaseURL: "http://h/?"}, {BaseURL: "http://h", MaxRetries: -1}, {BaseURL: "http://h", MaxConcurrentRequests: -1},
		{BaseURL: "http://h", RequestTimeout: -1}, {BaseURL: "http://h", RetryWait: -1},
	} {
		if _, err := New(bad); err == nil || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%q: %v", bad.BaseURL, err)
		}
	}
	c, err := New(Config{BaseURL: "https://h/PREFIX//", TLS: &tls.Config{MinVersion: tls.VersionTLS10}})
	if err != nil || c.base.String() != "https://h/PREFIX" || c.cfg.RequestTimeout != 120*time.Second {
		t.Error(err, c.base)
	}
	if c.transport.TLSClientConfig.MinVersion != tls.VersionTLS12 || c.transport.MaxIdleConnsPerHost < 32 {
		t.Error("the transport is too weak")
	}
}

func TestWaits(t *testing.T) {
	t.Parallel()
	for attempt := range 100 {
		wait := backoff(time.Second, attempt)
		full := min(time.Second<<min(attempt, 10), maxWait)
		if wait < full/2 || wait > full {
			t.Errorf("attempt %d: %s", attempt, wait)
		}
	}
	for header, want := range map[string]time.Duration{
		"": 0, "3": 3 * time.Second, "10": 10 * time.Second, "70000": maxRetryAfter, "-1": 0, "soon": 0,
		"Mon, 02 Jan 2006 15:04:05 GMT":                                  0,
		time.Now().Add(time.Hour).UTC().Format(http.TimeFormat):          maxRetryAfter,
		"99999999999999999999999999999999999999999999999999999999999999": 0,
	} {
		resp := &http.Response{Header: http.Header{"Retry-After": {header}}}
		if got := retryAfter(resp.Header); got != want {
			t.Errorf("%q: %s", header, got)
		}
	}
}

func TestAnswerThatIsTooLarge(t *testing.T) {
	t.Parallel()
	var attempts atomic.Int32
	at := newHandler(t, func(w http.ResponseWriter, _ *http.Request) {
		attempts.Add(1)
		w.Header().Set("Content-Length", "2147483648")
		_, _ = io.WriteString(w, "[")
	})
	c := newClient(t, Config{BaseURL: at, MaxRetries: 2})
	if _, err := c.Do(t.Context(), alive); !strings.HasSuffix(err.Error(), "the answer is too large: it has more than 256 MiB") || attempts.Load() != 1 {
		t.Error(err, attempts.Load())
	}
	limited := alive
	limited.Limit = 3 << 20
	if _, err := c.Do(t.Context(), limited); err == nil || !strings.HasSuffix(err.Error(), "it has more than 3 MiB") {
		t.Error(err)
	}
	endless := &http.Response{Body: io.NopCloser(zeros{}), ContentLength: -1}
	if _, err := readWhole(endless, 1000); !errors.Is(err, errSize) {
		t.Error(err)
	}
	exact := &http.Response{Body: io.NopCloser(io.LimitReader(zeros{}, 1000)), ContentLength: 1000}
	if _, err := readWhole(exact, 1000); err != nil {
		t.Error(err)
	}
}

// zeros is a body that never ends.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestTLS(t *testing.T) {
	t.Parallel()
	var attempts atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		attempts.Add(1)
		_, _ = io.WriteString(w, `{}`)
	}))
	server.Config.ErrorLog = discard
	server.StartTLS()
	t.Cleanup(server.Close)
	var dials atomic.Int32
	c := newClient(t, Config{BaseURL: server.URL, MaxRetries: 5})
	c.transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		dials.Add(1)
		return (&net.Dialer{}).DialContext(ctx, network, address)
	}
	_, err := c.Do(t.Context(), alive)
	if unreachable, ok := errors.AsType[*UnreachableError](err); !ok || unreachable.Sent || dials.Load() != 1 || attempts.Load() != 0 {
		t.Error(err, dials.Load())
	}
	pool := x509.NewCertPool()
	pool.AddCert(server.Certificate())
	c = newClient(t, Config{BaseURL: server.URL, TLS: &tls.Config{RootCAs: pool}})
	if _, err := c.Do(t.Context(), alive); err != nil {
		t.Error(err)
	}
	mutual := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	mutual.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
	mutual.Config.ErrorLog = discard
	mutual.StartTLS()
	t.Cleanup(mutual.Close)
	c = newClient(t, Config{BaseURL: mutual.URL, TLS: &tls.Config{InsecureSkipVerify: true}})
	if _, err := c.Do(t.Context(), alive); !Unacted(err) || retryable(err, alive) {
		t.Error("a certificate is asked for:", err)
	}
	plain := newHandler(t, func(http.ResponseWriter, *http.Request) {})
	c = newClient(t, Config{BaseURL: strings.Replace(plain, "http://", "https://", 1)})
	_, err = c.Do(t.Context(), alive)
	if _, ok := errors.AsType[*UnreachableError](err); !ok {
		t.Error("https to a server of http")
	}
}

// A proxy gets the requests, and its password is not shown.
func TestProxy(t *testing.T) {
	t.Parallel()
	asked := make(chan string, 1)
	proxy := newHandler(t, func(w http.ResponseWriter, r *http.Request) { asked <- r.URL.String() })
	cfg := Config{BaseURL: "http://enms.invalid", ProxyURL: strings.Replace(proxy, "://", "://proxy:hidden-proxy@", 1)}
	if _, err := newClient(t, cfg).Do(t.Context(), alive); err != nil {
		t.Error(err)
	} else if at := <-asked; at != "http://enms.invalid/rest/is_alive" {
		t.Error(at)
	}
	cfg.ProxyURL = "http://u:hidden@127.0.0.1:1"
	if _, err := newClient(t, cfg).Do(t.Context(), alive); err == nil || strings.Contains(err.Error(), "hidden") {
		t.Error(err)
	}
}

func FuzzSegment(f *testing.F) {
	for _, name := range []string{" a ", "a#b", "100%", "%2F", "what?", "a;b", "a+b", "[Shared] x", "Zürich", "日本", "a&b=c", ".", "..", "\\d", "tab\there", "line\nend", "a/b"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		path := Path("instance", "device", name)
		target, err := url.Parse("http://h" + path)
		if err != nil {
			t.Fatal(err)
		}
		if target.Path != "/rest/instance/device/"+name || target.RawQuery != "" || target.Fragment != "" {
			t.Errorf("%q became %q", name, target.Path)
		}
		if sent := target.EscapedPath(); sent != path || strings.Count(sent, "/") != 4 {
			t.Errorf("%q is sent as %q", name, sent)
		}
	})
}

// No verb of package fmt prints a secret of a configuration or a client.
func TestPrintedWithoutSecrets(t *testing.T) {
	t.Parallel()
	cfg := Config{BaseURL: "http://h", Username: "u", Password: "hidden-password", Headers: map[string]string{"X": "hidden-token"}}
	c := newClient(t, cfg)
	for _, value := range []any{cfg, &cfg, c, *c, []Config{cfg}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x"} {
			if out := fmt.Sprintf(verb, value); strings.Contains(out, "hidden") || strings.Contains(out, fmt.Sprintf("%x", "hidden")) {
				t.Errorf("%s of %T: %s", verb, value, out)
			}
		}
	}
}

// Who prints a client or its configuration learns what it is.
func TestPrinted(t *testing.T) {
	t.Parallel()
	cfg := Config{BaseURL: "http://h:1/x"}
	if got := fmt.Sprint(cfg, newClient(t, cfg)); got != "rest.Config{} rest.Client{h:1}" {
		t.Error(got)
	}
}

// What a server sends reaches a terminal without control characters, be they of one byte or of C1,
// and without marks that reverse what is shown.
func TestOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\x1b[31mb\nc":      "a [31mb c",
		"a\u009b31mb":        "a 31mb",
		"a\u202eb\u2066c":    "a b c",
		"Zürich \u65e5 – ok": "Zürich \u65e5 – ok",
		"a\xffb":             "a?b",

		strings.Repeat("x", MaxLine):             strings.Repeat("x", MaxLine),
		strings.Repeat("x", MaxLine-1) + "ü":     strings.Repeat("x", MaxLine-1) + "…",
		strings.Repeat("x", MaxLine-2) + "ü and": strings.Repeat("x", MaxLine-2) + "ü…",
	} {
		if got := OneLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// A server that does not read what it is sent answers TLS in plain HTTP: most with a status,
// that of eNMS itself with nothing but a page. TLS answers plain HTTP with an alert.
func TestWrongScheme(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]struct{ base, speaks string }{
		"HTTP/1.1 400 Bad Request\r\n\r\n":           {"https", "http"},
		"<!DOCTYPE HTML>\n<html></html>":             {"https", "http"},
		"\x15\x03\x01\x00\x02\x02F":                  {"http", "https"},
		"SSH-2.0-OpenSSH_9.6\r\n":                    {"https", ""},
		"\x15\x03\x01\x00\x02\x02\x46\x15\x03\x01\n": {"http", "https"},
	} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				_, _ = conn.Read(make([]byte, 4096))
				_, _ = conn.Write([]byte(answer))
				_ = conn.Close()
			}
		}()
		c, err := New(Config{BaseURL: want.base + "://" + listener.Addr().String(), Username: "u", Password: "p", RequestTimeout: 10 * time.Second})
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Do(t.Context(), Request{Method: http.MethodGet, Path: "/rest/is_alive"})
		scheme, found := errors.AsType[*SchemeError](err)
		if found != (want.speaks != "") || found && (scheme.Speaks != want.speaks || scheme.Use != want.speaks+"://"+listener.Addr().String()) || !Unacted(err) && found {
			t.Errorf("%q: %v", answer, err)
		}
	}
}

func TestPath(t *testing.T) {
	t.Parallel()
	for want, segments := range map[string][]string{
		"/rest":                              nil,
		"/rest/instance/device/%2E":          {"instance", "device", "."},
		"/rest/instance/device/%2E%2E":       {"instance", "device", ".."},
		"/rest/instance/device/...":          {"instance", "device", "..."},
		"/rest/instance/device/a%2Fb":        {"instance", "device", "a/b"},
		"/rest/instance/device/a%3Fb%23c%25": {"instance", "device", "a?b#c%"},
	} {
		if got := Path(segments...); got != want {
			t.Errorf("%q: %s, want %s", segments, got, want)
		}
	}
}
