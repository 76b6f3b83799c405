// Tests of the requests of runs: what is asked, and what the answers come to, errors included.

package runs

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
)

// searching is a search as eNMS gets it.
func searching(typ, columns, criteria string, limit int, order string) string {
	return fmt.Sprintf(`POST /rest/search {"columns":["id","name","type","soft_deleted","creation_time",%s],"maximum_return_records":%d,"order":[{"column":0,"dir":%q}],`+
		`"search_criteria":{%s},"start":0,"type":%q}`, columns, limit, order, criteria, typ)
}

// marker is the random part of the start of a run.
var marker = regexp.MustCompile(`"marker":"[A-Z0-9]{26}",`)

func TestRequests(t *testing.T) {
	t.Parallel()
	const (
		statusError, answerError, uncertain, wrong, lost = "*rest.StatusError", "*endpoint.AnswerError", "*runs.UncertainError", "400 {}", "502 {}"

		user, fails                   = `[{"name": "admin"}]`, "500 {}"
		askUser, askResult            = "GET /rest/query/user?name=admin", "GET /rest/result/s/r"
		askRun, getRun, getPool       = "GET /rest/query/run?name=n", "GET /rest/instance/run/n", "GET /rest/instance/pool/p"
		service, task                 = `[{"id": 1, "name": "[w] s", "type": "service", "scoped_name": "s"}]`, `[{"id": 7, "name": "t", "type": "task"}]`
		over, success                 = `[{"name": "n", "status": "Completed"}]`, `[{"runtime": "r", "success": true, "duration": "1"}]`
		ofRuns, ofResults, unwritable = `"creator","duration","labels","progress","runtime","service_name","service_properties","status","task_name","trigger"`, `"runtime","service_name","success"`,
			`"eNMS cannot write the result as JSON. The usual reason is an object with texts and numbers as keys."`
	)
	run := &Started{Service: "[w] s", ScopedName: "s", Name: "n", Runtime: "r"}
	own := &Started{Service: "[w] s", ScopedName: "s", Name: "n", Runtime: "r", marker: "m"}
	state := func(c *Client) (any, error) { return c.State(t.Context(), run) }
	ownState := func(c *Client) (any, error) { return c.State(t.Context(), own) }
	recent := func(s Selection) func(c *Client) (any, error) {
		return func(c *Client) (any, error) {
			found, err := c.Recent(t.Context(), s)
			var texts []string
			for _, r := range found {
				success := "?"
				if r.Success != nil {
					success = fmt.Sprint(*r.Success)
				}
				texts = append(texts, strings.Join([]string{r.Service, r.Name, r.Runtime, r.Task, r.Status, r.Duration, r.Creator, r.Trigger, r.Labels, r.Progress, success}, " "))
			}
			return texts, err
		}
	}
	start := func(r Run) func(c *Client) (any, error) {
		r.Service, r.Name = "[w] s", "n"
		return func(c *Client) (any, error) {
			started, err := c.Start(t.Context(), r)
			if rest.Is[*RefusedError](err) {
				return err.Error(), nil
			}
			return started, err
		}
	}
	startTask := func(c *Client) (any, error) { return c.StartTask(t.Context(), "t") }
	dropped := func(summary *Summary) func(c *Client) (any, error) {
		return func(c *Client) (any, error) {
			return c.DroppedTargets(t.Context(), run, &Result{Content: endpoint.Object{"devices": endpoint.Object{"c": 1}}, Summary: summary})
		}
	}
	targets := func(progress, more string) string { return `{"name": "n", "progress": "` + progress + `"` + more + `}` }
	steps := func(c *Client) (any, error) { return c.FailedSteps(t.Context(), run) }
	progress := func(c *Client) (any, error) { return c.Progress(t.Context(), run) }
	at := func(c *Client) (any, error) { return c.At(t.Context(), "[w] s", "r") }
	one := func(more string) string {
		return `{"name": "n", "runtime": "3", "service_name": "s", "service_properties": {"name": "[w] s"}` + more + `}`
	}
	none := slices.Repeat([]string{"[]"}, runLooks)
	for name, test := range map[string]struct {
		do      func(c *Client) (any, error)
		answers []string
		want    string
		asked   []string // nil: as many requests as answers, whatever they are
	}{
		"start": {start(Run{Parameters: endpoint.Object{"a": 1}, Devices: []string{"d"}, Pools: []string{"p"}, IPAddresses: []string{"i"}}), []string{service, "[]", `{"runtime": "r"}`}, `{"Service":"[w] s","ScopedName":"s","Name":"n","Runtime":"r"}`,
			[]string{"GET /rest/query/service?name=%5Bw%5D+s", askRun, `POST /rest/run_service {"async":true,"devices":["d"],"form":{"initial_payload":{"a":1},"name":"n"},"ip_addresses":["i"],"name":"[w] s","pools":["p"]}`}},
		"start without parameters":    {start(Run{Made: true}), []string{service, `{"runtime": "r"}`}, `{"Service":"[w] s","ScopedName":"s","Name":"n","Runtime":"r"}`, []string{"GET /rest/query/service?name=%5Bw%5D+s", `POST /rest/run_service {"async":true,"form":{"name":"n"},"name":"[w] s"}`}},
		"start, no service":           {start(Run{}), []string{wrong}, "*enms.unsentError", nil},
		"start, not there":            {start(Run{}), []string{"[]"}, "*enms.unsentError", nil},
		"start, the name is unknown":  {start(Run{}), []string{service, wrong}, "*enms.unsentError", nil},
		"start, the name is taken":    {start(Run{}), []string{service, over}, `"eNMS has not run \"[w] s\": There is already a run with the same name, \"n\""`, nil},
		"start, unsendable":           {start(Run{Made: true, Parameters: endpoint.Object{"a": func() {}}}), []string{service}, "*enms.PayloadError", nil},
		"start, refused":              {start(Run{Made: true, Parameters: endpoint.Object{"password": "hidden"}}), []string{service, `{"errors": ["a", "hidden"], "error": "b\nc"}`, "[]"}, `"eNMS has not run \"[w] s\": a; ***; b c"`, nil},
		"start, rejected":             {start(Run{Made: true}), []string{service, wrong}, statusError, nil},
		"start, not answered":         {start(Run{Made: true}), append([]string{service, `{}`}, none...), uncertain, nil},
		"start, an odd runtime":       {start(Run{Made: true}), append([]string{service, `{"runtime": 5, "errors": [1]}`}, none...), uncertain, nil},
		"start, no object":            {start(Run{Made: true}), append([]string{service, `[]`}, none...), uncertain, nil},
		"start, another's":            {start(Run{Made: true}), append([]string{service, lost}, slices.Repeat([]string{`[{"properties": {"form": {"marker": "other"}}}]`}, runLooks)...), uncertain, nil},
		"task":                        {startTask, []string{task, `[{"id": 1, "name": "old", "task_id": 7}]`, "null", `[{"id": 1, "name": "old", "task_id": 7}, {"id": 2, "name": "new", "task_id": 7}]`, `[{"name": "new", "runtime": "r", "service_name": "s"}]`}, `{"Service":"","ScopedName":"s","Name":"new","Runtime":"r"}`, nil},
		"task, found later":           {startTask, []string{task, `[]`, lost, `[]`, `[{"id": 2, "name": "new", "task_id": 7}]`, wrong, `[{"id": 2, "name": "new", "task_id": 7}]`, `[{"id": 2, "name": "new", "task_id": 7}]`}, `{"Service":"","ScopedName":"","Name":"new","Runtime":""}`, nil},
		"task, not there":             {startTask, []string{wrong}, "*enms.unsentError", nil},
		"task, unknown runs":          {startTask, []string{task, wrong}, "*enms.unsentError", nil},
		"task, refused":               {startTask, []string{task, "[]", `{"error": "no"}`}, "*runs.RefusedError", nil},
		"task, rejected":              {startTask, []string{task, "[]", wrong}, statusError, nil},
		"task, no answer of eNMS":     {startTask, append([]string{task, "[]", "{}"}, none...), uncertain, nil},
		"task, unrecorded":            {startTask, append([]string{task, "[]", "null"}, none...), uncertain, nil},
		"state, under way":            {state, []string{user, `{"status": "Running", "result": {}}`}, `{"Recorded":true,"Status":"Running","Result":null}`, []string{askUser, askResult}},
		"state, over without result":  {state, []string{user, `{"status": "Aborted"}`}, `{"Recorded":true,"Status":"Aborted","Result":null}`, nil},
		"state, of an unknown line":   {state, []string{wrong}, statusError, nil},
		"state, fails":                {state, []string{user, wrong}, statusError, nil},
		"state, unknown":              {state, []string{user, `{"error": "no"}`}, `{"Recorded":false,"Status":"","Result":null}`, nil},
		"state, no status":            {state, []string{user, `{}`}, answerError, nil},
		"state, no object":            {state, []string{user, `[]`}, answerError, nil},
		"state, a number":             {state, []string{user, `{"status": 1}`}, answerError, nil},
		"state, an odd success":       {state, []string{user, `{"status": "Completed", "result": {"success": "yes"}}`}, answerError, nil},
		"state, no success":           {state, []string{user, `{"status": "Completed", "result": {}}`}, answerError, nil},
		"state, own is looked for":    {ownState, []string{user, `{"error": "no"}`, `[{"properties": {"form": {"marker": "other"}}, "runtime": "x"}]`}, `{"Recorded":false,"Status":"","Result":null}`, []string{askUser, askResult, askRun}},
		"state, own cannot be found":  {ownState, []string{user, `{"error": "no"}`, wrong}, statusError, nil},
		"state, 500 once":             {state, []string{user, fails, `{"status": "Running"}`}, `{"Recorded":true,"Status":"Running","Result":null}`, nil},
		"state, 500, then rejected":   {state, []string{user, fails, "503 {}", "503 {}", wrong}, statusError, nil},
		"state, 500, under way":       {state, []string{user, fails, fails, `[{"status": "Running"}]`}, statusError, nil},
		"state, 500, no run":          {state, []string{user, fails, fails, `[]`}, statusError, nil},
		"state, 500, run unknown":     {state, []string{user, fails, fails, wrong}, statusError, nil},
		"state, 500, no result":       {state, []string{user, fails, fails, over, `[]`}, statusError, nil},
		"state, 500, result unknown":  {state, []string{user, fails, fails, over, wrong}, statusError, nil},
		"state, 500, two results":     {state, []string{user, fails, fails, over, `[{"runtime": "r", "success": true}, {}]`}, statusError, nil},
		"state, 500, another's":       {state, []string{user, fails, fails, over, `[{"runtime": "x", "success": true}]`}, statusError, nil},
		"state, 500, success unknown": {state, []string{user, fails, fails, over, `[{"runtime": "r"}]`}, statusError, nil},
		"state, 500, from its result": {state, []string{user, fails, fails, over, success},
			`{"Recorded":true,"Status":"Completed","Result":{"Success":true,"Duration":"1","Reason":` + unwritable + `,"Summary":null,"Reasons":{},"Content":{"duration":"1","error":` + unwritable + `,"runtime":"r","success":true}}}`,
			[]string{askUser, askResult, askResult, askRun, searching("result", `"duration","runtime","success"`, `"runtime":"r","runtime_filter":"equality"`, 2, "asc")}},
		"result": {state, []string{user, `{"status": "Completed", "result": {"success": true, "duration": "1", "result": "fine", "payload": 1, "properties": 2, "summary": {"success": ["b", "a", 1], "failure": ["c"], "discard": ["d"]}}}`},
			`{"Recorded":true,"Status":"Completed","Result":{"Success":true,"Duration":"1","Reason":"","Summary":{"Success":["a","b"],"Failure":["c"],"Discard":["d"]},"Reasons":{},"Content":{"duration":"1","result":"fine","success":true,"summary":{"discard":["d"],"failure":["c"],"success":["b","a",1]}}}}`, nil},
		"result, failed": {state, []string{user, `{"status": "Completed", "result": {"success": false, "error": "x: no", "devices": {"a": {"success": false, "result": {"error": "y"}}, "b": {"success": true, "result": "z"}, "c": {"success": false}, "d": 1, "e": {"success": false, "result": {}, "error": "w"}}}}`},
			`{"Recorded":true,"Status":"Completed","Result":{"Success":false,"Duration":"","Reason":"x: no","Summary":null,"Reasons":{"a":"y","e":"w"},"Content":{"devices":{"a":{"result":{"error":"y"},"success":false},"b":{"result":"z","success":true},"c":{"success":false},"d":1,"e":{"error":"w","result":{},"success":false}},"error":"x: no","success":false}}}`, nil},
		"steps": {steps, []string{`[{"path": "1>2", "service_name": "a", "device_name": "d", "result": {"result": "no"}}, {"path": "1", "result": {"result": "no"}}, {"path": "1>3", "service_name": "w", "result": {"summary": {}}}, {"path": "1>4", "service_name": "v", "result": {"summary": {}, "error": "x"}}, {"path": "1>5", "service_name": "b"}]`},
			`[{"Service":"a","Device":"d","Reason":"no"},{"Service":"v","Device":"","Reason":"x"},{"Service":"b","Device":"","Reason":""}]`,
			[]string{searching("result", `"device_name","path","result","service_name"`, `"parent_runtime":"r","parent_runtime_filter":"equality","success":"bool-false"`, maxSteps, "asc")}},
		"steps, fails":                           {steps, []string{wrong}, statusError, nil},
		"progress":                               {progress, []string{`[{"progress": "1/2\n"}]`}, `"1/2"`, []string{askRun}},
		"progress, no run":                       {progress, []string{`[]`}, `""`, nil},
		"progress, fails":                        {progress, []string{wrong}, statusError, nil},
		"dropped":                                {dropped(&Summary{Success: []string{"a"}, Failure: []string{"f"}, Discard: []string{"g"}}), []string{targets("5/6 (1 failed)", `, "target_devices": ["f", "b", "a", "g"], "target_pools": ["p"]`), `{"name": "p", "devices": ["e", "b", "d", "c"]}`}, `["b","d","e"]`, []string{getRun, getPool}},
		"dropped, no result":                     {dropped(nil), []string{targets("1/1 ", `, "target_devices": ["c", "b"]`)}, `["b"]`, nil},
		"dropped, of a pool":                     {dropped(nil), []string{targets("1/1 ", `, "target_pools": ["p"]`), `{"name": "p", "devices": ["b", "c"]}`}, `["b"]`, nil},
		"dropped, as many":                       {dropped(nil), []string{targets("2/2 ", `, "target_devices": ["c", "b"]`)}, `null`, nil},
		"dropped, as many in a pool and by name": {dropped(nil), []string{targets("2/2 ", `, "target_devices": ["c", "b"], "target_pools": ["p"]`), `{"name": "p", "devices": ["b", "c"]}`}, `null`, nil},
		"dropped, one each":                      {dropped(nil), []string{targets("1/1 ", `, "target_devices": ["b"], "target_pools": ["p"]`), `{"name": "p", "devices": ["d"]}`}, `["b","d"]`, nil},
		"dropped, no progress":                   {dropped(nil), []string{targets("", `, "target_devices": ["c", "b"]`)}, `null`, nil},
		"dropped, no targets":                    {dropped(nil), []string{targets("1/1 ", "")}, `null`, nil},
		"dropped, no targets at all":             {dropped(nil), []string{targets("0/99999999999999999999 ", "")}, `null`, nil},
		"dropped, odd progress":                  {dropped(nil), []string{targets("0/99999999999999999999 ", `, "target_devices": ["c"]`)}, "*strconv.NumError", nil},
		"dropped, no run":                        {dropped(nil), []string{wrong}, statusError, nil},
		"dropped, no pool":                       {dropped(nil), []string{targets("1/1 ", `, "target_pools": ["p"]`), wrong}, statusError, nil},
		"at":                                     {at, []string{`[{"runtime": "x", "service_properties": {"name": "[w] s"}}, {"runtime": "r"}, {"name": "n", "runtime": "r", "service_name": "s", "service_properties": {"name": "[w] s"}}]`}, `{"Service":"[w] s","ScopedName":"s","Name":"n","Runtime":"r"}`, []string{"GET /rest/query/run?runtime=r"}},
		"at, no such run":                        {at, []string{`[{"runtime": "x", "service_properties": {"name": "[w] s"}}]`}, "*endpoint.NotFoundError", nil},
		"at, fails":                              {at, []string{wrong}, statusError, nil},
		"named":                                  {func(c *Client) (any, error) { return c.Named(t.Context(), "n") }, []string{wrong}, statusError, nil},
		"recent, 500 of a service":               {recent(Selection{Service: "[w] s", Most: 5}), []string{fails, fails}, statusError, nil},
		"recent": {recent(Selection{Most: 5}), []string{"[" + one(`, "task_name": "t", "status": "Completed", "duration": "1", "creator": "u", "trigger": "REST", "labels": "l", "progress": "1/1"`) + "," + one("")[:8] + ` "m", "runtime": "2", "service_name": "gone"}]`, `[{"runtime": "3", "service_name": "s", "success": true}, {"runtime": "2", "service_name": "gone", "success": false}]`},
			`["[w] s n 3 t Completed 1 u REST l 1/1 true","gone m 2        false"]`,
			[]string{searching("run", ofRuns, "", 5, "desc"), searching("result", ofResults, `"runtime":"^(3|2)$","runtime_filter":"regex"`, 4, "asc")}},
		"recent, since then":     {recent(Selection{Since: "3"}), []string{"[" + one("") + `, {"runtime": "2"}]`, `[{"runtime": "3", "service_name": "x", "success": true}]`}, `["[w] s n 3        ?"]`, nil},
		"recent, of a service":   {recent(Selection{Service: "[w] s"}), []string{"[" + one("") + "]", "[]"}, `["[w] s n 3        ?"]`, []string{searching("run", ofRuns, `"service":["[w] s"]`, 0, "desc"), searching("result", ofResults, `"runtime":"^(3)$","runtime_filter":"regex"`, 2, "asc")}},
		"recent, of a task":      {recent(Selection{Task: "t"}), []string{"[" + one(`, "task_name": "t"`) + "]", "[]"}, `["[w] s n 3 t       ?"]`, nil},
		"recent, of a device":    {recent(Selection{Device: "d"}), []string{"[" + one("") + "]", "[]", "[]"}, `["[w] s n 3        ?"]`, nil},
		"recent, of a status":    {recent(Selection{Status: "Running"}), []string{"[" + one(`, "status": "Running"`) + "]", "[]"}, `["[w] s n 3  Running      ?"]`, []string{searching("run", ofRuns, `"status":"Running","status_filter":"equality"`, 0, "desc"), searching("result", ofResults, `"runtime":"^(3)$","runtime_filter":"regex"`, 2, "asc")}},
		"recent, all":            {recent(Selection{Service: "[w] s"}), []string{"[{}]", "[{}]"}, "*enms.IgnoredError", nil},
		"recent, whatever task":  {recent(Selection{Task: "t"}), []string{"[{}]", "[{}]"}, "*enms.IgnoredError", nil},
		"recent, whatever state": {recent(Selection{Status: "Running"}), []string{"[{}]", "[{}]"}, "*enms.IgnoredError", nil},
		"recent, of none":        {recent(Selection{}), []string{"[]"}, "null", nil},
		"recent, fails":          {recent(Selection{}), []string{wrong}, statusError, nil},
		"recent, no results":     {recent(Selection{}), []string{"[" + one("") + "]", wrong}, statusError, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := testserver.NewScript(t, test.answers...)
			instances, err := enms.New(testserver.Config(s.URL), enms.Words{})
			testserver.Must(t, err)
			t.Cleanup(instances.Close)
			if got := testserver.Outcome(test.do(New(instances))); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			for i, asked := range s.Asked {
				s.Asked[i] = marker.ReplaceAllString(asked, "")
			}
			if test.asked != nil && !slices.Equal(s.Asked, test.asked) || len(s.Answers) != 0 {
				t.Errorf("asked %q, want %q", s.Asked, test.asked)
			}
		})
	}
}
