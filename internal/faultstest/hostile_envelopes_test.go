// Tests of answers that are wrong as a whole: the envelope of a write, lists of
// rows, single instances and the answer to a deletion. Whatever comes back, and
// whether eNMS acted or not: success is told only when it is true, and once
// the answers are honest again an apply mends everything.

package faultstest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// hostileWrites are answers to POST /rest/instance. NAME is the instance's name.
var hostileWrites = []string{
	"", "null", `"ok"`, "1", "true", "[]", `["NAME"]`, "{}", "{", "<html>", `{"success":["NAME"]`, `{"success":["NAME"]}{}`,
	`{"success":null}`, `{"success":"NAME"}`, `{"success":{"NAME":1}}`, `{"success":1}`, `{"success":true}`, `{"success":[]}`,
	`{"success":[null]}`, `{"success":[1]}`, `{"success":[["NAME"]]}`, `{"success":[{}]}`, `{"success":[""]}`, `{"success":["somebody else"]}`,
	`{"success":["NAME"]}`, `{"success":["NAME","NAME"]}`, `{"success":["NAME","more"]}`, `{"success":["NAME",1]}`,
	`{"failure":null}`, `{"failure":"no"}`, `{"failure":{}}`, `{"failure":[]}`, `{"failure":[null]}`, `{"failure":["no"]}`,
	`{"failure":[[]]}`, `{"failure":[[{"name":"NAME"}]]}`, `{"failure":[[{"name":"NAME"},null]]}`, `{"failure":[[{"name":"NAME"},1]]}`,
	`{"failure":[[{"name":"NAME"},"no","more"]]}`, `{"failure":[["NAME","no"]]}`, `{"failure":[[null,"no"]]}`, `{"failure":[[{"name":1},"no"]]}`,
	`{"failure":[[{"name":"NAME"},""]]}`, `{"failure":[[{"name":"NAME"},"no"]]}`, `{"failure":[[{"name":"NAME"},"no"],[{"name":"NAME"},"no"]]}`,
	`{"failure":[[{"name":"NAME"},"no"]],"success":["NAME"]}`, `{"failure":[[{"name":"somebody else"},"no"]],"success":["NAME"]}`,
	`{"success":["NAME"],"failure":[]}`, `{"success":["NAME"],"success":[]}`, `{"alert":"Error 500"}`,
	strings.Repeat("[", 10000) + strings.Repeat("]", 10000), strings.Repeat("[", 10000), `{"success":[` + strings.Repeat(`"a",`, 100000) + `"a"]}`,
}

// hostileRows are answers to searches, queries and reads of single instances.
var hostileRows = []string{
	"", "null", `"ok"`, "1", "false", "[]", "{}", "{", "<html>", `{"alert":"no"}`, "[null]", "[[]]", `["NAME"]`, "[1]", "[{}]", `[{"name":null}]`,
	`[{"name":"NAME"}]`, `[{"id":1}]`, `[{"id":null,"name":"NAME","type":"device"}]`, `[{"id":"1","name":"NAME","type":"device"}]`,
	`[{"id":1,"name":1,"type":"device"}]`, `[{"id":1,"name":["NAME"],"type":"device"}]`, `[{"id":1,"name":"NAME","type":null}]`,
	`[{"id":1,"name":"somebody else","type":"device"}]`, `[{"id":1,"name":"NAME"},{"id":2,"name":"NAME"}]`,
	`{"id":1}`, `{"name":"NAME"}`, `{"name":"NAME","id":null}`, `{"name":null,"id":1}`, `{"name":"somebody else","id":1,"type":"device"}`,
	`{"id":1,"name":"NAME","type":"device","gateways":{}}`,
	strings.Repeat("[", 10000) + strings.Repeat("]", 10000), "[" + strings.Repeat("{},", 100000) + "{}]",
	"[" + strings.Repeat(`{"id":1,"name":"somebody else","type":"device"},`, 20000) + "{}]",
}

// hostileDeletions are answers to DELETE.
var hostileDeletions = []string{
	"", "null", `"gone"`, "1", "[]", "{}", "{", "<html>", `{"delete_aborted":null}`, `{"delete_aborted":"true"}`, `{"delete_aborted":1}`,
	`{"delete_aborted":true}`, `{"delete_aborted":true,"log":1}`, `{"delete_aborted":false}`, `{"name":1}`, `{"name":"somebody else"}`,
	`{"name":"NAME"}`, `{"name":"NAME","delete_aborted":[]}`, `[{"name":"NAME"}]`, strings.Repeat("[", 10000),
}

// instead rewrites responses to requests of a method under a path, and lets eNMS act or not.
func instead(method, path, answer string, acted bool) acctest.Rewrite {
	return func(r *http.Request, act func() (int, []byte)) []byte {
		if r.Method != method || !strings.HasPrefix(r.URL.Path, path) {
			return nil
		}
		if acted {
			act()
		}
		return []byte(answer)
	}
}

