// What the databases compare, refuse and keep. Where a comment does not say
// otherwise, the real eNMS answered so on PostgreSQL 15 and MariaDB 10.11.

package simulator

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// on runs a test on each of some databases, all when none is named.
func on(t *testing.T, test func(t *testing.T, c *client), databases ...Database) {
	t.Helper()
	for d := SQLite; d <= MariaDBUTF8; d++ {
		if len(databases) == 0 || slices.Contains(databases, d) {
			t.Run(d.String(), func(t *testing.T) {
				t.Parallel()
				test(t, newClientOf(t, Options{Database: d}))
			})
		}
	}
}

func quoted(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// found returns the names a search finds, or its status when that is not 200.
func (c *client) found(model, criteria string) string {
	c.t.Helper()
	w := c.raw("POST", "/rest/search", fmt.Sprintf(`{"type":%q,"columns":["name"],"maximum_return_records":100,"search_criteria":%s}`, model, criteria))
	return foundNames(c, w.Code, w.Body.Bytes())
}

// queried is the same for a query.
func (c *client) queried(path string) string {
	c.t.Helper()
	w := c.raw("GET", "/rest/query/"+path, "")
	return foundNames(c, w.Code, w.Body.Bytes())
}

func foundNames(c *client, status int, body []byte) string {
	c.t.Helper()
	if status != 200 {
		return fmt.Sprint(status)
	}
	var rows []any
	if err := json.Unmarshal(body, &rows); err != nil {
		c.t.Fatal(err)
	}
	return names(rows)
}

// TestUnion: PostgreSQL cannot group the rows of a subtype, whose columns are in
// several tables, nor runs, which come with their service.
func TestUnion(t *testing.T) {
	t.Parallel()
	criteria := map[string]string{"device": "pools", "node": "networks", "gateway": "pools", "router": "pools",
		"link": "source", "ethernet_link": "pools", "network": "nodes", "run": "target_devices", "workflow": "target_devices",
		"ping_service": "target_devices", "connection_service": "target_devices", "service": "target_devices",
		"task": "service", "pool": "devices", "credential": "groups", "user": "groups", "group": "users", "workflow_edge": "source"}
	works := []string{"service", "task", "pool", "credential", "user", "group", "workflow_edge"}
	on(t, func(t *testing.T, c *client) {
		for model, relation := range criteria {
			want := ""
			if c.server.eNMS.opts.Database == PostgreSQL && !slices.Contains(works, model) {
				want = "500"
			}
			if got := c.found(model, fmt.Sprintf(`{%q:["x"],"%s_filter":"union"}`, relation, relation)); got != want {
				t.Errorf("%s: %q, want %q", model, got, want)
			}
		}
	})
}

// TestSpellings: which names MariaDB holds for one and the same.
func TestSpellings(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]string{"Müller": "mULLER", "a": "a  ", "straße": "strase", "ünï": "UNI", "😀": "🎉", "Ёж": "еж"} {
		on(t, func(t *testing.T, c *client) {
			same := c.server.eNMS.opts.Database >= MariaDB
			if c.server.eNMS.opts.Database == MariaDBUTF8 && name == "😀" {
				return
			}
			c.post("device", `{"name":`+quoted(name)+`,"vendor":`+quoted(name)+`}`, name)
			path := url.PathEscape(other)
			if got := c.raw("GET", "/rest/instance/device/"+path, "").Code == 200; got != same {
				t.Errorf("GET of %q finds %q: %t", other, name, got)
			}
			if got := c.queried("device?vendor=" + url.QueryEscape(other)); (got == name) != same {
				t.Errorf("query of %q: %q", other, got)
			}
			if got := c.found("device", `{"name":`+quoted(other)+`,"name_filter":"equality"}`); (got == name) != same {
				t.Errorf("search of %q: %q", other, got)
			}
			c.post("pool", `{"name":"p","devices":[`+quoted(name)+`]}`, "p")
			if got := c.found("pool", `{"devices":[`+quoted(other)+`]}`); (got == "p") != same {
				t.Errorf("search for the pool of %q: %q", other, got)
			}
			if got := c.raw("POST", "/rest/instance/device", `{"name":`+quoted(other)+`,"must_be_new":true}`).Code == 500; got != same {
				t.Errorf("%q beside %q is refused: %t", other, name, got)
			}
			if !same {
				return
			}
			// The upsert finds the row and gives it the spelling that was sent.
			c.post("device", `{"name":`+quoted(other)+`}`, other)
			if got := c.get("pool", "P")["devices"].([]any)[0]; got != other {
				t.Errorf("after the upsert: %q", got)
			}
			c.do(200, "DELETE", "/rest/instance/device/"+url.PathEscape(name), "")
		})
	}
}

