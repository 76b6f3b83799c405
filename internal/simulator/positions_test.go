// Where services and nodes stand, and what renames make of it.

package simulator

import (
	"fmt"
	"testing"
)

// positions returns those of one object, by a search, which shows them.
func (c *client) positions(model, name string) any {
	c.t.Helper()
	return c.search(`{"type":"` + model + `","columns":["positions"],"search_criteria":{"name":"` + name + `","name_filter":"equality"}}`)[0].(map[string]any)["positions"]
}

// TestPositionsInAWorkflow goes through 1.16 as far as the recorded exchanges do not.
func TestPositionsInAWorkflow(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("workflow", `[{"name":"w","scoped_name":"w"},{"name":"o","scoped_name":"o"}]`, "w", "o")
	c.post("python_snippet_service", `{"name":"[w] s","scoped_name":"s","workflows":["w"],"positions":{"w":[1,2]}}`, "[w] s")
	c.refused("service", `{"name":"[w] s","positions":null}`, "TypeError: 'NoneType' object is not a mapping")
	c.post("workflow", `{"name":"w","shared":true}`, "[Shared] w")
	c.equal("shared", c.positions("service", "[[Shared] w] s"), `{"w":[1,2],"[Shared] w":[1,2]}`)
	c.post("workflow", `{"name":"[Shared] w","shared":false,"workflows":["o"]}`, "[o] w")
	c.post("workflow", `{"name":"o","scoped_name":"p"}`, "p")
	c.equal("the workflow above is renamed", c.positions("service", "[[p] w] s"),
		`{"w":[1,2],"[Shared] w":[1,2],"[o] w":[1,2],"[p] w":[1,2]}`)
	c.post("workflow", `{"name":"p","new_name":"q"}`, "q")
	c.post("workflow", `{"name":"q","scoped_name":"q"}`, "q")
	c.equal("new_name loses it", c.positions("workflow", "[q] w"), `{}`)
	c.do(200, "DELETE", "/rest/instance/workflow/q", "")
	c.post("service", `{"name":"[Shared] End","positions":{"q":[7,8]}}`, "[Shared] End")
	c.post("workflow", `{"name":"q","scoped_name":"q"}`, "q")
	c.equal("a name that comes back", c.positions("service", "[Shared] End").(map[string]any)["q"], `[7,8]`)
}

// TestPositionsInANetwork follow it only when it is found by its id.
func TestPositionsInANetwork(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `{"name":"d","positions":{"n":[1,2]}}`, "d")
	c.post("network", `{"name":"n","nodes":["d"]}`, "n")
	c.post("network", `{"name":"n","new_name":"m"}`, "m")
	c.equal("by new_name", c.positions("device", "d"), `{"n":[1,2]}`)
	c.post("network", `{"name":"m","new_name":"n"}`, "n")
	c.post("network", fmt.Sprintf(`{"name":"m","id":%v}`, c.get("network", "n")["id"]), "m")
	c.equal("by id", c.positions("device", "d"), `{"n":[1,2],"m":[1,2]}`)
}
