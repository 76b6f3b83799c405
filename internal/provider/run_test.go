// Tests of running services: the resource, the data source, and the actions, for
// which the plugin protocol is spoken here, because only Terraform 1.14 has them.

package provider_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/terraform"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
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
	diags    problems
}

// invoke validates, plans and invokes an action, as Terraform 1.14 does. seen is told
// of each line of progress; it may be nil.
func (c *core) invoke(typ string, config attributes, seen func(line string)) (out invocation) {
	c.t.Helper()
	ctx := context.Background()
	schemas, err := c.server.GetProviderSchema(ctx, &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		c.t.Fatal(err)
	}
	actions, ok := c.server.(tfprotov6.ActionServer)
	if !ok {
		c.t.Fatal("the provider serves no actions")
	}
	encoded := c.encode(objectOf(c.t, schemas.ActionSchemas[typ].Schema, config))
	valid, err := actions.ValidateActionConfig(ctx, &tfprotov6.ValidateActionConfigRequest{ActionType: typ, Config: encoded})
	if err != nil {
		c.t.Fatal(err)
	}
	if problems(valid.Diagnostics).failed() {
		return invocation{diags: valid.Diagnostics}
	}
	planned, err := actions.PlanAction(ctx, &tfprotov6.PlanActionRequest{ActionType: typ, Config: encoded})
	if err != nil {
		c.t.Fatal(err)
	}
	if problems(planned.Diagnostics).failed() {
		return invocation{diags: planned.Diagnostics}
	}
	stream, err := actions.InvokeAction(ctx, &tfprotov6.InvokeActionRequest{ActionType: typ, Config: encoded})
	if err != nil {
		c.t.Fatal(err)
	}
	for event := range stream.Events {
		switch event := event.Type.(type) {
		case tfprotov6.ProgressInvokeActionEventType:
			out.progress = append(out.progress, event.Message)
			if seen != nil {
				seen(event.Message)
			}
		case tfprotov6.CompletedInvokeActionEventType:
			out.diags = event.Diagnostics
		}
	}
	return out
}

// says fails the test unless the diagnostics hold the words, one after another.
func (p problems) says(t *testing.T, words ...string) {
	t.Helper()
	text := p.String()
	for _, word := range words {
		at := strings.Index(text, word)
		if at < 0 {
			t.Errorf("%q does not follow in: %s", word, p)
			return
		}
		text = text[at+len(word):]
	}
}

// running is an eNMS with two devices and services, behind faults.
type running struct {
	*server
	injector *faults.Injector
	faulty   string // the URL with the faults
}

func newRunning(t *testing.T, polls int) *running {
	t.Helper()
	options := serverOptions()
	options.RunPolls = polls
	s := &running{server: &server{t: t, user: "admin", password: "admin", prefix: "NAME-"}}
	s.simulator, s.url = simtest.Start(t, options)
	var err error
	if s.injector, err = faults.New(s.simulator); err != nil {
		t.Fatal(err)
	}
	served := httptest.NewServer(s.injector)
	t.Cleanup(served.Close)
	s.faulty = served.URL
	if s.client, err = enms.New(enms.Config{BaseURL: s.url, Username: s.user, Password: s.password}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.client.Close)
	s.services()
	return s
}

