// Acceptance tests of enms_service: names, prefixes and workflows.

package kinds_test

import (
	"fmt"
	"testing"

	"github.com/hashicorp/terraform-plugin-testing/helper/resource"
	"github.com/hashicorp/terraform-plugin-testing/plancheck"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

func TestService_createUpdateRenameImportDestroy(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	id, disabled := "", "disabled = true"
	if acctest.ServerKind() == "enms-4.4" { // it has no field disabled
		disabled = ""
	}
	s.Run(
		resource.TestStep{Config: s.HCL(acctest.Service), Check: resource.ComposeAggregateTestCheckFunc(
			acctest.NoteID("enms_service.backup", &id),
			resource.TestCheckResourceAttr("enms_service.backup", "scoped_name", s.Expand("NAME-backup")),
			acctest.UnlessOn(resource.TestCheckResourceAttr("enms_service.backup", "disabled_info", ""), "enms-4.4"),
			s.Holds("service", "NAME-backup", "skip_value", "success"),
			s.Holds("service", "NAME-backup", "type", "python_snippet_service"),
		)},
		resource.TestStep{Config: s.HCL(`
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
			acctest.CheckID("enms_service.backup", &id),
			acctest.UnlessOn(resource.TestCheckResourceAttrSet("enms_service.backup", "disabled_info"), "enms-4.4"),
			s.Holds("service", "NAME-backup", "priority", "0"),
			s.Holds("service", "NAME-backup", "initial_payload", "map[a:[1 2.5 x false <nil>] b:map[]]"),
			s.Holds("service", "NAME-backup", "target_devices", "[NAME-d]"),
		)},
		resource.TestStep{Config: s.HCL(`
			resource "enms_service" "backup" {
			  name = "NAME-save"
			  type = "python_snippet_service"
			  properties = { source_code = "pass" }
			}`), Check: resource.ComposeAggregateTestCheckFunc(
			acctest.CheckID("enms_service.backup", &id),
			s.Absent("service", "NAME-backup"),
			s.Holds("service", "NAME-save", "scoped_name", "NAME-save"),
			acctest.UnlessOn(s.Holds("service", "NAME-save", "disabled", "false"), "enms-4.4"),
			s.Holds("service", "NAME-save", "priority", "10"),
			s.Holds("service", "NAME-save", "skip_value", "success"),
			s.Holds("service", "NAME-save", "initial_payload", "map[]"),
			s.Holds("service", "NAME-save", "source_code", "pass"),
			acctest.UnlessOn(resource.TestCheckResourceAttr("enms_service.backup", "disabled_info", ""), "enms-4.4"),
		)},
		resource.TestStep{ResourceName: "enms_service.backup", ImportState: true, ImportStateId: s.Expand("NAME-save"),
			ImportStateVerify: true, ImportStateVerifyIgnore: []string{"properties"}},
		// The rename lasts.
		resource.TestStep{PreConfig: s.Put("service", map[string]any{"name": "NAME-save", "description": "touched"}),
			Config: s.HCL(`
			resource "enms_service" "backup" {
			  name = "NAME-save"
			  type = "python_snippet_service"
			  properties = { source_code = "pass" }
			}`), PlanOnly: true},
	)
}

func TestService_driftOfProperties(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.Run(
		resource.TestStep{Config: s.HCL(acctest.Service)},
		resource.TestStep{PreConfig: s.Put("service", map[string]any{"name": "NAME-backup", "report": "not named"}),
			Config: s.HCL(acctest.Service), PlanOnly: true},
		resource.TestStep{PreConfig: s.Put("service", map[string]any{"name": "NAME-backup", "source_code": "tampered"}),
			Config: s.HCL(acctest.Service), PlanOnly: true, ExpectNonEmptyPlan: true},
		resource.TestStep{Config: s.HCL(acctest.Service), Check: s.Holds("service", "NAME-backup", "source_code", "results['success'] = True")},
		resource.TestStep{PreConfig: s.Drop("service", "NAME-backup"), Config: s.HCL(acctest.Service),
			ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
				plancheck.ExpectResourceAction("enms_service.backup", plancheck.ResourceActionCreate)}}},
	)
}

func TestService_importWithProperties(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	t.Cleanup(s.Drop("service", "NAME-backup"))
	s.Put("python_snippet_service", map[string]any{"name": "NAME-backup", "scoped_name": "NAME-backup", "source_code": "results['success'] = True"})()
	s.Run(resource.TestStep{Config: s.HCL(`import {
		  to = enms_service.backup
		  id = "NAME-backup"
		}`) + s.Expand(acctest.Service),
		ConfigPlanChecks: resource.ConfigPlanChecks{PreApply: []plancheck.PlanCheck{
			plancheck.ExpectResourceAction("enms_service.backup", plancheck.ResourceActionNoop)}}})
}

func TestService_inWorkflow(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	id := ""
	s.Run(
		resource.TestStep{Config: s.HCL(fmt.Sprintf(acctest.ServiceInWorkflow, "wf")), Check: resource.ComposeAggregateTestCheckFunc(
			acctest.NoteID("enms_service.step", &id),
			resource.TestCheckResourceAttr("enms_service.step", "scoped_name", "step"),
			s.Holds("service", "[NAME-wf] step", "workflows", "[NAME-wf]"),
			s.Holds("service", "[Shared] NAME-shared", "scoped_name", "NAME-shared"),
		)},
		resource.TestStep{Config: s.HCL(fmt.Sprintf(acctest.ServiceInWorkflow, "wf2")), Check: resource.ComposeAggregateTestCheckFunc(
			acctest.CheckID("enms_service.step", &id),
			s.Absent("service", "[NAME-wf] step"),
			s.Absent("service", "NAME-wf"),
			s.Holds("service", "[NAME-wf2] step", "scoped_name", "step"),
		)},
		resource.TestStep{ResourceName: "enms_service.step", ImportState: true, ImportStateId: s.Expand("[NAME-wf2] step"),
			ImportStateVerify: true, ImportStateVerifyIgnore: []string{"properties"}},
	)
}

func TestService_invalidAttributes(t *testing.T) {
	t.Parallel()
	acctest.NewServer(t).Refuses("enms_service",
		acctest.Bad(`name = "x", type = "Workflow"`, "type"),
		acctest.Bad(`name = "x", number_of_retries = -1`, "number_of_retries", "between 0 and 2147483647"),
		acctest.Bad(`name = "x", skip_value = "sometimes"`, "skip_value", "discard"),
		acctest.Bad(`name = "x", log_level = 9`, "log_level"),
	)
}

// What no eNMS can hold is refused before there is a plan.
func TestService_invalidBeforeThePlan(t *testing.T) {
	t.Parallel()
	acctest.NewServer(t).Refuses("enms_service",
		acctest.Bad(`name = "x", initial_payload = "{}"`, "Not an object"),
		acctest.Bad(`name = "x", target_devices = ["a", "a"]`, "duplicate"),
	)
}

// A service whose name does not fit its workflows is refused with the name that does. A
// service in two workflows must be shared: eNMS may name it after either.
func TestService_invalidPlan(t *testing.T) {
	t.Parallel()
	acctest.NewServer(t).Refuses("enms_service",
		acctest.Bad(`name = "x", shared = true`, `would name the service "[Shared] x"`),
		acctest.Bad(`name = "[Shared] x"`, `shared = true`),
		acctest.Bad(`name = "x", workflows = ["wf"]`, `would name the service "[wf] x"`),
		acctest.Bad(`name = "[wf] x", workflows = ["wf", "wf2"]`, "shared = true", `"[Shared] x"`),
		acctest.Bad(`name = "[wf] x"`, `workflows = ["wf"]`, `scoped_name = "[wf] x"`),
		acctest.Bad(`name = "[[a] b] x"`, `workflows = ["[a] b"]`),
		acctest.Bad(`name = "x", scoped_name = "y"`, `scoped_name = "x"`),
		acctest.Bad(`name = "[Shared] ", shared = true`, "after"),
		acctest.Bad(`name = "[Shared] Start", shared = true`, "built in"),
	)
}

// What is built in is not given another name either, which all workflows would
// notice.
func TestService_builtInKeepsItsName(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	state, diags := c.ImportByName("enms_service", "[Shared] Placeholder")
	if diags.Failed() {
		t.Fatal(diags)
	}
	_, diags = c.Plan("enms_service", acctest.Attributes{"name": "[Shared] Mine", "shared": true}, state)
	if !diags.Failed() || !s.Says("[Shared] Placeholder", "is built in").MatchString(diags.String()) {
		t.Error(diags)
	}
}

// A flag among the properties may come as a text, as it does from a map of texts.
func TestService_booleanAsString(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	for _, approved := range []string{"true", "false"} {
		config := acctest.Attributes{"name": s.Expand("NAME-s"), "type": "unix_command_service",
			"properties": map[string]any{"command": "ls", "approved_by_admin": approved}}
		state := c.Refreshed("enms_service", c.Applied("enms_service", config, c.NoState("enms_service")))
		if p, diags := c.Plan("enms_service", config, state); !p.Noop || len(diags) > 0 {
			t.Errorf("%s: a difference for ever: %s %s", approved, p.Value, diags)
		}
		c.Applied("enms_service", nil, state)
	}
}

// Members that somebody adds to an object that eNMS replaces as a whole are found.
func TestService_driftOfObjects(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	c := s.Core(nil)
	config := acctest.Attributes{"name": s.Expand("NAME-s"), "type": "napalm_getters_service",
		"properties": map[string]any{"driver": "device", "optional_args": map[string]any{"a": 1}}}
	state := c.Applied("enms_service", config, c.NoState("enms_service"))
	s.Put("napalm_getters_service", enms.Object{"name": "NAME-s", "scoped_name": "NAME-s", "optional_args": map[string]any{"a": 1, "b": 2}})()
	state = c.Refreshed("enms_service", state)
	if p, diags := c.Plan("enms_service", config, state); p.Noop || diags.Failed() {
		t.Error("not found:", diags)
	}
	state = c.Applied("enms_service", config, state)
	if got := fmt.Sprint(s.Get("service", "NAME-s")["optional_args"]); got != "map[a:1]" {
		t.Errorf("eNMS holds %s", got)
	}
	c.Applied("enms_service", nil, state)
}
