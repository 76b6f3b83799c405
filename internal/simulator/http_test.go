// The HTTP level, the request log, rights, concurrency.

package simulator

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// TestHTTP goes through the table of 7.
func TestHTTP(t *testing.T) {
	t.Parallel()
	html, js := "text/html; charset=utf-8", "application/json"
	for _, test := range []struct {
		method, path, contentType, body string
		status                          int
		answer                          string
	}{
		{"HEAD", "/rest/is_alive", "", "", 500, html},
		{"GET", "/rest/search", "", "", 404, js},
		{"POST", "/rest/query/device", js, "{}", 404, js},
		{"GET", "/rest/", "", "", 404, js},
		{"GET", "/rest/instance/device/a%0Ab", "", "", 404, html},
		{"GET", "/rest//instance", "", "", 404, js},
		{"GET", "/rest/token", "", "", 500, js},
		{"GET", "/rest", "", "", 302, html},
		{"GET", "/", "", "", 302, html},
		{"GET", "/anything/else", "", "", 302, html},
		{"GET", "/login", "", "", 200, html},
		{"GET", "/rest/is_alive?x=1", "", "", 200, js},
		{"GET", "/rest/is_alive/x", "", "", 500, js},
		{"GET", "/rest/instance/device", "", "", 500, js},
		{"GET", "/rest/instance/device/", "", "", 403, js},
		{"GET", "/rest/instance/device/d/", "", "", 500, js},
		{"GET", "/rest/instance/device/a%2Fb", "", "", 500, js},
		{"GET", "/rest/instance/device/d?x=1", "", "", 200, js},
		{"GET", "/rest/instance/device/d?name=1", "", "", 500, js},
		{"GET", "/rest/instance/nosuch/d", "", "", 500, js},
		{"DELETE", "/rest/query/device", "", "", 404, js},
		{"POST", "/rest/instance/device", "", `{"name":"d"}`, 500, js},
		{"POST", "/rest/instance/device", "text/plain", `{"name":"d"}`, 500, js},
		{"POST", "/rest/instance/device", "application/json; charset=latin1", `{"name":"d"}`, 200, js},
		{"POST", "/rest/instance/device", "application/vnd.x+json", `{"name":"d"}`, 200, js},
		{"POST", "/rest/instance/device", "application/x-www-form-urlencoded", `name=d&vendor=a+b`, 200, js},
		{"POST", "/rest/instance/device", js, "\xef\xbb\xbf" + `{"name":"d"}`, 200, js},
		{"POST", "/rest/instance/device", js, "{\"name\":\"\xff\"}", 500, js},
		{"POST", "/rest/instance/device", js, `{"name":"d"} x`, 500, js},
		{"POST", "/rest/instance/device", js, `{"name":"d","name":"e"}`, 200, js},
		{"GET", "/rest/configuration/d?property=port", "", "", 200, js},
		{"GET", "/rest/configuration/d?property=pools", "", "", 500, js},
		{"GET", "/rest/configuration/nope", "", "", 403, js},
		{"POST", "/rest/run_task/99", js, "{}", 403, js},
		{"POST", "/rest/run_task", js, "{}", 500, js},
		{"POST", "/rest/run_task/1", js, "{}", 200, js},
		{"GET", "/rest/workers", "", "", 200, js},
	} {
		t.Run(test.method+" "+test.path, func(t *testing.T) {
			t.Parallel()
			c := newClient(t)
			c.post("device", `{"name":"d"}`, "d")
			r := httptest.NewRequest(test.method, test.path, strings.NewReader(test.body))
			r.SetBasicAuth("admin", "admin")
			if test.contentType != "" {
				r.Header.Set("Content-Type", test.contentType)
			}
			w := httptest.NewRecorder()
			c.server.ServeHTTP(w, r)
			if w.Code != test.status || w.Header().Get("Content-Type") != test.answer {
				t.Errorf("%d %s, want %d %s: %s", w.Code, w.Header().Get("Content-Type"), test.status, test.answer, w.Body)
			}
		})
	}
}

// TestHeaders are the ones a client could trip over.
func TestHeaders(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	if got := c.raw("GET", "/rest", "").Header().Get("Location"); !strings.HasPrefix(got, "/login?") {
		t.Errorf("location %q", got)
	}
	if w := c.raw("OPTIONS", "/rest/instance/device", ""); w.Code != 200 || w.Body.Len() != 0 {
		t.Errorf("OPTIONS: %d %q", w.Code, w.Body)
	}
	if w := c.raw("PUT", "/rest/instance/device", ""); !strings.Contains(w.Header().Get("Allow"), "DELETE") {
		t.Errorf("allow %q", w.Header().Get("Allow"))
	}
	c.user = ""
	if w := c.raw("GET", "/rest/query/device", ""); w.Code != 401 || w.Header().Get("WWW-Authenticate") != "" {
		t.Errorf("%d with a challenge %q", w.Code, w.Header().Get("WWW-Authenticate"))
	}
	r := httptest.NewRequest("GET", "/rest/query/device", nil)
	r.Header.Set("Authorization", "Bearer admin")
	w := httptest.NewRecorder()
	c.server.ServeHTTP(w, r)
	if w.Code != 401 {
		t.Errorf("bearer: %d", w.Code)
	}
}

