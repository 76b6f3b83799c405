// What 5.3 does that no recorded exchange shows, as a real one did it.

package simulator

import (
	"net/http"
	"strings"
	"testing"
)

// TestVersion53_positions: they belong to workflows and networks, by the names of what stands there,
// and are gone for good once they are null.
func TestVersion53_positions(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{Version: V53})
	positions := func(typ, want string) {
		t.Helper()
		c.equal("positions", c.search(`{"type":"` + typ + `","columns":["positions"],"search_criteria":{}}`)[0].(map[string]any)["positions"], want)
	}
	c.post("workflow", `{"name":"w","scoped_name":"w"}`, "w")
	c.post("workflow", `{"name":"[w] v","scoped_name":"v","workflows":["w"]}`, "[w] v")
	c.post("python_snippet_service", `{"name":"[[w] v] s","scoped_name":"s","workflows":["[w] v"]}`, "[[w] v] s")
	positions("workflow", `{"[Shared] End":[500,0],"[w] v":[0,0]}`)
	c.post("service", `{"name":"[[w] v] s","workflows":["[w] v","w"]}`, "[w] s")
	positions("workflow", `{"[Shared] End":[500,0],"[w] s":[0,0],"[w] v":[0,0]}`)
	c.post("workflow", `{"name":"w","positions":{}}`, "w")
	positions("workflow", `{}`)
	c.refused("workflow", `{"name":"w","positions":null}`, "TypeError: argument of type 'NoneType' is not iterable")
	c.refused("service", `{"name":"[w] s","priority":2}`, "AttributeError: 'NoneType' object has no attribute 'pop'")
	c.post("network", `{"name":"n","positions":{"d":[1,2]}}`, "n")
	positions("network", `{"d":[1,2]}`)
}

// TestVersion53_rightsOnNetworks: whoever may use the endpoint may do everything with a network as a
// network, and nothing with it as a device.
func TestVersion53_rightsOnNetworks(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{Version: V53})
	c.post("group", `{"name":"g","get_requests":["/rest/instance"],"post_requests":["/rest/instance"],"delete_requests":["/rest/instance"]}`, "g")
	c.post("user", `{"name":"ann","password":"ann","groups":["g"]}`, "ann")
	c.post("network", `{"name":"n"}`, "n")
	ann := c.as("ann")
	ann.do(http.StatusForbidden, "GET", "/rest/instance/device/n", "")
	ann.do(http.StatusInternalServerError, "POST", "/rest/instance/device", `{"name":"n","vendor":"x"}`)
	ann.post("network", `{"name":"n","vendor":"x"}`, "n")
	ann.do(http.StatusOK, "DELETE", "/rest/instance/network/n", "")
}

// TestVersion53_withoutServer: nothing runs without the row of the server.
func TestVersion53_withoutServer(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{Version: V53})
	c.do(http.StatusOK, "DELETE", "/rest/instance/server/Localhost", "")
	c.equal("answer", c.do(http.StatusForbidden, "POST", "/rest/run_service", `{"name":"[Shared] Start"}`),
		`{"alert":"Error 403 - There is no server in the database with the following characteristics: {'name': 'Localhost'}. Either the record does not exist or the user does not have access"}`)
}

// TestVersion53_small: one request too many is told nothing more than that it is not authorized; a file of instances has no
// changelog; a task whose last date has passed is switched off, which 4.7 leaves active (TestScheduling).
func TestVersion53_small(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{Version: V53, RequestLimit: 4})
	c.post("store", `{"name":">s","scoped_name":"s"}`, ">s")
	if file := c.saved(); !strings.Contains(file, `">s"`) || strings.Contains(file, "CREATION") {
		t.Errorf("saved:\n%s", file)
	}
	c.post("task", `{"name":"t","service":"[Shared] Start","is_active":true,"frequency":5,"end_date":"01/01/2020 00:00:00"}`, "t")
	task := c.get("task", "t")
	c.equal("a task that has ended", []any{task["is_active"], task["next_run_time"]}, `[false,"Not Scheduled"]`)
	c.do(http.StatusOK, "GET", "/rest/query/device", "")
	c.equal("answer", c.do(http.StatusForbidden, "GET", "/rest/query/device", ""), `{"alert":"Error 403 - Not Authorized."}`)
}

// TestVersion53_search: what is related to nothing, and what is related to something.
func TestVersion53_search(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{Version: V53})
	c.post("device", `[{"name":"a"},{"name":"b"}]`, "a", "b")
	c.post("pool", `{"name":"p","manually_defined":true,"devices":["a"]}`, "p")
	for form, want := range map[string]string{`{"pools_filter":"empty"}`: "b", `{"pools_filter":"empty","pools_invert":true}`: "a"} {
		if got := c.found("device", form); got != want {
			t.Errorf("%s: %s, want %s", form, got, want)
		}
	}
}
