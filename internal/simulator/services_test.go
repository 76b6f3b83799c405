// Services: names, edges, credentials, runs.

package simulator

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// TestAWorkflowInItself is refused, stored, and comes back when it leaves.
func TestAWorkflowInItself(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("workflow", `{"name":"w","scoped_name":"w"}`, "w")
	c.refused("workflow", `{"name":"w","workflows":["w"]}`, "RecursionError: maximum recursion depth exceeded while calling a Python object")
	rows := c.search(`{"type":"workflow","columns":["name"]}`)
	name := rows[0].(map[string]any)["name"].(string)
	if len(name) < 2000 {
		t.Errorf("a name of %d characters", len(name))
	}
	c.post("workflow", `{"name":"`+name+`","workflows":[]}`, "w")
}

// TestComputedProperties: disabled_info is computed, whatever is sent; a status is ignored at creation.
func TestComputedProperties(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("service", `{"name":"s","scoped_name":"s","disabled":true,"disabled_info":"mine","status":"Running"}`, "s")
	s := c.get("service", "s")
	if info := s["disabled_info"].(string); !strings.HasPrefix(info, "Disabled at 2029-01-03 12:") || !strings.HasSuffix(info, " by admin") {
		t.Errorf("disabled_info %q", info)
	}
	c.equal("status", s["status"], `"Idle"`)
	c.post("service", `{"name":"s","disabled":false,"disabled_info":"mine","status":"Running"}`, "s")
	c.equal("changed", []any{c.get("service", "s")["disabled_info"], c.get("service", "s")["status"]}, `["","Running"]`)
}

// TestEdgesThatExchange: rows are written one by one in the order of their ids, whatever
// the order of the list, so that two edges exchange their subtypes only by way of another
// word, and one takes the place of another only when that was created before it.
func TestEdgesThatExchange(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("workflow", `{"name":"w","scoped_name":"w"}`, "w")
	for _, name := range []string{"a", "b", "c"} {
		c.post("service", `{"name":"[w] `+name+`","scoped_name":"`+name+`","workflows":["w"]}`, "[w] "+name)
	}
	c.post("workflow_edge", `[{"name":"e","subtype":"success","workflow":"w","source":"[w] a","destination":"[w] b"},
		{"name":"f","subtype":"failure","workflow":"w","source":"[w] a","destination":"[w] b"}]`, "e", "f")
	for _, body := range []string{`{"name":"e","subtype":"failure"}`, `[{"name":"e","subtype":"failure"},{"name":"f","subtype":"success"}]`,
		`[{"name":"f","subtype":"success"},{"name":"e","subtype":"failure"}]`} {
		c.do(500, "POST", "/rest/instance/workflow_edge", body)
		c.equal("subtype", c.get("workflow_edge", "e")["subtype"], `"success"`)
	}
	c.do(500, "POST", "/rest/instance/workflow_edge", `[{"name":"f","destination":"[w] c"},{"name":"e","subtype":"failure"}]`)
	c.post("workflow_edge", `[{"name":"f","subtype":"success"},{"name":"e","destination":"[w] c"}]`, "f", "e")
	c.post("workflow_edge", `{"name":"e","destination":"[w] b","subtype":"another"}`, "e")
	c.post("workflow_edge", `{"name":"f","subtype":"failure"}`, "f")
	c.post("workflow_edge", `{"name":"e","subtype":"success"}`, "e")
	c.post("workflow", `{"name":"w","edges":[]}`, "w")
	c.absent("workflow_edge", "e") // which has left its workflow
}

// TestRunning goes through the answers of 4.2 to 4.4 that no recorded exchange shows.
func TestRunning(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `{"name":"d"}`, "d")
	c.post("python_snippet_service", `[{"name":"bad","scoped_name":"bad","source_code":"x = 1\nresults[ \"success\" ]=False"},
		{"name":"once","scoped_name":"once","run_method":"once","source_code":"results['result'] = 1","shared":true}]`, "bad", "[Shared] once")
	run := func(status int, body string) map[string]any {
		t.Helper()
		answer, _ := c.do(status, "POST", "/rest/run_service", body).(map[string]any)
		return answer
	}
	run(500, `{"async":false}`)
	failed := run(200, `{"name":"bad","async":false,"devices":["d"]}`)
	c.equal("success", failed["success"], `false`)
	c.equal("summary", failed["summary"], `{"success":[],"failure":["d"],"discard":[]}`)
	broken := run(200, `{"name":"[Shared] once","async":false}`)
	if text := broken["result"].(string); broken["success"] != false || !strings.HasSuffix(text, "KeyError: 'True'\n") || broken["summary"] != nil {
		t.Errorf("the default skip_value: %v", broken)
	}
	c.post("service", `{"name":"[Shared] once","skip_value":"success"}`, "[Shared] once")
	started := run(200, `{"name":"[Shared] once","form":{"name":"mine"}}`)
	runtime := started["runtime"].(string)
	polled := c.do(200, "GET", "/rest/result/once/"+escape(runtime), "").(map[string]any)
	c.equal("status", polled["status"], `"Completed"`)
	c.equal("success", polled["result"].(map[string]any)["success"], `true`)
	full := c.do(200, "GET", "/rest/result/"+escape("[Shared] once")+"/"+escape(runtime), "").(map[string]any)
	if full["error"] == nil {
		t.Errorf("the full name finds %v", full)
	}
	c.equal("run.success", c.get("run", "mine")["success"], `false`)
	c.equal("runs of the device", len(c.get("device", "d")["runs"].([]any)) > 0, `true`)
}

