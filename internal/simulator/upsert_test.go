// Upserts and the traps in them that the recorded exchanges do not show.

package simulator

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestValues goes through the table of 1.1: what is sent, and what is read back.
func TestValues(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ model, field, sent, read string }{
		{"device", "port", `22`, `22`},
		{"device", "port", `"22"`, `22`},
		{"device", "port", `22.0`, `22`},
		{"device", "port", `null`, `null`},
		{"device", "description", `5`, `"5"`},
		{"device", "description", `null`, `null`},
		{"device", "description", `"a\r\nü𝄞\u007f"`, `"a\r\nü𝄞\u007f"`},
		{"device", "latitude", `3`, `"3"`},
		{"pool", "manually_defined", `null`, `true`},
		{"pool", "manually_defined", `"no"`, `true`},
		{"pool", "manually_defined", `"False"`, `true`},
		{"pool", "manually_defined", `""`, `true`},
		{"pool", "manually_defined", `[]`, `true`},
		{"pool", "manually_defined", `"false"`, `false`},
		{"pool", "manually_defined", `0`, `false`},
		{"pool", "manually_defined", `0.0`, `false`},
		{"user", "zoom_sensitivity", `5`, `5.0`},
		{"user", "zoom_sensitivity", `"7"`, `7.0`},
		{"task", "initial_payload", `{"b":{"c":[1,2.5,null]},"a":1}`, `{"a":1,"b":{"c":[1,2.5,null]}}`},
		{"task", "initial_payload", `null`, `null`},
		{"user", "menu", `["b","a"]`, `["b","a"]`},
		{"device", "bogus", `1`, `null`},
	} {
		c := newClient(t)
		c.post(test.model, `{"name":"x","is_admin":true}`, "x")
		c.post(test.model, fmt.Sprintf(`{"name":"x",%q:%s}`, test.field, test.sent), "x")
		c.equal(test.field+" "+test.sent, c.get(test.model, "x")[test.field], test.read)
	}
}

// TestFloatsKeepTheirFraction looks at the wire, where 5.0 is not 5.
func TestFloatsKeepTheirFraction(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("user", `{"name":"é","is_admin":true,"zoom_sensitivity":5}`, "é")
	answer := c.raw("GET", "/rest/instance/user/%C3%A9", "").Body.String()
	for _, want := range []string{`"zoom_sensitivity":5.0}`, `"name":"\u00e9"`} {
		if !strings.Contains(answer, want) {
			t.Errorf("%s lacks %s", answer, want)
		}
	}
	if !strings.HasSuffix(answer, "}\n") {
		t.Error("no line end")
	}
}

// TestNullAtCreation: null is the initial value, but true for booleans and null
// for JSON columns.
func TestNullAtCreation(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `{"name":"d","description":null,"port":null,"icon":null}`, "d")
	d := c.get("device", "d")
	c.equal("description", d["description"], `""`)
	c.equal("port", d["port"], `22`)
	c.equal("icon", d["icon"], `"router"`)
	c.post("rest_call_service", `{"name":"r","scoped_name":"r","payload":null,"disabled":null}`, "r")
	r := c.get("service", "r")
	c.equal("payload", r["payload"], `null`)
	c.equal("params", r["params"], `{}`)
	c.equal("disabled", r["disabled"], `true`)
}

