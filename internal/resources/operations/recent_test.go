// Tests of the data sources enms_runs, enms_changelog and enms_server, and of criteria that eNMS ignores.

package operations_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/runs"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// The runs are the latest ones that are selected, and say whether they succeeded.
func TestRuns_selected(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	putServices(s)
	s.Put("task", enms.Object{"name": "NAME-t", "service": s.Expand("NAME-s"), "devices": []string{s.Expand("NAME-d1")}, "scheduling_mode": "standard", "frequency": 3600})()
	c := s.Core(nil)
	for _, run := range []acctest.Attributes{
		{"service": s.Expand("NAME-fails"), "devices": []string{s.Expand("NAME-d1"), s.Expand("NAME-d2")}, "name": s.Expand("NAME-first")},
		{"service": s.Expand("NAME-s"), "devices": []string{s.Expand("NAME-d2")}},
		{"service": s.Expand("NAME-s"), "devices": []string{s.Expand("NAME-d1")}, "name": s.Expand("NAME-last")},
	} {
		run["poll_interval"] = "1s"
		invokeAction(c, runAction, run, nil)
	}
	if started := invokeAction(c, "enms_run_task", acctest.Attributes{"task": s.Expand("NAME-t"), "poll_interval": "1s"}, nil); started.diags.Failed() {
		t.Fatal(started.diags)
	}
	first, diags := c.ReadDataSourceBy("enms_run_result", acctest.Attributes{"name": s.Expand("NAME-first")})
	if diags.Failed() {
		t.Fatal(diags)
	}
	begin := acctest.TextOf(t, acctest.Members(t, first)["runtime"])
	var last string // the runtime of the last run that was named
	for _, want := range []struct {
		config acctest.Attributes
		runs   string
	}{
		{acctest.Attributes{"service": s.Expand("NAME-s")}, "NAME-s by NAME-t true, NAME-s true, NAME-s true"},
		{acctest.Attributes{"service": s.Expand("NAME-s"), "max": 2}, "NAME-s by NAME-t true, NAME-s true"},
		{acctest.Attributes{"service": s.Expand("NAME-fails"), "status": "Completed"}, "NAME-fails false"},
		{acctest.Attributes{"service": s.Expand("NAME-fails"), "status": "Running"}, ""},
		{acctest.Attributes{"task": s.Expand("NAME-t")}, "NAME-s by NAME-t true"},
		{acctest.Attributes{"device": s.Expand("NAME-d2")}, "NAME-s true, NAME-fails false"},
		{acctest.Attributes{"service": s.Expand("NAME-s"), "since": "2000-01-01"}, "NAME-s by NAME-t true, NAME-s true, NAME-s true"},
		{acctest.Attributes{"service": s.Expand("NAME-s"), "since": "last"}, "NAME-s by NAME-t true, NAME-s true"},
		{acctest.Attributes{"service": s.Expand("NAME-s"), "since": "last", "max": 1}, "NAME-s by NAME-t true"},
		{acctest.Attributes{"service": s.Expand("NAME-none")}, ""},
	} {
		if want.config["since"] == "last" {
			want.config["since"] = last
		}
		data, diags := c.ReadDataSourceBy("enms_runs", want.config)
		if diags.Failed() {
			t.Fatal(diags)
		}
		var told []string
		for _, run := range value.Members(data)["runs"].([]any) {
			got, words := run.(map[string]any), ""
			if got["runtime"].(string) < begin {
				continue // of a deleted service: eNMS keeps its runs, and SQLite gives its id again
			}
			if got["task"] != nil {
				words = fmt.Sprint(" by ", got["task"])
			}
			told = append(told, fmt.Sprint(got["service"], words, " ", got["success"]))
			if got["name"] == s.Expand("NAME-last") {
				last = got["runtime"].(string)
			}
		}
		if is := strings.Join(told, ", "); is != s.Expand(want.runs) {
			t.Errorf("%v: %s, want %s", want.config, is, s.Expand(want.runs))
		}
	}
	_, diags = c.ReadDataSourceBy("enms_runs", acctest.Attributes{"since": "yesterday"})
	if !acctest.ErrorOn(diags, "since") {
		t.Error(diags)
	}
}

