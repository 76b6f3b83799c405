// This file exports servers again from which objects are gone, into code that people have
// edited.

package export_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// exportedSmall exports the small network into a directory and imports it.
func exportedSmall(t *testing.T, args ...string) (*acctest.Server, *acctest.Workspace) {
	t.Helper()
	s, w := newSource(t)
	fillSmall(s)
	dir := filepath.Join(w.Dir, "export")
	exports(s, w, append(args, dir)...)
	exported := w.InModel(dir, s)
	if slices.Contains(args, "-modules") {
		get(exported)
	}
	exported.Apply(10)
	return s, exported
}

// removeStep deletes a device, a step of the workflow with its edges, and the task.
func removeStep(_ func(string, enms.Object), remove func(string, string)) {
	remove("task", "nightly")
	remove("service", "[Site check] Report")
	remove("device", "Dallas")
}

// With -gone keep, the code keeps what is gone, and each export says so.
func TestExport_goneKeep(t *testing.T) {
	t.Parallel()
	s, exported := exportedSmall(t)
	kept := []string{"enms_device.dallas", "enms_service.report", "enms_task.nightly", `enms_workflow_edge.site_check[\"Report -> End\"]`}
	for n, address := range kept {
		kept[n] = address + "\",\n      \"what\": \"The server no longer has it. It is kept, as -gone keep says.\""
	}
	play(s, exported, []string{"-gone", "keep"}, []backStep{
		{name: "a task, a step and a device are removed", edit: removeStep, differs: true, says: kept},
		{name: "nothing", edit: func(func(string, enms.Object), func(string, string)) {}, differs: true, quiet: true, says: kept},
		{
			name: "a device is made anew: its block makes room for that of the new one",
			edit: func(put func(string, enms.Object), remove func(string, string)) {
				remove("device", "Chicago")
				put("device", enms.Object{"name": "Chicago", "ip_address": "10.0.0.9"})
			},
			differs: true, says: kept,
			difference: `devices.tf
-resource "enms_device" "chicago" {
+resource "enms_device" "chicago_0f5d98" {
-  ip_address = "10.0.0.3"
-  vendor     = "Cisco"
-  model      = "N9K"
-  location   = "Chicago"
+  ip_address = "10.0.0.9"
imports.tf
-import enms_device.chicago "Chicago"
+import enms_device.chicago_0f5d98 "Chicago"
`,
		},
	})
}

// A layout in which nothing is drawn any longer goes, and keeps no device that is gone.
func TestExport_layoutEmptied(t *testing.T) {
	t.Parallel()
	s, exported := exportedSmall(t)
	put := putOn(s)
	put("network", enms.Object{"name": "Backbone", "nodes": []string{"Dallas"}})
	put("device", enms.Object{"name": "Dallas", "positions": map[string]any{"Backbone": []any{1, 2}}})
	if files := exports(s, exported, exported.Dir); !strings.Contains(files["networks.tf"], `"enms_network_layout"`) {
		t.Fatalf("networks.tf is\n%s", files["networks.tf"])
	}
	exported.Apply(10)
	removeFrom(s)("device", "Dallas")
	if files := exports(s, exported, exported.Dir); strings.Contains(files["networks.tf"], `"enms_network_layout"`) || strings.Contains(files["devices.tf"], "Dallas") {
		t.Errorf("networks.tf is\n%s\nand devices.tf\n%s\n%s", files["networks.tf"], files["devices.tf"], files["report.json"])
	}
	exported.Apply(10)
	exported.PlanNothing()
}

