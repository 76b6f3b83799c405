// The switches that are no database: what older and newer servers do.

package simulator

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

func TestNoMatch403(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		opts                  Options
		plain, allowed, found int
	}{
		"4.7":            {Options{}, 200, 200, 200},
		"before":         {Options{NoMatch403: true}, 403, 200, 200},
		"summer of 2023": {Options{AllowNone500: true}, 200, 500, 500},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newClientOf(t, test.opts)
			c.post("device", `{"name":"a"}`, "a")
			c.do(test.plain, "GET", "/rest/query/device?name=b", "")
			c.do(test.allowed, "GET", "/rest/query/device?name=b&allow_none=1", "")
			c.do(test.found, "GET", "/rest/query/device?name=a&allow_none=1", "")
			if got := c.queried("device?name=a"); got != "a" {
				t.Errorf("found %q", got)
			}
			if got := c.found("device", `{"name":"b"}`); got != "" {
				t.Errorf("a search finds %q", got)
			}
		})
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

func TestNoNode(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{NoNode: true})
	c.post("device", `{"name":"d"}`, "d")
	for _, path := range []string{"instance/node/d", "query/node", "query/node?name=d"} {
		c.do(500, "GET", "/rest/"+path, "")
	}
	c.do(500, "POST", "/rest/search", `{"type":"node","columns":["name"]}`)
	c.refused("node", `{"name":"n"}`, "KeyError: 'node'")
	c.do(500, "DELETE", "/rest/instance/node/d", "")
	c.post("network", `{"name":"n","nodes":["d"]}`, "n")
}

// eNMS 5 calls generic_device what earlier versions call device.
func TestGenericDevice(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{GenericDevice: true})
	c.post("device", `{"name":"a"}`, "a")
	c.post("generic_device", `{"name":"b"}`, "b")
	c.post("gateway", `{"name":"g"}`, "g")
	for _, name := range []string{"a", "b"} {
		if got := c.get("device", name)["type"]; got != "generic_device" {
			t.Errorf("type of %s: %v", name, got)
		}
		c.get("generic_device", name)
	}
	for path, want := range map[string]string{"device": "a b g", "generic_device": "a b", "device?type=generic_device": "a b", "device?type=device": "", "node": "500"} {
		if got := c.queried(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
	c.post("device", `{"name":"a","vendor":"x"}`, "a")
	c.do(200, "DELETE", "/rest/instance/device/a", "")
	newClient(t).refused("generic_device", `{"name":"b"}`, "KeyError: 'generic_device'")
}

func TestIgnoreNewName(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{IgnoreNewName: true})
	c.post("device", `{"name":"a"}`, "a")
	c.post("device", `{"name":"a","new_name":"b"}`, "a")
	c.absent("device", "b")
}

// eNMS 5 marks what is deleted in the Workflow Builder, and keeps it.
func TestSoftDeleted(t *testing.T) {
	t.Parallel()
	body := `{"name":"s","scoped_name":"s","soft_deleted":true}`
	c := newClientOf(t, Options{SoftDeleted: true})
	c.post("ping_service", body, "s")
	if got := c.get("service", "s")["soft_deleted"]; got != true {
		t.Errorf("soft_deleted %v", got)
	}
	if c.queried("service?name=s") != "s" || c.found("service", `{"name":"s","name_filter":"equality"}`) != "s" {
		t.Error("it is hidden")
	}
	c = newClient(t)
	c.post("ping_service", body, "s")
	if got, shown := c.get("service", "s")["soft_deleted"]; shown {
		t.Errorf("soft_deleted %v", got)
	}
}