// A run that is in progress has neither succeeded nor failed, and two requests find any number of runs.
func TestRuns_inProgress(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 1000)
	for n := range 3 {
		if started := invokeAction(s.core(nil), runAction, acctest.Attributes{"service": "NAME-once", "name": fmt.Sprint("run ", n), "wait": false}, nil); started.diags.Failed() {
			t.Fatal(started.diags)
		}
	}
	client := runs.New(s.Client)
	s.Simulator.ResetRequests()
	found, err := client.Recent(t.Context(), runs.Selection{Status: "Running", Most: 2})
	if err != nil || len(found) != 2 || found[0].Name != "run 2" || found[0].Success != nil || found[0].Service != "NAME-once" {
		t.Errorf("%v: %v", err, found)
	}
	if n := len(s.Simulator.Requests()); n != 2 {
		t.Errorf("it took %d requests", n)
	}
}

// On eNMS 5 with SQLite, a search that finds the run of a deleted service fails. The other runs are found, and a task of
// which one is that run can be run.
func TestRuns_ofDeletedService(t *testing.T) {
	t.Parallel()
	s := acctest.NewServerWith(t, "enms-5.3", simulator.Options{Version: simulator.V53})
	for _, name := range []string{s.Expand("NAME-stays"), s.Expand("NAME-goes")} {
		s.Put("python_snippet_service", enms.Object{"name": name, "scoped_name": name, "run_method": "once", "source_code": "results['success'] = True"})()
		if started := invokeAction(s.Core(nil), runAction, acctest.Attributes{"service": name, "poll_interval": "1s"}, nil); started.diags.Failed() {
			t.Fatal(started.diags)
		}
	}
	runTask := func() {
		t.Helper()
		if started := invokeAction(s.Core(nil), "enms_run_task", acctest.Attributes{"task": s.Expand("NAME-t"), "poll_interval": "1s"}, nil); started.diags.Failed() {
			t.Fatal(started.diags)
		}
	}
	s.Put("task", enms.Object{"name": s.Expand("NAME-t"), "service": s.Expand("NAME-goes")})()
	runTask()
	s.Put("task", enms.Object{"name": s.Expand("NAME-t"), "service": s.Expand("NAME-stays")})()
	s.Drop("service", s.Expand("NAME-goes"))()
	runTask()
	found, err := runs.New(s.Client).Recent(t.Context(), runs.Selection{Status: "Completed", Most: 10})
	if err != nil || !slices.ContainsFunc(found, func(run runs.Recorded) bool { return run.Service == s.Expand("NAME-stays") }) {
		t.Errorf("%v: %v", err, found)
	}
}

