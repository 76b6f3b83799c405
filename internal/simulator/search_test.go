// Search and query.

package simulator

import (
	"fmt"
	"strings"
	"testing"
)

func inventory(t testing.TB) *client {
	c := newClient(t)
	c.post("pool", `[{"name":"p"},{"name":"q"}]`, "p", "q")
	c.post("device", `[{"name":"a","vendor":"Cisco","port":22,"pools":["p","q"]},{"name":"b","vendor":"cisco systems","port":830,"pools":["p"]},
		{"name":"c","vendor":null,"configuration":"line one\nrouter bgp\n"},{"name":"d"}]`, "a", "b", "c", "d")
	c.post("device", `{"name":"c","vendor":null}`, "c")
	c.post("gateway", `{"name":"g","priority":3,"vendor":"Gate"}`, "g")
	c.post("link", `[{"name":"l","source":"a","destination":"b"},{"name":"m"}]`, "l", "m")
	c.post("service", `{"name":"s","scoped_name":"s","disabled":true}`, "s")
	c.post("task", `[{"name":"t","service":"s"},{"name":"u"}]`, "t", "u")
	return c
}

// TestSearchCriteria goes through the table of 5.2 as far as the recorded exchanges and TestComparisons do not.
func TestSearchCriteria(t *testing.T) {
	t.Parallel()
	c := inventory(t)
	for _, test := range []struct{ model, criteria, found string }{
		{"device", `{}`, "a b c d g"},
		{"device", `{"vendor":"^c","vendor_filter":"whatever"}`, "b"},
		{"device", `{"vendor_filter":"empty"}`, "d"},
		{"device", `{"vendor":"cisco","vendor_invert":true}`, "d g"},
		{"device", `{"port":"830","port_filter":"equality"}`, "b"},
		{"device", `{"bogus":"x"}`, "a b c d g"},
		{"device", `{"vendor":""}`, "a b c d g"},
		{"device", `{"type":"gateway"}`, "g"},
		{"device", `{"priority":3}`, "a b c d g"},
		{"gateway", `{"priority":3}`, "g"},
		{"gateway", `{"priority":4}`, ""},
		{"device", `{"pools":"pq"}`, "a"},
		{"device", `{"pools":"nope"}`, ""},
		{"link", `{"source":["a","b"],"source_filter":"union"}`, "l"},
		{"link", `{"source":["a","b"]}`, ""},
		{"link", `{"destination_name":"b"}`, "l"},
		{"link", `{"destination_name":"b","destination_name_invert":true}`, "m"},
		{"task", `{"service":["s","nope"],"service_filter":"union"}`, "t"},
		{"task", `{"status":"Inactive","status_filter":"equality","name":"t","name_filter":"equality"}`, "t"},
		{"service", `{"disabled":false,"name":"[Shared]"}`, "[Shared] End [Shared] Placeholder [Shared] Start"},
		{"service", `{"disabled":"bool-false","name":"s","name_filter":"equality"}`, ""},
	} {
		if got := c.found(test.model, test.criteria); got != test.found {
			t.Errorf("%s %s: %q, want %q", test.model, test.criteria, got, test.found)
		}
	}
}

// TestSearchBreaks are the searches that answer 500.
func TestSearchBreaks(t *testing.T) {
	t.Parallel()
	c := inventory(t)
	for _, request := range []string{
		`{"type":"task","columns":["name"],"search_criteria":{"next_run_time":"x"}}`,
		`{"type":"task","columns":["name"],"search_criteria":{"service_filter":"empty"}}`,
		`{"type":"device","columns":["name"],"search_criteria":{"pools":"p","pools_filter":"union"}}`,
		`{"type":"device","columns":["name"],"order":[{"column":1,"dir":"asc"}]}`,
		`{"type":"device","columns":[]}`,
		`{"type":"device","columns":["name"],"search_criteria":null}`,
		`{"type":"Device","columns":["name"]}`,
	} {
		c.do(500, "POST", "/rest/search", request)
	}
}

