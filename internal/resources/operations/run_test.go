// Tests of running services: the resource, the data source, and the actions, for
// which the plugin protocol is spoken here, because only Terraform 1.14 has them.

package operations_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kinds"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/simtest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

const (
	runResource = "enms_service_run"
	runAction   = "enms_run_service"
)

// invocation is what Terraform sees of an action.
type invocation struct {
	progress []string
	diags    acctest.Problems
}

// invokeAction validates, plans and invokes an action, as Terraform 1.14 does. onProgress is told
// of each line of progress; it may be nil.
func invokeAction(c *acctest.Core, typ string, config acctest.Attributes, onProgress func(line string)) (out invocation) {
	c.T.Helper()
	ctx := context.Background()
	schemas, err := c.Provider.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		c.T.Fatal(err)
	}
	actions, ok := c.Provider.(tfprotov6.ActionServer)
	if !ok {
		c.T.Fatal("the provider serves no actions")
	}
	encoded := c.Encode(acctest.ObjectOf(c.T, schemas.ActionSchemas[typ].Schema, config))
	valid, err := actions.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: typ, Config: encoded})
	if err != nil {
		c.T.Fatal(err)
	}
	if acctest.Problems(valid.Diagnostics).Failed() {
		return invocation{diags: valid.Diagnostics}
	}
	planned, err := actions.PlanAction(ctx, &tfprotov6.PlanActionRequest{ActionType: typ, Config: encoded})
	if err != nil {
		c.T.Fatal(err)
	}
	if acctest.Problems(planned.Diagnostics).Failed() {
		return invocation{diags: planned.Diagnostics}
	}
	stream, err := actions.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{ActionType: typ, Config: encoded})
	if err != nil {
		c.T.Fatal(err)
	}
	for event := range stream.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			out.progress = append(out.progress, event.Message)
			if onProgress != nil {
				onProgress(event.Message)
			}
		case tfprotov6.CompletedInvokeActionEventType:
			out.diags = event.Diagnostics
		}
	}
	return out
}

// running is an eNMS with two devices and services, behind faults.
type running struct {
	*acctest.Server
	injector *faults.Injector
	faulty   string // the URL with the faults
}

func newRunning(t *testing.T, polls int) *running {
	t.Helper()
	options := acctest.ServerOptions()
	options.RunPolls = polls
	s := &running{Server: &acctest.Server{T: t, User: "admin", Password: "admin", Prefix: "NAME-"}}
	s.Simulator, s.URL = simtest.Start(t, options)
	var err error
	if s.injector, err = faults.New(s.Simulator); err != nil {
		t.Fatal(err)
	}
	served := httptest.NewServer(s.injector)
	t.Cleanup(served.Close)
	s.faulty = served.URL
	if s.Client, err = enms.New(enms.Config{BaseURL: s.URL, Username: s.User, Password: s.Password}, kind.Words(kinds.All())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Client.Close)
	putServices(s.Server)
	return s
}

// putServices puts devices, services to run on them, and a user with few rights there.
func putServices(s *acctest.Server) {
	s.T.Helper()
	for _, instance := range []struct {
		typ     string
		payload enms.Object
	}{
		{"user", enms.Object{"name": "NAME-ann", "password": "pw"}},
		{"group", enms.Object{"name": "NAME-g", "users": []string{s.Expand("NAME-ann")}, "get_requests": []string{"/rest/instance", "/rest/query", "/rest/result"},
			"post_requests": []string{"/rest/run_service"}, "delete_requests": []string{}, "menu": []string{}, "pages": []string{}}},
		{"device", enms.Object{"name": "NAME-d1", "ip_address": "NAME-ip", "rbac_read": []string{s.Expand("NAME-g")}, "rbac_target": []string{s.Expand("NAME-g")}}},
		{"device", enms.Object{"name": "NAME-d2", "rbac_read": []string{s.Expand("NAME-g")}}},
		{"pool", enms.Object{"name": "NAME-p", "manually_defined": true, "devices": []string{s.Expand("NAME-d1"), s.Expand("NAME-d2")}, "rbac_read": []string{s.Expand("NAME-g")}}},
		{"python_snippet_service", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s", "rbac_read": []string{s.Expand("NAME-g")}, "rbac_run": []string{s.Expand("NAME-g")},
			"source_code": "results['success'] = True\nresults['result'] = device.name"}},
		{"python_snippet_service", enms.Object{"name": "NAME-fails", "scoped_name": "NAME-fails",
			"source_code": s.Expand("results['success'] = device.name != 'NAME-d2'\nresults['result'] = 'the port is down'")}},
		{"python_snippet_service", enms.Object{"name": "NAME-once", "scoped_name": "NAME-once", "run_method": "once", "skip_value": "success",
			"source_code": "results['result'] = {'a': 1}"}},
		{"python_snippet_service", enms.Object{"name": "NAME-breaks", "scoped_name": "NAME-breaks", "run_method": "once", "source_code": "results['result'] = 1"}},
	} {
		s.Put(instance.typ, instance.payload)()
	}
}