// TestComparisons goes through conditions that the databases see differently.
func TestComparisons(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ model, criteria, sqlite, postgresql, mariadb string }{
		{"device", `{"vendor":"CISCO"}`, "a", "", "a"},
		{"device", `{"vendor":"cisco","vendor_filter":"equality"}`, "", "", "a"},
		{"device", `{"vendor":"^c","vendor_filter":"regex"}`, "", "", "a"},
		{"device", `{"vendor":"^C","vendor_filter":"regex"}`, "a", "a", "a"},
		{"device", `{"location":"ZURICH"}`, "", "", "b"},
		{"device", `{"location":"zurich","location_filter":"regex"}`, "", "", ""},
		{"device", `{"location":"ZÜRICH","location_filter":"regex"}`, "", "", "b"},
		{"device", `{"vendor":"(","vendor_filter":"regex"}`, "500", "500", "500"},
		{"router", `{"vendor":"(","vendor_filter":"regex"}`, "", "500", "500"},
		{"device", `{"port":83}`, "b", "500", "b"},
		{"device", `{"port":"83"}`, "b", "500", "b"},
		{"device", `{"port":"83","port_filter":"regex"}`, "b", "b", "b"},
		{"device", `{"port":83,"port_filter":"regex"}`, "500", "500", "b"},
		{"device", `{"port":"abc","port_filter":"equality"}`, "", "500", ""},
		{"device", `{"port":99999999999,"port_filter":"equality"}`, "", "", ""},
		{"device", `{"port":"99999999999","port_filter":"equality"}`, "", "500", ""},
		{"device", `{"port":830.5,"port_filter":"equality"}`, "", "", ""},
		{"device", `{"port_filter":"empty"}`, "", "500", ""},
		{"device", `{"vendor":22}`, "", "", ""},
		{"device", `{"vendor":22,"vendor_filter":"equality"}`, "", "500", ""},
		{"service", `{"disabled":true}`, "500", "500", "500"},
		{"service", `{"disabled":true,"disabled_filter":"equality"}`, "s", "s", "s"},
		{"service", `{"disabled":1,"disabled_filter":"equality"}`, "s", "500", "s"},
		{"service", `{"disabled":"bool-true"}`, "s", "s", "s"},
		{"rest_call_service", `{"payload":"x","payload_filter":"equality"}`, "", "500", ""},
	} {
		on(t, func(t *testing.T, c *client) {
			c.post("device", `[{"name":"a","vendor":"Cisco"},{"name":"b","port":830,"location":"Zürich"}]`, "a", "b")
			c.post("service", `{"name":"s","scoped_name":"s","disabled":true}`, "s")
			want := []string{test.sqlite, test.postgresql, test.mariadb, test.mariadb}[c.server.eNMS.opts.Database]
			if got := c.found(test.model, test.criteria); got != want {
				t.Errorf("%s %s: %q, want %q", test.model, test.criteria, got, want)
			}
		})
	}
}