// Entries are found by what they are about, and hold values only if asked to.
func TestChangelog_selected(t *testing.T) {
	t.Parallel()
	for kind, version := range map[string]simulator.Version{"sqlite": simulator.V47, "enms-5.3": simulator.V53} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServerWith(t, kind, simulator.Options{Version: version})
			s.Put("device", enms.Object{"name": s.Expand("NAME-d (1)"), "port": 22})()
			s.Put("device", enms.Object{"name": s.Expand("NAME-d (1)"), "port": 23, "description": "it's"})()
			s.Put("pool", enms.Object{"name": s.Expand("NAME-p"), "manually_defined": true, "devices": []string{}})()
			s.Put("device", enms.Object{"name": s.Expand("NAME-e")})()
			s.Put("pool", enms.Object{"name": s.Expand("NAME-p"), "devices": []string{s.Expand("NAME-e")}})()
			s.Put("credential", enms.Object{"name": s.Expand("NAME-c"), "description": "a"})()
			s.Put("credential", enms.Object{"name": s.Expand("NAME-c"), "description": "b", "password": "hush-1234"})()
			s.Drop("device", s.Expand("NAME-d (1)"))()
			c := s.Core(nil)
			var updated string // when the device was updated
			for _, want := range []struct {
				config acctest.Attributes
				on     [2]string // 4.7 and 5.3
			}{
				{acctest.Attributes{"name": s.Expand("NAME-d (1)"), "values": true}, [2]string{"delete device, update device, create device",
					"delete device, update device [description port] null->it's... 22->23..., create device"}},
				{acctest.Attributes{"name": s.Expand("NAME-d (1)"), "max": 1}, [2]string{"delete device", "delete device"}},
				{acctest.Attributes{"name": s.Expand("NAME-d (1)"), "since": "update"}, [2]string{"delete device, update device", "delete device, update device [description port]"}},
				{acctest.Attributes{"name": s.Expand("NAME-d (1)"), "since": "update", "max": 1}, [2]string{"delete device", "delete device"}},
				{acctest.Attributes{"name": s.Expand("NAME-d (1)"), "type": "link"}, [2]string{}},
				{acctest.Attributes{"name": s.Expand("NAME-d")}, [2]string{}},
				{acctest.Attributes{"name": s.Expand("NAME-p"), "author": "admin"}, [2]string{"update pool, create pool", "update pool [devices], create pool"}},
				{acctest.Attributes{"name": s.Expand("NAME-p"), "author": "nobody"}, [2]string{}},
				{acctest.Attributes{"name": s.Expand("NAME-p"), "since": "2999-01-01"}, [2]string{}},
				{acctest.Attributes{"name": s.Expand("NAME-c"), "type": "credential", "since": "2000-01-01", "values": true},
					[2]string{"update credential, create credential", "update credential [description] a->b..., create credential"}},
			} {
				if want.config["since"] == "update" {
					want.config["since"] = updated
				}
				data, diags := c.ReadDataSourceBy("enms_changelog", want.config)
				if diags.Failed() {
					t.Fatal(diags)
				}
				entries := acctest.GoValue(t, data).(map[string]any)["entries"].([]any)
				var told []string
				for _, entry := range entries {
					told = append(told, toldOf(t, entry.(map[string]any), want.config["values"] == true))
					if entry := entry.(map[string]any); entry["action"] == "update" && entry["type"] == "device" {
						updated = entry["time"].(string)
					}
				}
				if is := strings.Join(told, ", "); is != want.on[version] {
					t.Errorf("%v: %s, want %s", want.config, is, want.on[version])
				}
				if strings.Contains(fmt.Sprint(entries), "hush-1234") {
					t.Error("the password is shown")
				}
			}
		})
	}
}

// toldOf returns what an entry says.
func toldOf(t *testing.T, entry map[string]any, values bool) string {
	t.Helper()
	if entry["author"] != "admin" || (entry["content"] != nil) != values {
		t.Errorf("author %v, content %v", entry["author"], entry["content"])
	}
	words := []string{entry["action"].(string), entry["type"].(string)}
	if fields, has := entry["fields"].([]any); has {
		words = append(words, fmt.Sprint(fields))
		if changes, has := entry["changes"].(map[string]any); has {
			for _, field := range fields {
				change := changes[field.(string)].(map[string]any)
				old := change["old"]
				if old == "" {
					old = "null"
				}
				words = append(words, fmt.Sprintf("%v->%v...", old, change["new"]))
			}
		}
	}
	return strings.Join(words, " ")
}

// An eNMS that ignores a criterion returns everything. What it returns is refused, and proving the usual
// answer takes no request more.
func TestRecent_ignoredCriteria(t *testing.T) {
	t.Parallel()
	s, proxy := acctest.NewServerBehindProxy(t)
	putServices(s)
	s.Put("task", enms.Object{"name": "NAME-t", "service": "NAME-s", "scheduling_mode": "standard", "frequency": 3600})()
	for _, service := range []string{"NAME-s", "NAME-fails"} {
		invokeAction(s.Core(nil), runAction, acctest.Attributes{"service": service, "devices": []string{"NAME-d1"}, "poll_interval": "1s"}, nil)
	}
	for _, asked := range []struct {
		source, criterion string
		config            acctest.Attributes
		requests          int // when the criterion is respected, beside that for the user
	}{
		{"enms_runs", "service", acctest.Attributes{"service": "NAME-s"}, 2},
		{"enms_runs", "task", acctest.Attributes{"task": "NAME-t"}, 1},
		{"enms_runs", "target_devices", acctest.Attributes{"device": "NAME-d1"}, 3},
		{"enms_runs", "status", acctest.Attributes{"status": "Running"}, 1},
		{"enms_changelog", "user", acctest.Attributes{"author": "nobody"}, 1},
		{"enms_changelog", "content", acctest.Attributes{"name": "NAME-s"}, 1},
	} {
		s.Simulator.ResetRequests()
		if _, diags := s.Core(nil).ReadDataSourceBy(asked.source, asked.config); diags.Failed() {
			t.Errorf("%s: %s", asked.criterion, diags)
		}
		if n := len(s.Simulator.Requests()); n != asked.requests {
			t.Errorf("%s: %d requests", asked.criterion, n)
		}
		proxy.SetRewrite(without(cmp.Or(map[string]string{"user": acctest.ByLine("", "author")}[asked.criterion], asked.criterion)))
		_, diags := s.Core(nil).ReadDataSourceBy(asked.source, asked.config)
		if !strings.Contains(diags.String(), fmt.Sprintf("by %q", asked.criterion)) {
			t.Errorf("%s: %s", asked.criterion, diags)
		}
		proxy.SetRewrite(nil)
	}
}