// core returns a provider that sees the faults.
func (s *running) core(settings acctest.Attributes) *acctest.Core {
	block := acctest.Attributes{"base_url": s.faulty, "username": s.User, "password": s.Password}
	for name, v := range settings {
		block[name] = v
	}
	return acctest.NewCoreOf(s.T, acctest.ProviderWithoutWaits(), block)
}

// spoil sets the faults.
func (s *running) spoil(rules ...faults.Rule) {
	s.T.Helper()
	if err := s.injector.Set(rules...); err != nil {
		s.T.Fatal(err)
	}
}

// runsOf returns the runs that eNMS has recorded of a service.
func runsOf(s *acctest.Server, service string) []enms.Object {
	s.T.Helper()
	rows, err := s.Client.Endpoint().Query(s.Context(), "run", map[string]string{"service_name": s.Expand(service)})
	if err != nil {
		s.T.Fatal(err)
	}
	return rows
}

// postedTo is how many requests have reached an endpoint of eNMS.
func postedTo(s *acctest.Server, path string) (n int) {
	for _, r := range s.Simulator.Requests() {
		if r.Method == http.MethodPost && r.Path == path {
			n++
		}
	}
	return n
}

// startsOfRuns is how often the start of a run has reached eNMS.
func startsOfRuns(s *acctest.Server) int { return postedTo(s, "/rest/run_service") }