// services puts devices, services to run on them, and a user with few rights there.
func (s *server) services() {
	s.t.Helper()
	for _, instance := range []struct {
		typ     string
		payload enms.Object
	}{
		{"user", enms.Object{"name": "NAME-ann", "password": "pw"}},
		{"group", enms.Object{"name": "NAME-g", "users": []string{s.expand("NAME-ann")}, "get_requests": []string{"/rest/instance", "/rest/query", "/rest/result"},
			"post_requests": []string{"/rest/run_service"}, "delete_requests": []string{}, "menu": []string{}, "pages": []string{}}},
		{"device", enms.Object{"name": "NAME-d1", "ip_address": "NAME-ip", "rbac_read": []string{s.expand("NAME-g")}, "rbac_target": []string{s.expand("NAME-g")}}},
		{"device", enms.Object{"name": "NAME-d2", "rbac_read": []string{s.expand("NAME-g")}}},
		{"pool", enms.Object{"name": "NAME-p", "manually_defined": true, "devices": []string{s.expand("NAME-d1"), s.expand("NAME-d2")}, "rbac_read": []string{s.expand("NAME-g")}}},
		{"python_snippet_service", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s", "rbac_read": []string{s.expand("NAME-g")}, "rbac_run": []string{s.expand("NAME-g")},
			"source_code": "results['success'] = True\nresults['result'] = device.name"}},
		{"python_snippet_service", enms.Object{"name": "NAME-fails", "scoped_name": "NAME-fails",
			"source_code": s.expand("results['success'] = device.name != 'NAME-d2'\nresults['result'] = 'the port is down'")}},
		{"python_snippet_service", enms.Object{"name": "NAME-once", "scoped_name": "NAME-once", "run_method": "once", "skip_value": "success",
			"source_code": "results['result'] = {'a': 1}"}},
		{"python_snippet_service", enms.Object{"name": "NAME-breaks", "scoped_name": "NAME-breaks", "run_method": "once", "source_code": "results['result'] = 1"}},
	} {
		s.put(instance.typ, instance.payload)()
	}
}

// core returns a provider that sees the faults.
func (s *running) core(settings attributes) *core {
	block := attributes{"base_url": s.faulty, "username": s.user, "password": s.password}
	for name, v := range settings {
		block[name] = v
	}
	return newCoreOf(s.t, impatient(), block)
}

// spoil sets the faults.
func (s *running) spoil(rules ...faults.Rule) {
	s.t.Helper()
	if err := s.injector.Set(rules...); err != nil {
		s.t.Fatal(err)
	}
}

// runs returns the runs that eNMS has recorded of a service.
func (s *server) runs(service string) []enms.Object {
	s.t.Helper()
	rows, err := s.client.Query(s.ctx(), "run", map[string]string{"service_name": s.expand(service)})
	if err != nil {
		s.t.Fatal(err)
	}
	return rows
}

// posted is how many requests have reached an endpoint of eNMS.
func (s *server) posted(path string) (n int) {
	for _, r := range s.simulator.Requests() {
		if r.Method == http.MethodPost && r.Path == path {
			n++
		}
	}
	return n
}

// starts is how often the start of a run has reached eNMS.
func (s *server) starts() int { return s.posted("/rest/run_service") }