// TestRefusals are failures with their last lines.
func TestRefusals(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `{"name":"d"}`, "d")
	c.post("task", `{"name":"t"}`, "t")
	for _, test := range []struct{ model, body, line string }{
		{"device", `{"name":null}`, "TypeError: unsupported operand type(s) for +: 'NoneType' and 'str'"},
		{"device", `{"name":5}`, "TypeError: unsupported operand type(s) for +: 'int' and 'str'"},
		{"service", `{"name":"s","scoped_name":null}`, `TypeError: can only concatenate str (not "NoneType") to str`},
		{"device", `{"name":"d","positions":"x"}`, "ValueError: Attribute 'positions' does not accept objects of type <class 'str'>"},
		{"device", `{"name":"d","pools":null}`, "TypeError: 'NoneType' object is not iterable"},
		{"device", `{"name":"d","pools":"xy"}`, "eNMS.database.RbacError: There is no pool in the database with the following characteristics: {'name': 'x'}"},
		{"device", `{"name":"d","id":77}`, "eNMS.database.RbacError: There is no device in the database with the following characteristics: {'id': 77}"},
		{"task", `{"name":"t","status":"Active"}`, "AttributeError: can't set attribute 'status'"},
		{"task", `{"name":"t","next_run_time":"x"}`, "AttributeError: can't set attribute 'next_run_time'"},
		{"user", `{"name":"u","password":5}`, "AttributeError: 'int' object has no attribute 'startswith'"},
		{"credential", `{"name":"c","password":5}`, "TypeError: a bytes-like object is required, not 'int'"},
		{"workflow_edge", `{"name":"e"}`, "KeyError: 'subtype'"},
		{"link", `{"name":"l","source_name":"d"}`, "KeyError: 'destination_name'"},
		{"device", `{"name":"d","source":["x"]}`, "AttributeError: 'str' object has no attribute '_sa_instance_state'"},
		{"task", `{"name":"t","service":""}`, "eNMS.database.RbacError: There is no service in the database with the following characteristics: {'name': ''}"},
	} {
		c.refused(test.model, test.body, test.line)
	}
}

// TestPartialFailure: what was assigned before an error stays assigned.
func TestPartialFailure(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("pool", `{"name":"p"}`, "p")
	c.post("device", `{"name":"d"}`, "d")
	wrong := "ValueError: Attribute 'positions' does not accept objects of type <class 'str'>"
	c.refused("device", `{"name":"d","description":"changed","positions":"x","vendor":"not"}`, wrong)
	d := c.get("device", "d")
	c.equal("description", d["description"], `"changed"`)
	c.equal("vendor", d["vendor"], `""`)
	c.refused("device", `{"name":"left","pools":["p"],"positions":"x"}`, wrong)
	c.equal("pools of the leftover", c.get("device", "left")["pools"], `["p"]`)
	c.refused("device", `{"pools":["p"],"positions":"x","name":"unnamed"}`, wrong)
	c.absent("device", "unnamed")
	c.equal("name of the leftover", c.get("device", "")["name"], `""`)
	c.refused("device", `{"name":"clean","positions":"x"}`, wrong)
	c.absent("device", "clean")
	c.refused("device", `{"name":"clean","pools":["nope"]}`, "eNMS.database.RbacError: There is no pool in the database with the following characteristics: {'name': 'nope'}")
	c.absent("device", "clean")
	refusedPayload := "ValueError: Attribute 'initial_payload' does not accept objects of type <class 'str'>"
	c.refused("task", `{"name":"t","initial_payload":"{}"}`, refusedPayload)
	c.get("task", "t")
	c.refused("service", `{"name":"s","scoped_name":"s","initial_payload":""}`, refusedPayload)
	c.get("service", "s")
}

// TestFailureEchoesIds: relation names in the echo are already ids.
func TestFailureEchoesIds(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("pool", `{"name":"p"}`, "p")
	answer := c.do(http.StatusOK, "POST", "/rest/instance/device", `{"name":"a/b","pools":["p"],"password":"s"}`).(map[string]any)
	c.equal("echo", answer["failure"].([]any)[0].([]any)[0], `{"name":"a/b","pools":[4],"password":"s"}`)
}

// TestLists are the shapes of a body.
func TestLists(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `{"list_data":[{"name":"a"},{"name":"b"}]}`, "a", "b")
	c.equal("strings", c.do(200, "POST", "/rest/instance/device", `["a"]`), `{"failure":[["a","Name is missing"]]}`)
	c.equal("null", c.do(200, "POST", "/rest/instance/device", `null`), `{"failure":[[{},"Name is missing"]]}`)
	c.equal("a path segment", c.do(200, "POST", "/rest/instance/device/ab", ``), `{"failure":[["a","Name is missing"],["b","Name is missing"]]}`)
	c.do(500, "POST", "/rest/instance/device", `[5]`)
	c.do(500, "POST", "/rest/instance/device", `5`)
	c.do(500, "POST", "/rest/instance", `{"name":"x"}`)
}