// TestRunUnderWay is asked for until it is over, and tells how far it is and whom it
// has dropped (4.3, 4.4).
func TestRunUnderWay(t *testing.T) {
	t.Parallel()
	c := newClientOf(t, Options{RunPolls: 2})
	c.post("user", `{"name":"ann","password":"ann"}`, "ann")
	c.post("group", `{"name":"g","users":["ann"],"get_requests":["/rest/instance","/rest/query","/rest/result"],"post_requests":["/rest/run_service"],
		"delete_requests":[],"menu":[],"pages":[]}`, "g")
	c.post("device", `[{"name":"d","rbac_read":["g"],"rbac_target":["g"]},{"name":"e","rbac_read":["g"]},{"name":"f","rbac_read":["g"],"rbac_target":["g"]}]`, "d", "e", "f")
	c.post("python_snippet_service", `{"name":"s","scoped_name":"s","rbac_read":["g"],"rbac_run":["g"],
		"source_code":"results['success'] = device.name != 'f'\nresults['result'] = device.name"}`, "s")
	ann := c.as("ann")
	started := ann.do(200, "POST", "/rest/run_service", `{"name":"s","devices":["d","e","f"],"form":{"name":"mine","more":1}}`).(map[string]any)
	result := func() map[string]any {
		t.Helper()
		return ann.do(200, "GET", "/rest/result/s/"+escape(started["runtime"].(string)), "").(map[string]any)
	}
	for range 2 {
		c.equal("under way", result(), `{"status":"Running","result":"No results yet."}`)
		c.equal("progress", ann.get("run", "mine")["progress"], `"0/2 (0 failed)"`)
	}
	over := result()["result"].(map[string]any)
	c.equal("summary", over["summary"], `{"success":["d"],"failure":["f"],"discard":[]}`)
	c.equal("result of a device", over["devices"].(map[string]any)["f"].(map[string]any)["result"], `"f"`)
	run := ann.get("run", "mine")
	c.equal("progress", run["progress"], `"2/2 (1 failed)"`)
	c.equal("targets, the dropped ones included", run["target_devices"], `["d","e","f"]`)
	c.equal("asked for", run["properties"].(map[string]any)["form"], `{"name":"mine","more":1}`)
	quoted := c.do(200, "POST", "/rest/run_service", `{"name":"s","devices":["d"],"form":{"name":"it's"}}`).(map[string]any)
	if never := c.do(200, "GET", "/rest/result/s/"+escape(quoted["runtime"].(string)), "").(map[string]any); never["error"] == nil {
		t.Errorf("a name that no run may have: %v", never)
	}
}

// TestRunningAWorkflow follows the edges.
func TestRunningAWorkflow(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("python_snippet_service", `{"name":"s","scoped_name":"s","run_method":"once","skip_value":"failure","source_code":"results['success'] = True"}`, "s")
	c.post("workflow", `{"name":"w","scoped_name":"w","run_method":"per_service_with_service_targets","skip_value":"success","man_minutes":3}`, "w")
	verdict := func(what, want string) {
		t.Helper()
		c.equal(what, c.do(200, "POST", "/rest/run_service", `{"name":"w","async":false}`).(map[string]any)["success"], want)
	}
	verdict("no edges", `false`)
	c.post("workflow", `{"name":"w","services":["[Shared] Start","[Shared] End","s"]}`, "w")
	c.post("workflow_edge", `[
		{"name":"1","subtype":"success","workflow":"w","source":"[Shared] Start","destination":"[w] s"},
		{"name":"2","subtype":"success","workflow":"w","source":"[w] s","destination":"[Shared] End"}]`, "1", "2")
	verdict("arrives at End", `true`)
	c.equal("minutes", c.get("workflow", "w")["man_minutes_total"], `3`)
	c.post("service", `{"name":"[w] s","source_code":"results['success'] = False"}`, "[w] s")
	verdict("the member fails", `false`)
	c.post("service", `{"name":"[w] s","run_method":"per_device"}`, "[w] s")
	verdict("a member without targets fails on none", `true`)
	c.post("service", `{"name":"[w] s","run_method":"once","skip":{"w":true}}`, "[w] s")
	verdict("skipped, which counts as a failure", `false`)
	c.post("service", `{"name":"[w] s","skip_value":"success"}`, "[w] s")
	verdict("skipped, which counts as a success", `true`)
}