// A service runs when the resource is created and when its triggers change, and a
// change of how to wait starts nothing.
func TestServiceRun(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.services()
	config := func(more string) string {
		return s.hcl(`resource "enms_service_run" "r" {
  service       = "NAME-s"
  devices       = ["NAME-d2"]
  ip_addresses  = ["NAME-ip"]
  parameters    = { vlans = [1, 2], name = "x" }
  poll_interval = "10ms"
` + s.expand(more) + "\n}\n")
	}
	count := func(want int) resource.TestCheckFunc {
		return func(*terraform.State) error {
			if runs := s.runs("NAME-s"); len(runs) != want {
				return fmt.Errorf("%d runs, want %d", len(runs), want)
			}
			return nil
		}
	}
	is := func(name, want string) resource.TestCheckFunc {
		return resource.TestCheckResourceAttr("enms_service_run.r", name, s.expand(want))
	}
	s.run(resource.TestStep{Config: config(`triggers = { version = "1" }`), Check: resource.ComposeTestCheckFunc(count(1),
		is("success", "true"), is("status", "Completed"), is("timeout", "1h"), is("summary.success.#", "2"), is("summary.success.0", "NAME-d1"), is("summary.failure.#", "0"),
		resource.TestMatchResourceAttr("enms_service_run.r", "name", regexp.MustCompile("^terraform-[A-Z2-7]{26}$")),
		resource.TestCheckResourceAttrWith("enms_service_run.r", "result", func(text string) error {
			var result struct {
				Devices map[string]struct{ Result string }
			}
			if err := json.Unmarshal([]byte(text), &result); err != nil || result.Devices[s.expand("NAME-d2")].Result != s.expand("NAME-d2") {
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
		resource.TestStep{Config: config("name = \"NAME-named\"\ntriggers = { version = \"2\" }") + s.expand(`
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
		s.failing(config("name = \"NAME-named\"\ntriggers = { version = \"3\" }"), "started nothing", "There is already a run with the same name"),
	)
	for _, run := range s.runs("NAME-s") {
		if form := fmt.Sprint(run["properties"].(map[string]any)["form"]); !strings.Contains(form, "map[name:x vlans:[1 2]]") {
			t.Errorf("asked for with %s", form)
		}
	}
}

// A run that fails fails the apply with the devices and their own words, and runs again
// with the next apply.
func TestFailedServiceRun(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 2)
	c := s.core(nil)
	config := attributes{"service": "NAME-fails", "pools": []string{"NAME-p"}, "poll_interval": "10ms"}
	state, diags := c.apply(runResource, config, c.none(runResource))
	diags.says(t, `The run of service "NAME-fails" failed`, "It failed on 1 of 2 devices:", "* NAME-d2: the port is down")
	if !state.tainted || state.text(t, "status") != "Completed" || state.text(t, "runtime") == "" {
		t.Errorf("the state after a failure: %s", state.value)
	}
	if again := s.core(nil); again != nil {
		if _, diags = again.apply(runResource, config, state); !diags.failed() || len(s.runs("NAME-fails")) != 2 {
			t.Errorf("it does not run again: %s, %d runs", diags, len(s.runs("NAME-fails")))
		}
	}
	_, diags = c.apply(runResource, attributes{"service": "NAME-breaks", "poll_interval": "10ms"}, c.none(runResource))
	diags.says(t, `The run of service "NAME-breaks" failed`, "eNMS says: KeyError: 'True'")
}

// What cannot be run is told, and nothing is started.
func TestRefusedServiceRun(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 0)
	c := s.core(nil)
	s.put("service", enms.Object{"name": "NAME-once", "disabled": true})()
	for _, wrong := range []struct {
		config attributes
		words  []string
	}{
		{attributes{"service": "nope"}, []string{`Cannot run service "nope"`, "There is no service of that name"}},
		{attributes{"service": "NAME-s", "devices": []string{"nope"}, "pools": []string{"none"}},
			[]string{`Cannot run service "NAME-s"`, "started nothing", "No device with the name 'nope'", "No pool with the name 'none'"}},
		{attributes{"service": "NAME-once"}, []string{"started nothing", "disabled"}},
		{attributes{"service": "NAME-s", "devices": []string{}}, []string{"devices"}},
		{attributes{"service": "NAME-s", "timeout": "soon"}, []string{"Not a duration"}},
		{attributes{"service": "NAME-s", "poll_interval": "-1s"}, []string{"Not a duration"}},
		{attributes{"service": "NAME-s", "name": "it's"}, []string{"name"}},
		{attributes{"service": "NAME-s", "parameters": tftypes.NewValue(tftypes.String, "{}")}, []string{"Not an object"}},
	} {
		if unknownField("service", "disabled") && wrong.words[len(wrong.words)-1] == "disabled" {
			continue
		}
		_, diags := c.apply(runResource, wrong.config, c.none(runResource))
		invoked := c.invoke(runAction, wrong.config, nil)
		if !diags.failed() || !invoked.diags.failed() {
			t.Errorf("%v passes", wrong.config)
		}
		diags.says(t, wrong.words...)
		invoked.diags.says(t, wrong.words...)
	}
	if runs := s.runs("NAME-s"); len(runs) != 0 {
		t.Errorf("%d runs", len(runs))
	}
}

// The action tells how far the run has come, and fails as the resource does.
func TestRunAction(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 3)
	c := s.core(nil)
	done := c.invoke(runAction, attributes{"service": "NAME-s", "devices": []string{"NAME-d1"}, "poll_interval": "10ms",
		"parameters": object(map[string]any{"a": 1})}, nil)
	if len(done.diags) != 0 || len(done.progress) < 3 || !strings.Contains(done.progress[1], "0/1 (0 failed)") {
		t.Errorf("%s %q", done.diags, done.progress)
	}
	failed := c.invoke(runAction, attributes{"service": "NAME-fails", "devices": []string{"NAME-d1", "NAME-d2"}, "poll_interval": "10ms"}, nil)
	failed.diags.says(t, `The run of service "NAME-fails" failed`, "It failed on 1 of 2 devices:", "* NAME-d2: the port is down")
	if unwaited := c.invoke(runAction, attributes{"service": "NAME-fails", "devices": []string{"NAME-d2"}, "wait": false}, nil); len(unwaited.diags) != 0 {
		t.Error(unwaited.diags)
	}
	if runs := s.runs("NAME-fails"); len(runs) != 2 {
		t.Errorf("%d runs", len(runs))
	}
}

// A lost answer to the start starts nothing twice, whether eNMS has acted or not, and is
// told as unknown only when no run is recorded.
func TestLostStartOfARun(t *testing.T) {
	t.Parallel()
	for _, fault := range []faults.Fault{faults.Reset, faults.Cut, faults.BadGateway, faults.GatewayTimeout, faults.HTML, faults.Truncated} {
		for _, when := range []faults.When{faults.Before, faults.After} {
			for _, kind := range []string{"resource", "action"} {
				t.Run(fmt.Sprintf("%s %s %s", kind, fault, when), func(t *testing.T) {
					t.Parallel()
					s := newRunning(t, 1)
					s.spoil(faults.Rule{Method: http.MethodPost, Path: "/rest/run_service", Fault: fault, When: when, Count: 1})
					c := s.core(nil)
					config := attributes{"service": "NAME-s", "devices": []string{"NAME-d1"}, "poll_interval": "10ms", "name": "mine"}
					var diags problems
					if kind == "action" {
						diags = c.invoke(runAction, config, nil).diags
					} else {
						_, diags = c.apply(runResource, config, c.none(runResource))
					}
					if when == faults.After {
						if len(diags) != 0 || s.starts() != 1 || len(s.runs("NAME-s")) != 1 {
							t.Errorf("%s, %d starts", diags, s.starts())
						}
						return
					}
					diags.says(t, `It is not known whether service "NAME-s" runs`, `"mine"`, "sent once")
					if s.starts() != 0 {
						t.Errorf("%d starts", s.starts())
					}
				})
			}
		}
	}
}

// An interrupt ends the waiting, of which the run takes no notice.
func TestInterruptedRun(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 1000000)
	c := s.core(nil)
	stop := func(string) {
		if _, err := c.server.StopProvider(context.Background(), &tfprotov6.StopProviderRequest{}); err != nil {
			t.Error(err)
		}
	}
	interrupted := c.invoke(runAction, attributes{"service": "NAME-s", "devices": []string{"NAME-d1"}, "name": "mine"}, stop)
	interrupted.diags.says(t, "interrupted", `The run "mine"`, "goes on in eNMS", "enms_run_result")
	if runs := s.runs("NAME-s"); len(runs) != 1 || runs[0]["status"] != "Running" {
		t.Errorf("%v", runs)
	}
}

// The same for the resource: the run is in the state, tainted.
func TestInterruptedServiceRun(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 1000000)
	var c *core
	stopping := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/rest/result/") {
			if _, err := c.server.StopProvider(context.Background(), &tfprotov6.StopProviderRequest{}); err != nil {
				t.Error(err)
			}
		}
		s.simulator.ServeHTTP(w, r)
	}))
	t.Cleanup(stopping.Close)
	c = s.core(attributes{"base_url": stopping.URL})
	state, diags := c.apply(runResource, attributes{"service": "NAME-s", "devices": []string{"NAME-d1"}, "name": "mine"}, c.none(runResource))
	diags.says(t, "interrupted", `The run "mine"`, "goes on in eNMS", "tainted")
	if !state.tainted || state.text(t, "runtime") == "" || len(s.runs("NAME-s")) != 1 {
		t.Errorf("%s", state.value)
	}
}

// A timeout ends the waiting; the run is in the state, tainted.
func TestRunThatTakesTooLong(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 1000000)
	c := s.core(nil)
	config := attributes{"service": "NAME-s", "devices": []string{"NAME-d1"}, "timeout": "200ms", "poll_interval": "10ms"}
	state, diags := c.apply(runResource, config, c.none(runResource))
	diags.says(t, "It is not over after 200ms", "goes on in eNMS", "tainted")
	if !state.tainted || state.text(t, "status") != "Running" {
		t.Errorf("%s", state.value)
	}
	c.invoke(runAction, config, nil).diags.says(t, "It is not over after 200ms", "goes on in eNMS")
	s.put("service", enms.Object{"name": "NAME-once", "initial_payload": nil})()
	_, diags = c.apply(runResource, attributes{"service": "NAME-once", "timeout": "200ms", "poll_interval": "10ms"}, c.none(runResource))
	diags.says(t, "not recorded it within 200ms")
	config["wait"] = false
	if state := c.applied(runResource, config, c.none(runResource)); state.text(t, "status") != "Running" || state.text(t, "runtime") == "" {
		t.Errorf("%s", state.value)
	}
}

// Targets that eNMS drops without a word are a warning, beside the error if the run fails.
func TestDroppedTargetsOfARun(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 0)
	s.user, s.password = "NAME-ann", "pw"
	c := s.core(nil)
	told := c.invoke(runAction, attributes{"service": "NAME-s", "pools": []string{"NAME-p"}, "poll_interval": "10ms"}, nil)
	told.diags.says(t, `Service "NAME-s" did not run on 1 of its targets`, "left out NAME-d2 without a word")
	if told.diags.failed() {
		t.Error(told.diags)
	}
	_, diags := c.apply(runResource, attributes{"service": "NAME-s", "devices": []string{"NAME-d2"}, "poll_interval": "10ms"}, c.none(runResource))
	diags.says(t, "left out NAME-d2 without a word", `The run of service "NAME-s" failed`, "no targets have been selected")
}

// A task runs as the scheduler would have it run, and its run is waited for.
func TestRunTaskAction(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 2)
	s.put("task", enms.Object{"name": "NAME-good", "service": "NAME-s", "devices": []string{"NAME-d1"}})()
	s.put("task", enms.Object{"name": "NAME-bad", "service": "NAME-fails", "pools": []string{"NAME-p"}})()
	c := s.core(nil)
	if done := c.invoke("enms_run_task", attributes{"task": "NAME-good", "poll_interval": "10ms"}, nil); len(done.diags) != 0 || len(done.progress) < 3 {
		t.Errorf("%s %q", done.diags, done.progress)
	}
	failed := c.invoke("enms_run_task", attributes{"task": "NAME-bad", "poll_interval": "10ms"}, nil)
	failed.diags.says(t, `The run of service "NAME-fails" failed`, "It failed on 1 of 2 devices:", "* NAME-d2")
	c.invoke("enms_run_task", attributes{"task": "nope"}, nil).diags.says(t, `Cannot run task "nope"`, "There is no task of that name")
	s.spoil(faults.Rule{Method: http.MethodPost, Path: "/rest/run_task", Fault: faults.BadGateway, When: faults.After, Count: 1})
	if lost := c.invoke("enms_run_task", attributes{"task": "NAME-good", "poll_interval": "10ms"}, nil); len(lost.diags) != 0 || len(s.runs("NAME-s")) != 2 {
		t.Errorf("%s, %d runs", lost.diags, len(s.runs("NAME-s")))
	}
	s.spoil(faults.Rule{Method: http.MethodPost, Path: "/rest/run_task", Fault: faults.Reset, Count: 1})
	c.invoke("enms_run_task", attributes{"task": "NAME-good"}, nil).diags.says(t, `It is not known whether task "NAME-good" runs`)
	if runs := s.runs("NAME-s"); len(runs) != 2 {
		t.Errorf("%d runs", len(runs))
	}
}

// All actions on whatever server the tests run against.
func TestActions(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.services()
	s.put("task", enms.Object{"name": "NAME-t", "service": "NAME-fails", "pools": []string{s.expand("NAME-p")}})()
	c := s.core(nil)
	names := func(names ...string) (expanded []string) {
		for _, name := range names {
			expanded = append(expanded, s.expand(name))
		}
		return expanded
	}
	done := c.invoke(runAction, attributes{"service": s.expand("NAME-s"), "devices": names("NAME-d1"), "pools": names("NAME-p"), "poll_interval": "1s"}, nil)
	if len(done.diags) != 0 || len(done.progress) < 2 {
		t.Errorf("%s %q", done.diags, done.progress)
	}
	for typ, config := range map[string]attributes{
		runAction:       {"service": s.expand("NAME-fails"), "devices": names("NAME-d1", "NAME-d2"), "poll_interval": "1s"},
		"enms_run_task": {"task": s.expand("NAME-t"), "poll_interval": "1s"},
	} {
		c.invoke(typ, config, nil).diags.says(t, s.expand(`The run of service "NAME-fails" failed`), "It failed on 1 of 2 devices:", s.expand("* NAME-d2"))
	}
	s.user, s.password = s.expand("NAME-ann"), "pw"
	dropped := s.core(nil).invoke(runAction, attributes{"service": s.expand("NAME-s"), "pools": names("NAME-p"), "poll_interval": "1s"}, nil)
	if dropped.diags.says(t, s.expand("left out NAME-d2 without a word")); dropped.diags.failed() {
		t.Error(dropped.diags)
	}
	if runs := s.runs("NAME-fails"); len(runs) != 2 {
		t.Errorf("%d runs", len(runs))
	}
}

func TestUpdatePoolsAction(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.onlySimulated("it counts requests")
	before := s.posted(computing)
	updated := s.core(nil).invoke("enms_update_pools", attributes{}, nil)
	if len(updated.diags) != 0 || len(updated.progress) != 1 || s.posted(computing) != before+1 {
		t.Errorf("%s %q", updated.diags, updated.progress)
	}
}

// A run that is under way, one that failed, and runs that are not there, as the data
// source tells them.
func TestRunResult(t *testing.T) {
	t.Parallel()
	s := newRunning(t, 1)
	c := s.core(nil)
	started := c.invoke(runAction, attributes{"service": "NAME-fails", "devices": []string{"NAME-d2"}, "name": "mine", "wait": false}, nil)
	if started.diags.failed() {
		t.Fatal(started.diags)
	}
	for _, want := range []string{"Running <nil> <nil>", "Completed false [NAME-d2]"} {
		answer, diags := c.dataOf("enms_run_result", attributes{"name": "mine"})
		if diags.failed() {
			t.Fatal(diags)
		}
		got := members(t, answer)
		success, failure := "<nil>", "<nil>"
		if !got["success"].IsNull() {
			success = textOf(t, got["success"])
		}
		if !got["summary"].IsNull() {
			failure = fmt.Sprint(value.Names(members(t, got["summary"])["failure"]))
		}
		if told := fmt.Sprintf("%s %s %s", textOf(t, got["status"]), success, failure); told != want || textOf(t, got["service"]) != "NAME-fails" {
			t.Errorf("%s, want %s", told, want)
		}
	}
	for _, wrong := range []struct {
		config attributes
		words  []string
	}{
		{attributes{"name": "nope"}, []string{"There is no such run", `called "nope"`}},
		{attributes{"service": "NAME-s", "runtime": "2020-01-01 00:00:00.000000"}, []string{"There is no such run", `of service "NAME-s"`}},
	} {
		_, diags := c.dataOf("enms_run_result", wrong.config)
		diags.says(t, wrong.words...)
	}
}
