// This file carries a workflow from one server to another: the first is exported, and Terraform
// applies its modules to the second.

package export_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/runs"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// siteCheck are the steps of the workflow that is promoted, in the order in which they run.
var siteCheck = []string{"[Shared] Start", "[Site check] Show version", "[Site check] Compare", "[[Site check] Repair] Reload", "[Shared] Notify", "[Shared] End"}

// fillDev puts the workflow onto a server, with what differs from those of the other server.
func fillDev(s *acctest.Server) {
	s.Put("device", enms.Object{"name": "dev-1"})()
	s.Put("pool", enms.Object{"name": "dev devices", "manually_defined": true, "devices": []string{"dev-1"}})()
	s.Put("credential", enms.Object{"name": "lab", "username": "lab"})()
	s.Put("group", enms.Object{"name": "designers", "menu": []string{}, "pages": []string{}, "get_requests": []string{}, "post_requests": []string{}, "delete_requests": []string{}})()
	s.Put("workflow", enms.Object{"name": "Site check", "scoped_name": "Site check", "target_pools": []string{"dev devices"}, "rbac_read": []string{"designers"}})()
	s.Put("workflow", enms.Object{"name": "Other", "scoped_name": "Other"})()
	s.Put("workflow", enms.Object{"name": "[Site check] Repair", "scoped_name": "Repair", "workflows": []string{"Site check"}, "rbac_read": []string{"designers"}})()
	s.Put("python_snippet_service", enms.Object{"name": "[Shared] Notify", "scoped_name": "Notify", "shared": true, "workflows": []string{"Site check", "Other"}, "source_code": "print(1)"})()
	s.Put("netmiko_commands_service", enms.Object{"name": "[Site check] Show version", "scoped_name": "Show version", "workflows": []string{"Site check"}, "commands": "show version",
		"credentials": "object", "named_credential": "lab", "rbac_read": []string{"designers"}})()
	s.Put("python_snippet_service", enms.Object{"name": "[Site check] Compare", "scoped_name": "Compare", "workflows": []string{"Site check"}, "source_code": hostileScript, "target_devices": []string{"dev-1"}})()
	s.Put("python_snippet_service", enms.Object{"name": "[[Site check] Repair] Reload", "scoped_name": "Reload", "workflows": []string{"[Site check] Repair"}, "source_code": "print(2)"})()
	for n, name := range siteCheck {
		if !strings.HasPrefix(name, "[[") {
			s.Put("service", enms.Object{"name": name, "positions": map[string]any{"Site check": []any{100 * n, 50}}})()
		}
	}
	edge := func(workflow, source, destination string) {
		s.Put("workflow_edge", enms.Object{"name": source + destination, "workflow": workflow, "source": source, "destination": destination, "subtype": "success"})()
	}
	edge("Site check", "[Shared] Start", "[Site check] Show version")
	edge("Site check", "[Site check] Show version", "[Site check] Compare")
	edge("Site check", "[Site check] Compare", "[Site check] Repair")
	edge("Site check", "[Site check] Show version", "[Site check] Repair")
	edge("Site check", "[Site check] Repair", "[Shared] Notify")
	edge("Site check", "[Shared] Notify", "[Shared] End")
	edge("[Site check] Repair", "[Shared] Start", "[[Site check] Repair] Reload")
	edge("[Site check] Repair", "[[Site check] Repair] Reload", "[Shared] End")
	s.Put("task", enms.Object{"name": "every hour", "service": "Site check", "scheduling_mode": "cron", "crontab_expression": "0 * * * *", "is_active": true})()
	s.Put("task", enms.Object{"name": "of the other", "service": "Other"})()
}

// prodRoot is the configuration of the server that a workflow is promoted to.
const prodRoot = `
terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

module "shared" {
  source           = "../dev/modules/shared"
  notify_workflows = [module.site_check.workflow]
}

module "site_check" {
  source          = "../dev/modules/site_check"
  service_notify  = module.shared.service_notify
  credential_lab  = "datacenter"
  target_pools    = ["prod devices"]
  rbac_read       = ["operators"]
  rbac_run        = ["operators"] # dev has none
  compare_target_devices = ["prod-1", "prod-2"]
  tasks = {
    "every night" = { scheduling_mode = "cron", crontab_expression = "0 2 * * *", is_active = true, pools = ["prod devices"] }
  }
}
`

// owned returns what a server has of its own, whatever workflow is promoted to it.
func owned(s *acctest.Server) map[string][]enms.Object {
	s.T.Helper()
	all := map[string][]enms.Object{}
	for _, typ := range []string{"device", "pool", "credential", "group", "task", "run"} {
		rows, err := s.Client.Search(s.Context(), typ, []string{"id", "name", "is_active", "last_modified", "crontab_expression", "service_name", "runtime"}, map[string]any{})
		if err != nil {
			s.T.Fatal(err)
		}
		all[typ] = rows
	}
	return all
}

