// Acceptance tests of enms_service: names, prefixes and workflows.

package provider_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

const service = `
resource "enms_service" "backup" {
  name = "NAME-backup"
  type = "python_snippet_service"
  properties = {
    source_code = "results['success'] = True"
  }
}`

func TestServiceLife(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	id, disabled := "", "disabled = true"
	if testServer() == "enms-4.4" { // it has no field disabled
		disabled = ""
	}
	s.run(
		resource.TestStep{Config: s.hcl(service), Check: resource.ComposeAggregateTestCheckFunc(
			keep("enms_service.backup", "id", &id),
			resource.TestCheckResourceAttr("enms_service.backup", "scoped_name", s.expand("NAME-backup")),
			unlessOn(resource.TestCheckResourceAttr("enms_service.backup", "disabled_info", ""), "enms-4.4"),
			s.holds("service", "NAME-backup", "skip_value", "success"),
			s.holds("service", "NAME-backup", "type", "python_snippet_service"),
		)},
		resource.TestStep{Config: s.hcl(`
			resource "enms_service" "backup" {
			  name                  = "NAME-backup"
			  type                  = "python_snippet_service"
			  ` + disabled + `
			  description           = "nightly"
			  vendor                = "Cisco"
			  operating_system      = "IOS"
			  priority              = 0
			  number_of_retries     = 2
			  time_between_retries  = 0
			  max_number_of_retries = 3
			  waiting_time          = 4
			  run_method            = "once"
			  skip_value            = "discard"
			  credential_type       = "read-only"
			  log_level             = -1
			  multiprocessing       = true
			  max_processes         = 6
			  maximum_runs          = 7
			  target_devices        = [enms_device.d.name]
			  target_pools          = []
			  initial_payload       = { a = [1, 2.5, "x", false, null], b = {} }
			  properties = {
			    source_code = "results['success'] = False"
			    report      = ""
			  }
			}
			resource "enms_device" "d" { name = "NAME-d" }`), Check: resource.ComposeAggregateTestCheckFunc(
			kept("enms_service.backup", "id", &id),
			unlessOn(resource.TestCheckResourceAttrSet("enms_service.backup", "disabled_info"), "enms-4.4"),
			s.holds("service", "NAME-backup", "priority", "0"),
			s.holds("service", "NAME-backup", "initial_payload", "map[a:[1 2.5 x false <nil>] b:map[]]"),
			s.holds("service", "NAME-backup", "target_devices", "[NAME-d]"),
		)},
		resource.TestStep{Config: s.hcl(`
			resource "enms_service" "backup" {
			  name = "NAME-save"
			  type = "python_snippet_service"
			  properties = { source_code = "pass" }
			}`), Check: resource.ComposeAggregateTestCheckFunc(
			kept("enms_service.backup", "id", &id),
			s.absent("service", "NAME-backup"),
			s.holds("service", "NAME-save", "scoped_name", "NAME-save"),
			unlessOn(s.holds("service", "NAME-save", "disabled", "false"), "enms-4.4"),
			s.holds("service", "NAME-save", "priority", "10"),
			s.holds("service", "NAME-save", "skip_value", "success"),
			s.holds("service", "NAME-save", "initial_payload", "map[]"),
			s.holds("service", "NAME-save", "source_code", "pass"),
			unlessOn(resource.TestCheckResourceAttr("enms_service.backup", "disabled_info", ""), "enms-4.4"),
		)},
		resource.TestStep{ResourceName: "enms_service.backup", ImportState: true, ImportStateId: s.expand("NAME-save"),
			ImportStateVerify: true, ImportStateVerifyIgnore: []string{"properties"}},
		// The rename lasts.
		resource.TestStep{PreConfig: s.put("service", map[string]any{"name": "NAME-save", "description": "touched"}),
			Config: s.hcl(`
			resource "enms_service" "backup" {
			  name = "NAME-save"
			  type = "python_snippet_service"
			  properties = { source_code = "pass" }
			}`), PlanOnly: true},
	)
}

func TestServicePropertiesDrift(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	s.run(
		resource.TestStep{Config: s.hcl(service)},
		resource.TestStep{PreConfig: s.put("service", map[string]any{"name": "NAME-backup", "report": "not named"}),
			Config: s.hcl(service), PlanOnly: true},
		resource.TestStep{PreConfig: s.put("service", map[string]any{"name": "NAME-backup", "source_code": "tampered"}),
			Config: s.hcl(service), PlanOnly: true, ExpectNonEmptyPlan: true},
		resource.TestStep{Config: s.hcl(service), Check: s.holds("service", "NAME-backup", "source_code", "results['success'] = True")},
		resource.TestStep{PreConfig: s.drop("service", "NAME-backup"), Config: s.hcl(service),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_service.backup", plancheck.ResourceActionCreate)}}},
	)
}

func TestServiceImportWithProperties(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	t.Cleanup(s.drop("service", "NAME-backup"))
	s.put("python_snippet_service", map[string]any{"name": "NAME-backup", "scoped_name": "NAME-backup", "source_code": "results['success'] = True"})()
	s.run(resource.TestStep{Config: s.hcl(`import {
		  to = enms_service.backup
		  id = "NAME-backup"
		}`) + s.expand(service),
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectResourceAction("enms_service.backup", plancheck.ResourceActionNoop)}}})
}

