// This file edits servers that were exported, exports them again into the code that people
// have edited meanwhile, and looks at what changes in it.

package export_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
)

// A second export of an unchanged server changes nothing, whatever the server holds.
func TestExport_again(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	fillHostile(s)
	for _, args := range [][]string{nil, {"-inventory", "csv"}} {
		dir := filepath.Join(t.TempDir(), "export")
		before := exports(s, w, append(args, dir)...)
		for n, check := range [][]string{{"-check"}, nil, nil} {
			if n == 2 { // nothing tells what has changed, so that all is compared
				for _, name := range []string{".enms-export.json", ".gitattributes"} {
					if err := os.Remove(filepath.Join(dir, name)); err != nil {
						t.Fatal(err)
					}
				}
			}
			code, out := export(s, w, slices.Concat(args, check, []string{dir})...)
			if code != 0 {
				t.Errorf("%q: the second export ended with %d:\n%s", args, code, out)
			}
			for name, content := range tree(t, dir) {
				if content != before[name] {
					t.Errorf("%q: %s is\n%s\nand was\n%s", args, name, content, before[name])
				}
			}
		}
		if after := tree(t, dir); !slices.Equal(slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before))) {
			t.Errorf("there are %v", slices.Sorted(maps.Keys(after)))
		}
	}
}

// script is long enough to be a file of its own.
const script = "results = {}\n# 2\n# 3\n# 4\n# 5\n# 6\n# 7\n# 8\n# 9\n# 10\n# 11\nresults['success'] = True\n"

// putOn returns a function that creates or changes an object of a server.
func putOn(s *acctest.Server) func(typ string, payload enms.Object) {
	return func(typ string, payload enms.Object) {
		s.T.Helper()
		if err := s.Client.Upsert(s.Context(), enms.Type{Name: typ}, payload); err != nil {
			s.T.Fatalf("%s %v: %v", typ, payload["name"], err)
		}
	}
}

// removeFrom returns a function that deletes an object of a server.
func removeFrom(s *acctest.Server) func(typ, name string) {
	return func(typ, name string) {
		s.T.Helper()
		if _, err := s.Client.Delete(s.Context(), typ, name); err != nil {
			s.T.Fatal(err)
		}
	}
}

// fillSmall puts a small network with a workflow onto a server.
func fillSmall(s *acctest.Server) {
	put := putOn(s)
	for n, name := range []string{"Austin", "Boston", "Chicago", "Dallas"} {
		put("device", enms.Object{"name": name, "ip_address": fmt.Sprintf("10.0.0.%d", n+1), "location": name, "vendor": "Cisco", "model": "N9K"})
	}
	put("link", enms.Object{"name": "A - B", "source": "Austin", "destination": "Boston"})
	put("pool", enms.Object{"name": "Texas", "device_location": "Austin|Dallas", "device_location_match": "regex"})
	put("pool", enms.Object{"name": "by hand", "manually_defined": true, "devices": []string{"Austin", "Boston"}})
	put("workflow", enms.Object{"name": "Site check", "scoped_name": "Site check", "description": "looks at a site"})
	for n, own := range []string{"Show version", "Parse", "Report"} {
		typ, fields := "python_snippet_service", enms.Object{"source_code": script}
		if n == 0 {
			typ, fields = "netmiko_commands_service", enms.Object{"commands": "show version", "driver": "cisco_ios"}
		}
		maps.Copy(fields, enms.Object{"name": "[Site check] " + own, "scoped_name": own, "workflows": []string{"Site check"}, "positions": map[string]any{"Site check": []any{100 * n, 50}}})
		put(typ, fields)
	}
	edge := func(name, from, to, subtype string) {
		put("workflow_edge", enms.Object{"name": name, "workflow": "Site check", "source": from, "destination": to, "subtype": subtype})
	}
	edge("e1", "[Shared] Start", "[Site check] Show version", "success")
	edge("e2", "[Site check] Show version", "[Site check] Parse", "success")
	edge("e3", "[Site check] Parse", "[Site check] Report", "success")
	edge("e4", "[Site check] Report", "[Shared] End", "success")
	put("task", enms.Object{"name": "nightly", "service": "Site check", "devices": []string{"Austin"}, "pools": []string{"by hand"}, "scheduling_mode": "cron", "crontab_expression": "0 2 * * 1"})
}