// TestHostileAnswers_toWrites creates, updates and renames under each answer. A wrong name in
// success neither loses the new instance nor takes over the instance that has that
// name.
func TestHostileAnswers_toWrites(t *testing.T) {
	t.Parallel()
	first := acctest.Attributes{"name": "NAME-e", "description": "first", "port": 1}
	for name, then := range map[string]acctest.Attributes{
		"create": nil,
		"update": {"name": "NAME-e", "description": "second", "port": 2},
		"rename": {"name": "NAME-f", "description": "first", "port": 1},
	} {
		for answers := range slices.Chunk(hostileWrites, hostileShare) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				playHostileWrites(t, answers, first, then)
			})
		}
	}
}

// hostileShare is how many wrong answers are played one after the other. Most of their time is waiting.
const hostileShare = 8

// playHostileWrites plays TestHostileAnswers_toWrites with some wrong answers. then is nil for a creation.
func playHostileWrites(t *testing.T, answers []string, first, then acctest.Attributes) {
	t.Helper()
	s, l := acctest.NewServerBehindProxy(t)
	c := s.Core(acctest.Attributes{"max_retries": 0})
	s.Put("device", enms.Object{"name": "somebody else", "description": "theirs"})()
	for _, answer := range answers {
		for _, acted := range []bool{false, true} {
			where := fmt.Sprintf("answered %.60s, acted %t", answer, acted)
			state, config := c.NoState("enms_device"), first
			if then != nil {
				state, config = mustApply(t, c, where, first, state), then
			}
			text := strings.ReplaceAll(answer, "NAME", config["name"].(string))
			l.SetRewrite(instead(http.MethodPost, "/rest/instance/", text, acted))
			next, diags := c.Apply("enms_device", config, state)
			l.SetRewrite(nil)
			honest(t, s, c, where, config, next, diags)
			next = mustApply(t, c, where, config, next)
			if all := s.All("device"); len(all) != 2 {
				t.Fatalf("%s: %v", where, all)
			}
			mustApply(t, c, where, nil, next)
		}
	}
}

// honest checks that a success is true, and that an error names the instance.
func honest(t *testing.T, s *acctest.Server, c *acctest.Core, where string, config acctest.Attributes, state acctest.ResourceState, diags acctest.Problems) {
	t.Helper()
	if diags.Failed() {
		if said := diags.String(); !strings.Contains(said, `device "NAME-`) || len(said) > 2000 {
			t.Errorf("%s: %s", where, said)
		}
		return
	}
	object := s.Get("device", config["name"].(string))
	if object["description"] != config["description"] || fmt.Sprint(object["port"]) != fmt.Sprint(config["port"]) ||
		state.Text(t, "description") != config["description"] || state.Text(t, "id") != fmt.Sprint(object["id"]) {
		t.Errorf("%s: success was told, but eNMS has %v", where, object)
	}
}

// mustApply refreshes and applies with true responses, after which a plan is empty.
func mustApply(t *testing.T, c *acctest.Core, where string, config acctest.Attributes, state acctest.ResourceState) acctest.ResourceState {
	t.Helper()
	state, diags := c.Refresh("enms_device", state)
	if diags.Failed() {
		t.Fatalf("%s: refresh: %s", where, diags)
	}
	if state, diags = c.Apply("enms_device", config, state); diags.Failed() {
		t.Fatalf("%s: apply: %s", where, diags)
	}
	if p, diags := c.Plan("enms_device", config, state); config != nil && (diags.Failed() || !p.Noop) {
		t.Fatalf("%s: the plan is not empty: %s%s", where, diags, p.Value)
	}
	return state
}

// TestHostileAnswers_toReads reads, creates and updates while each kind of read returns each wrong
// answer. An instance is gone only when every way of asking says so; a row with another
// instance's name does not, and two rows with one name and two ids are an error.
func TestHostileAnswers_toReads(t *testing.T) {
	t.Parallel()
	for _, read := range []struct{ method, path string }{
		{http.MethodPost, "/rest/search"}, {http.MethodGet, "/rest/query/"}, {http.MethodGet, "/rest/instance/"},
	} {
		for answers := range slices.Chunk(hostileRows, hostileShare) {
			t.Run(read.path, func(t *testing.T) {
				t.Parallel()
				playHostileReads(t, read.method, read.path, answers)
			})
		}
	}
}

