// Files of instances: what is written, what is loaded, and in which order.

package simulator

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
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

// loaded returns a server that has loaded a file.
func loaded(t *testing.T, opts Options, file string) *client {
	t.Helper()
	c := newClientOf(t, opts)
	if err := c.server.Load(strings.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	return c
}

// TestSave: the instances of a server are written with their relations and what differs from a new one.
func TestSave(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{})
	c.post("device", `[{"name":"gone"},{"name":"müller","ip_address":"10.0.0.1"}]`, "gone", "müller")
	c.do(http.StatusOK, "DELETE", "/rest/instance/device/gone", "")
	c.post("pool", `{"name":"p","manually_defined":true,"devices":["müller"]}`, "p")
	var lists map[string][]map[string]any
	if err := json.Unmarshal([]byte(c.saved()), &lists); err != nil {
		t.Fatal(err)
	}
	if len(lists["device"]) != 1 {
		t.Fatalf("devices: %v", lists["device"])
	}
	c.equal("address", lists["device"][0]["ip_address"], `"10.0.0.1"`)
	c.equal("pools", lists["device"][0]["pools"], `["p"]`)
	if lists["run"] != nil {
		t.Error("runs are written")
	}
}

// TestLoad: the instances are created in an order that satisfies the relations, beside those of a new
// server.
func TestLoad(t *testing.T) {
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

// TestWrongData: the error of each mistake names its instance.
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
		`{"device": [{"name":"a","id":1}]}`:                                      `device, member 1: has an id`,
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