// writes returns the writes that a server saw since the log was empty.
func writes(s *acctest.Server) (all []string) {
	for _, r := range s.Simulator.Requests() {
		if r.Method != "GET" && r.Path != "/rest/search" {
			all = append(all, fmt.Sprintf("%s %s %d", r.Method, r.Path, r.Entries))
		}
	}
	return all
}

// planned returns the addresses that a plan changes, with what it does to each.
func planned(out string) (all []string) {
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "# ") && (strings.Contains(line, " will be ") || strings.Contains(line, " must be ")) {
			all = append(all, strings.TrimPrefix(line, "# "))
		}
	}
	return all
}

// withoutLine returns the configuration of a workspace without the line that sets an argument.
func withoutLine(w *acctest.Workspace, argument string) string {
	w.T.Helper()
	content := tree(w.T, w.Dir)["main.tf"]
	return strings.Join(slices.DeleteFunc(strings.SplitAfter(content, "\n"), func(line string) bool { return strings.Contains(line, argument) }), "")
}

// A workflow that is changed on one server is a plan on another which shows that change and
// nothing else, and an apply that leaves alone what the other server has of its own.
func TestExport_promotion(t *testing.T) {
	t.Parallel()
	dev, w := newSource(t)
	fillDev(dev)
	prod := acctest.NewServerWith(t, "simulator", simulator.Options{})
	for _, name := range []string{"prod-1", "prod-2"} {
		prod.Put("device", enms.Object{"name": name})()
	}
	prod.Put("pool", enms.Object{"name": "prod devices", "manually_defined": true, "devices": []string{"prod-1", "prod-2"}})()
	prod.Put("credential", enms.Object{"name": "datacenter", "username": "dc"})()
	prod.Put("group", enms.Object{"name": "operators", "menu": []string{}, "pages": []string{}, "get_requests": []string{}, "post_requests": []string{}, "delete_requests": []string{}})()

	root := w.In(filepath.Join(w.Dir, "prod"), prod)
	promote := func() (out string) {
		t.Helper()
		if err := os.RemoveAll(filepath.Join(w.Dir, "dev")); err != nil {
			t.Fatal(err)
		}
		exports(dev, w, "-modules", "-workflow", "Site check", filepath.Join(w.Dir, "dev"))
		get(root)
		prod.Simulator.ResetRequests()
		code, out := root.Run("plan", "-no-color", "-out=plan")
		if code != 0 {
			t.Fatalf("plan ended with %d:\n%s", code, out)
		}
		prod.NoWrites()
		return out
	}
	apply := func() {
		t.Helper()
		if code, out := root.Run("apply", "-no-color", "plan"); code != 0 {
			t.Fatalf("apply ended with %d:\n%s", code, out)
		}
	}
	if err := os.MkdirAll(root.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	root.Configure(prodRoot)
	promote()
	if files := tree(t, filepath.Join(w.Dir, "dev")); strings.Contains(files["main.tf"]+files["tasks.tf"], "of the other") {
		t.Error("a task of another workflow is exported")
	}
	exported := w.In(filepath.Join(w.Dir, "dev"), dev)
	get(exported)
	plansImports(exported)
	apply()
	root.PlanNothing()
	if workflow := prod.Get("service", "Site check"); fmt.Sprint(workflow["rbac_run"]) != "[operators]" {
		t.Errorf("the workflow may be run by %v", workflow["rbac_run"])
	}
	if service := prod.Get("service", "[Site check] Compare"); fmt.Sprint(service["target_devices"]) != "[prod-1 prod-2]" {
		t.Errorf("the step runs on %v", service["target_devices"])
	}
	prod.Put("task", enms.Object{"name": "by hand", "service": "Site check", "frequency": 3600})()
	if _, err := runs.New(prod.Client).Start(prod.Context(), runs.Run{Service: "Site check", Name: "before the promotion"}); err != nil {
		t.Fatal(err)
	}
	before, ids := owned(prod), map[string]any{}
	for _, name := range siteCheck {
		ids[name] = prod.Get("service", name)["id"]
	}
	if len(before["run"]) == 0 || len(before["task"]) < 2 {
		t.Fatalf("there are %v", before)
	}
	untouched := func() {
		t.Helper()
		if after := owned(prod); !reflect.DeepEqual(after, before) {
			t.Errorf("what the server has of its own is\n%v, and was\n%v", after, before)
		}
	}

	if out := promote(); !strings.Contains(out, "No changes.") {
		t.Errorf("a promotion without a change plans\n%s", out)
	}

	dev.Put("python_snippet_service", enms.Object{"name": "[Site check] Compare", "source_code": hostileScript + "\nprint('changed')"})()
	out := promote()
	if all := planned(out); !slices.Equal(all, []string{"module.site_check.enms_service.compare will be updated in-place"}) || !strings.Contains(out, "Plan: 0 to add, 1 to change, 0 to destroy.") {
		t.Errorf("a changed step plans %q:\n%s", all, out)
	}
	apply()
	if sent := writes(prod); !slices.Equal(sent, []string{"POST /rest/instance/python_snippet_service 1"}) {
		t.Errorf("a changed step sends %q", sent)
	}
	untouched()
	if code := fmt.Sprint(prod.Get("service", "[Site check] Compare")["source_code"]); !strings.HasSuffix(code, "print('changed')") {
		t.Errorf("the code is\n%s", code)
	}

	dev.Drop("service", "[Site check] Compare")()
	root.Configure(withoutLine(root, "compare_target_devices")) // The module has no such variable any more.
	out = promote()
	if all := planned(out); !slices.Equal(all, []string{
		"module.site_check.enms_service.compare will be destroyed",
		`module.site_check.enms_workflow_edge.site_check["Compare -> Repair"] will be destroyed`,
		`module.site_check.enms_workflow_edge.site_check["Show version -> Compare"] will be destroyed`,
		"module.site_check.enms_workflow_layout.site_check will be updated in-place",
	}) {
		t.Errorf("a removed step plans %q:\n%s", all, out)
	}
	apply()
	untouched()
	if err := prod.Absent("service", "[Site check] Compare")(nil); err != nil {
		t.Error(err)
	}
	for _, name := range siteCheck {
		if name == "[Site check] Compare" {
			continue
		}
		if id := prod.Get("service", name)["id"]; id != ids[name] {
			t.Errorf("%s has the id %v, and had %v", name, id, ids[name])
		}
	}
	root.PlanNothing()
}

// Modules depend on the devices of a CSV file, to which nothing can refer, and are passed the
// secrets of their services.
func TestExport_modulesWithInventory(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	fillDev(s)
	s.Put("netmiko_commands_service", enms.Object{"name": "[Site check] Show version", "credentials": "custom", "custom_username": "x", "custom_password": "y", "jump_on_connect": true, "jump_username": "z"})()
	dir := filepath.Join(w.Dir, "export")
	files := exports(s, w, "-modules", "-inventory", "csv", dir)
	for _, held := range []string{`compare_target_devices = ["dev-1"]`, `depends_on = [enms_instances.devices]`, `secret_versions = var.secret_versions`} {
		if !strings.Contains(strings.Join(strings.Fields(files["main.tf"]), " "), held) {
			t.Errorf("main.tf does not hold\n%s\nbut\n%s", held, files["main.tf"])
		}
	}
	if with, without := files["modules/site_check/versions.tf"], files["modules/shared/versions.tf"]; !strings.Contains(with, `">= 1.11"`) || !strings.Contains(without, `">= 1.5"`) {
		t.Errorf("modules with and without secrets need\n%s\n%s", with, without)
	}
	exported := w.In(dir, s)
	get(exported)
	plansImports(exported)
	other := acctest.NewServerWith(t, "simulator", simulator.Options{})
	built := w.In(dir, other)
	const key = "site_check_service_show_version" // of both secrets of the service
	for _, held := range []string{"Key in `secret_versions`", "| `" + key + "_jump_password` | `" + key + "` | `jump_password` of "} {
		if !strings.Contains(files["README.md"], held) {
			t.Errorf("README.md does not hold %q, but\n%s", held, files["README.md"])
		}
	}
	built.Environment = append(built.Environment, "TF_VAR_"+key+"_custom_password=hidden", "TF_VAR_"+key+"_jump_password=hidden",
		"TF_VAR_secret_versions={ "+key+"_custom_password = 1 }")
	if code, out := built.Run("plan", "-no-color"); code == 0 || !strings.Contains(out, "A key is not one of those in README.md.") {
		t.Errorf("a key that is none: %d\n%s", code, out)
	}
	built.Environment = append(built.Environment, "TF_VAR_secret_versions={ "+key+" = 1 }")
	if err := os.Remove(filepath.Join(dir, "imports.tf")); err != nil {
		t.Fatal(err)
	}
	built.Apply(10)
	built.PlanNothing()
	if devices := fmt.Sprint(other.Get("service", "[Site check] Compare")["target_devices"]); devices != "[dev-1]" {
		t.Errorf("the step runs on %s", devices)
	}
}

// YAML files name what is in a module, after which the module that reads them comes. A module without variables has no file
// for them.
func TestExport_modulesWithYAML(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	s.Put("device", enms.Object{"name": "dev-1"})()
	s.Put("python_snippet_service", enms.Object{"name": "[Shared] Notify", "scoped_name": "Notify", "shared": true, "source_code": "print(1)"})()
	s.Put("task", enms.Object{"name": "notify", "service": "[Shared] Notify", "devices": []string{"dev-1"}})()
	files := exports(s, w, "-modules", "-inventory", "yaml", filepath.Join(w.Dir, "export"))
	if !strings.Contains(files["inventory.tf"], "depends_on   = [module.shared]\n") || files["enms/tasks/notify.yaml"] == "" {
		t.Errorf("inventory.tf is\n%s", files["inventory.tf"])
	}
	if _, has := files["modules/shared/variables.tf"]; has {
		t.Error("there is a file for no variables")
	}
}
