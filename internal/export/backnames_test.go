// This file exports servers again whose objects have exchanged names.

package export_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// namesMoveOn are versions, chains and exchanges of names.
var namesMoveOn = []struct {
	name string
	edit func(put func(string, enms.Object))
}{
	{"a new version of a device", func(put func(string, enms.Object)) {
		put("device", enms.Object{"name": "Austin", "new_name": "Austin old"})
		put("device", enms.Object{"name": "Austin", "ip_address": "10.1.1.1"})
	}},
	{"a chain", func(put func(string, enms.Object)) {
		put("device", enms.Object{"name": "Dallas", "new_name": "Denver"})
		put("device", enms.Object{"name": "Chicago", "new_name": "Dallas"})
	}},
	{"two exchange their names", func(put func(string, enms.Object)) {
		put("device", enms.Object{"name": "Boston", "new_name": "aside"})
		put("device", enms.Object{"name": "Denver", "new_name": "Boston"})
		put("device", enms.Object{"name": "aside", "new_name": "Denver"})
	}},
	{"a new version of the workflow", func(put func(string, enms.Object)) {
		put("workflow", enms.Object{"name": "Site check", "scoped_name": "Site check old", "new_name": "Site check old"})
		put("workflow", enms.Object{"name": "Site check", "scoped_name": "Site check", "description": "the second one"})
	}},
}

// Objects keep their addresses when their names move on to others, as blocks and as rows: a plan then
// changes nothing on the server, and nor does a second export.
func TestExport_namesMoveOn(t *testing.T) {
	t.Parallel()
	for _, inventory := range []string{"blocks", "csv"} {
		t.Run(inventory, func(t *testing.T) {
			t.Parallel()
			s, exported := exportedSmall(t, "-inventory", inventory)
			for _, step := range namesMoveOn {
				step.edit(putOn(s))
				code, said := export(s, exported, exported.Dir)
				if code != 0 {
					t.Fatalf("%s: export ended with %d:\n%s", step.name, code, said)
				}
				if inventory == "csv" && strings.Contains(step.name, "exchange") {
					const renames = `renames = { "Boston" = "Denver", "Denver" = "Boston" }`
					if !strings.Contains(said, renames) {
						t.Errorf("the export does not say %s:\n%s", renames, said)
					}
					edit(t, exported.Dir, "devices.tf", "  type = \"device\"\n", "  type = \"device\"\n  "+renames+"\n")
					exported.Apply(10)
					edit(t, exported.Dir, "devices.tf", "  "+renames+"\n", "")
				}
				s.Simulator.ResetRequests()
				out := exported.Apply(10)
				s.NoWrites()
				out = onlyLayout.ReplaceAllString(out, "No changes.") // which takes the new name of its workflow
				if inventory == "csv" {
					out = onlyTables.ReplaceAllString(out, "No changes.")
				}
				if !noChange.MatchString(out) {
					t.Errorf("%s: the plan is\n%s", step.name, out)
				}
				exported.PlanNothing()
				if code, out := export(s, exported, "-check", exported.Dir); code != 0 {
					t.Errorf("%s: the second export ended with %d:\n%s", step.name, code, out)
				}
			}
		})
	}
}

// newVersion makes a new version of the workflow of fillSmall, as designers do: the old one gets another name, and the new
// one has a step less and a step that was changed. The task stays with the old one.
func newVersion(s *acctest.Server) {
	put := putOn(s)
	put("workflow", enms.Object{"name": "Site check", "scoped_name": "Site check old", "new_name": "Site check old"})
	put("workflow", enms.Object{"name": "Site check", "scoped_name": "Site check"})
	step := func(typ, own string, fields enms.Object) {
		maps.Copy(fields, enms.Object{"name": "[Site check] " + own, "scoped_name": own, "workflows": []string{"Site check"}})
		put(typ, fields)
	}
	step("netmiko_commands_service", "Show version", enms.Object{"commands": "show version", "driver": "cisco_xr"})
	step("python_snippet_service", "Parse", enms.Object{"source_code": script})
	for _, ends := range [][2]string{{"[Shared] Start", "[Site check] Show version"}, {"[Site check] Show version", "[Site check] Parse"}, {"[Site check] Parse", "[Shared] End"}} {
		put("workflow_edge", enms.Object{"name": ends[0] + ends[1], "workflow": "Site check", "source": ends[0], "destination": ends[1], "subtype": "success"})
	}
}

