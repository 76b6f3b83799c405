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
	c = newClientOf(t, Options{Workers: 3}) // without StaleReads nothing is held
	c.server.HoldSnapshots()
	c.post("device", `{"name":"a"}`, "a")
	if got := c.seen("a", 3); got != "111" {
		t.Errorf("fresh ones: seen %s", got)
	}
}

// TestStaleWrites: what a session does that finds the past and changes the present.
// The real eNMS answered so on MariaDB 10.11 with REPEATABLE READ, deletion apart.
func TestStaleWrites(t *testing.T) {
	t.Parallel()
	for what, test := range map[string]struct {
		meanwhile func(c *client) // on the first worker, while two others hold the past
		stale     func(c *client)
		want      func(c *client) // looks at the present
	}{
		"what it does not change in its own eyes is not written": {
			func(c *client) { c.post("device", `{"name":"a","vendor":"new"}`, "a") },
			func(c *client) { c.post("device", `{"name":"a","vendor":"old","location":"l"}`, "a") },
			func(c *client) {
				c.equal("device", []any{c.get("device", "a")["vendor"], c.get("device", "a")["location"]}, `["new","l"]`)
			}},
		"a create of what is there is refused": {
			func(c *client) { c.post("device", `{"name":"new","vendor":"first"}`, "new") },
			func(c *client) { c.do(500, "POST", "/rest/instance/device", `{"name":"new","vendor":"second"}`) },
			func(c *client) { c.equal("vendor", c.get("device", "new")["vendor"], `"first"`) }},
		"a create of what has gone is done": {
			func(c *client) { c.do(200, "DELETE", "/rest/instance/device/a", "") },
			func(c *client) { c.post("device", `{"name":"a","vendor":"second","must_be_new":true}`, "a") },
			func(c *client) { c.equal("vendor", c.get("device", "a")["vendor"], `"second"`) }},
		"an update of what has gone is refused": {
			func(c *client) { c.do(200, "DELETE", "/rest/instance/device/a", "") },
			func(c *client) { c.do(500, "POST", "/rest/instance/device", `{"name":"a","vendor":"x"}`) },
			func(c *client) { c.absent("device", "a") }},
		"a deletion of what has gone is refused": {
			func(c *client) { c.do(200, "DELETE", "/rest/instance/device/a", "") },
			func(c *client) { c.do(500, "DELETE", "/rest/instance/device/a", "") },
			func(c *client) { c.absent("device", "a") }},
		"an update under the old name is done under the new one": {
			func(c *client) { c.post("device", `{"name":"a","new_name":"b"}`, "b") },
			func(c *client) { c.post("device", `{"name":"a","vendor":"x"}`, "a") },
			func(c *client) { c.equal("vendor", c.get("device", "b")["vendor"], `"x"`) }},
		"a member that is one already is refused": {
			func(c *client) { c.post("device", `{"name":"a","pools":["p"]}`, "a") },
			func(c *client) { c.do(500, "POST", "/rest/instance/device", `{"name":"a","pools":["p"]}`) },
			func(c *client) { c.equal("devices", c.get("pool", "p")["devices"], `["a","m"]`) }},
		"a member that is none any more is refused": {
			func(c *client) { c.post("device", `{"name":"m","pools":[]}`, "m") },
			func(c *client) { c.do(500, "POST", "/rest/instance/device", `{"name":"m","pools":[]}`) },
			func(c *client) { c.equal("devices", c.get("pool", "p")["devices"], `[]`) }},
		"what nobody touched meanwhile is done": {
			func(c *client) { c.post("device", `[{"name":"x1"},{"name":"x2"}]`, "x1", "x2") },
			func(c *client) {
				c.post("device", `[{"name":"y","pools":["p"],"gateways":["g"]},{"name":"a","vendor":"z"}]`, "y", "a")
			},
			func(c *client) {
				c.equal("devices", c.get("pool", "p")["devices"], `["m","y"]`)
				c.equal("counter", c.get("pool", "p")["device_number"], `2`)
				c.equal("owners", c.get("device", "y")["owners"], `["admin"]`)
				c.equal("vendor", c.get("device", "a")["vendor"], `"z"`)
				c.post("device", `{"name":"y","gateways":[]}`, "y")
			}},
		"a task is scheduled under the id that it got": {
			func(c *client) { c.post("task", `{"name":"other"}`, "other") },
			func(c *client) {
				c.post("task", `{"name":"t","service":"cluster_monitoring","frequency":60,"is_active":true}`, "t")
			},
			func(c *client) {
				c.equal("next run", c.get("task", "t")["next_run_time"], `"2029-01-03 12:01:00"`)
				c.equal("is_active", c.get("task", "t")["is_active"], `true`)
				c.equal("service", c.get("task", "t")["service"], `"cluster_monitoring"`)
			}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			c := stale(t)
			c.post("pool", `{"name":"p"}`, "p")
			c.post("gateway", `{"name":"g"}`, "g")
			c.post("device", `[{"name":"a","vendor":"old"},{"name":"m","pools":["p"]}]`, "a", "m")
			c.server.HoldSnapshots()
			test.meanwhile(c)
			test.stale(c)
			c.as("").do(200, "GET", "/rest/is_alive", "") // the third worker's past ends
			test.want(c)
		})
	}
}