// blocksOnALine match blocks that a difference shows in a line each: imports, and what is no longer managed.
var blocksOnALine = []*regexp.Regexp{regexp.MustCompile(`(import) \{\n {2}to = (\S.*)\n {2}id = (.*)\n\}\n(?:\n|\z)`),
	regexp.MustCompile(`(removed) \{\n {2}from = (.*)\n\n {2}lifecycle \{\n {4}(destroy = false)\n {2}\}\n\}\n(?:\n|\z)`)}

// difference returns the lines that are in one of two trees only, file by file, and of scripts whether they are script.
// Files that only tell about the others are left out.
func difference(before, after map[string]string) string {
	var b strings.Builder
	linesOf := func(text string) []string {
		for _, block := range blocksOnALine {
			text = block.ReplaceAllString(text, "$1 $2 $3\n")
		}
		return strings.SplitAfter(text, "\n")
	}
	names := slices.Sorted(maps.Keys(after))
	for name := range before {
		if _, is := after[name]; !is {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if before[name] == after[name] || slices.Contains([]string{"report.json", "README.md", ".enms-export.json"}, name) || strings.HasPrefix(name, ".terraform") || strings.HasPrefix(name, "terraform.tfstate") {
			continue
		}
		fmt.Fprintf(&b, "%s\n", name)
		if was, is := before[name], after[name]; strings.HasSuffix(name, ".py") && (is == "" || was == "" && is == script) {
			fmt.Fprintf(&b, "%s\n", map[bool]string{true: "-all", false: "+script"}[is == ""])
			continue
		}
		x, y := linesOf(before[name]), linesOf(after[name])
		longest := make([][]int, len(x)+1) // common subsequences of what begins at two lines
		for i := range longest {
			longest[i] = make([]int, len(y)+1)
		}
		for i := len(x) - 1; i >= 0; i-- {
			for j := len(y) - 1; j >= 0; j-- {
				if longest[i][j] = max(longest[i+1][j], longest[i][j+1]); x[i] == y[j] {
					longest[i][j] = longest[i+1][j+1] + 1
				}
			}
		}
		for i, j := 0, 0; i < len(x) || j < len(y); {
			switch {
			case i < len(x) && j < len(y) && x[i] == y[j]:
				i, j = i+1, j+1
			case j == len(y) || i < len(x) && longest[i+1][j] >= longest[i][j+1]:
				b.WriteString("-" + strings.TrimSuffix(x[i], "\n") + "\n")
				i++
			default:
				b.WriteString("+" + strings.TrimSuffix(y[j], "\n") + "\n")
				j++
			}
		}
	}
	return b.String()
}

// noChange matches a plan that changes nothing on the server.
var noChange = regexp.MustCompile(`No changes\.|Plan: (\d+ to import, )?0 to add, 0 to change, 0 to destroy\.`)

// onlyLayout matches a plan that changes a layout and nothing else.
var onlyLayout = regexp.MustCompile(`(?s)  # (?:module\.\w+\.)?enms_(workflow|network)_layout\.\w+ will be updated in-place.*Plan: (\d+ to import, )?0 to add, 1 to change, 0 to destroy\.`)

// onlyTables matches a plan that changes resources with many instances and nothing else.
var onlyTables = regexp.MustCompile(`(?s)  # enms_instances\.\w+ will be updated in-place.*Plan: 0 to add, [12] to change, 0 to destroy\.`)

// edit changes a file of a directory.
func edit(t *testing.T, dir, name, old, replacement string) {
	t.Helper()
	path := filepath.Join(dir, name)
	content, err := os.ReadFile(path)
	if err != nil || strings.Count(string(content), old) != 1 {
		t.Fatalf("%s holds %q %d times, not once (%v):\n%s", name, old, strings.Count(string(content), old), err, content)
	}
	writeIn(t, dir, name, strings.Replace(string(content), old, replacement, 1))
}

// writeIn writes a file of a directory.
func writeIn(t *testing.T, dir, name, content string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What is edited on a server is edited in the code, and nothing else. People have edited the
// code as well: their comments, their formatting and their expressions stay.
func TestExport_back(t *testing.T) {
	t.Parallel()
	s, exported := exportedSmall(t)
	dir := exported.Dir
	for _, e := range [][3]string{
		{"devices.tf", `resource "enms_device" "austin"`, "locals {\n  vendor = \"Cisco\"\n}\n\ndata \"enms_device\" \"austin\" {\n  name = \"Austin\"\n}\n\n# The core router.\nresource \"enms_device\" \"austin\""},
		{"devices.tf", `  location   = "Austin"`, "  location   = \"Austin\" # ticket 7"},
		{"devices.tf", "  ip_address = \"10.0.0.2\"\n  vendor     = \"Cisco\"\n", "  # by hand\n  ip_address=\"10.0.0.2\"\n  vendor=local.vendor\n"},
		{"devices.tf", "  model      = \"N9K\"\n  location   = \"Chicago\"\n", "  model      = data.enms_device.austin.model\n"},
		{"devices.tf", "  model      = \"N9K\"\n  location   = \"Dallas\"\n", "  model      = upper(\"n9k\")\n  location   = \"Dallas\"\n"},
		{"pools.tf", "[enms_device.austin.name, enms_device.boston.name]", "[\n    enms_device.austin.name, # first\n    enms_device.boston.name\n  ]"},
		{"workflow_site_check.tf", `{ commands = "show version", driver = "cisco_ios", parameterized_form = "" }`, "{\n    driver             = \"cisco_ios\"\n    parameterized_form = \"\"\n    # what is run\n    commands = \"show version\"\n  }"},
	} {
		edit(t, dir, e[0], e[1], e[2])
	}
	if out := exported.Plan(); !noChange.MatchString(out) {
		t.Fatalf("the plan of the code that people have edited is:\n%s", out)
	}
	play(s, exported, nil, backSteps)
}

// play has people edit a server step by step, and exports it after each step into the directory
// of a workspace, as args say.
func play(s *acctest.Server, exported *acctest.Workspace, args []string, steps []backStep) {
	t, dir := s.T, exported.Dir
	t.Helper()
	again := func(options ...string) (int, string) {
		t.Helper()
		return export(s, exported, slices.Concat(args, options, []string{dir})...)
	}
	put, remove := putOn(s), removeFrom(s)
	for _, step := range steps {
		step.edit(put, remove)
		before := tree(t, dir)
		if code, out := again("-check"); code != step.check() {
			t.Errorf("%s: export -check ended with %d:\n%s", step.name, code, out)
		}
		if changed := difference(before, tree(t, dir)); changed != "" {
			t.Errorf("%s: export -check has changed\n%s", step.name, changed)
		}
		code, out := again()
		if code != 0 {
			t.Fatalf("%s: export ended with %d:\n%s", step.name, code, out)
		}
		for _, said := range step.says {
			if !strings.Contains(out+tree(t, dir)["report.json"], said) {
				t.Errorf("%s: export does not say %s, but\n%s\n%s", step.name, said, out, tree(t, dir)["report.json"])
			}
		}
		if have := difference(before, tree(t, dir)); have != step.difference {
			t.Errorf("%s: the difference is\n%s\nand not\n%s\n%s", step.name, have, step.difference, out)
		}
		if code, out := again("-check"); code != 0 {
			t.Errorf("%s: export -check ended with %d after the export:\n%s", step.name, code, out)
		}
		if step.differs {
			continue
		}
		s.Simulator.ResetRequests()
		out = exported.Apply(10)
		if step.layout { // a layout writes positions that are new to it, although they are there
			out = onlyLayout.ReplaceAllString(out, "No changes.")
		}
		if step.table {
			out = onlyTables.ReplaceAllString(out, "No changes.")
			s.NoWrites()
			exported.PlanNothing()
		}
		if !noChange.MatchString(out) {
			t.Errorf("%s: the plan is\n%s", step.name, out)
		}
	}
}

// A module of people's own is left alone, even beside those of exports: an object that they have moved into it is not
// written again, and lists keep the reference that they have written to it.
func TestExport_ownModule(t *testing.T) {
	t.Parallel()
	s, w := exportedSmall(t)
	dir := w.Dir
	const block = "resource \"enms_device\" \"boston\" {\n  name       = \"Boston\"\n  ip_address = \"10.0.0.2\"\n  vendor     = \"Cisco\"\n  model      = \"N9K\"\n  location   = \"Boston\"\n}\n"
	if err := os.MkdirAll(filepath.Join(dir, "modules", "own"), 0o700); err != nil {
		t.Fatal(err)
	}
	writeIn(t, dir, "modules/own/main.tf", "terraform {\n  required_providers {\n    enms = { source = \"terraform-provider-enms/enms\" }\n  }\n}\n\n"+block)
	writeIn(t, dir, "own.tf", "module \"own\" {\n  source = \"./modules/own\"\n}\n\nmoved {\n  from = enms_device.boston\n  to   = module.own.enms_device.boston\n}\n")
	edit(t, dir, "devices.tf", block+"\n", "")
	edit(t, dir, "pools.tf", "enms_device.boston.name", "module.own.boston")
	edit(t, dir, "links.tf", "enms_device.boston.name", "module.own.boston")
	put, before := putOn(s), tree(t, dir)
	put("pool", enms.Object{"name": "by hand", "devices": []string{"Boston", "Dallas"}})
	const want = "pools.tf\n-  devices = [enms_device.austin.name, module.own.boston]\n+  devices = [enms_device.dallas.name, module.own.boston]\n"
	if have := difference(before, exports(s, w, dir)); have != want {
		t.Errorf("the difference is\n%s", have)
	}
}

// Most devices of a site have empty properties of its own: they are rows nevertheless, and nothing is planned for them.
func TestExport_emptyCells(t *testing.T) {
	t.Parallel()
	s, w := newSource(t, simulator.Options{CustomProperties: true})
	put := putOn(s)
	property, other := model.CustomProperties["device"][0], model.CustomProperties["device"][1]
	for name, value := range map[string]string{"Austin": "", "Boston": "Rome"} {
		put("device", enms.Object{"name": name, "ip_address": "10.0.0.1", property: value})
	}
	dir := filepath.Join(w.Dir, "export")
	again := func(csv string) {
		t.Helper()
		if have := exports(s, w, "-inventory", "csv", dir)["devices.csv"]; have != csv {
			t.Errorf("devices.csv is %q, and not %q", have, csv)
		}
	}
	header := "name," + property + ",ip_address," + other + "\n"
	again(header + "Austin,,10.0.0.1,\nBoston,Rome,10.0.0.1,\n")
	if report := tree(t, dir)["report.json"]; strings.Count(report, "another server gives "+property) != 1 {
		t.Errorf("the report does not say once that another server may have a default:\n%s", report)
	}
	exported := w.InModel(dir, s)
	exported.Apply(10)
	exported.PlanNothing()
	put("device", enms.Object{"name": "Austin", property: "Oslo"})
	put("device", enms.Object{"name": "Boston", property: ""})
	again(header + "Austin,Oslo,10.0.0.1,\nBoston,,10.0.0.1,\n")
	if out := exported.Apply(10); !noChange.MatchString(onlyTables.ReplaceAllString(out, "No changes.")) {
		t.Errorf("the plan is\n%s", out)
	}
	exported.PlanNothing()
	if device := s.Get("device", "Boston"); device[property] != "" {
		t.Errorf("the device is %v", device)
	}
}