// An export as modules is merged like one without: what people have edited stays. The options of
// the first export are used again.
func TestExport_modulesAgain(t *testing.T) {
	t.Parallel()
	s, exported := exportedSmall(t, "-modules")
	edit(t, exported.Dir, "modules/site_check/main.tf", `resource "enms_service" "parse" {`, "# Reads what the devices say.\nresource \"enms_service\" \"parse\" {")
	edit(t, exported.Dir, "modules/site_check/main.tf", `driver = "cisco_ios"`, `driver = lower("CISCO_IOS")`)
	play(s, exported, nil, []backStep{
		{
			name: "a step is renamed, another one is new, and a device is changed", layout: true,
			edit: func(put func(string, enms.Object), _ func(string, string)) {
				put("python_snippet_service", enms.Object{"name": "[Site check] Parse", "new_name": "[Site check] Read", "scoped_name": "Read"})
				put("python_snippet_service", enms.Object{"name": "[Site check] Notify", "scoped_name": "Notify", "workflows": []string{"Site check"}, "source_code": "results = {}"})
				put("device", enms.Object{"name": "Austin", "port": 23})
			},
			difference: `devices.tf
+  port       = 23
imports.tf
-import module.site_check.enms_service.parse "[Site check] Parse"
+import module.site_check.enms_service.parse "[Site check] Read"
+import module.site_check.enms_service.notify "[Site check] Notify"
modules/site_check/main.tf
-  name       = "[${enms_service.site_check.name}] Parse"
+  name       = "[${enms_service.site_check.name}] Read"
+resource "enms_service" "notify" {
+  name       = "[${enms_service.site_check.name}] Notify"
+  type       = "python_snippet_service"
+  workflows  = [enms_service.site_check.name]
+  properties = { parameterized_form = "", source_code = "results = {}" }
+}
+
`,
		},
		{name: "nothing", edit: func(func(string, enms.Object), func(string, string)) {}, quiet: true},
	})
}

// With -check, the exit status says whether the directory would change, and nothing is written.
func TestExport_check(t *testing.T) {
	t.Parallel()
	s, exported := exportedSmall(t)
	before := tree(t, exported.Dir)
	elsewhere, unreachable := filepath.Join(t.TempDir(), "new"), *s
	unreachable.Password = "wrong"
	for _, c := range []struct {
		server *acctest.Server
		args   []string
		code   int
		says   string
	}{
		{s, []string{"-type", "link", exported.Dir}, 0, exported.Dir + " is up to date"}, // it says what is added, and not what stays
		{s, []string{elsewhere}, 2, "devices.tf would change"},
		{s, []string{"-modules", exported.Dir}, 1, "was exported without it"},
		{&unreachable, []string{exported.Dir}, 1, "Nothing was written to " + exported.Dir},
		{acctest.NewServerWith(t, "simulator", simulator.Options{}), []string{exported.Dir}, 1, "was exported from a server with another address"},
	} {
		if code, out := export(c.server, exported, append([]string{"-check"}, c.args...)...); code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("export -check %q ended with %d, and not with %d and %q:\n%s", c.args, code, c.code, c.says, out)
		}
	}
	if changed := difference(before, tree(t, exported.Dir)); changed != "" {
		t.Errorf("export -check has changed\n%s", changed)
	}
	if _, err := os.Stat(elsewhere); !os.IsNotExist(err) {
		t.Errorf("export -check has written %s: %v", elsewhere, err)
	}
	edit(t, exported.Dir, "pools.tf", `resource "enms_pool" "by_hand" {`, `resource "enms_pool" "by_hand" {{`)
	if code, out := export(s, exported, exported.Dir); code != 1 || !strings.Contains(out, "pools.tf") {
		t.Errorf("an export into code that is not valid ended with %d:\n%s", code, out)
	}
}

