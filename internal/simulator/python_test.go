// Tests of what Python's json has besides JSON (1.1).

package simulator

import (
	"net/http"
	"strings"
	"testing"
)

// What each database keeps of such values, as it was seen on real servers.
func TestPythonJSONInColumns(t *testing.T) {
	t.Parallel()
	const refused = "500"
	for _, c := range []struct {
		typ, field, sent          string
		sqlite, postgres, mariadb string
	}{
		{"service", "initial_payload", `{"a":NaN,"s":"\ud800"}`, `{"a":NaN,"s":"\ud800"}`, `{"a":NaN,"s":"\ud800"}`, `{"a":NaN,"s":"\ud800"}`},
		{"rest_call_service", "payload", `{"a":[NaN]}`, `{"a":[NaN]}`, refused, refused},
		{"rest_call_service", "headers", `"\ud800"`, `"\ud800"`, refused, refused},
		{"device", "port", `NaN`, `null`, refused, refused},
		{"device", "port", `Infinity`, `Infinity`, refused, refused},
		{"device", "latitude", `NaN`, `null`, `"NaN"`, refused},
		{"device", "latitude", `Infinity`, `"Inf"`, `"Infinity"`, refused},
		{"device", "description", `"\ud800"`, refused, refused, refused},
		{"netmiko_commands_service", "read_timeout", `NaN`, `null`, `NaN`, refused},
		{"netmiko_commands_service", "read_timeout", `Infinity`, `Infinity`, `Infinity`, refused},
	} {
		for database, want := range map[Database]string{SQLite: c.sqlite, PostgreSQL: c.postgres, MariaDB: c.mariadb} {
			s := newClientOf(t, Options{Database: database})
			answer := s.raw("POST", "/rest/instance/"+c.typ, `{"name":"x","scoped_name":"x","`+c.field+`":`+c.sent+`}`)
			if want == refused {
				if answer.Code != http.StatusInternalServerError {
					t.Errorf("%s: %s = %s: %d %s", database, c.field, c.sent, answer.Code, answer.Body)
				}
				continue
			}
			if body := s.raw("GET", "/rest/instance/"+c.typ+"/x", "").Body.String(); !strings.Contains(body, `"`+c.field+`":`+want+`,`) {
				t.Errorf("%s: %s = %s, want %s: %s", database, c.field, c.sent, want, body)
			}
		}
	}
}

// A name that cannot be encoded is told as a failure; a search for one breaks.
func TestNamesThatCannotBeEncoded(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.refused("device", `{"name":"d\ud800"}`, `UnicodeEncodeError: 'utf-8' codec can't encode character '\ud800' in position 1: surrogates not allowed`)
	if answer := c.raw("POST", "/rest/search", `{"type":"device","columns":["name"],"search_criteria":{"name":"\ud800"}}`); answer.Code != http.StatusInternalServerError {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}

// The result of a run holds NaN, and texts in place of infinite numbers (4.4).
func TestResultsOfPython(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("python_snippet_service", `{"name":"s","scoped_name":"s","run_method":"once","skip_value":"success","source_code":"results[\"x\"] = {\"a\": float(\"nan\"), \"b\": [float(\"-inf\")], \"s\": \"\\ud800\"}\nresults[\"success\"] = True"}`, "s")
	answer := c.raw("POST", "/rest/run_service", `{"name":"s","async":false}`)
	if body := answer.Body.String(); !strings.Contains(body, `"x":{"a":NaN,"b":["-inf"],"s":"\ud800"}`) {
		t.Error(body)
	}
}