const inWorkflow = `
resource "enms_service" "workflow" {
  name = "NAME-%s"
  type = "workflow"
}
resource "enms_service" "step" {
  name      = "[${enms_service.workflow.name}] step"
  workflows = [enms_service.workflow.name]
}
resource "enms_service" "shared" {
  name   = "[Shared] NAME-shared"
  shared = true
}`

func TestServiceInWorkflow(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	id := ""
	s.run(
		resource.TestStep{Config: s.hcl(sprintf(inWorkflow, "wf")), Check: resource.ComposeAggregateTestCheckFunc(
			keep("enms_service.step", "id", &id),
			resource.TestCheckResourceAttr("enms_service.step", "scoped_name", "step"),
			s.holds("service", "[NAME-wf] step", "workflows", "[NAME-wf]"),
			s.holds("service", "[Shared] NAME-shared", "scoped_name", "NAME-shared"),
		)},
		resource.TestStep{Config: s.hcl(sprintf(inWorkflow, "wf2")), Check: resource.ComposeAggregateTestCheckFunc(
			kept("enms_service.step", "id", &id),
			s.absent("service", "[NAME-wf] step"),
			s.absent("service", "NAME-wf"),
			s.holds("service", "[NAME-wf2] step", "scoped_name", "step"),
		)},
		resource.TestStep{ResourceName: "enms_service.step", ImportState: true, ImportStateId: s.expand("[NAME-wf2] step"),
			ImportStateVerify: true, ImportStateVerifyIgnore: []string{"properties"}},
	)
}

func TestServiceBadInput(t *testing.T) {
	t.Parallel()
	newServer(t).refuses("enms_service",
		bad{`name = "x", type = "Workflow"`, []string{"type"}},
		bad{`name = "x", number_of_retries = -1`, []string{"number_of_retries", "between 0 and 2147483647"}},
		bad{`name = "x", skip_value = "sometimes"`, []string{"skip_value", "discard"}},
		bad{`name = "x", log_level = 9`, []string{"log_level"}},
	)
}

// What no eNMS can hold is refused before there is a plan.
func TestServiceBadShape(t *testing.T) {
	t.Parallel()
	newServer(t).refuses("enms_service",
		bad{`name = "x", initial_payload = "{}"`, []string{"Not an object"}},
		bad{`name = "x", target_devices = ["a", "a"]`, []string{"duplicate"}},
	)
}

// A service whose name does not fit its workflows is refused with the name that does. A
// service in two workflows must be shared: eNMS may name it after either.
func TestServiceBadPlan(t *testing.T) {
	t.Parallel()
	newServer(t).refuses("enms_service",
		bad{`name = "x", shared = true`, []string{`name = "[Shared] x"`}},
		bad{`name = "[Shared] x"`, []string{`shared = true`}},
		bad{`name = "x", workflows = ["wf"]`, []string{`name = "[wf] x"`}},
		bad{`name = "[wf] x", workflows = ["wf", "wf2"]`, []string{"shared = true", `"[Shared] x"`}},
		bad{`name = "[wf] x"`, []string{`workflows = ["wf"]`, `scoped_name = "[wf] x"`}},
		bad{`name = "[[a] b] x"`, []string{`workflows = ["[a] b"]`}},
		bad{`name = "x", scoped_name = "y"`, []string{`scoped_name = "x"`}},
		bad{`name = "[Shared] ", shared = true`, []string{"after"}},
		bad{`name = "[Shared] Start", shared = true`, []string{"built in"}},
	)
}

// What is built in is not given another name either, which all workflows would
// notice.
func TestServiceBuiltInKeepsItsName(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	state, diags := c.importByName("enms_service", "[Shared] Placeholder")
	if diags.failed() {
		t.Fatal(diags)
	}
	_, diags = c.plan("enms_service", attributes{"name": "[Shared] Mine", "shared": true}, state)
	if !diags.failed() || !s.says("[Shared] Placeholder", "is built in").MatchString(diags.String()) {
		t.Error(diags)
	}
}

// A flag among the properties may come as a text, as it does from a map of texts.
func TestServiceFlagAsText(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	for _, approved := range []string{"true", "false"} {
		config := attributes{"name": s.expand("NAME-s"), "type": "unix_command_service",
			"properties": map[string]any{"command": "ls", "approved_by_admin": approved}}
		state := c.refreshed("enms_service", c.applied("enms_service", config, c.none("enms_service")))
		if p, diags := c.plan("enms_service", config, state); !p.noop || len(diags) > 0 {
			t.Errorf("%s: a difference for ever: %s %s", approved, p.value, diags)
		}
		c.applied("enms_service", nil, state)
	}
}

// Members that somebody adds to an object that eNMS replaces as a whole are found.
func TestServiceObjectDrift(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := s.core(nil)
	config := attributes{"name": s.expand("NAME-s"), "type": "napalm_getters_service",
		"properties": map[string]any{"driver": "device", "optional_args": map[string]any{"a": 1}}}
	state := c.applied("enms_service", config, c.none("enms_service"))
	s.put("napalm_getters_service", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s", "optional_args": map[string]any{"a": 1, "b": 2}})()
	state = c.refreshed("enms_service", state)
	if p, diags := c.plan("enms_service", config, state); p.noop || diags.failed() {
		t.Error("not found:", diags)
	}
	state = c.applied("enms_service", config, state)
	if got := fmt.Sprint(s.get("service", "NAME-s")["optional_args"]); got != "map[a:1]" {
		t.Errorf("eNMS holds %s", got)
	}
	c.applied("enms_service", nil, state)
}
