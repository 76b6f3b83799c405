// Files of instances: what is written, what is taken up, and in which order.

package simulator

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"
)

// saved returns what a server writes.
func (c *client) saved() string {
	c.t.Helper()
	var file bytes.Buffer
	if err := c.server.Save(&file); err != nil {
		c.t.Fatal(err)
	}
	return file.String()
}

// loaded returns a server that has taken up a file.
func loaded(t *testing.T, opts Options, file string) *client {
	t.Helper()
	c := newClientOf(t, opts)
	if err := c.server.Load(strings.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	return c
}

// populated returns a server with instances of every kind, relations of every kind, a gap
// among the ids, and without some of what is installed.
func populated(t *testing.T, opts Options) *client {
	t.Helper()
	c := newClientOf(t, opts)
	c.post("group", `{"name":"operators","device_access":["rbac_read"],"get_requests":["/rest/instance"],"menu":["Automation"]}`, "operators")
	c.post("user", `{"name":"ann","password":"ann","groups":["operators"]}`, "ann")
	c.post("device", `[{"name":"gone"},{"name":"müller","ip_address":"10.0.0.1","positions":{"N":[1,2.0]}},{"name":"b","rbac_read":["operators"]}]`, "gone", "müller", "b")
	c.do(http.StatusOK, "DELETE", "/rest/instance/device/gone", "")
	c.do(http.StatusOK, "DELETE", "/rest/instance/pool/Links%20only", "")
	c.post("gateway", `{"name":"g","devices":["b"],"priority":3}`, "g")
	c.post("link", `{"name":"l","source_name":"b","destination_name":"müller"}`, "l")
	c.post("network", `{"name":"N","nodes":["b"],"links":["l"]}`, "N")
	c.post("pool", `{"name":"p","manually_defined":true,"devices":["b","müller"],"links":["l"]}`, "p")
	c.post("credential", `{"name":"c","password":"secret","groups":["operators"],"device_pools":["p"]}`, "c")
	c.post("workflow", `{"name":"W","scoped_name":"W","labels":{"a":{"positions":[0,0],"content":"x"}}}`, "W")
	c.post("netmiko_commands_service", `{"name":"s","scoped_name":"s","workflows":["W"],"target_pools":["p"],"commands":"show","rbac_run":["operators"],"named_credential":"c"}`, "[W] s")
	c.post("workflow_edge", `{"name":"e","subtype":"success","workflow":"W","source":"[Shared] Start","destination":"[W] s"}`, "e")
	c.post("task", `[{"name":"t","service":"W","scheduling_mode":"cron","crontab_expression":"0 2 * * *","is_active":true,"devices":["b"]},{"name":"u","service":"W"}]`, "t", "u")
	return c
}

// TestDataRoundTrip: a server that takes up what another has written holds the same,
// answers the same, and writes the same.
func TestDataRoundTrip(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string]Options{
		"SQLite": {}, "PostgreSQL": {Database: PostgreSQL},
		"missing fields": {MissingFields: []string{"service.disabled", "task.pools"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			from := populated(t, opts)
			file := from.saved()
			to := loaded(t, opts, file)
			if again := to.saved(); again != file {
				t.Errorf("written\n%s\nand then\n%s", file, again)
			}
			var lists map[string][]map[string]any
			if err := json.Unmarshal([]byte(file), &lists); err != nil {
				t.Fatal(err)
			}
			compared := 0
			for model, rows := range lists {
				for _, row := range rows {
					name := row["name"].(string)
					before, after := from.get(model, name), to.get(model, name)
					delete(before, "time_before_next_run")
					delete(after, "time_before_next_run")
					if !reflect.DeepEqual(before, after) {
						t.Errorf("%s %q was\n%v\nand is\n%v", model, name, before, after)
					}
					compared++
				}
			}
			if compared < 20 {
				t.Errorf("%d instances were compared", compared)
			}
			if from, to := fmt.Sprint(from.server.Jobs()), fmt.Sprint(to.server.Jobs()); from != to {
				t.Errorf("the jobs were %s and are %s", from, to)
			}
			to.as("ann").get("device", "b")
			to.absent("pool", "Links only")
			to.post("device", `{"name":"b","description":"changed"}`, "b")
		})
	}
}

// TestDataWithoutIds is created, in an order that satisfies the relations, beside what
// is installed.
func TestDataWithoutIds(t *testing.T) {
	t.Parallel()
	c := loaded(t, Options{}, `{
		"task": [{"name": "t", "service": "W", "devices": ["b"]}],
		"workflow_edge": [{"name": "e", "subtype": "success", "workflow": "W", "source": "[Shared] Start", "destination": "[W] s"}],
		"service": [{"name": "s", "type": "python_snippet_service", "scoped_name": "s", "workflows": ["W"], "source_code": "pass"}],
		"workflow": [{"name": "W", "scoped_name": "W"}],
		"link": [{"name": "l", "source_name": "a", "destination_name": "b"}],
		"user": [{"name": "ann", "password": "ann", "groups": ["operators"]}],
		"group": [{"name": "operators", "users": ["ann"], "menu": [], "pages": [], "get_requests": ["/rest/instance"],
			"post_requests": [], "delete_requests": []}],
		"pool": [{"name": "p", "devices": ["a"], "manually_defined": true}],
		"device": [{"name": "b"}, {"name": "a", "pools": ["p"], "gateways": []}]
	}`)
	c.equal("services", c.get("workflow", "W")["services"], `["[Shared] Start", "[Shared] End", "[W] s"]`)
	c.equal("type", c.get("service", "[W] s")["type"], `"python_snippet_service"`)
	c.equal("edges", c.get("workflow", "W")["edges"], `["e"]`)
	c.equal("devices", c.get("task", "t")["devices"], `["b"]`)
	c.equal("ends", []any{c.get("link", "l")["source"], c.get("link", "l")["destination"]}, `["a", "b"]`)
	c.equal("members", c.get("pool", "p")["devices"], `["a"]`)
	c.equal("number", c.get("pool", "p")["device_number"], `1`)
	c.equal("users", c.get("group", "operators")["users"], `["ann"]`)
	c.equal("rights", c.get("user", "ann")["get_requests"], `["/rest/instance"]`)
	c.equal("owners", c.get("device", "a")["owners"], `["admin"]`)
	c.get("pool", "Links only")
}

