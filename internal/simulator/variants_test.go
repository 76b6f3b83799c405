// The switches that are no database: what older and newer servers do.

package simulator

import (
	"fmt"
	"testing"
	"time"
)

func TestNoMatch403(t *testing.T) {
	t.Parallel()
	for no, plain := range map[bool]int{false: 200, true: 403} {
		c := newClientOf(t, Options{NoMatch403: no})
		c.post("device", `{"name":"a"}`, "a")
		c.do(plain, "GET", "/rest/query/device?name=b", "")
		c.do(200, "GET", "/rest/query/device?name=b&allow_none=1", "")
		c.do(200, "GET", "/rest/query/device?name=a&allow_none=1", "")
		if got := c.queried("device?name=a"); got != "a" {
			t.Errorf("found %q", got)
		}
		if got := c.found("device", `{"name":"b"}`); got != "" {
			t.Errorf("a search finds %q", got)
		}
	}
}

func TestMissingFields(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{MissingFields: []string{"service.disabled", "device.pools"}})
	c.post("ping_service", `{"name":"s","scoped_name":"s","disabled":true,"count":7}`, "s")
	if _, shown := c.get("ping_service", "s")["disabled"]; shown {
		t.Error("disabled is shown")
	}
	if got := c.found("service", `{"disabled":"bool-true","name":"s","name_filter":"equality"}`); got != "s" {
		t.Errorf("a search by it finds %q: it filters nothing", got)
	}
	if got := c.queried("service?disabled=1"); got != "500" {
		t.Errorf("a query by it: %q", got)
	}
	row := c.search(`{"type":"service","columns":["name","disabled"],"search_criteria":{"name":"s","name_filter":"equality"}}`)[0]
	if _, shown := row.(map[string]any)["disabled"]; shown {
		t.Error("disabled is a column")
	}
	c.post("device", `{"name":"d","pools":["nosuch"]}`, "d")
	if _, shown := c.get("device", "d")["pools"]; shown {
		t.Error("pools are shown")
	}
	c.do(200, "POST", "/rest/run_service", `{"name":"s"}`)
	opts := Options{MissingFields: []string{"service.nosuch"}}
	if opts.Check() == nil || (&Options{Database: 9}).Check() == nil {
		t.Error("wrong options pass")
	}
}

func TestDelete403(t *testing.T) {
	t.Parallel()
	for refused, status := range map[bool]int{false: 200, true: 403} {
		c := newClientOf(t, Options{Delete403: refused})
		answer := c.do(status, "DELETE", "/rest/instance/service/%5BShared%5D%20End", "").(map[string]any)
		want := `map[delete_aborted:true log:It is not allowed to delete '[Shared] End'. log_level:error]`
		if refused {
			want = "map[alert:Error 403 - Not Authorized.]"
		}
		if fmt.Sprint(answer) != want {
			t.Errorf("%v", answer)
		}
		c.get("service", "[Shared] End")
	}
}

func TestRequestLimit(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{RequestLimit: 2, RequestWindow: 10 * time.Second})
	for range 2 {
		c.do(200, "GET", "/rest/query/pool", "")
	}
	w := c.raw("POST", "/rest/instance/device", `{"name":"a"}`)
	if w.Code != 429 || w.Header().Get("Retry-After") != "10" {
		t.Errorf("%d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
	c.clock.forward(10 * time.Second)
	c.absent("device", "a")
	c.clock.forward(8500 * time.Millisecond)
	c.do(200, "GET", "/rest/is_alive", "")
	if w := c.raw("GET", "/rest/is_alive", ""); w.Code != 429 || w.Header().Get("Retry-After") != "2" {
		t.Errorf("%d, Retry-After %q", w.Code, w.Header().Get("Retry-After"))
	}
	c = newClientOf(t, Options{RequestLimit: 1})
	c.do(200, "GET", "/rest/is_alive", "")
	if w := c.raw("GET", "/rest/is_alive", ""); w.Header().Get("Retry-After") != "60" {
		t.Errorf("Retry-After %q", w.Header().Get("Retry-After"))
	}
}
