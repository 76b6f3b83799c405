// Tests of what Python prints and JSON does not have: NaN, infinite numbers, and halves of
// surrogate pairs.

package provider_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// python sends a request with a body that is no JSON, as another actor may.
func (s *server) python(path, body string) {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.ctx(), http.MethodPost, s.url+path, strings.NewReader(s.expand(body)))
	if err != nil {
		s.t.Fatal(err)
	}
	req.SetBasicAuth(s.user, s.password)
	req.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		s.t.Fatal(answer.Status)
	}
}

// A run that was over counted as not understood when its result held NaN or half a
// surrogate pair: the resource was tainted, and the next apply ran the service again.
func TestRunWithAResultOfPython(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.put("python_snippet_service", enms.Object{"name": "NAME-nan", "scoped_name": "NAME-nan", "run_method": "once", "skip_value": "success",
		"source_code": `results["x"] = {"a": float("nan"), "b": [float("inf")], "s": "x\ud800y", "k\udc00": 1}` + "\n" + `results["success"] = True`})()
	t.Cleanup(s.drop("service", "NAME-nan"))
	c := s.core(nil)
	config := attributes{"service": s.expand("NAME-nan"), "poll_interval": "100ms"}
	state := c.applied(runResource, config, c.none(runResource))
	const want = `"x":{"a":"NaN","b":["inf"],"k` + "\ufffd" + `":1,"s":"x` + "\ufffd" + `y"}`
	if result := state.text(t, "result"); !strings.Contains(result, want) {
		t.Errorf("the result is %s", result)
	}
	if p, diags := c.plan(runResource, config, c.refreshed(runResource, state)); diags.failed() || !p.noop {
		t.Errorf("it is to run again: %s", diags)
	}
	answer, diags := c.dataOf("enms_run_result", attributes{"name": state.text(t, "name")})
	if diags.failed() || textOf(t, members(t, answer)["result"]) != state.text(t, "result") {
		t.Errorf("the data source: %s %s", answer, diags)
	}
	if done := c.invoke(runAction, config, nil); done.diags.failed() {
		t.Error(done.diags)
	}
}

// A service with NaN in its payload could be neither imported nor listed: the error spoke
// of a login page. It is read with texts, and what others wrote stays as it is when
// something else changes.
func TestPayloadOfPython(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	const payload = `{"a":NaN,"b":[Infinity,-Infinity],"n":{"m":NaN},"s":"x\ud800y","k\udc00":1}`
	s.python("/rest/instance/service", `{"name":"NAME-pay","scoped_name":"NAME-pay","initial_payload":`+payload+`}`)
	t.Cleanup(s.drop("service", "NAME-pay"))
	c := s.core(nil)
	name := s.expand("NAME-pay")
	state, diags := c.importByName("enms_service", name)
	if diags.failed() {
		t.Fatal(diags)
	}
	inTerraform := object(map[string]any{"a": "NaN", "b": []any{"Infinity", "-Infinity"}, "n": map[string]any{"m": "NaN"}, "s": "x\ufffdy", "k\ufffd": 1})
	config := attributes{"name": name, "type": "service", "initial_payload": inTerraform}
	if p, diags := c.plan("enms_service", config, state); diags.failed() || !p.noop {
		t.Errorf("the plan after the import is not empty: %s %s", diags, p.value)
	}
	config["description"] = "changed"
	state = c.refreshed("enms_service", c.applied("enms_service", config, state))
	if p, diags := c.plan("enms_service", config, state); diags.failed() || !p.noop {
		t.Errorf("the plan after an update is not empty: %s", diags)
	}
	if kept, err := s.client.Get(s.ctx(), "service", name); err != nil || !strings.Contains(fmt.Sprint(kept["initial_payload"]), `n:map[m:NaN]`) {
		t.Errorf("eNMS has %v, %v", kept["initial_payload"], err)
	}
	data, diags := c.dataOf("enms_service", attributes{"name": name})
	if diags.failed() || !strings.Contains(members(t, data)["initial_payload"].String(), `"NaN"`) {
		t.Errorf("the data source: %s %s", data, diags)
	}
	listed, diags := c.listed("enms_services", attributes{"filter": filter(map[string]any{"name": name}), "properties": []string{"initial_payload"}})
	if diags.failed() || len(listed) != 1 {
		t.Fatalf("the list: %v %s", listed, diags)
	}
	if text := textOf(t, members(t, listed[0]["properties"])["initial_payload"]); !strings.Contains(text, `"m":"NaN"`) || !strings.Contains(text, "x\ufffdy") {
		t.Errorf("the list has %s", text)
	}
	delete(config, "initial_payload") // which the import did not make the configuration's own
	if p, diags := c.plan("enms_service", config, c.refreshed("enms_service", state)); diags.failed() || p.value.IsNull() {
		t.Errorf("without it: %s", diags)
	}
}

// On PostgreSQL a column for numbers holds NaN, which every search answers.
func TestNumberOfPython(t *testing.T) {
	t.Parallel()
	s := newServerLike(t, "postgresql", testServers["postgresql"])
	s.python("/rest/instance/netmiko_commands_service", `{"name":"NAME-n","scoped_name":"NAME-n","driver":"device","read_timeout":NaN}`)
	t.Cleanup(s.drop("service", "NAME-n"))
	c := s.core(nil)
	name := s.expand("NAME-n")
	state, diags := c.importByName("enms_service", name)
	if diags.failed() {
		t.Fatal(diags)
	}
	config := attributes{"name": name, "type": "netmiko_commands_service", "skip_value": "True",
		"properties": object(map[string]any{"driver": "device", "read_timeout": "NaN"})}
	if p, diags := c.plan("enms_service", config, state); diags.failed() || !p.noop {
		t.Errorf("the plan after the import is not empty: %s %s", diags, p.value)
	}
	config["properties"] = object(map[string]any{"driver": "device", "read_timeout": 20})
	state = c.refreshed("enms_service", c.applied("enms_service", config, state))
	if p, diags := c.plan("enms_service", config, state); diags.failed() || !p.noop {
		t.Errorf("the plan after an update is not empty: %s %s", diags, p.value)
	}
}