// A service runs when the resource is created and when its triggers change, and a
// change of how to wait starts nothing.
func TestServiceRun_atCreationAndWithNewTriggers(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	putServices(s)
	config := func(more string) string {
		return s.HCL(`resource "enms_service_run" "r" {
  service       = "NAME-s"
  devices       = ["NAME-d2"]
  ip_addresses  = ["NAME-ip"]
  parameters    = { vlans = [1, 2], name = "x" }
  poll_interval = "10ms"
` + s.Expand(more) + "\n}\n")
	}
	count := func(want int) resource.TestCheckFunc {
		return func(*terraform.State) error {
			if runs := runsOf(s, "NAME-s"); len(runs) != want {
				return fmt.Errorf("%d runs, want %d", len(runs), want)
			}
			return nil
		}
	}
	is := func(name, want string) resource.TestCheckFunc {
		return resource.TestCheckResourceAttr("enms_service_run.r", name, s.Expand(want))
	}
	s.Run(resource.TestStep{Config: config(`triggers = { version = "1" }`), Check: resource.ComposeTestCheckFunc(count(1),
		is("success", "true"), is("status", "Completed"), is("timeout", "1h"), is("summary.success.#", "2"), is("summary.success.0", "NAME-d1"), is("summary.failure.#", "0"),
		resource.TestMatchResourceAttr("enms_service_run.r", "name", regexp.MustCompile("^terraform-[A-Z2-7]{26}$")),
		resource.TestCheckResourceAttrWith("enms_service_run.r", "result", func(text string) error {
			var result struct {
				Devices map[string]struct{ Result string }
			}
			if err := json.Unmarshal([]byte(text), &result); err != nil || result.Devices[s.Expand("NAME-d2")].Result != s.Expand("NAME-d2") {
				return fmt.Errorf("%s: %w", text, err)
			}
			if strings.Contains(text, "vlans") || strings.Contains(text, "source_code") {
				return fmt.Errorf("it holds more than the result: %s", text)
			}
			return nil
		}))},
		resource.TestStep{Config: config("timeout = \"10m\"\ntriggers = { version = \"1\" }"), Check: resource.ComposeTestCheckFunc(count(1), is("timeout", "10m"))},
		resource.TestStep{Config: config(`triggers = { version = "2" }`), Check: count(2)},
		resource.TestStep{Config: config("name = \"NAME-named\"\ntriggers = { version = \"2\" }"), Check: resource.ComposeTestCheckFunc(count(3), is("name", "NAME-named"))},
		resource.TestStep{Config: config("name = \"NAME-named\"\ntriggers = { version = \"2\" }") + s.Expand(`
data "enms_run_result" "by_name" {
  name = enms_service_run.r.name
}
data "enms_run_result" "by_time" {
  service = enms_service_run.r.service
  runtime = enms_service_run.r.runtime
}
output "same" {
  value = data.enms_run_result.by_name == data.enms_run_result.by_time && data.enms_run_result.by_name.result == enms_service_run.r.result
}
`), Check: resource.ComposeTestCheckFunc(count(3), resource.TestCheckOutput("same", "true"))},
		s.Failing(config("name = \"NAME-named\"\ntriggers = { version = \"3\" }"), "started nothing", "There is already a run with the same name"),
	)
	for _, run := range runsOf(s, "NAME-s") {
		if form := fmt.Sprint(run["properties"].(map[string]any)["form"]); !strings.Contains(form, "map[name:x vlans:[1 2]]") {
			t.Errorf("asked for with %s", form)
		}
	}
}

// A run that eNMS itself breaks fails with the words of eNMS.
func TestServiceRun_breaks(t *testing.T) {
	t.Parallel()
	acctest.SkipOn(t, "no default of a service breaks its runs", "enms-5.3")
	s := newRunning(t, 2)
	c := s.core(nil)
	_, diags := c.Apply(runResource, acctest.Attributes{"service": "NAME-breaks", "poll_interval": "10ms"}, c.NoState(runResource))
	acctest.CheckSays(diags, t, `The run of service "NAME-breaks" failed`, "eNMS says: KeyError: 'True'")
}

// The result of a workflow does not say which of its services failed, nor why: the error does, by
// device where the services ran on devices, and names the data source that shows the rest.
func TestServiceRun_workflowFails(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 2)
	for _, method := range []string{"per_device", "per_service_with_workflow_targets"} {
		workflow, inside := "NAME-"+method, func(name string) string { return "[NAME-" + method + "] " + name }
		s.Put("workflow", enms.Object{"name": workflow, "scoped_name": workflow, "run_method": method, "skip_value": "success"})()
		for name, code := range map[string]string{"good": "results['success'] = True", "bad": "raise ValueError('the password is admin')"} {
			s.Put("python_snippet_service", enms.Object{"name": inside(name), "scoped_name": name, "workflows": []string{workflow}, "skip_value": "success", "source_code": code})()
		}
		for i, edge := range [][2]string{{"[Shared] Start", inside("good")}, {inside("good"), inside("bad")}, {inside("bad"), "[Shared] End"}} {
			s.Put("workflow_edge", enms.Object{"name": fmt.Sprintf("%s-%d", workflow, i), "workflow": workflow, "subtype": "success", "source": edge[0], "destination": edge[1]})()
		}
		c := s.core(nil)
		_, diags := c.Apply(runResource, acctest.Attributes{"service": workflow, "pools": []string{"NAME-p"}, "poll_interval": "10ms"}, c.NoState(runResource))
		why := acctest.ByLine("the password is ", "Error: 'the password is ")
		acctest.CheckSays(diags, t, fmt.Sprintf("The run of service %q failed", workflow), "It failed on 2 of 2 devices:", `* NAME-d1: service "bad": `+why, `* NAME-d2: service "bad": `+why,
			fmt.Sprintf("The data source enms_run_result shows the rest: service = %q", workflow))
		if text := diags.String(); strings.Contains(text, "is admin") || strings.Contains(text, "good") {
			t.Errorf("it shows a secret, or what did not fail: %s", text)
		}
	}
}

