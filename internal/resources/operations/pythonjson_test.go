// Tests of what Python prints and JSON does not have: NaN, infinite numbers, and halves of
// surrogate pairs.

package operations_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// putPython sends a request with a body that is no JSON, as another actor may.
func putPython(s *acctest.Server, path, body string) {
	s.T.Helper()
	req, err := http.NewRequestWithContext(s.Context(), http.MethodPost, s.URL+path, strings.NewReader(s.Expand(body)))
	if err != nil {
		s.T.Fatal(err)
	}
	req.SetBasicAuth(s.User, s.Password)
	req.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(req)
	if err != nil {
		s.T.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		s.T.Fatal(answer.Status)
	}
}

// A run that was over counted as not understood when its result held NaN or half a
// surrogate pair: the resource was tainted, and the next apply ran the service again.
func TestPythonJSON_resultOfARun(t *testing.T) {
	acctest.SkipOn(t, "it answers with strict JSON: NaN is null, and half a surrogate pair is a 500", "enms-5.3")
	t.Parallel()
	s := acctest.NewServer(t)
	s.Put("python_snippet_service", enms.Object{"name": "NAME-nan", "scoped_name": "NAME-nan", "run_method": "once", "skip_value": "success",
		"source_code": `results["x"] = {"a": float("nan"), "b": [float("inf")], "s": "x\ud800y", "k\udc00": 1}` + "\n" + `results["success"] = True`})()
	c := s.Core(nil)
	config := acctest.Attributes{"service": s.Expand("NAME-nan"), "poll_interval": "100ms"}
	state := c.Applied(runResource, config, c.NoState(runResource))
	const want = `"x":{"a":"NaN","b":["inf"],"k` + "\ufffd" + `":1,"s":"x` + "\ufffd" + `y"}`
	if result := state.Text(t, "result"); !strings.Contains(result, want) {
		t.Errorf("the result is %s", result)
	}
	c.PlansNothing(runResource, config, c.Refreshed(runResource, state))
	answer, diags := c.ReadDataSourceBy("enms_run_result", acctest.Attributes{"name": state.Text(t, "name")})
	if diags.Failed() || acctest.TextOf(t, acctest.Members(t, answer)["result"]) != state.Text(t, "result") {
		t.Errorf("the data source: %s %s", answer, diags)
	}
	if done := invokeAction(c, runAction, config, nil); done.diags.Failed() {
		t.Error(done.diags)
	}
}

// A service with NaN in its payload could be neither imported nor listed: the error spoke
// of a login page. It is read with texts, and what others wrote stays as it is when
// something else changes.
func TestPythonJSON_payload(t *testing.T) {
	acctest.SkipOn(t, "it answers with strict JSON: NaN is null, and half a surrogate pair is a 500", "enms-5.3")
	t.Parallel()
	s := acctest.NewServer(t)
	const payload = `{"a":NaN,"b":[Infinity,-Infinity],"n":{"m":NaN},"s":"x\ud800y","k\udc00":1}`
	putPython(s, "/rest/instance/service", `{"name":"NAME-pay","scoped_name":"NAME-pay","initial_payload":`+payload+`}`)
	c := s.Core(nil)
	name := s.Expand("NAME-pay")
	state := c.Imported("enms_service", name)
	inTerraform := acctest.ObjectValue(map[string]any{"a": "NaN", "b": []any{"Infinity", "-Infinity"}, "n": map[string]any{"m": "NaN"}, "s": "x\ufffdy", "k\ufffd": 1})
	config := acctest.Attributes{"name": name, "type": "service", "initial_payload": inTerraform}
	c.PlansNothing("enms_service", config, state)
	config["description"] = "changed"
	state = c.Refreshed("enms_service", c.Applied("enms_service", config, state))
	c.PlansNothing("enms_service", config, state)
	if kept, err := s.Client.Get(s.Context(), "service", name); err != nil || !strings.Contains(fmt.Sprint(kept["initial_payload"]), `n:map[m:NaN]`) {
		t.Errorf("eNMS has %v, %v", kept["initial_payload"], err)
	}
	data, diags := c.ReadDataSourceBy("enms_service", acctest.Attributes{"name": name})
	if diags.Failed() || !strings.Contains(acctest.Members(t, data)["initial_payload"].String(), `"NaN"`) {
		t.Errorf("the data source: %s %s", data, diags)
	}
	listed, diags := acctest.Listed(c, "enms_services", acctest.Attributes{"filter": acctest.Filter(map[string]any{"name": name}), "properties": []string{"initial_payload"}})
	if diags.Failed() || len(listed) != 1 {
		t.Fatalf("the list: %v %s", listed, diags)
	}
	if text := acctest.TextOf(t, acctest.Members(t, listed[0]["properties"])["initial_payload"]); !strings.Contains(text, `"m":"NaN"`) || !strings.Contains(text, "x\ufffdy") {
		t.Errorf("the list has %s", text)
	}
	delete(config, "initial_payload") // which the import did not make the configuration's own
	if p, diags := c.Plan("enms_service", config, c.Refreshed("enms_service", state)); diags.Failed() || p.Value.IsNull() {
		t.Errorf("without it: %s", diags)
	}
}

// On PostgreSQL a column for numbers holds NaN, which every search answers.
func TestPythonJSON_number(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "postgresql", acctest.ServerKinds["postgresql"])
	putPython(s, "/rest/instance/netmiko_commands_service", `{"name":"NAME-n","scoped_name":"NAME-n","driver":"device","read_timeout":NaN}`)
	c := s.Core(nil)
	name := s.Expand("NAME-n")
	state := c.Imported("enms_service", name)
	config := acctest.Attributes{"name": name, "type": "netmiko_commands_service", "skip_value": "True",
		"properties": acctest.ObjectValue(map[string]any{"driver": "device", "read_timeout": "NaN"})}
	c.PlansNothing("enms_service", config, state)
	config["properties"] = acctest.ObjectValue(map[string]any{"driver": "device", "read_timeout": 20})
	state = c.Refreshed("enms_service", c.Applied("enms_service", config, state))
	c.PlansNothing("enms_service", config, state)
}