// TestQueriesCompare is the same for GET /rest/query.
func TestQueriesCompare(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ path, sqlite, postgresql, mariadb string }{
		{"device?port=abc", "", "500", "z"},
		{"device?port=0830", "b", "b", "b"},
		{"device?port=22.5", "", "500", ""},
		{"device?port=99999999999", "", "500", ""},
		{"device?id=abc", "", "500", ""},
		{"device?type=DEVICE&name=b", "", "", "b"},
		{"service?disabled=1", "s", "s", "s"},
		{"service?disabled=true", "", "s", "[Shared] Start [Shared] End cluster_monitoring [Shared] Placeholder"},
		{"service?disabled=maybe&name=s", "", "500", ""},
		{"task?status=inactive", "", "", "Cluster Monitoring"},
	} {
		on(t, func(t *testing.T, c *client) {
			c.post("device", `[{"name":"z","port":0},{"name":"b","port":830}]`, "z", "b")
			c.post("service", `{"name":"s","scoped_name":"s","disabled":true}`, "s")
			want := []string{test.sqlite, test.postgresql, test.mariadb, test.mariadb}[c.server.eNMS.opts.Database]
			if got := c.queried(test.path); got != want {
				t.Errorf("%s: %q, want %q", test.path, got, want)
			}
		})
	}
}

// TestColumns: what a column makes of a value; "500" is a refusal at the commit.
func TestColumns(t *testing.T) {
	t.Parallel()
	long := func(n int, text string) string { return quoted(strings.Repeat(text, n)) }
	for _, test := range []struct{ model, property, value, sqlite, postgresql, mariadb string }{
		{"device", "port", `22.5`, "22.5", "23", "22"},
		{"device", "port", `"22.5"`, "22.5", "500", "23"},
		{"device", "port", `" 22 "`, "22", "22", "22"},
		{"device", "port", `"abc"`, `"abc"`, "500", "500"},
		{"device", "port", `"22abc"`, `"22abc"`, "500", "500"},
		{"device", "port", `""`, `""`, "500", "500"},
		{"device", "port", `true`, "1", "500", "1"},
		{"device", "port", `2147483647`, "2147483647", "2147483647", "2147483647"},
		{"device", "port", `2147483648`, "2147483648", "500", "500"},
		{"device", "port", `"-2147483649"`, "-2147483649", "500", "500"},
		{"device", "icon", long(64, "é"), "=", "=", "="},
		{"device", "icon", long(65, "é"), "=", "500", "500"},
		{"device", "icon", quoted("router" + strings.Repeat(" ", 70)), "=", quoted("router" + strings.Repeat(" ", 58)), quoted("router" + strings.Repeat(" ", 58))},
		{"device", "vendor", long(255, "x"), "=", "=", "="},
		{"device", "vendor", long(256, "x"), "=", "500", "500"},
		{"device", "description", long(70000, "x"), "=", "=", "="},
		{"device", "vendor", `true`, `"1"`, `"true"`, `"1"`},
		{"device", "vendor", `12.5`, `"12.5"`, `"12.5"`, `"12.5"`},
		{"device", "vendor", `5.0`, `"5.0"`, `"5.0"`, `"5"`},
		{"device", "vendor", `["x"]`, "500", `"{x}"`, `"x"`},
		{"device", "vendor", `["x","y"]`, "500", `"{x,y}"`, "500"},
		{"device", "vendor", `{"x":1,"y":["z"]}`, "500", "500", `"{'x': 1, 'y': ['z']}"`},
		{"device", "vendor", `[{},{}]`, "500", "500", "500"},
		{"device", "vendor", `"a\u0000b"`, "=", "500", "="},
		{"task", "crontab_expression", long(65, "*"), "=", "500", "500"},
		{"pool", "device_name", long(300, "x"), "=", "=", "="},
		{"pool", "device_name_match", long(65, "x"), "=", "500", "500"},
		{"credential", "password", long(189, "x"), "", "", ""},
		{"credential", "password", long(192, "x"), "", "500", "500"},
		{"credential", "private_key", long(1000, "x"), "", "", ""},
		{"user", "password", long(300, "x"), "", "", ""},
		{"generic_file_transfer_service", "timeout", `10.123456789`, "10.123456789", "10.123456789", "10.1235"},
		{"generic_file_transfer_service", "timeout", `16777217`, "16777217", "16777217", "16777200"},
		{"generic_file_transfer_service", "timeout", `"7"`, "7", "7", "7"},
		{"generic_file_transfer_service", "timeout", `"abc"`, "500", "500", "500"},
		{"generic_file_transfer_service", "timeout", `true`, "1", "500", "1"},
		{"generic_file_transfer_service", "timeout", `1e39`, "1e39", "1e39", "500"},
	} {
		on(t, func(t *testing.T, c *client) {
			want := []string{test.sqlite, test.postgresql, test.mariadb, test.mariadb}[c.server.eNMS.opts.Database]
			if want == "=" {
				want = test.value
			}
			w := c.raw("POST", "/rest/instance/"+test.model, fmt.Sprintf(`{"name":"a","scoped_name":"a",%q:%s}`, test.property, test.value))
			if w.Code != 200 {
				if want != "500" {
					t.Errorf("%s: %d", test.property, w.Code)
				}
				return
			}
			switch got := c.get(test.model, "a")[test.property]; {
			case want == "500":
				t.Errorf("%s keeps %s as %v", test.property, test.value, got)
			case want != "":
				c.equal(test.property+" of "+test.value[:min(len(test.value), 20)], got, want)
			}
		})
	}
}