// TestRunningAWorkflowOnDevices: which devices arrive at End, and what is told of them.
func TestRunningAWorkflowOnDevices(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `[{"name":"d"},{"name":"e"}]`, "d", "e")
	c.post("workflow", `{"name":"w","scoped_name":"w"}`, "w")
	c.post("python_snippet_service", `{"name":"[w] s","scoped_name":"s","workflows":["w"],"source_code":"results['success'] = True"}`, "[w] s")
	c.post("workflow_edge", `[
		{"name":"1","subtype":"success","workflow":"w","source":"[Shared] Start","destination":"[w] s"},
		{"name":"2","subtype":"success","workflow":"w","source":"[w] s","destination":"[Shared] End"}]`, "1", "2")
	run := func() map[string]any {
		t.Helper()
		return c.do(200, "POST", "/rest/run_service", `{"name":"w","async":false,"devices":["d","e"]}`).(map[string]any)
	}
	told := run()
	c.equal("per device", told["success"], `true`)
	c.equal("summary", told["summary"], `{"success":["d","e"],"failure":[],"discard":[]}`)
	c.equal("of one device", told["devices"].(map[string]any)["d"].(map[string]any)["summary"], `{"success":["d"],"failure":[]}`)
	c.post("workflow", `{"name":"w","run_method":"per_service_with_workflow_targets","skip_value":"success"}`, "w")
	told = run()
	c.equal("summary", told["summary"], `{"success":["d","e"],"failure":[]}`)
	c.equal("of the member", told["devices"].(map[string]any)["e"].(map[string]any)["success"], `true`)
	c.post("service", `{"name":"[w] s","source_code":""}`, "[w] s")
	told = run()
	c.equal("no device arrives", told["success"], `false`)
	c.equal("summary", told["summary"], `{"success":[],"failure":["d","e"]}`)
	if _, there := told["result"]; there {
		t.Error("a workflow has a result")
	}
	c.post("service", `{"name":"[w] s","run_method":"once"}`, "[w] s")
	if text := run()["result"].(string); !strings.HasSuffix(text, "KeyError: 'success'\n") {
		t.Errorf("a member that breaks before its summary: %q", text)
	}
}

// TestSnippets: the result of a piece of code, run once or on the device that the
// expectation names. Code that the simulator cannot read succeeds, and the result says
// so.
func TestSnippets(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `{"name":"d","ip_address":"10.0.0.1","port":22}`, "d")
	d := c.server.db.ByName("device", "d")
	const unread = `{"success":true,"result":"` + notRun + `"}`
	for _, test := range []struct {
		code   string
		device *database.Object
		want   string
	}{
		{`results['result'] = {"a": [1, 2.5, true]}`, nil, `{"success":true,"result":{"a":[1,2.5,true]}}`},
		{"# no\nresults['success'] = True\n\nresults['success'] = False  # yes\r\n", nil, `{"success":false}`},
		{`results['result'] = {'a': "b"}`, nil, `{"success":true,"result":{"a":"b"}}`},
		{`results["log"] = 'x'`, nil, `{"success":true,"log":"x"}`},
		{`results["result"] = None`, nil, `{"success":true,"result":null}`},
		{`pass`, nil, `{"success":false,"result":{"error":"Result not set by user code on service instance"}}`},
		{"results['result'] = 1\nraise ValueError(\"no\")\nresults['x']=y()", nil,
			`{"success":false,"result":{"step":"execute","error":"no","result":{"result":1},"traceback":"Traceback (most recent call last):\n  File \"simulated.py\", line 1, in upsert\nValueError: no\n"}}`},
		{`results["result"] = device.ip_address`, d, `{"success":true,"result":"10.0.0.1"}`},
		{`results["success"] = device.ip_address != ''`, d, `{"success":true}`},
		{`results["success"] = device.name == "e"`, d, `{"success":false}`},
		{`results["success"] = device.ip_address.startswith("10.")`, d, `{"success":true}`},
		{`results["success"] = device.ip_address.startswith("11.")`, d, `{"success":false}`},
		{`results["result"] = device.name`, nil, unread},
		{`results["result"] = device.port + 1`, d, unread},
		{`results["success"] = ping(device.ip_address)`, d, unread},
		{"results['success'] = False\nif True:\n    results['success'] = True", d, unread},
		{"if True:\n    raise ValueError('no')", nil, unread},
		{"import os\nresults['success'] = False", nil, unread},
		{`results["a"]["b"] = 1`, nil, unread},
	} {
		var got any
		if err := json.Unmarshal(python.Encode(runSnippet(test.code, test.device, "").record()), &got); err != nil {
			t.Fatal(err)
		}
		c.equal(test.code, got, test.want)
	}
}
