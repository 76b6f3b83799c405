// Pools and the patterns they select by.

package simulator

import (
	"testing"
)

// TestExpressions: which regular expressions the databases read, and what they find. A
// look-ahead is read by all of them.
func TestExpressions(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ pattern, sqlite, postgresql, mariadb string }{
		{`(?=pd1)pd`, "pd1", "pd1", "pd1"},
		{`^(?!pd2)pd`, "pd1", "pd1", "pd1"},
		{`(?<=p)d1`, "pd1", "pd1", "pd1"},
		{`(?<!x)d1`, "pd1", "pd1", "pd1"},
		{`(p)d1|\1`, "pd1", "pd1", "pd1"},
		{`(?P<n>pd1)`, "pd1", "500", "pd1"},
		{`(?<n>pd1)`, "500", "500", "pd1"},
		{`(?>pd1)`, "pd1", "500", "pd1"},
		{`\p{L}`, "500", "500", "pd1 pd2"},
		{`pd1{1,300}`, "pd1", "500", "pd1"},
		{`\bpd1\b`, "pd1", "", "pd1"},
		{`\ypd1\y`, "500", "pd1", "500"},
		{`\mpd1`, "500", "pd1", "500"},
		{`pd1\M`, "500", "pd1", "500"},
		{`\z`, "500", "500", "pd1 pd2"},
		{`\Apd1\Z`, "pd1", "pd1", "pd1"},
		{`pd[[:digit:]]`, "", "pd1 pd2", "pd1 pd2"},
		{`p(?i)D1`, "500", "500", "pd1"},
		{`(?i)PD1`, "pd1", "pd1", "pd1"},
		{`p{2`, "", "500", ""},
		{`\u0070d1`, "pd1", "pd1", "pd1"},
		{`a**`, "500", "500", "500"},
		{`\j`, "500", "500", "500"},
	} {
		on(t, func(t *testing.T, c *client) {
			c.post("device", `[{"name":"pd1"},{"name":"pd2"}]`, "pd1", "pd2")
			want := []string{test.sqlite, test.postgresql, test.mariadb, test.mariadb}[c.server.eNMS.opts.Database]
			if got := c.found("device", `{"name":`+quoted(test.pattern)+`,"name_filter":"regex"}`); got != want {
				t.Errorf("%s: %q, want %q", test.pattern, got, want)
			}
		})
	}
}

// TestPoolCriteria goes through 2.4 as far as the recorded exchanges do not.
func TestPoolCriteria(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `[{"name":"a","port":22,"latitude":48.85},{"name":"b","port":2222}]`, "a", "b")
	c.post("gateway", `{"name":"g","location":"x"}`, "g")
	c.post("link", `{"name":"l","source":"a","destination":"b"}`, "l")
	c.post("ethernet_link", `{"name":"m","source":"b","destination":"g"}`, "m")
	for _, test := range []struct{ criteria, devices, links string }{
		{`"device_port":22`, `["a","b","g"]`, `[]`},
		{`"device_port":22,"device_port_match":"equality"`, `["a","g"]`, `[]`},
		{`"device_latitude":"48.85","device_latitude_match":"equality"`, `["a"]`, `[]`},
		{`"device_location_match":"empty"`, `["a","b"]`, `[]`},
		{`"device_location_match":"empty","device_location_invert":true`, `["g"]`, `[]`},
		{`"device_location_match":"equality"`, `[]`, `[]`},
		{`"device_name":"%"`, `[]`, `[]`},
		{`"device_colour":"red","device_name":"a"`, `["a"]`, `[]`},
		{`"link_source_name":"B"`, `[]`, `["m"]`},
		{`"link_destination_name":"b","link_destination_name_match":"equality"`, `[]`, `["l"]`},
	} {
		c.post("pool", `{"name":"p",`+test.criteria+`}`, "p")
		c.equal(test.criteria, c.do(200, "POST", "/rest/update_all_pools", ""), `null`)
		c.equal(test.criteria, c.get("pool", "p")["devices"], test.devices)
		c.equal(test.criteria, c.get("pool", "p")["links"], test.links)
		c.do(200, "DELETE", "/rest/instance/pool/p", "")
	}
	c.equal("of the pools that are always there", c.get("device", "a")["pools"], `["All objects","Devices only"]`)
	c.post("pool", `{"name":"p","link_source_name":"a","link_source_name_match":"regex"}`, "p")
	c.do(500, "POST", "/rest/update_all_pools", "")
}

// TestPoolCounters follow members one by one, but not links that go with a device.
func TestPoolCounters(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `[{"name":"a"},{"name":"b"}]`, "a", "b")
	c.post("link", `[{"name":"l","source":"a","destination":"b"},{"name":"m","source":"b","destination":"b"}]`, "l", "m")
	c.post("pool", `{"name":"p","manually_defined":true,"devices":["a","b"],"links":["l","m"]}`, "p")
	counters := func(what, devices, links string) {
		t.Helper()
		pool := c.get("pool", "p")
		c.equal(what, pool["device_number"], devices)
		c.equal(what, pool["link_number"], links)
	}
	counters("members", `2`, `2`)
	c.do(200, "DELETE", "/rest/instance/link/m", "")
	counters("a link is deleted", `2`, `1`)
	c.post("device", `{"name":"b","pools":[]}`, "b")
	counters("left from the other side", `1`, `1`)
	c.do(200, "DELETE", "/rest/instance/device/a", "")
	counters("a device is deleted with its link", `0`, `1`)
	c.do(200, "POST", "/rest/update_all_pools", "")
	counters("recomputed", `0`, `0`)
}