// The blocks of a workflow follow it when designers make a new version, which is new code. With -identify-by name, they
// stay with the name, so that they show what the new version changes, and the old one is new code. Either way, the next
// export of the unchanged server changes nothing.
func TestExport_newVersion(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args, again []string
		file        string   // that has the workflow
		same        bool     // it has the same steps and edges as before
		has         []string // what is in its file
		new         string   // the file of what is new code
	}{
		"by id":               {nil, nil, "workflow_site_check.tf", true, []string{`= "Site check old"`, `"enms_service" "report"`}, "workflow_site_check_b9cb29.tf"},
		"by name":             {nil, []string{"-identify-by", "name"}, "workflow_site_check.tf", false, []string{`= "Site check"`, `"cisco_xr"`}, "workflow_site_check_old.tf"},
		"by name, recorded":   {[]string{"-identify-by", "name"}, nil, "workflow_site_check.tf", false, []string{`= "Site check"`, `"cisco_xr"`}, "workflow_site_check_old.tf"},
		"modules, by id":      {[]string{"-modules"}, nil, "modules/site_check/main.tf", true, []string{`= "Site check old"`, `"enms_service" "report"`}, "modules/site_check_2/main.tf"},
		"modules, by name":    {[]string{"-modules"}, []string{"-identify-by=name"}, "modules/site_check/main.tf", false, []string{`= "Site check"`, `"cisco_xr"`}, "modules/site_check_old/main.tf"},
		"a workflow, by id":   {[]string{"-modules", "-workflow", "Site check"}, nil, "modules/site_check/main.tf", true, []string{`= "Site check old"`}, "modules/site_check_2/main.tf"},
		"a workflow, by name": {[]string{"-modules", "-workflow", "Site check"}, []string{"-identify-by=name"}, "modules/site_check/main.tf", false, []string{`= "Site check"`, `"cisco_xr"`}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, exported := exportedSmall(t, c.args...)
			before := tree(t, exported.Dir)
			edges := func(files map[string]string) string {
				_, after, _ := strings.Cut(files[c.file], `resource "enms_workflow_edge"`)
				block, _, _ := strings.Cut(after, "\n}\n")
				return block
			}
			newVersion(s)
			code, out := export(s, exported, append(slices.Clone(c.again), exported.Dir)...)
			files := tree(t, exported.Dir)
			said := "export ended with " + out + "\n" + files["main.tf"] + "\n" + files[c.file] + "\n" + files[c.new]
			if code != 0 || strings.Contains(out, "Warning") || (edges(before) == edges(files)) != c.same {
				t.Errorf("the edges were\n%s\nand are\n%s\n%s", edges(before), edges(files), said)
			}
			for _, want := range c.has {
				if !strings.Contains(files[c.file], want) {
					t.Errorf("%s does not have %s\n%s", c.file, want, said)
				}
			}
			if hasReport := strings.Contains(files[c.file], `"report"`); hasReport != c.same || c.new != "" && files[c.new] == "" || strings.Contains(joined(files), `"enms_task" "tasks[`) {
				t.Errorf("the code is\n%s", said)
			}
			if to := `from = module.site_check.enms_task.tasks["nightly"]`; name == "a workflow, by name" && (!strings.Contains(files["tasks.tf"], `"enms_task" "nightly"`) || !strings.Contains(files["moved.tf"], to)) {
				t.Errorf("the task is not in the root:\n%s\n%s\n%s", files["tasks.tf"], files["moved.tf"], said)
			}
			if code, out := export(s, exported, append(slices.Clone(c.again), "-check", exported.Dir)...); code != 0 {
				t.Errorf("the second export ended with %d:\n%s", code, out)
			}
		})
	}
}

// Each long text has a file of its own, whatever the names of its object and of its field are: also when a
// step has been renamed, so that it keeps its file, and another one has its old name.
func TestExport_eachTextHasItsFile(t *testing.T) {
	t.Parallel()
	s, w := newSource(t)
	put, dir := putOn(s), filepath.Join(w.Dir, "export")
	step := func(own, what string) {
		put("python_snippet_service", enms.Object{"name": "[Check] " + own, "scoped_name": own, "workflows": []string{"Check"}, "source_code": script + "# source of " + what + "\n", "preprocessing": script + "# preprocessing of " + what + "\n"})
	}
	put("workflow", enms.Object{"name": "Check", "scoped_name": "Check"})
	step("Parse", "the first")
	step("Parse preprocessing", "another")
	texts := map[string]string{} // by the names of their files
	check := func(want int) {
		t.Helper()
		files, different := exports(s, w, dir), map[string]bool{}
		for name, text := range texts {
			if files[name] != text {
				t.Errorf("%s was %q and is %q", name, text, files[name])
			}
		}
		for name, text := range files {
			if strings.HasPrefix(name, "code/") {
				texts[name], different[text] = text, true
				if n := strings.Count(files["workflow_check.tf"], `"${path.module}/`+name+`"`); n != 1 {
					t.Errorf("%s is read %d times", name, n)
				}
			}
		}
		if len(texts) != want || len(different) != want {
			t.Errorf("there are %d files with %d texts, and not %d", len(texts), len(different), want)
		}
	}
	check(4)
	put("python_snippet_service", enms.Object{"name": "[Check] Parse", "scoped_name": "Parse old", "new_name": "[Check] Parse old"})
	step("Parse", "the second")
	check(6)
	if err := os.Remove(filepath.Join(dir, ".enms-export.json")); err != nil {
		t.Fatal(err)
	}
	check(6) // without the record, the code says which file is whose
}