// What cannot be run is told, and nothing is started.
func TestServiceRun_refused(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 0)
	c := s.core(nil)
	s.Put("service", enms.Object{"name": "NAME-once", "disabled": true})()
	for _, wrong := range []struct {
		config acctest.Attributes
		words  []string
	}{
		{acctest.Attributes{"service": "nope"}, []string{`Cannot run service "nope"`, "There is no service with that name"}},
		{acctest.Attributes{"service": "NAME-s", "devices": []string{"nope"}, "pools": []string{"none"}},
			[]string{`Cannot run service "NAME-s"`, "started nothing", "No device with the name 'nope'", "No pool with the name 'none'"}},
		{acctest.Attributes{"service": "NAME-once"}, []string{"started nothing", "disabled"}},
		{acctest.Attributes{"service": "NAME-s", "devices": []string{}}, []string{"devices"}},
		{acctest.Attributes{"service": "NAME-s", "timeout": "soon"}, []string{"Invalid duration"}},
		{acctest.Attributes{"service": "NAME-s", "poll_interval": "-1s"}, []string{"Invalid duration"}},
		{acctest.Attributes{"service": "NAME-s", "name": "it's"}, []string{"name"}},
		{acctest.Attributes{"service": "NAME-s", "parameters": tftypes.NewValue(tftypes.String, "{}")}, []string{"Not an object"}},
	} {
		if acctest.UnknownField("service", "disabled") && wrong.words[len(wrong.words)-1] == "disabled" {
			continue
		}
		_, diags := c.Apply(runResource, wrong.config, c.NoState(runResource))
		invoked := invokeAction(c, runAction, wrong.config, nil)
		if !diags.Failed() || !invoked.diags.Failed() {
			t.Errorf("%v passes", wrong.config)
		}
		acctest.CheckSays(diags, t, wrong.words...)
		acctest.CheckSays(invoked.diags, t, wrong.words...)
	}
	if runs := runsOf(s.Server, "NAME-s"); len(runs) != 0 {
		t.Errorf("%d runs", len(runs))
	}
}

// A new eNMS 5 starts no run for REST clients: the error says how to allow it.
func TestServiceRun_notAllowedOnTheServer(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 0)
	c := s.core(nil)
	refused := func(why string) {
		t.Helper()
		_, diags := c.Apply(runResource, acctest.Attributes{"service": "NAME-s"}, c.NoState(runResource))
		acctest.CheckSays(diags, t, `Cannot run service "NAME-s"`, "started nothing", why, `add "rest_api" to allowed_automation`)
	}
	s.Put("server", enms.Object{"name": "Localhost", "allowed_automation": []string{"scheduler"}})()
	refused("Runs from the REST API are not allowed on this server")
	if acctest.Line() == 5 {
		s.Drop("server", "Localhost")()
		refused("There is no server in the database")
	}
}