// TestPatternSize: MariaDB compiles a pattern to two or three bytes a character.
func TestPatternSize(t *testing.T) {
	t.Parallel()
	on(t, func(t *testing.T, c *client) {
		limited := c.server.eNMS.opts.Database >= MariaDB
		for pattern, fits := range map[string]bool{strings.Repeat("x", 32764): true, strings.Repeat("x", 32765): false,
			strings.Repeat("k", 21843): true, strings.Repeat("k", 21844): false, strings.Repeat(`\.`, 32764): true} {
			want := ""
			if limited && !fits {
				want = "500"
			}
			if got := c.found("device", `{"name":`+quoted(pattern)+`,"name_filter":"regex"}`); got != want {
				t.Errorf("%.5s, %d bytes: %q", pattern, len(pattern), got)
			}
		}
	})
}

// TestUncomparable: a look-up that the database cannot make is a failure of the
// entry, and takes the entries before it along.
func TestUncomparable(t *testing.T) {
	t.Parallel()
	for d, text := range map[Database]string{PostgreSQL: "a\x00b", MariaDBUTF8: "😀"} {
		on(t, func(t *testing.T, c *client) {
			c.post("device", `[{"name":"old","vendor":"before"},{"name":"other"}]`, "old", "other")
			answer := c.do(200, "POST", "/rest/instance/device",
				`[{"name":"new"},{"name":"old","vendor":"after"},{"name":`+quoted(text)+`},{"name":"late"}]`).(map[string]any)
			if got := fmt.Sprint(answer["success"]); got != "[new old late]" || len(answer["failure"].([]any)) != 1 {
				t.Errorf("%v", answer)
			}
			c.absent("device", "new")
			if got := c.get("device", "old")["vendor"]; got != "before" {
				t.Errorf("vendor %q", got)
			}
			c.get("device", "late")
			c.do(200, "POST", "/rest/instance/device", `[{"name":"gone"},{"name":"other","gateways":[`+quoted(text)+`]}]`)
			c.absent("device", "gone")
			for _, body := range []string{`{"name":` + quoted(text) + `,"no_fetch":true}`, `{"name":"old","vendor":` + quoted(text) + `}`} {
				c.do(500, "POST", "/rest/instance/device", body)
			}
			c.do(500, "GET", "/rest/instance/device/"+url.PathEscape(text), "")
			c.do(500, "DELETE", "/rest/instance/device/"+url.PathEscape(text), "")
			for _, filter := range []string{"equality", "inclusion", "regex"} {
				if got := c.found("device", `{"vendor":`+quoted(text)+`,"vendor_filter":"`+filter+`"}`); got != "500" {
					t.Errorf("%s: %q", filter, got)
				}
			}
			for _, criteria := range []string{`{"pools":[` + quoted(text) + `]}`, `{"bogus":` + quoted(text) + `}`} {
				want := map[bool]string{true: "500", false: "late old other"}[strings.Contains(criteria, "pools")]
				if got := c.found("device", criteria); got != want {
					t.Errorf("%s: %q", criteria, got)
				}
			}
			if got := c.queried("device?vendor=" + url.QueryEscape(text)); got != "500" {
				t.Errorf("query: %q", got)
			}
		}, d)
	}
}