// TestRequestLog counts what a client sends and gets, and never shows it.
func TestRequestLog(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	c := newClient(t)
	c.server = New(Options{Log: &log})
	c.do(200, "POST", "/rest/instance/device", `[{"name":"a","description":"hush"},{"name":"b"},{"name":"c/d"}]`)
	c.do(200, "GET", "/rest/query/device?name=a", "")
	c.do(200, "POST", "/rest/search", `{"type":"device","columns":["name"]}`)
	c.do(403, "GET", "/rest/instance/pool/x%20y", "")
	type seen struct {
		method, path, query, model string
		status, entries, answered  int
	}
	want := []seen{
		{"POST", "/rest/instance/device", "", "device", 200, 3, 2},
		{"GET", "/rest/query/device", "name=a", "device", 200, 0, 1},
		{"POST", "/rest/search", "", "device", 200, 1, 2},
		{"GET", "/rest/instance/pool/x y", "", "pool", 403, 0, 0},
	}
	for i, r := range c.server.Requests() {
		got := seen{r.Method, r.Path, r.RawQuery, r.Type, r.Status, r.Entries, r.Answered}
		if i >= len(want) || got != want[i] {
			t.Errorf("request %d: %+v", i, got)
		}
	}
	if lines := strings.Count(log.String(), "\n"); lines != 4 || strings.Contains(log.String(), "hush") || strings.Contains(log.String(), "admin") {
		t.Errorf("log:\n%s", log.String())
	}
	c.server.ResetRequests()
	if n := len(c.server.Requests()); n != 0 {
		t.Errorf("%d requests after a reset", n)
	}
}

// TestSerial: requests wait for one of the processes, each of which answers one after the other.
func TestSerial(t *testing.T) {
	t.Parallel()
	const each, count = 20 * time.Millisecond, 5
	for _, test := range []struct {
		workers int
		took    time.Duration
		serial  bool
	}{{0, each, false}, {0, count * each, true}, {3, 2 * each, true}} {
		synctest.Test(t, func(t *testing.T) {
			c := newClient(t)
			c.server = New(Options{Latency: each, Serial: test.serial, Workers: test.workers})
			begun := time.Now()
			var group sync.WaitGroup
			for range count {
				group.Go(func() { c.raw("GET", "/rest/query/device", "") })
			}
			group.Wait()
			if took := time.Since(begun); took != test.took {
				t.Errorf("serial %v, %d workers: %d requests took %s", test.serial, test.workers, count, took)
			}
			begun = time.Now()
			c.user = ""
			c.raw("GET", "/rest/is_alive", "")
			if took := time.Since(begun); took != 0 {
				t.Errorf("a request without credentials took %s", took)
			}
		})
	}
}

// TestRights goes through 6 for a user who is no admin, as far as the recorded exchanges do not.
func TestRights(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	lists := `"menu":[],"pages":[],"get_requests":["/rest/instance","/rest/query"],"post_requests":["/rest/instance","/rest/search","/rest/run_service"],"delete_requests":["/rest/instance"]`
	c.post("user", `[{"name":"u","password":"u"},{"name":"w","password":"w"}]`, "u", "w")
	c.post("group", `{"name":"g","users":["u"],"device_access":["rbac_edit","rbac_read"],`+lists+`}`, "g")
	c.post("device", `[{"name":"hidden"},{"name":"seen","rbac_read":["g"]},{"name":"mine","rbac_read":["g"],"rbac_edit":["g"]}]`, "hidden", "seen", "mine")
	u := c.as("u")
	c.as("w").do(http.StatusForbidden, "GET", "/rest/query/device", "")
	c.equal("query", names(u.do(200, "GET", "/rest/query/device", "").([]any)), `"seen mine"`)
	c.equal("search", names(u.search(`{"type":"device","columns":["name"]}`)), `"mine seen"`)
	u.post("device", `{"name":"mine","vendor":"x","rbac_read":[]}`, "mine")
	c.equal("rights dropped silently", c.get("device", "mine")["rbac_read"], `["g"]`)
	u.post("device", `{"name":"own","owners":["admin"],"rbac_read":[]}`, "own")
	own := c.get("device", "own")
	c.equal("owner", own["owners"], `["u"]`)
	c.equal("by the group's access", own["rbac_edit"], `["g"]`)
	u.post("device", `{"name":"own","rbac_edit":[]}`, "own")
	c.equal("an owner may", c.get("device", "own")["rbac_edit"], `[]`)
	u.do(403, "DELETE", "/rest/instance/user/w", "")
	u.do(403, "GET", "/rest/query/server", "")
	u.do(403, "POST", "/rest/run_service", `{"name":"cluster_monitoring"}`)
	c.post("service", `{"name":"cluster_monitoring","rbac_run":["g"]}`, "cluster_monitoring")
	u.do(200, "POST", "/rest/run_service", `{"name":"cluster_monitoring"}`)
	u.do(403, "POST", "/rest/run_service", `{"name":"cluster_monitoring","async":false}`)
	c.equal("status", c.get("service", "cluster_monitoring")["status"], `"Running"`)
}

// TestDeviceRights rebuilds rights from the pools of groups.
func TestDeviceRights(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `[{"name":"a"},{"name":"b","rbac_read":[]}]`, "a", "b")
	c.post("pool", `{"name":"p","devices":["a"]}`, "p")
	c.post("group", `{"name":"g","rbac_read_devices":["b"],"rbac_pool_rbac_read":["p"]}`, "g")
	c.equal("before", c.get("device", "b")["rbac_read"], `["g"]`)
	c.do(200, "POST", "/rest/update_device_rbac", "")
	c.equal("b", c.get("device", "b")["rbac_read"], `[]`)
	c.equal("a", c.get("device", "a")["rbac_read"], `["g"]`)
}