// What a user cannot read stays in the code: eNMS answers as if it were gone. A new export does not say that it
// does not exist.
func TestExport_hidden(t *testing.T) {
	t.Parallel()
	s, exported := exportedSmall(t)
	before := tree(t, exported.Dir)
	put := putOn(s)
	put("user", enms.Object{"name": "low", "password": "pw"})
	put("group", enms.Object{"name": "of low", "users": []string{"low"}, "menu": []string{}, "pages": []string{}, "delete_requests": []string{},
		"get_requests": []string{"/rest/instance", "/rest/query"}, "post_requests": []string{"/rest/search"}})
	low := *s
	low.User, low.Password = "low", "pw"
	for _, args := range [][]string{{exported.Dir}, {"-check", exported.Dir}, {"-gone", "removed", exported.Dir}} {
		if code, out := export(&low, exported, args...); code != 1 || !strings.Contains(out, "it was deleted, or this user cannot read it. Export as an administrator") {
			t.Errorf("export %v ended with %d:\n%s", args, code, out)
		}
	}
	if changed := difference(before, tree(t, exported.Dir)); changed != "" {
		t.Errorf("the export has changed\n%s", changed)
	}
	secondDir := filepath.Join(exported.Dir, "fresh")
	if code, out := export(&low, exported, secondDir); code != 0 {
		t.Fatalf("a new export ended with %d:\n%s", code, out)
	}
	said := tree(t, secondDir)["report.json"] // eNMS shows all edges to everybody
	if !strings.Contains(said, `"administrator": false`) || strings.Contains(said, "does not exist") || !strings.Contains(said, `workflow names the workflow \"Site check\", which is not exported: the server must have it.`) {
		t.Errorf("report.json says\n%s", said)
	}
}

// After a backup and restore, every id is another one, and on eNMS 4 nothing tells which objects these are. Until
// somebody says so, they are found by their names, also those that are alike, which changes nothing in the code; nothing
// counts as gone; and report.json says it once. Afterwards, what is renamed is known again.
func TestExport_restored(t *testing.T) {
	t.Parallel()
	s, exported := exportedSmall(t)
	put := putOn(s)
	for _, name := range []string{"twin 1", "twin 2", "twin 3"} {
		put("device", enms.Object{"name": name})
	}
	exports(s, exported, exported.Dir)
	before := tree(t, exported.Dir)
	s.Simulator.Restore(func(n int, swap func(i, j int)) {
		for i := range n - 1 {
			swap(i, i+1)
		}
	})
	removeFrom(s)("device", "twin 2")
	const other = "eNMS has another database than at the last export"
	for _, files := range []string{"0 changes of the code in 3 files", "0 changes of the code in 0 files"} {
		code, out := export(s, exported, exported.Dir)
		changed := difference(before, tree(t, exported.Dir))
		if report := tree(t, exported.Dir)["report.json"]; code != 0 || changed != "" || !strings.Contains(out, files) || strings.Count(out, other) != 1 || strings.Count(report, other) != 1 {
			t.Errorf("export ended with %d, and not with %q:\n%s\n%s\n%s", code, files, changed, out, report)
		}
	}
	code, out := export(s, exported, "-identify-by", "name", exported.Dir)
	if report := tree(t, exported.Dir)["report.json"]; code != 0 || strings.Contains(out+report, other) || !strings.Contains(out, "enms_device.twin_2 is gone") {
		t.Errorf("export -identify-by name ended with %d:\n%s\n%s", code, out, report)
	}
	put("device", enms.Object{"name": "Austin", "new_name": "AUS"})
	if code, out := export(s, exported, exported.Dir); code != 0 || strings.Contains(out, other) || !strings.Contains(out, `enms_device.austin: name = "AUS", which was "Austin"`) {
		t.Errorf("after a restore, a rename is not known:\n%s", out)
	}
}