// TestLookupsSeeWhatIsCommitted: a list is one session without autoflush.
func TestLookupsSeeWhatIsCommitted(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `{"name":"a"}`, "a")
	c.post("device", `[{"name":"a","new_name":"b"},{"name":"a","vendor":"v"}]`, "b", "a")
	c.equal("vendor", c.get("device", "a")["vendor"], `"v"`)
	c.absent("device", "b")
	c.post("device", `[{"name":"a","new_name":"b"},{"name":"c","new_name":"a"}]`, "b", "a")
	c.equal("the old one", c.get("device", "b")["vendor"], `"v"`)
	c.equal("the new one", c.get("device", "a")["vendor"], `""`)
}

// TestIdentity: ids are reused, win over names, and types share namespaces.
func TestIdentity(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `[{"name":"a"},{"name":"b"}]`, "a", "b")
	id := c.get("device", "b")["id"]
	c.do(200, "DELETE", "/rest/instance/device/b", "")
	c.post("gateway", `{"name":"g"}`, "g")
	if got := c.get("gateway", "g")["id"]; got != id {
		t.Errorf("id %v, want %v again", got, id)
	}
	c.post("device", fmt.Sprintf(`{"id":"%v","name":"g2"}`, id), "g2")
	c.absent("device", "g")
	c.do(500, "POST", "/rest/instance/gateway", `{"name":"a"}`)
	c.do(500, "POST", "/rest/instance/ping_service", `{"name":"cluster_monitoring","scoped_name":"cluster_monitoring"}`)
	c.post("device", `{"name":"g2","priority":4}`, "g2")
	c.equal("priority", c.get("gateway", "g2")["priority"], `4`)
	c.equal("configuration", c.get("gateway", "g2")["configuration"], `""`)
	c.refused("device", `{"name":"g2","devices":["a"]}`, "eNMS.database.RbacError: There is no device in the database with the following characteristics: {'id': 'a'}")
	c.post("gateway", `{"name":"g2","devices":["a"]}`, "g2")
	c.equal("gateways", c.get("device", "a")["gateways"], `["g2"]`)
}

// TestTypeDamagesARow until it is set back.
func TestTypeDamagesARow(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `[{"name":"a"},{"name":"b"}]`, "a", "b")
	c.post("device", `{"name":"a","type":"gateway"}`, "a")
	c.do(500, "GET", "/rest/instance/device/a", "")
	c.do(500, "GET", "/rest/query/device", "")
	c.get("device", "b")
	c.post("device", `{"name":"a","type":"device"}`, "a")
	c.do(200, "GET", "/rest/query/device", "")
}

// TestStuckList: a list that was null can never be set again.
func TestStuckList(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("service", `{"name":"s","scoped_name":"s"}`, "s")
	c.post("service", `{"name":"s","restrict_to_owners":["edit"]}`, "s")
	c.post("service", `{"name":"s","restrict_to_owners":null}`, "s")
	c.do(500, "POST", "/rest/instance/service", `{"name":"s","restrict_to_owners":[]}`)
	c.equal("list", c.get("service", "s")["restrict_to_owners"], `null`)
}

// TestSecrets are never returned and never cleared.
func TestSecrets(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("credential", `{"name":"c","password":"secret"}`, "c")
	c.post("credential", `{"name":"c","password":""}`, "c")
	c.post("credential", `{"name":"c","password":null}`, "c")
	for _, path := range []string{"instance/credential/c", "query/credential"} {
		if body := c.raw("GET", "/rest/"+path, "").Body.String(); strings.Contains(body, "secret") || strings.Contains(body, `"password":`) {
			t.Errorf("%s shows the secret: %s", path, body)
		}
	}
	c.post("user", `{"name":"u","password":"u","is_admin":true}`, "u")
	c.post("user", `{"name":"u","password":""}`, "u")
	c.as("u").do(200, "GET", "/rest/query/device", "")
	c.equal("users by a password", c.do(200, "GET", "/rest/query/user?password=u", ""), `[]`)
	c.post("user", `{"name":"u","password":"$argon2id$broken"}`, "u")
	if w := c.as("u").raw("GET", "/rest/query/device", ""); w.Code != 500 || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/html") {
		t.Errorf("a damaged password answers %d %s", w.Code, w.Header().Get("Content-Type"))
	}
}