// The action tells how far the run has come. A run that fails fails the action, and the apply of the resource, with the
// devices and their own words; the resource runs again with the next apply.
func TestRunAction_progressAndFailure(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 3)
	c := s.core(nil)
	done := invokeAction(c, runAction, acctest.Attributes{"service": "NAME-s", "devices": []string{"NAME-d1"}, "poll_interval": "10ms",
		"parameters": acctest.ObjectValue(map[string]any{"a": 1})}, nil)
	if len(done.diags) != 0 || len(done.progress) < 3 || !strings.Contains(done.progress[1], "0/1 (0 failed)") {
		t.Errorf("%s %q", done.diags, done.progress)
	}
	failed := invokeAction(c, runAction, acctest.Attributes{"service": "NAME-fails", "devices": []string{"NAME-d1", "NAME-d2"}, "poll_interval": "10ms"}, nil)
	acctest.CheckSays(failed.diags, t, `The run of service "NAME-fails" failed`, "It failed on 1 of 2 devices:", "* NAME-d2: the port is down")
	if unwaited := invokeAction(c, runAction, acctest.Attributes{"service": "NAME-fails", "devices": []string{"NAME-d2"}, "wait": false}, nil); len(unwaited.diags) != 0 {
		t.Error(unwaited.diags)
	}
	config, state := acctest.Attributes{"service": "NAME-fails", "pools": []string{"NAME-p"}, "poll_interval": "10ms"}, c.NoState(runResource)
	for n := range 2 {
		var diags acctest.Problems
		state, diags = s.core(nil).Apply(runResource, config, state)
		acctest.CheckSays(diags, t, `The run of service "NAME-fails" failed`, "It failed on 1 of 2 devices:", "* NAME-d2: the port is down")
		if runs := runsOf(s.Server, "NAME-fails"); !state.Tainted || state.Text(t, "status") != "Completed" || state.Text(t, "runtime") == "" || len(runs) != n+3 {
			t.Errorf("%d runs, and after a failure the state is %s", len(runs), state.Value)
		}
	}
}

// A device is deleted after the action that Terraform 1.16 invokes before it, in the same run; if
// the run of the service fails, Terraform does not ask for the deletion, and both can be repeated.
func TestRunAction_beforeADeviceIsDestroyed(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 1)
	c := s.core(nil)
	held := c.Applied("enms_device", acctest.Attributes{"name": "NAME-leaves", "ip_address": "10.0.0.1"}, c.NoState("enms_device"))
	s.Put("python_snippet_service", enms.Object{"name": "NAME-drained", "scoped_name": "NAME-drained", "source_code": "results['success'] = False\nresults['result'] = 'carries traffic'"})()
	drained := acctest.Attributes{"service": "NAME-drained", "devices": []string{"NAME-leaves"}, "poll_interval": "10ms"}

	planned := func() *acctest.Core {
		run := c.NewRun()
		if _, diags := run.Plan("enms_device", nil, held); len(diags) != 0 {
			t.Fatal(diags)
		}
		return run
	}
	acctest.CheckSays(invokeAction(planned(), runAction, drained, nil).diags, t, `The run of service "NAME-drained" failed`, "* NAME-leaves: carries traffic")
	if held = c.Refreshed("enms_device", held); held.Value.IsNull() {
		t.Fatal("the device is gone though the run failed")
	}

	s.Put("python_snippet_service", enms.Object{"name": "NAME-drained", "source_code": "results['success'] = True"})()
	run := planned()
	if done := invokeAction(run, runAction, drained, nil); len(done.diags) != 0 {
		t.Fatal(done.diags)
	}
	if gone, diags := run.Apply("enms_device", nil, held); len(diags) != 0 || !gone.Value.IsNull() {
		t.Errorf("%s %s", gone.Value, diags)
	}
	if after := invokeAction(run, "enms_update_pools", acctest.Attributes{}, nil); len(after.diags) != 0 {
		t.Error(after.diags)
	}
	// An action after the deletion that names the deleted device starts nothing.
	acctest.CheckSays(invokeAction(run, runAction, drained, nil).diags, t, `Cannot run service "NAME-drained"`, "started nothing", "NAME-leaves")
	if runs := runsOf(s.Server, "NAME-drained"); len(runs) != 2 {
		t.Errorf("%d runs", len(runs))
	}
}

