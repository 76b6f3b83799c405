// What the tests of the simulator share: a server and a short way to talk to it.

package simulator

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"
)

// clock is a time that a test sets.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(time.Microsecond)
	return c.at
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}

// client talks to a simulator of its own.
type client struct {
	t      testing.TB
	server *Server
	clock  *clock
	user   string
}

// newClient starts a simulator at noon of Wednesday 3 January 2029.
func newClient(t testing.TB) *client { return newClientOf(t, Options{}) }

// newClientOf starts one with other options, at the same time.
func newClientOf(t testing.TB, opts Options) *client {
	c := &clock{at: time.Date(2029, 1, 3, 12, 0, 0, 0, time.UTC)}
	opts.Now = c.now
	return &client{t: t, clock: c, server: New(opts), user: "admin"}
}

// as is the same server as another user, whose password is his name.
func (c *client) as(user string) *client {
	other := *c
	other.user = user
	return &other
}

func (c *client) raw(method, path, body string) *httptest.ResponseRecorder {
	return c.rawWith(method, path, body, c.user)
}

func (c *client) rawWith(method, path, body, password string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.user != "" {
		r.SetBasicAuth(c.user, password)
	}
	w := httptest.NewRecorder()
	c.server.ServeHTTP(w, r)
	return w
}

// do sends a request, expects a status, and gives the decoded answer.
func (c *client) do(status int, method, path, body string) any {
	c.t.Helper()
	w := c.raw(method, path, body)
	if w.Code != status {
		c.t.Fatalf("%s %s %s: status %d, want %d: %s", method, path, body, w.Code, status, w.Body)
	}
	var v any
	if strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") {
		if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil {
			c.t.Fatal(err)
		}
	}
	return v
}

// post upserts and expects these final names.
func (c *client) post(model, body string, names ...string) {
	c.t.Helper()
	got := fmt.Sprint(c.do(http.StatusOK, "POST", "/rest/instance/"+model, body))
	if want := fmt.Sprint(map[string]any{"success": names}); got != want {
		c.t.Fatalf("POST %s %s: %s, want %s", model, body, got, want)
	}
}

// refused upserts one object and expects a failure with this last line.
func (c *client) refused(model, body, lastLine string) {
	c.t.Helper()
	answer := c.do(http.StatusOK, "POST", "/rest/instance/"+model, body).(map[string]any)
	failures, _ := answer["failure"].([]any)
	if len(failures) != 1 || answer["success"] != nil {
		c.t.Fatalf("POST %s %s: %v, want one failure", model, body, answer)
	}
	lines := strings.Split(strings.TrimSpace(failures[0].([]any)[1].(string)), "\n")
	if got := lines[len(lines)-1]; got != lastLine {
		c.t.Fatalf("POST %s %s: refused with %q, want %q", model, body, got, lastLine)
	}
}

// get reads one object.
func (c *client) get(model, name string) map[string]any {
	c.t.Helper()
	return c.do(http.StatusOK, "GET", "/rest/instance/"+model+"/"+escape(name), "").(map[string]any)
}

func escape(name string) string {
	return strings.NewReplacer(" ", "%20", "[", "%5B", "]", "%5D", "/", "%2F").Replace(name)
}

// absent expects that there is no object of a type and name.
func (c *client) absent(model, name string) {
	c.t.Helper()
	if rows := c.do(http.StatusOK, "GET", "/rest/query/"+model+"?name="+escape(name), ""); len(rows.([]any)) != 0 {
		c.t.Errorf("%s %q exists", model, name)
	}
}

// names are the names a search finds, in the order of the answer.
func (c *client) search(request string) []any {
	c.t.Helper()
	return c.do(http.StatusOK, "POST", "/rest/search", request).([]any)
}

func names(rows []any) string {
	out := []string{}
	for _, row := range rows {
		out = append(out, fmt.Sprint(row.(map[string]any)["name"]))
	}
	return strings.Join(out, " ")
}

// equal compares a decoded value with one written as JSON.
func (c *client) equal(what string, got any, want string) {
	c.t.Helper()
	var v any
	if err := json.Unmarshal([]byte(want), &v); err != nil {
		c.t.Fatal(err)
	}
	if !reflect.DeepEqual(got, v) {
		c.t.Errorf("%s: %#v, want %s", what, got, want)
	}
}
