// Deletions with what goes along, and pools.

package simulator

import (
	"fmt"
	"testing"
)

// TestDeleteDevice takes its links along and leaves every relation.
func TestDeleteDevice(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `[{"name":"a"},{"name":"b"}]`, "a", "b")
	c.post("link", `[{"name":"1","source":"a","destination":"b"},{"name":"2","source":"b","destination":"a"},{"name":"3","source":"b","destination":"b"},{"name":"4"}]`, "1", "2", "3", "4")
	c.post("pool", `{"name":"p","devices":["a","b"],"links":["1","3"]}`, "p")
	c.post("task", `{"name":"t","devices":["a"]}`, "t")
	c.post("service", `{"name":"s","scoped_name":"s","target_devices":["a"]}`, "s")
	answer := c.do(200, "DELETE", "/rest/instance/device/a", "").(map[string]any)
	pool := answer["pools"].([]any)[0].(map[string]any)
	c.equal("expanded relation", pool["name"], `"p"`)
	c.absent("link", "1")
	c.absent("link", "2")
	c.get("link", "3")
	p := c.get("pool", "p")
	c.equal("devices", p["devices"], `["b"]`)
	c.equal("device_number", p["device_number"], `1`)
	c.equal("links", p["links"], `["3"]`)
	c.equal("link_number is not told of the link", p["link_number"], `2`)
	c.equal("task", c.get("task", "t")["devices"], `[]`)
	c.equal("service", c.get("service", "s")["target_devices"], `[]`)
	c.do(403, "DELETE", "/rest/instance/device/a", "")
}

// TestEmptySourceDeletesLinks is the trap of 2.2.
func TestEmptySourceDeletesLinks(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `[{"name":"a"},{"name":"b"}]`, "a", "b")
	c.post("link", `[{"name":"1","source":"a","destination":"b"},{"name":"2","source":"b","destination":"a"}]`, "1", "2")
	c.post("device", `{"name":"a","source":[]}`, "a")
	c.absent("link", "1")
	c.get("link", "2")
}

// TestDeleteService deletes its tasks and leaves their jobs to whoever gets the id next.
func TestDeleteService(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("service", `{"name":"s","scoped_name":"s"}`, "s")
	c.post("task", `{"name":"t","service":"s","is_active":true,"start_date":"04/01/2029 06:00:00"}`, "t")
	c.do(200, "DELETE", "/rest/instance/service/s", "")
	c.absent("task", "t")
	c.equal("jobs", fmt.Sprint(c.server.Jobs()), `"map[2:2029-01-04 06:00:00]"`)
	c.post("task", `{"name":"heir","import_mechanism":true}`, "heir")
	c.equal("jobs", fmt.Sprint(c.server.Jobs()), `"map[heir:2029-01-04 06:00:00]"`)
	c.do(200, "DELETE", "/rest/instance/task/heir", "")
	c.equal("jobs", fmt.Sprint(c.server.Jobs()), `"map[]"`)
}

// TestDeleteWorkflow deletes members that are not shared, tasks and edges.
func TestDeleteWorkflow(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("workflow", `[{"name":"w","scoped_name":"w"},{"name":"i","scoped_name":"i"}]`, "w", "i")
	c.post("service", `[{"name":"s","scoped_name":"s","workflows":["i"]}]`, "[i] s")
	c.post("workflow", `{"name":"w","services":["i","[Shared] Start","[Shared] End"]}`, "w")
	c.post("workflow_edge", `{"name":"e","subtype":"success","workflow":"w","source":"[Shared] Start","destination":"[w] i"}`, "e")
	c.post("task", `{"name":"t","service":"[[w] i] s"}`, "t")
	c.do(200, "DELETE", "/rest/instance/service/w", "")
	for model, name := range map[string]string{"workflow": "w", "service": "[w] i", "task": "t", "workflow_edge": "e"} {
		c.absent(model, name)
	}
	c.absent("service", "[[w] i] s")
	c.equal("shared members stay", c.get("service", "[Shared] Start")["workflows"], `[]`)
}

