// Workers whose transaction is open see the past.

package simulator

import (
	"net/http"
	"testing"
)

func stale(t *testing.T) *client {
	return newClientOf(t, Options{Database: MariaDB, Workers: 3, StaleReads: true})
}

// seen tells of some queries for a device in a row which of them found it.
func (c *client) seen(name string, queries int) string {
	c.t.Helper()
	out := ""
	for range queries {
		out += map[bool]string{true: "1", false: "0"}[c.queried("device?name="+name) == name]
	}
	return out
}

// TestStaleReads: what a request leaves behind that does not get to an endpoint.
func TestStaleReads(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		leave func(c *client)
		want  string // after a write, which takes one of the three workers
	}{
		"nothing":        {func(*client) {}, "11111"},
		"wrong password": {func(c *client) { c.rawWith("GET", "/rest/query/device", "", "wrong") }, "00111"},
		"unknown user":   {func(c *client) { c.as("nobody").do(401, "GET", "/rest/query/device", "") }, "00111"},
		"no credentials": {func(c *client) { c.as("").do(401, "GET", "/rest/query/device", "") }, "11111"},
		"login page":     {func(c *client) { c.as("").do(200, "GET", "/login", "") }, "00111"},
		"redirect":       {func(c *client) { c.as("").do(302, "GET", "/dashboard", "") }, "11111"},
		"no endpoint":    {func(c *client) { c.do(404, "GET", "/rest/nosuch", "") }, "00111"},
		"malformed":      {func(c *client) { c.do(500, "POST", "/rest/search", "{") }, "00111"},
		"unknown type":   {func(c *client) { c.do(500, "GET", "/rest/query/nosuch", "") }, "11111"},
		"absent":         {func(c *client) { c.do(403, "GET", "/rest/instance/device/nosuch", "") }, "11111"},
		"not granted":    {func(c *client) { c.as("u").do(403, "GET", "/rest/query/device", "") }, "00111"},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			c := stale(t)
			c.post("user", `{"name":"u","password":"u"}`, "u")
			for range 3 {
				test.leave(c)
			}
			c.post("device", `{"name":"new"}`, "new")
			if got := c.seen("new", 5); got != test.want {
				t.Errorf("seen %s, want %s", got, test.want)
			}
		})
	}
}

// TestHoldSnapshots: the past is that of the first look, whatever comes after; an
// answer that looks at nothing ends it.
func TestHoldSnapshots(t *testing.T) {
	t.Parallel()
	c := stale(t)
	c.post("device", `{"name":"a","vendor":"old","pools":[]}`, "a")
	c.server.HoldSnapshots()
	c.post("device", `{"name":"a","vendor":"new"}`, "a")
	c.server.HoldSnapshots() // only the one that wrote is free to look anew
	for _, want := range []string{"old", "old", "new", "new"} {
		if got := c.get("device", "a")["vendor"]; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	c.server.HoldSnapshots()
	c.post("device", `{"name":"b"}`, "b")
	for range 3 {
		c.as("").do(http.StatusOK, "GET", "/rest/is_alive", "")
	}
	if got := c.seen("b", 3); got != "111" {
		t.Errorf("seen %s after is_alive", got)
	}
	c.server.HoldSnapshots()
	c.do(200, "DELETE", "/rest/instance/device/b", "")
	if got := c.seen("b", 3); got != "110" {
		t.Errorf("seen %s after the deletion", got)
	}
}

// TestFreshReads: without the switch nothing is held.
func TestFreshReads(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{Workers: 3})
	c.server.HoldSnapshots()
	c.post("device", `{"name":"a"}`, "a")
	if got := c.seen("a", 3); got != "111" {
		t.Errorf("seen %s", got)
	}
}