// playHostileReads plays TestHostileAnswers_toReads with some wrong answers to one kind of read.
func playHostileReads(t *testing.T, method, path string, answers []string) {
	t.Helper()
	s, l := acctest.NewServerBehindProxy(t)
	c := s.Core(acctest.Attributes{"max_retries": 0})
	config := acctest.Attributes{"name": "NAME-r", "description": "first", "port": 1}
	state := mustApply(t, c, "create", config, c.NoState("enms_device"))
	for _, answer := range answers {
		where := fmt.Sprintf("%s %s answered %.60s", method, path, answer)
		l.SetRewrite(instead(method, path, strings.ReplaceAll(answer, "NAME", "NAME-r"), false))
		next, diags := c.Refresh("enms_device", state)
		if !diags.Failed() && !next.Value.Equal(state.Value) && !legalRow(answer) {
			t.Errorf("%s: the state became %s", where, next.Value)
		}
		checkSaid(t, where, diags)
		imported, diags := c.ImportByName("enms_device", "NAME-r")
		if checkSaid(t, where+" to an import", diags); !diags.Failed() && imported.Text(t, "description") != "first" {
			t.Errorf("%s: imported %s", where, imported.Value)
		}
		data, diags := c.ReadDataSource("enms_device", "NAME-r")
		if checkSaid(t, where+" to a data source", diags); !diags.Failed() && acctest.GoValue(t, acctest.Members(t, data)["description"]) != "first" {
			t.Errorf("%s: read %s", where, data)
		}
		another := acctest.Attributes{"name": "NAME-r", "description": "second", "port": 1}
		next, diags = c.Apply("enms_device", another, state)
		checkSaid(t, where+" to an update", diags)
		l.SetRewrite(nil)
		mustApply(t, c, where, another, next)
		state = mustApply(t, c, where, config, next)
	}
	t.Logf("%d hostile answers to reads", 4*len(answers))
}

// legalRow tells answers that change nothing but what eNMS may well have
// changed.
func legalRow(answer string) bool { return answer == `[{"id":1,"name":"NAME","type":"device"}]` }

func checkSaid(t *testing.T, where string, diags acctest.Problems) {
	t.Helper()
	if said := diags.String(); diags.Failed() && (!strings.Contains(said, `"NAME-r"`) || len(said) > 2000) {
		t.Errorf("%s: %.2000s", where, said)
	}
}

// TestHostileAnswers_toDeletions deletes under each answer: the instance leaves the state only
// when it is gone. Where delete_aborted has the wrong type, or the answer is any other
// object, eNMS is asked.
func TestHostileAnswers_toDeletions(t *testing.T) {
	t.Parallel()
	s, l := acctest.NewServerBehindProxy(t)
	c, cases := s.Core(acctest.Attributes{"max_retries": 0}), 0
	config := acctest.Attributes{"name": "NAME-d", "description": "first", "port": 1}
	for _, answer := range hostileDeletions {
		for _, acted := range []bool{false, true} {
			cases++
			where := fmt.Sprintf("DELETE answered %.60s, acted %t", answer, acted)
			state := mustApply(t, c, where, config, c.NoState("enms_device"))
			l.SetRewrite(instead(http.MethodDelete, "/rest/instance/", strings.ReplaceAll(answer, "NAME", "NAME-d"), acted))
			next, diags := c.Apply("enms_device", nil, state)
			l.SetRewrite(nil)
			there := s.All("device")
			if gone := next.Value.IsNull(); gone == diags.Failed() || gone && len(there) > 0 && answer != `{"name":"NAME"}` && answer != `{"delete_aborted":false}` {
				t.Errorf("%s: in state %t, in eNMS %d: %s", where, !gone, len(there), diags)
			}
			if len(there) > 0 {
				s.Drop("device", "NAME-d")()
			}
			if next, diags = c.Refresh("enms_device", next); diags.Failed() || !next.Value.IsNull() {
				t.Errorf("%s: refresh of what is gone: %s%s", where, next.Value, diags)
			}
		}
	}
	t.Logf("%d hostile answers to deletions", cases)
}

// TestHostileAnswers_toSearchesForDependents deletes a workflow while every search for what eNMS deletes with it
// returns the same workflow, and rows without a name. Workflows that contain each other
// must not make the search endless.
func TestHostileAnswers_toSearchesForDependents(t *testing.T) {
	t.Parallel()
	s, l := acctest.NewServerBehindProxy(t)
	c := s.Core(acctest.Attributes{"max_retries": 0})
	for _, policy := range []string{"delete", "cascade"} {
		config := acctest.Attributes{"name": "NAME-w", "type": "workflow", "deletion_policy": policy}
		state, diags := c.Apply("enms_service", config, c.NoState("enms_service"))
		if diags.Failed() {
			t.Fatal(diags)
		}
		for _, rows := range []string{
			`[{"id":1,"name":"NAME-w","type":"workflow"},{"id":2,"name":"NAME-x","type":"workflow"}]`,
			`[{"id":2,"type":"workflow"}]`, `[{"id":2,"name":null,"type":"workflow"}]`, `[{"id":2,"name":7,"type":"workflow"}]`, `{}`, `[[]]`,
		} {
			l.SetRewrite(instead(http.MethodPost, "/rest/search", rows, false))
			next, diags := c.Apply("enms_service", nil, state)
			l.SetRewrite(nil)
			if named := strings.Contains(rows, `"NAME-x"`); !diags.Failed() && !(named && policy == "cascade") {
				t.Errorf("%s, %s: no error", policy, rows)
			}
			if next.Value.IsNull() {
				if state, diags = c.Apply("enms_service", config, c.NoState("enms_service")); diags.Failed() {
					t.Fatal(diags)
				}
			}
		}
		if state, diags = c.Apply("enms_service", nil, state); diags.Failed() || !state.Value.IsNull() {
			t.Error(diags)
		}
	}
}