// TestIDs: strict databases never give an id twice.
func TestIDs(t *testing.T) {
	t.Parallel()
	on(t, func(t *testing.T, c *client) {
		c.post("device", `{"name":"a"}`, "a")
		id := c.get("device", "a")["id"].(float64)
		c.do(200, "DELETE", "/rest/instance/device/a", "")
		c.post("device", `{"name":"b"}`, "b")
		if got := c.get("device", "b")["id"].(float64); (got == id) != (c.server.eNMS.opts.Database == SQLite) {
			t.Errorf("id %v after %v", got, id)
		}
	})
}

// TestForeignKeys: strict databases look at them.
func TestForeignKeys(t *testing.T) {
	t.Parallel()
	on(t, func(t *testing.T, c *client) {
		strict := c.server.eNMS.opts.Database != SQLite
		c.post("credential", `{"name":"c"}`, "c")
		c.post("connection_service", `{"name":"s","scoped_name":"s","named_credential":"c"}`, "s")
		if got := c.raw("DELETE", "/rest/instance/credential/c", "").Code == 500; got != strict {
			t.Errorf("a credential in use is kept: %t", got)
		}
		if got := c.raw("POST", "/rest/instance/task", `{"name":"t","service_id":999}`).Code == 500; got != strict {
			t.Errorf("a service that is not there is refused: %t", got)
		}
		c.post("python_snippet_service", `{"name":"r","scoped_name":"r","source_code":"1","run_method":"once","skip_value":"success"}`, "r")
		c.do(200, "POST", "/rest/run_service", `{"name":"r","async":false}`)
		c.do(200, "DELETE", "/rest/instance/service/r", "")
		if got := len(c.do(200, "GET", "/rest/query/run", "").([]any)) == 0; got != strict {
			t.Errorf("the runs of a service go with it: %t", got)
		}
	})
}

// TestOrder: where NULL and upper case stand.
func TestOrder(t *testing.T) {
	t.Parallel()
	on(t, func(t *testing.T, c *client) {
		c.post("device", `[{"name":"b"},{"name":"A"},{"name":"C"}]`, "b", "A", "C")
		c.do(200, "POST", "/rest/instance/device", `{"name":"C","vendor":null}`)
		want := []string{"A C b", "A C b", "A b C", "A b C"}[c.server.eNMS.opts.Database]
		if got := c.found("device", `{}`); got != want {
			t.Errorf("by name: %q, want %q", got, want)
		}
		first := c.search(`{"type":"device","columns":["vendor","name"],"maximum_return_records":1}`)
		if got := names(first) == "C"; got != (c.server.eNMS.opts.Database != PostgreSQL) {
			t.Errorf("by vendor: %q first", names(first))
		}
		for _, request := range []string{`"maximum_return_records":-1`, `"start":-1`} {
			want := map[bool]int{true: 200, false: 500}[c.server.eNMS.opts.Database == SQLite]
			c.do(want, "POST", "/rest/search", `{"type":"device","columns":["name"],`+request+`}`)
		}
	})
}