// The record of an older export has neither types nor a mark. Objects that have their id and their name are known, and
// nothing is reported. Of others, nothing tells what became of them: their blocks stay, and report.json says so, until
// people write the new name into the block, or export with -identify-by name.
func TestExport_recordOfOlderExport(t *testing.T) {
	t.Parallel()
	s, exported := exportedSmall(t)
	older := func() {
		t.Helper()
		record := tree(t, exported.Dir)[".enms-export.json"]
		record = regexp.MustCompile(`(?s),\n {2}"mark": \{.*?\}`).ReplaceAllString(regexp.MustCompile(`"type":"\w+",`).ReplaceAllString(record, `"content":"0123456789",`), "")
		if strings.Contains(record, "mark") || !strings.Contains(record, "content") {
			t.Fatalf("the record is\n%s", record)
		}
		writeIn(t, exported.Dir, ".enms-export.json", record)
	}
	older()
	play(s, exported, nil, []backStep{{name: "nothing", edit: func(func(string, enms.Object), func(string, string)) {}}})
	older()
	putOn(s)("device", enms.Object{"name": "Austin", "new_name": "AUS"})
	for range 2 {
		code, out := export(s, exported, exported.Dir)
		files := tree(t, exported.Dir)
		if code != 0 || !strings.Contains(out, `Warning: enms_device.austin: "AUS" has the id that "Austin" had, and the changelog does not say why.`) || !strings.Contains(files["report.json"], "not_identified") ||
			!strings.Contains(files["devices.tf"], `"Austin"`) || !strings.Contains(files["pools.tf"], `["AUS", enms_device.boston.name]`) {
			t.Errorf("export ended with %d:\n%s\n%s\n%s", code, out, files["devices.tf"], files["pools.tf"])
		}
	}
	edit(t, exported.Dir, "devices.tf", `"Austin"
  ip_address`, `"AUS"
  ip_address`)
	files := exports(s, exported, exported.Dir)
	if strings.Contains(files["report.json"], "not_identified") || !strings.Contains(files["pools.tf"], "[enms_device.austin.name, enms_device.boston.name]") {
		t.Errorf("report.json is\n%s\nand pools.tf\n%s", files["report.json"], files["pools.tf"])
	}
}

// A group that reads everything is in the list of no object, whether eNMS has added it beside others before the first
// export or later, because somebody has written the object: in blocks, in modules, in CSV files, and with -workflow,
// which reads no groups. The first plan changes nothing, although the states have the group.
func TestExport_groupsThatReadEverything(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"blocks": nil, "modules": {"-modules"}, "CSV": {"-inventory", "csv"}, "workflow": {"-workflow", "W"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, w := newSource(t)
			put := putOn(s)
			put("group", enms.Object{"name": "some"})
			put("workflow", enms.Object{"name": "W", "scoped_name": "W", "rbac_read": []string{"some"}})
			put("python_snippet_service", enms.Object{"name": "[W] later", "scoped_name": "later", "workflows": []string{"W"}, "rbac_read": []string{"some"}, "source_code": "a"})
			put("device", enms.Object{"name": "later", "rbac_read": []string{"some"}})
			put("device", enms.Object{"name": "later alone"})
			put("group", enms.Object{"name": "readers", "force_read_access": true})
			put("device", enms.Object{"name": "alone"})
			put("device", enms.Object{"name": "both", "rbac_read": []string{"some"}})
			put("python_snippet_service", enms.Object{"name": "[W] both", "scoped_name": "both", "workflows": []string{"W"}, "rbac_read": []string{"some"}})
			dir := filepath.Join(w.Dir, "export")
			before := exports(s, w, append(args, dir)...)
			exported := w.InModel(dir, s)
			get(exported)
			if out := exported.Apply(10); !strings.Contains(out, "0 to add, 0 to change, 0 to destroy") {
				t.Errorf("the first plan is\n%s", out)
			}
			for file, content := range before {
				isCode := strings.HasSuffix(file, ".tf") || strings.HasSuffix(file, ".csv")
				if isCode && file != "access.tf" && file != "imports.tf" && strings.Contains(content, "readers") {
					t.Errorf("%s is\n%s", file, content)
				}
			}
			put("device", enms.Object{"name": "later", "vendor": "Cisco"})
			put("device", enms.Object{"name": "later alone", "vendor": "Cisco"})
			put("service", enms.Object{"name": "[W] later", "source_code": "b"})
			if changed := difference(before, exports(s, exported, append(args, dir)...)); strings.Contains(changed, "readers") || strings.Contains(changed, "depends_on") || !strings.Contains(changed, `source_code = "b"`) {
				t.Errorf("the second export has changed\n%s", changed)
			}
			get(exported)
			exported.Apply(10)
			exported.PlanNothing()
		})
	}
}