// The example decommission with Terraform: a failing run keeps the router, a good one lets it go,
// and terraform destroy does not stop at a failure.
func TestRunAction_decommissionExample(t *testing.T) {
	t.Parallel()
	s, w := acctest.NewServer(t), acctest.NewWorkspace(t)
	s.OnlySimulated("the names in the example have no prefix")
	if w.NeedsVersion(1, 16, "actions around deletions"); w.OpenTofu() {
		t.Skip("OpenTofu has no actions")
	}
	example, err := os.ReadFile(filepath.Join("..", acctest.Repository, "examples", "decommission", "main.tf"))
	if err != nil {
		t.Fatal(err)
	}
	w.Configure(string(example))
	w.Environment = append(w.Environment, "ENMS_BASE_URL="+s.URL, "ENMS_USERNAME="+s.User, "ENMS_PASSWORD="+s.Password)
	code := func(text string) {
		s.Put("python_snippet_service", enms.Object{"name": "Decommission", "scoped_name": "Decommission", "source_code": text})()
	}
	const all, one = `-var=routers={ DALLAS = "10.0.0.1", HOUSTON = "10.0.0.2" }`, `-var=routers={ DALLAS = "10.0.0.1" }`
	for _, step := range []struct {
		name, source string
		arguments    []string
		exitCode     int
		words        string
		devices      int
	}{
		{"created", "results['success'] = False", []string{"apply", all}, 0, "2 added", 2},
		{"kept", "results['success'] = False", []string{"apply", one}, 1, `The run of service "Decommission" failed`, 2},
		{"deleted", "results['success'] = True", []string{"apply", one}, 0, "1 destroyed. Actions: 2 invoked.", 1},
		{"destroyed", "results['success'] = False", []string{"destroy", one}, 0, `Warning: The run of service "Decommission" failed`, 0},
	} {
		code(step.source)
		exitCode, out := w.Run(append(step.arguments, "-no-color", "-auto-approve")...)
		rows, err := s.Client.Search(s.Context(), "device", []string{"name"}, map[string]any{})
		if err != nil {
			t.Fatal(err)
		}
		if exitCode != step.exitCode || !strings.Contains(out, step.words) || len(rows) != step.devices {
			t.Errorf("%s: ended with %d, does not say %q or leaves %v:\n%s", step.name, exitCode, step.words, rows, out)
		}
	}
}

// A lost answer to the start starts nothing twice, whether eNMS has acted or not, and is
// told as unknown only when no run is recorded.
func TestServiceRun_answerToTheStartLost(t *testing.T) {
	t.Parallel()
	for when, starts := range map[faults.When]int{faults.Before: 0, faults.After: 1} {
		s := newRunning(t, 1)
		s.spoil(faults.Rule{Method: http.MethodPost, Path: "/rest/run_service", Fault: faults.Reset, When: when, Count: 1})
		c := s.core(nil)
		_, diags := c.Apply(runResource, acctest.Attributes{"service": "NAME-s", "devices": []string{"NAME-d1"}, "poll_interval": "10ms", "name": "mine"}, c.NoState(runResource))
		if diags.Failed() != (starts == 0) || startsOfRuns(s.Server) != starts || len(runsOf(s.Server, "NAME-s")) != starts {
			t.Errorf("%s: %s, %d starts", when, diags, startsOfRuns(s.Server))
		}
		if starts == 0 {
			acctest.CheckSays(diags, t, `It is unknown whether service "NAME-s" runs`, `"mine"`, "sent once")
		}
	}
}

// A run whose waiting is interrupted is in the state, tainted.
func TestServiceRun_interrupted(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 1000000)
	var c *acctest.Core
	stopping := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/rest/result/") {
			if _, err := c.Provider.StopProvider(context.Background(), &tfprotov6.StopProviderRequest{}); err != nil {
				t.Error(err)
			}
		}
		s.Simulator.ServeHTTP(w, r)
	}))
	t.Cleanup(stopping.Close)
	c = s.core(acctest.Attributes{"base_url": stopping.URL})
	state, diags := c.Apply(runResource, acctest.Attributes{"service": "NAME-s", "devices": []string{"NAME-d1"}, "name": "mine"}, c.NoState(runResource))
	acctest.CheckSays(diags, t, "interrupted", `The run "mine"`, "continues in eNMS", "tainted")
	if !state.Tainted || state.Text(t, "runtime") == "" || len(runsOf(s.Server, "NAME-s")) != 1 {
		t.Errorf("%s", state.Value)
	}
}

