// Owners, rights and who may hand them out (6).

package simulator

import "testing"

// grant makes a user with a group that lets him call everything.
func (c *client) grant(user, group, more string) {
	c.t.Helper()
	c.post("user", `{"name":"`+user+`","password":"`+user+`"}`, user)
	c.post("group", `{"name":"`+group+`","users":["`+user+`"],"menu":[],"pages":[],"get_requests":["/rest/instance","/rest/query","/rest/result"],
		"post_requests":["/rest/instance","/rest/search","/rest/run_service"],"delete_requests":["/rest/instance"]`+more+`}`, group)
}

// TestSharingIsDecidedOnce: an owner may give an object away and hand out rights on
// it in one request, and not in the next one.
func TestSharingIsDecidedOnce(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.grant("ann", "a", `,"device_access":["rbac_read","rbac_edit"]`)
	c.grant("bob", "b", "")
	ann := c.as("ann")
	ann.post("device", `{"name":"d","owners":["bob"],"rbac_read":["b"]}`, "d")
	d := c.get("device", "d")
	c.equal("owners at creation", d["owners"], `["ann"]`)
	c.equal("rights at creation", d["rbac_read"], `["a"]`)
	ann.post("device", `{"name":"d","owners":["bob"],"rbac_read":["a","b"]}`, "d")
	ann.post("device", `{"name":"d","owners":["ann"],"rbac_read":[],"description":"hers no longer"}`, "d")
	d = c.get("device", "d")
	c.equal("owners", d["owners"], `["bob"]`)
	c.equal("rights", d["rbac_read"], `["a","b"]`)
	c.equal("the rest", d["description"], `"hers no longer"`)
}

// TestServicesThatMayOnlyBeRead: an upsert does not find them and makes another.
func TestServicesThatMayOnlyBeRead(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.grant("ann", "a", "")
	c.post("service", `{"name":"s","scoped_name":"s","rbac_read":["a"]}`, "s")
	ann := c.as("ann")
	ann.do(500, "POST", "/rest/instance/service", `{"name":"s","scoped_name":"s"}`)
	ann.post("service", `{"name":"s","description":"x"}`, "None")
	ann.do(500, "POST", "/rest/instance/ping_service", `{"name":"s","description":"x"}`)
	c.equal("untouched", c.get("service", "s")["description"], `""`)
}

// TestRestrictedToOwners: what a workflow keeps to its owners, its members do, too.
func TestRestrictedToOwners(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.grant("ann", "a", "")
	c.post("workflow", `{"name":"w","scoped_name":"w","restrict_to_owners":["edit","run"]}`, "w")
	c.post("ping_service", `{"name":"[w] s","scoped_name":"s","workflows":["w"],"rbac_read":["a"],"rbac_edit":["a"],"rbac_run":["a"]}`, "[w] s")
	ann := c.as("ann")
	ann.do(403, "DELETE", "/rest/instance/service/"+escape("[w] s"), "")
	ann.do(403, "POST", "/rest/run_service", `{"name":"[w] s"}`)
	c.post("workflow", `{"name":"w","owners":["ann"]}`, "w")
	ann.do(200, "POST", "/rest/run_service", `{"name":"[w] s"}`)
	ann.do(200, "DELETE", "/rest/instance/service/"+escape("[w] s"), "")
}

// TestGroupsAndTheRightsOfUsers goes through 1.10 and 1.11 as far as the recorded exchanges do not.
func TestGroupsAndTheRightsOfUsers(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	lists := `,"menu":["Inventory"],"pages":[],"get_requests":["/rest/query"],"post_requests":[],"delete_requests":[]}`
	granted := func(what, user, want string) {
		t.Helper()
		c.equal(what, c.get("user", user)["get_requests"], want)
	}
	c.post("user", `[{"name":"a"},{"name":"b"}]`, "a", "b")
	c.post("group", `{"name":"g","users":["a"]`+lists, "g")
	c.post("user", `{"name":"a","groups":[]}`, "a")
	granted("from the user's side", "a", `["/rest/query"]`)
	c.post("group", `{"name":"g","users":["a","b"]}`, "g")
	c.post("group", `{"name":"g","users":["b"]}`, "g")
	granted("left out", "a", `[]`)
	granted("in", "b", `["/rest/query"]`)
	c.post("user", `{"name":"d","groups":["g"]}`, "d")
	granted("a group at creation", "d", `["/rest/query"]`)
	c.do(200, "DELETE", "/rest/instance/group/g", "")
	granted("the group has gone", "b", `["/rest/query"]`)
	c.post("group", `{"name":"h","users":["a"]`+lists, "h")
	c.refused("group", `{"name":"h","menu":null,"users":["a"]}`, "TypeError: 'NoneType' object is not iterable")
	c.refused("group", `{"name":"h","description":"x"}`, "TypeError: 'NoneType' object is not iterable")
	c.equal("changed all the same", c.get("group", "h")["description"], `"x"`)
	c.do(500, "POST", "/rest/instance/group", `{"name":"h","menu":[]}`)
	c.do(200, "DELETE", "/rest/instance/group/h", "")
}

// TestNodesAreOpen: who asks for a device as a node reads, changes and deletes it without
// any right.
func TestNodesAreOpen(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.grant("ann", "a", "")
	c.post("device", `{"name":"d"}`, "d")
	ann := c.as("ann")
	ann.do(403, "GET", "/rest/instance/device/d", "")
	c.equal("as a device", names(ann.search(`{"type":"device","columns":["name"]}`)), `""`)
	c.equal("as a node", names(ann.search(`{"type":"node","columns":["name"]}`)), `"d"`)
	ann.do(200, "GET", "/rest/instance/node/d", "")
	ann.do(500, "POST", "/rest/instance/device", `{"name":"d","description":"x"}`)
	ann.post("node", `{"name":"d","description":"x"}`, "d")
	c.equal("changed", c.get("device", "d")["description"], `"x"`)
	ann.do(200, "DELETE", "/rest/instance/node/d", "")
	c.absent("device", "d")
}
