// Deletions with what goes along, and pools.

package simulator

import (
	"fmt"
	"testing"
)

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