// A timeout ends the waiting; the run is in the state, tainted.
func TestServiceRun_timeout(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 1000000)
	c := s.core(nil)
	config := acctest.Attributes{"service": "NAME-s", "devices": []string{"NAME-d1"}, "timeout": "200ms", "poll_interval": "10ms"}
	state, diags := c.Apply(runResource, config, c.NoState(runResource))
	acctest.CheckSays(diags, t, "It has not ended within the timeout of 200ms", "continues in eNMS", "tainted")
	if !state.Tainted || state.Text(t, "status") != "Running" {
		t.Errorf("%s", state.Value)
	}
	acctest.CheckSays(invokeAction(c, runAction, config, nil).diags, t, "It has not ended within the timeout of 200ms", "continues in eNMS")
	s.Put("service", enms.Object{"name": "NAME-once", "initial_payload": nil})()
	_, diags = c.Apply(runResource, acctest.Attributes{"service": "NAME-once", "timeout": "200ms", "poll_interval": "10ms"}, c.NoState(runResource))
	acctest.CheckSays(diags, t, "did not record it within 200ms")
	config["wait"] = false
	if state := c.Applied(runResource, config, c.NoState(runResource)); state.Text(t, "status") != "Running" || state.Text(t, "runtime") == "" {
		t.Errorf("%s", state.Value)
	}
}

// Targets that eNMS drops without a word are a warning, beside the error if the run fails.
func TestServiceRun_targetsDroppedByENMS(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 0)
	s.User, s.Password = "NAME-ann", "pw"
	c := s.core(nil)
	told := invokeAction(c, runAction, acctest.Attributes{"service": "NAME-s", "pools": []string{"NAME-p"}, "poll_interval": "10ms"}, nil)
	acctest.CheckSays(told.diags, t, `Service "NAME-s" did not run on 1 of its targets`, "skipped NAME-d2")
	if told.diags.Failed() {
		t.Error(told.diags)
	}
	s.spoil(faults.Rule{Method: http.MethodGet, Path: "/rest/instance/pool/NAME-p", Fault: faults.BadGateway})
	told = invokeAction(c, runAction, acctest.Attributes{"service": "NAME-s", "pools": []string{"NAME-p"}, "poll_interval": "10ms"}, nil)
	if acctest.CheckSays(told.diags, t, `It is unknown on which devices service "NAME-s" ran`); told.diags.Failed() {
		t.Error(told.diags)
	}
	_, diags := c.Apply(runResource, acctest.Attributes{"service": "NAME-s", "devices": []string{"NAME-d2"}, "poll_interval": "10ms"}, c.NoState(runResource))
	acctest.CheckSays(diags, t, "skipped NAME-d2", `The run of service "NAME-s" failed`, "no targets have been selected")
}

// A task runs as the scheduler would have it run, and its run is waited for.
func TestRunTaskAction_waitsForTheRun(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 2)
	s.Put("task", enms.Object{"name": "NAME-good", "service": "NAME-s", "devices": []string{"NAME-d1"}})()
	s.Put("task", enms.Object{"name": "NAME-bad", "service": "NAME-fails", "pools": []string{"NAME-p"}})()
	c := s.core(nil)
	if done := invokeAction(c, "enms_run_task", acctest.Attributes{"task": "NAME-good", "poll_interval": "10ms"}, nil); len(done.diags) != 0 || len(done.progress) < 3 {
		t.Errorf("%s %q", done.diags, done.progress)
	}
	failed := invokeAction(c, "enms_run_task", acctest.Attributes{"task": "NAME-bad", "poll_interval": "10ms"}, nil)
	acctest.CheckSays(failed.diags, t, `The run of service "NAME-fails" failed`, "It failed on 1 of 2 devices:", "* NAME-d2")
	acctest.CheckSays(invokeAction(c, "enms_run_task", acctest.Attributes{"task": "nope"}, nil).diags, t, `Cannot run task "nope"`, "There is no task with that name")
	s.spoil(faults.Rule{Method: http.MethodPost, Path: "/rest/run_task", Fault: faults.BadGateway, When: faults.After, Count: 1})
	if lost := invokeAction(c, "enms_run_task", acctest.Attributes{"task": "NAME-good", "poll_interval": "10ms"}, nil); len(lost.diags) != 0 || len(runsOf(s.Server, "NAME-s")) != 2 {
		t.Errorf("%s, %d runs", lost.diags, len(runsOf(s.Server, "NAME-s")))
	}
	s.spoil(faults.Rule{Method: http.MethodPost, Path: "/rest/run_task", Fault: faults.Reset, Count: 1})
	acctest.CheckSays(invokeAction(c, "enms_run_task", acctest.Attributes{"task": "NAME-good"}, nil).diags, t, `It is unknown whether task "NAME-good" runs`)
	if runs := runsOf(s.Server, "NAME-s"); len(runs) != 2 {
		t.Errorf("%d runs", len(runs))
	}
}