// without removes a criterion from all searches.
func without(criterion string) acctest.Rewrite {
	return func(r *http.Request, _ func() (int, []byte)) []byte {
		var search map[string]any
		sent, _ := io.ReadAll(r.Body)
		if json.Unmarshal(sent, &search) == nil && r.URL.Path == "/rest/search" {
			delete(search["search_criteria"].(map[string]any), criterion)
			sent, _ = json.Marshal(search)
		}
		r.Body = io.NopCloser(bytes.NewReader(sent))
		return nil
	}
}

// A user who may read its own row learns the line and its rights.
func TestServer_ofEachUser(t *testing.T) {
	t.Parallel()
	for kind, version := range map[string]simulator.Version{"sqlite": simulator.V47, "enms-5.3": simulator.V53} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			s := acctest.NewServerWith(t, kind, simulator.Options{Version: version})
			s.Put("user", enms.Object{"name": s.Expand("NAME-ann"), "password": "pw", "is_admin": false})()
			s.Put("user", enms.Object{"name": s.Expand("NAME-bob"), "password": "pw", "is_admin": false})()
			s.Put("group", enms.Object{"name": s.Expand("NAME-g"), "users": []string{s.Expand("NAME-ann")}, "menu": []string{}, "pages": []string{},
				"get_requests": []string{"/rest/instance", "/rest/query"}, "post_requests": []string{"/rest/search"}, "delete_requests": []string{}})()
			line := 4
			if version == simulator.V53 {
				line = 5
			}
			for _, test := range []struct {
				user, want string
			}{
				{"admin", fmt.Sprintf("%d supported admin true <nil>", line)},
				{s.Expand("NAME-ann"), fmt.Sprintf("%d supported %s false [GET /rest/instance GET /rest/query POST /rest/search]", line, s.Expand("NAME-ann"))},
				{s.Expand("NAME-bob"), fmt.Sprintf("<nil> <nil> %s <nil> <nil>", s.Expand("NAME-bob"))}, // who may not ask for its own row
			} {
				settings := acctest.Attributes(nil)
				if test.user != "admin" {
					settings = acctest.Attributes{"username": test.user, "password": "pw"}
				}
				read, diags := s.Core(settings).ReadDataSourceBy("enms_server", acctest.Attributes{})
				server := value.Members(read)
				requests, _ := server["requests"].([]any) // a set
				slices.SortFunc(requests, func(x, y any) int { return strings.Compare(fmt.Sprint(x), fmt.Sprint(y)) })
				got := fmt.Sprint(server["line"], " ", server["support"], " ", server["user"], " ", server["administrator"], " ", server["requests"])
				if diags.Failed() || got != test.want || !strings.HasPrefix(fmt.Sprint(server["address"]), "http://127.0.0.1:") {
					t.Errorf("%v: %s at %v, want %s", diags, got, server["address"], test.want)
				}
			}
			if _, diags := s.Core(acctest.Attributes{"password": "wrong"}).ReadDataSourceBy("enms_server", acctest.Attributes{}); !strings.Contains(diags.String(), "Cannot read the server") {
				t.Errorf("with a wrong password it says %q", diags)
			}
		})
	}
}