// stepMoves moves a step and a task to another workflow.
func stepMoves(s *acctest.Server) {
	put, remove := putOn(s), removeFrom(s)
	remove("workflow_edge", "e2")
	remove("workflow_edge", "e3")
	put("workflow", enms.Object{"name": "Other", "scoped_name": "Other"})
	put("service", enms.Object{"name": "[Site check] Parse", "scoped_name": "Parse", "new_name": "[Other] Parse", "workflows": []string{"Other"}})
	put("task", enms.Object{"name": "nightly", "service": "Other"})
}

// A step that moves to another workflow, whose module is another one, leaves no block behind, and nor does a task. It keeps
// the label that people have given to it. A reference of their own keeps the block, and each export says so until they take
// it out.
func TestExport_modulesMove(t *testing.T) {
	t.Parallel()
	s, exported := exportedSmall(t, "-modules")
	const main, own = "modules/site_check/main.tf", "modules/site_check/own.tf"
	code := strings.NewReplacer(`"enms_service" "parse"`, `"enms_service" "ours"`, "enms_service.parse.", "enms_service.ours.").Replace(tree(t, exported.Dir)[main])
	writeIn(t, exported.Dir, main, code)
	edit(t, exported.Dir, "imports.tf", "module.site_check.enms_service.parse", "module.site_check.enms_service.ours")
	const moved = "moved {\n  from = enms_service.parse\n  to   = enms_service.ours\n}\n"
	writeIn(t, exported.Dir, own, moved+"\noutput \"ours\" {\n  value = enms_service.ours.name\n}\n")
	stepMoves(s)
	for range 2 {
		files := exports(s, exported, exported.Dir)
		if strings.Count(files[main], "ours") != 1 || !strings.Contains(files["report.json"], "output ours in "+own+" refers to it") {
			t.Fatalf("the module is\n%s\nand the report\n%s", files[main], files["report.json"])
		}
	}
	writeIn(t, exported.Dir, own, moved)
	files := exports(s, exported, exported.Dir)
	if strings.Contains(files[main], "ours") || strings.Contains(files["report.json"], "refers to it") || !strings.Contains(files["modules/other/main.tf"], `"ours"`) {
		t.Errorf("the modules are\n%s\nand\n%s, and the report\n%s", files[main], files["modules/other/main.tf"], files["report.json"])
	}
	get(exported)
	exported.Apply(10)
	exported.PlanNothing()
}

// A block of its own that people have given to an edge stays as it is, also in a module, and the diagram has the edge.
func TestExport_edgeWithBlockOfItsOwn(t *testing.T) {
	t.Parallel()
	for main, args := range map[string][]string{"workflow_site_check.tf": nil, "modules/site_check/main.tf": {"-modules"}} {
		s, exported := exportedSmall(t, args...)
		code := tree(t, exported.Dir)[main]
		entry := regexp.MustCompile(`(?s)\n {4}"Show version -> Parse" = \{(.*?)\n {4}\}`).FindStringSubmatch(code)
		if entry == nil {
			t.Fatalf("%s is\n%s", main, code)
		}
		writeIn(t, exported.Dir, main, strings.Replace(code, entry[0], "", 1))
		writeIn(t, exported.Dir, path.Join(path.Dir(main), "own.tf"), `resource "enms_workflow_edge" "ours" {
  workflow = enms_service.site_check.name`+entry[1]+`
}

moved {
  from = enms_workflow_edge.site_check["Show version -> Parse"]
  to   = enms_workflow_edge.ours
}
`)
		before := tree(t, exported.Dir)
		for name, text := range exports(s, exported, exported.Dir) {
			if before[name] != text && (strings.HasSuffix(name, ".tf") || name == "README.md") {
				t.Errorf("%q changed %s to\n%s", args, name, text)
			}
		}
	}
}