// The resource has the members computed when it is created and when its triggers change, and for nothing else; the action
// whenever it is invoked.
func TestUpdatePools_computesMembers(t *testing.T) {
	t.Parallel()
	s, w := acctest.NewWatched(t)
	c, typ := s.Core(nil), "enms_pools_update"
	s.Put("pool", enms.Object{"name": "p", "device_vendor": "Cisco"})()
	s.Put("device", enms.Object{"name": "NAME-d", "vendor": "Cisco"})()
	w.Forget()
	triggers := func(text string) acctest.Attributes {
		return acctest.Attributes{"triggers": tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, map[string]tftypes.Value{"devices": tftypes.NewValue(tftypes.String, text)})}
	}
	state := c.Applied(typ, triggers("one"), c.NoState(typ))
	if got := fmt.Sprint(s.Get("pool", "p")["devices"]); got != "[NAME-d]" || len(w.To(acctest.PathOfPools)) != 1 || len(state.Private) == 0 {
		t.Errorf("the members are %s after %d computations", got, len(w.To(acctest.PathOfPools)))
	}
	state = c.Refreshed(typ, state)
	c.PlansNothing(typ, triggers("one"), state)
	state.Private = nil // as if it had been created before the provider recorded the address
	if state = c.Applied(typ, triggers("two"), state); len(state.Private) == 0 {
		t.Error("the update does not record the address")
	}
	c.Applied(typ, nil, state)
	updated := invokeAction(c, "enms_update_pools", acctest.Attributes{}, nil)
	if n := len(w.To(acctest.PathOfPools)); n != 3 || len(updated.diags) != 0 || len(updated.progress) != 1 {
		t.Errorf("%d computations after another trigger, the end and the action, want 3: %s %q", n, updated.diags, updated.progress)
	}
}

// A run that is under way, one that failed, and runs that are not there, as the data
// source tells them.
func TestRunResult_dataSource(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 1)
	c := s.core(nil)
	started := invokeAction(c, runAction, acctest.Attributes{"service": "NAME-fails", "devices": []string{"NAME-d2"}, "name": "mine", "wait": false}, nil)
	if started.diags.Failed() {
		t.Fatal(started.diags)
	}
	for _, want := range []string{"Running <nil> <nil>", "Completed false [NAME-d2]"} {
		answer, diags := c.ReadDataSourceBy("enms_run_result", acctest.Attributes{"name": "mine"})
		if diags.Failed() {
			t.Fatal(diags)
		}
		got := value.Members(answer)
		summary, _ := got["summary"].(map[string]any)
		if told := fmt.Sprint(got["status"], " ", got["success"], " ", summary["failure"]); told != want || got["service"] != "NAME-fails" {
			t.Errorf("%s, want %s", told, want)
		}
	}
	for _, wrong := range []struct {
		config acctest.Attributes
		words  []string
	}{
		{acctest.Attributes{"name": "nope"}, []string{"There is no such run", `called "nope"`}},
		{acctest.Attributes{"service": "NAME-s", "runtime": "2020-01-01 00:00:00.000000"}, []string{"There is no such run", `of service "NAME-s"`}},
	} {
		_, diags := c.ReadDataSourceBy("enms_run_result", wrong.config)
		acctest.CheckSays(diags, t, wrong.words...)
	}
}