// TestDeleteRefused is a 200 with delete_aborted.
func TestDeleteRefused(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.equal("own user", c.do(200, "DELETE", "/rest/instance/user/admin", ""),
		`{"delete_aborted":true,"log_level":"error","log":"A user cannot be deleted while logged in."}`)
	c.do(200, "DELETE", "/rest/instance/service/"+escape("[Shared] Placeholder"), "")
	c.get("service", "[Shared] Placeholder")
	c.post("gateway", `{"name":"g"}`, "g")
	c.do(403, "DELETE", "/rest/instance/router/g", "")
	c.do(500, "DELETE", "/rest/instance/device/g?x=1", "")
	c.do(200, "DELETE", "/rest/instance/device/g", "")
}

// TestPools: members are computed when asked for, counters follow by adding.
func TestPools(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `[{"name":"Core-1","port":22},{"name":"core-2","port":830},{"name":"edge"}]`, "Core-1", "core-2", "edge")
	c.post("pool", `[{"name":"dynamic","device_name":"core","device_port":22},{"name":"none"},{"name":"manual","manually_defined":true,"devices":["edge"],"device_number":9}]`,
		"dynamic", "none", "manual")
	c.equal("not computed", c.get("pool", "dynamic")["devices"], `[]`)
	c.equal("criteria are texts", c.get("pool", "dynamic")["device_port"], `"22"`)
	c.post("pool", `{"name":"none","devices":["edge"]}`, "none")
	c.equal("update", c.do(200, "POST", "/rest/update_all_pools", ""), `null`)
	c.equal("members", c.get("pool", "dynamic")["devices"], `["Core-1"]`)
	c.equal("number", c.get("pool", "dynamic")["device_number"], `1`)
	c.equal("empty criteria", c.get("pool", "none")["devices"], `[]`)
	c.equal("manual", c.get("pool", "manual")["devices"], `["edge"]`)
	c.equal("corrected", c.get("pool", "manual")["device_number"], `1`)
	c.post("device", `{"name":"edge","pools":[]}`, "edge")
	c.equal("number from the other side", c.get("pool", "manual")["device_number"], `0`)
	c.post("pool", `{"name":"wrong","device_name":"(","device_name_match":"regex"}`, "wrong")
	c.post("pool", `{"name":"dynamic","device_port":""}`, "dynamic")
	c.do(500, "POST", "/rest/update_all_pools", "")
	c.equal("nothing updated", c.get("pool", "dynamic")["devices"], `["Core-1"]`)
	c.post("pool", `{"name":"wrong","device_name":"2$"}`, "wrong")
	c.do(500, "POST", "/rest/update_all_pools", `{"x":1}`)
	c.do(200, "POST", "/rest/update_all_pools", "")
	c.equal("members", c.get("pool", "dynamic")["devices"], `["Core-1","core-2"]`)
	c.equal("by expression", c.get("pool", "wrong")["devices"], `["core-2"]`)
}

// TestDeletedTargets: devices, gateways and pools that are deleted leave tasks and services
// without a word, and the task stays active.
func TestDeletedTargets(t *testing.T) {
	t.Parallel()
	on(t, func(t *testing.T, c *client) {
		c.post("device", `{"name":"d"}`, "d")
		c.post("gateway", `{"name":"g"}`, "g")
		c.post("pool", `{"name":"p"}`, "p")
		c.post("python_snippet_service", `{"name":"s","scoped_name":"s","target_devices":["d","g"],"target_pools":["p"]}`, "s")
		c.post("task", `{"name":"t","service":"s","devices":["d","g"],"pools":["p"],"is_active":true,"scheduling_mode":"cron","crontab_expression":"0 2 * * *"}`, "t")
		for model, name := range map[string]string{"device": "d", "gateway": "g", "pool": "p"} {
			c.do(200, "DELETE", "/rest/instance/"+model+"/"+name, "")
		}
		task, service := c.get("task", "t"), c.get("python_snippet_service", "s")
		for what, got := range map[string]any{"devices": task["devices"], "pools": task["pools"], "target_devices": service["target_devices"], "target_pools": service["target_pools"]} {
			c.equal(what, got, `[]`)
		}
		c.equal("is_active", task["is_active"], `true`)
	})
}