// TestLastModified changes at every POST, with nothing to change too.
func TestLastModified(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `{"name":"d"}`, "d")
	before := c.get("device", "d")["last_modified"]
	c.clock.forward(time.Minute)
	c.post("device", `{"name":"d","migration_import":true}`, "d")
	if got := c.get("device", "d")["last_modified"]; got != before {
		t.Errorf("migration_import changed it from %v to %v", before, got)
	}
	c.post("device", `{"name":"d"}`, "d")
	if got := c.get("device", "d")["last_modified"]; got == before {
		t.Error("unchanged after a POST")
	}
}

// TestLinkEnds can be given by both names and by id, too; a name alone renames the device.
func TestLinkEnds(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `[{"name":"a"},{"name":"b"}]`, "a", "b")
	c.post("link", `{"name":"l","source_name":"a","destination_name":"b"}`, "l")
	c.equal("destination", c.get("link", "l")["destination"], `"b"`)
	c.post("link", `{"name":"l","destination_id":1}`, "l")
	c.equal("destination", c.get("link", "l")["destination_name"], `"a"`)
	c.post("link", `{"name":"l","destination_name":"renamed"}`, "l")
	c.get("device", "renamed")
}

// TestRollbackOfRelations: a refused list leaves no trace on either side.
func TestRollbackOfRelations(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `[{"name":"a"},{"name":"b"},{"name":"c"}]`, "a", "b", "c")
	c.post("pool", `{"name":"p","devices":["a","b"]}`, "p")
	c.post("link", `{"name":"l","source":"a"}`, "l")
	c.do(500, "POST", "/rest/instance/device", `[{"name":"c","pools":["p"]},{"name":"a","pools":[],"source":[]},{"name":"b","new_name":"c"}]`)
	c.do(500, "POST", "/rest/instance/device", `{"name":"x","pools":["p","p"]}`)
	p := c.get("pool", "p")
	c.equal("devices", p["devices"], `["a","b"]`)
	c.equal("device_number", p["device_number"], `2`)
	c.equal("a", c.get("device", "a")["pools"], `["p"]`)
	c.equal("c", c.get("device", "c")["pools"], `[]`)
	c.equal("link", c.get("link", "l")["source"], `"a"`)
}

// TestNetworksInEachOther: they cannot be created so, and can be made so once both exist.
func TestNetworksInEachOther(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	both := `[{"name":"n1","nodes":["n2"]},{"name":"n2","nodes":["n1"]}]`
	if refused := c.do(200, "POST", "/rest/instance/network", both).(map[string]any); len(refused["failure"].([]any)) != 2 {
		t.Errorf("created: %v", refused)
	}
	c.post("network", `[{"name":"n1"},{"name":"n2"}]`, "n1", "n2")
	c.post("network", both, "n1", "n2")
	c.equal("nodes", c.get("network", "n1")["nodes"], `["n2"]`)
	c.equal("networks", c.get("network", "n1")["networks"], `["n2"]`)
	c.do(200, "DELETE", "/rest/instance/network/n1", "")
	c.equal("nodes", c.get("network", "n2")["nodes"], `[]`)
}

// TestServiceRenamedWithItsWorkflow: the old full name finds nothing any more, so that a
// rename by it creates a second service.
func TestServiceRenamedWithItsWorkflow(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("workflow", `{"name":"w","scoped_name":"w"}`, "w")
	c.post("service", `{"name":"[w] s","scoped_name":"s","workflows":["w"]}`, "[w] s")
	c.post("workflow", `{"name":"w","scoped_name":"v"}`, "v")
	c.post("service", `{"name":"[w] s","scoped_name":"t","new_name":"[v] t"}`, "[v] t")
	c.equal("services", c.get("workflow", "v")["services"], `["[Shared] Start","[Shared] End","[v] s"]`)
}