// TestCommitFailures: each entry stands for itself, in the words of the database.
func TestCommitFailures(t *testing.T) {
	t.Parallel()
	for d, words := range map[Database]string{
		SQLite:     "sqlalchemy.exc.IntegrityError: (sqlite3.IntegrityError) UNIQUE constraint failed: node.name\n",
		PostgreSQL: "(psycopg2.errors.UniqueViolation) duplicate key value violates unique constraint \"node_name_key\"\nDETAIL:  Key (name)=(g) already exists.\n",
		MariaDB:    "(MySQLdb._exceptions.IntegrityError) (1062, \"Duplicate entry 'g' for key 'name'\")\n",
	} {
		t.Run(d.String(), func(t *testing.T) {
			t.Parallel()
			c := newClientOf(t, Options{Database: d, CommitFailures: true})
			c.post("device", `{"name":"g"}`, "g")
			answer := c.do(200, "POST", "/rest/instance/gateway", `[{"name":"a"},{"name":"g"},{"name":"b"}]`).(map[string]any)
			failure := answer["failure"].([]any)[0].([]any)[1].(string)
			if fmt.Sprint(answer["success"]) != "[a b]" || !strings.Contains(failure, words) {
				t.Errorf("%v", answer)
			}
			c.get("device", "a")
			c.get("device", "b")
			c.post("service", `{"name":"s","scoped_name":"s"}`, "s")
			answer = c.do(200, "POST", "/rest/instance/task", `[{"name":"t","service":"s"},{"name":"t","must_be_new":true,"service":"s"},{"name":"u","service":"s"}]`).(map[string]any)
			if fmt.Sprint(answer["success"]) != "[t u]" {
				t.Errorf("%v", answer)
			}
		})
	}
}

func TestDeleteAnswers(t *testing.T) {
	t.Parallel()
	for answer, want := range map[DeleteAnswer]string{DeletedWhole: "a [] p", DeletedProperties: "a", DeletedNull: "null"} {
		c := newClientOf(t, Options{DeleteAnswer: answer})
		c.post("device", `{"name":"a"}`, "a")
		c.post("pool", `{"name":"p","devices":["a"]}`, "p")
		got := "null"
		if gone, _ := c.do(200, "DELETE", "/rest/instance/device/a", "").(map[string]any); gone != nil {
			got = gone["name"].(string)
			if pools, shown := gone["pools"]; shown {
				got += fmt.Sprint(" ", gone["gateways"], " ", pools.([]any)[0].(map[string]any)["name"])
			}
		}
		if got != want {
			t.Errorf("%d: %s, want %s", answer, got, want)
		}
		c.absent("device", "a")
	}
}

func TestDeleteRefusals(t *testing.T) {
	t.Parallel()
	for refusal, status := range map[DeleteRefusal]int{RefusalAborted: 200, RefusalForbidden: 403, RefusalAlert: 200} {
		c := newClientOf(t, Options{DeleteRefusal: refusal})
		answer := c.do(status, "DELETE", "/rest/instance/service/%5BShared%5D%20End", "").(map[string]any)
		want := map[DeleteRefusal]string{RefusalAborted: "It is not allowed to delete '[Shared] End'.", RefusalForbidden: "Error 403 - Not Authorized.",
			RefusalAlert: "Unable to delete [Shared] End (It is not allowed to delete '[Shared] End'.)."}[refusal]
		if refusal == RefusalAborted {
			answer["alert"] = answer["log"]
		}
		if answer["alert"] != want {
			t.Errorf("%v", answer)
		}
		c.get("service", "[Shared] End")
	}
	c := newClientOf(t, Options{DeleteRefusal: RefusalAlert})
	c.post("task", `{"name":"t"}`, "t")
	c.server.SetScheduler(false)
	if answer := c.do(200, "DELETE", "/rest/instance/task/t", "").(map[string]any); !strings.HasPrefix(answer["alert"].(string), "Unable to delete t (") {
		t.Errorf("%v", answer)
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

func TestNoREST(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{NoREST: true})
	for _, path := range []string{"is_alive", "query/device", "instance/device/a"} {
		c.do(404, "GET", "/rest/"+path, "")
	}
	c.do(404, "POST", "/rest/instance/device", `{"name":"a"}`)
}

func TestBrokenLogin(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{BrokenLogin: true})
	w := c.raw("GET", "/rest/query/device", "")
	if w.Code != 500 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		t.Errorf("%d %s", w.Code, w.Header().Get("Content-Type"))
	}
	c.as("").do(401, "GET", "/rest/query/device", "")
	c.as("").do(200, "GET", "/rest/is_alive", "")
}