// TestDataOfAnswers takes up what GET answers: all properties, those of other
// instances and those that are computed among them, and no secret.
func TestDataOfAnswers(t *testing.T) {
	t.Parallel()
	from := populated(t, Options{})
	lists := map[string]any{}
	for _, model := range []string{"user", "group", "credential", "device", "network", "link", "pool", "service", "workflow_edge", "task"} {
		rows := []any{}
		for _, row := range from.do(http.StatusOK, "GET", "/rest/query/"+model, "").([]any) {
			name := row.(map[string]any)["name"].(string)
			rows = append(rows, from.get(model, name))
		}
		lists[model] = rows
	}
	lists["link"] = from.do(http.StatusOK, "GET", "/rest/query/link", "") // without names of others, with ids
	text, err := json.Marshal(lists)
	if err != nil {
		t.Fatal(err)
	}
	to := loaded(t, Options{}, string(text))
	for model, name := range map[string]string{"device": "müller", "link": "l", "pool": "p", "service": "[W] s", "workflow": "W", "user": "ann"} {
		before, after := from.get(model, name), to.get(model, name)
		for _, place := range []map[string]any{before, after} {
			delete(place, "positions") // which GET does not answer
		}
		if !reflect.DeepEqual(before, after) {
			t.Errorf("%s %q was\n%v\nand is\n%v", model, name, before, after)
		}
	}
	to.clock.forward(14 * time.Hour)
	if got := to.server.Jobs()["t"]; got != "2029-01-05 02:00:00" {
		t.Errorf("the task runs at %s", got)
	}
}

// TestWrongData: each mistake is told with the instance it is in.
func TestWrongData(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		``:                        "not JSON",
		`[]`:                      "not an object with a list for each instance type",
		`{"devise": []}`:          `"devise" is no instance type`,
		`{"run": []}`:             `"run" is no instance type`,
		`{"device": {}}`:          `"device" is not a list`,
		`{"device": [1]}`:         "device, member 1: not an object",
		`{"device": [{"id": 1}]}`: "device, member 1: has no name",
		`{"device": [{"name":"a"},{"name":"b","type":"pool"}]}`:                  `device, member 2: "pool" is no type of device`,
		`{"device": [{"name":"a","id":"1"}]}`:                                    `device, member 1: the id "1" is not an integer`,
		`{"device": [{"name":"a","id":1},{"name":"a","id":2}]}`:                  `device "a": sqlalchemy.exc.IntegrityError`,
		`{"device": [{"name":"a","id":1,"pools":["x"]}]}`:                        `device "a": pools names the pool "x", which is not there`,
		`{"device": [{"name":"a","pools":["x"]}]}`:                               `device "a": pools names the pool "x", which is not there`,
		`{"task": [{"name":"t","service":"x"}]}`:                                 `task "t": service names the service "x", which is not there`,
		`{"link": [{"name":"l","source_name":"x","destination_name":"y"}]}`:      `link "l": source_name names the device "x", which is not there`,
		`{"device": [{"name":"a/b"}]}`:                                           `device "a/b": Exception: Names cannot contain a slash or a quote.`,
		`{"workflow_edge": [{"name":"e"}]}`:                                      `workflow_edge "e": KeyError: 'subtype'`,
		`{"service": [{"name":"s","type":"no_such_service","scoped_name":"s"}]}`: `service, member 1: "no_such_service" is no type of service`,
	} {
		err := newClient(t).server.Load(strings.NewReader(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

// TestDataOfAnOddServer: an id that is taken gives way, and what has no list stays.
func TestDataOfAnOddServer(t *testing.T) {
	t.Parallel()
	c := loaded(t, Options{}, `{"user": [{"name":"ann","id":1,"password":"ann"}], "pool": [],
		"server": [{"name":"Localhost","id":1,"allowed_automation":[]}]}`)
	c.equal("id", c.get("user", "ann")["id"], `2`)
	if rows := c.do(http.StatusOK, "GET", "/rest/query/pool", "").([]any); len(rows) != 0 {
		t.Errorf("pools %s", names(rows))
	}
	c.get("service", "[Shared] Start")
	if allowed, _ := c.server.eNMS.begin(c.server.db, nil).Allows("rest_api"); allowed {
		t.Error("the settings of the server were not adopted")
	}
}