// TestSearchColumns: what comes back, asked for or not.
func TestSearchColumns(t *testing.T) {
	t.Parallel()
	c := inventory(t)
	first := func(request string) any { return c.search(request)[0] }
	c.equal("subtype columns through the base type",
		first(`{"type":"device","columns":["name","priority","pools","password","bogus","configuration"],"search_criteria":{"name":"g"}}`),
		`{"name":"g","priority":3,"configuration":""}`)
	c.equal("configuration of a device",
		first(`{"type":"device","columns":["name","configuration","configuration_matches"],"search_criteria":{"configuration":"BGP"}}`),
		`{"name":"c","configuration":"line one\nrouter bgp\n","configuration_matches":["L2: router bgp"]}`)
	c.equal("link", first(`{"type":"link","columns":["name"]}`), `{"name":"l","type":"link"}`)
	c.equal("pool", first(`{"type":"pool","columns":["name"],"search_criteria":{"name":"p","name_filter":"equality"}}`), `{"name":"p","type":"pool","device_number":2,"link_number":0}`)
	c.equal("service", first(`{"type":"service","columns":["name"],"search_criteria":{"name":"s","name_filter":"equality"}}`),
		`{"name":"s","type":"service","path":"","scoped_name":"s","mandatory_parametrization":false}`)
	c.equal("task", first(`{"type":"task","columns":["name","next_run_time"],"search_criteria":{"name":"u","name_filter":"equality"}}`),
		`{"name":"u","type":"task","next_run_time":"Not Scheduled","frequency":null,"frequency_unit":"seconds","crontab_expression":"","is_active":false}`)
}

// TestQuery goes through 5.1 as far as the recorded exchanges and TestQueriesCompare do not.
func TestQuery(t *testing.T) {
	t.Parallel()
	c := inventory(t)
	for path, want := range map[string]string{
		"device?latitude=0":          "",
		"device?latitude=0.0&name=a": "a",
		"device?name=a&name=b":       "a",
		"device?type=gateway":        "g",
		"device?rbac=x&allow_none=1&username=u&all_matches=1&name=b": "b",
		"node?name=a":                        "a",
		"link?source_name=a":                 "l",
		"task?status=Inactive":               "Cluster Monitoring t u",
		"task?next_run_time=Not%20Scheduled": "",
		"task?service_name=s":                "t",
		"gateway":                            "g",
		"device?configuration=line+one%0Arouter+bgp%0A": "c",
	} {
		if got := names(c.do(200, "GET", "/rest/query/"+path, "").([]any)); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	for _, path := range []string{"device?pools=p", "link?source=a", "Device", "device?instance_type=x", "device/a"} {
		c.do(500, "GET", "/rest/query/"+path, "")
	}
}

// TestTooManyRelatedNames: each name that an instance is to be related to joins
// tables, of which a database takes only so many. One of many joins them once.
func TestTooManyRelatedNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		model, relation string
		sqlite, mariadb int // the most names that are answered
	}{
		{"device", "gateways", 12, 29},
		{"device", "networks", 15, 29},
		{"device", "pools", 30, 29},
		{"device", "rbac_read", 30, 29},
		{"device", "target_services", 30, 29},
		{"task", "devices", 15, 30},
		{"service", "workflows", 21, 30},
		{"python_snippet_service", "workflows", 20, 29},
		{"link", "source", 20, 59},
		{"link", "pools", 31, 29},
		{"network", "nodes", 20, 29},
		{"user", "groups", 31, 30},
		{"workflow", "services", 31, 29},
		{"workflow_edge", "workflow", 31, 60},
	} {
		for database, most := range map[Database]int{SQLite: test.sqlite, MariaDB: test.mariadb, PostgreSQL: 0} {
			t.Run(fmt.Sprintf("%s by %s on %s", test.model, test.relation, database), func(t *testing.T) {
				t.Parallel()
				c := newClientOf(t, Options{Database: database})
				asked := func(status, names int, more string) {
					t.Helper()
					list := strings.Repeat(`"x",`, names-1) + `"x"`
					c.do(status, "POST", "/rest/search", fmt.Sprintf(`{"type":%q,"columns":["name"],"search_criteria":{%q:[%s]%s}}`,
						test.model, test.relation, list, more))
				}
				if most == 0 {
					asked(200, 100, "")
					return
				}
				asked(200, most, "")
				asked(500, most+1, "")
				if c.server.db.Type(test.model).Parent == nil {
					asked(200, 1000, fmt.Sprintf(`,"%s_filter":"union"`, test.relation))
				}
			})
		}
	}
}
