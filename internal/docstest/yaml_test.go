// This file tests the module yaml: its example, and a walk through the guide, whose files and commands are taken from
// the page.

package docstest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/yamldir/yamltest"
)

// yamlDirectory is a workspace with the module yaml and a directory for it.
type yamlDirectory struct {
	*acctest.Workspace
	s *acctest.Server
}

// newYAMLDirectory returns a workspace in which main.tf calls the module.
func newYAMLDirectory(t *testing.T) yamlDirectory {
	t.Helper()
	s := acctest.NewServer(t)
	s.OnlySimulated("the names in the files have no prefix")
	w := acctest.NewWorkspace(t)
	w.NeedsVersion(1, 8, "functions of providers")
	copyDirectory(t, filepath.Join(w.Dir, "modules"), moduleDirectory)
	w.Environment = append(w.Environment, at(s)...)
	d := yamlDirectory{w, s}
	d.call("")
	return d
}

// call writes main.tf, with further arguments of the module.
func (d yamlDirectory) call(arguments string) {
	d.T.Helper()
	d.Configure(`
		terraform {
		  required_providers {
		    enms = { source = "terraform-provider-enms/enms" }
		  }
		}
		module "enms" {
		  source    = "./modules/yaml"
		  directory = "${path.module}/enms"
		  ` + arguments + `
		}`)
}

// write writes a file of the directory.
func (d yamlDirectory) write(file, content string) {
	d.T.Helper()
	writeBelow(d.T, d.Dir, file, content)
}

// remove removes files of the directory.
func (d yamlDirectory) remove(files ...string) {
	d.T.Helper()
	for _, file := range files {
		if err := os.Remove(filepath.Join(d.Dir, filepath.FromSlash(file))); err != nil {
			d.T.Fatal(err)
		}
	}
}

// edit replaces a text in a file of the directory.
func (d yamlDirectory) edit(file, before, after string) {
	d.T.Helper()
	content := contentOf(d.Workspace, file)
	if !strings.Contains(content, before) {
		d.T.Fatalf("%s does not contain %q", file, before)
	}
	d.write(file, strings.ReplaceAll(content, before, after))
}

// apply applies, after which a plan has nothing to change.
func (d yamlDirectory) apply() {
	d.T.Helper()
	d.Apply(10)
	d.PlanNothing()
}

// names returns the names of the objects of a type that the test has made.
func (d yamlDirectory) names(typ string) (names []string) {
	for _, o := range d.s.All(typ) {
		names = append(names, o["name"].(string))
	}
	slices.Sort(names)
	return names
}

// holds checks fields of an object in eNMS.
func (d yamlDirectory) holds(typ, name string, fields enms.Object) {
	d.T.Helper()
	o := d.s.Get(typ, name)
	for field, want := range fields {
		if got := fmt.Sprint(o[field]); got != fmt.Sprint(want) {
			d.T.Errorf("%s of %s %q is %s, want %v", field, typ, name, got, want)
		}
	}
}

// The example is applied, changed, renamed and removed in parts.
func TestModules_yamlExample(t *testing.T) {
	t.Parallel()
	d := newYAMLDirectory(t)
	copyDirectory(t, filepath.Join(d.Dir, "enms"), filepath.Join(moduleDirectory, "yaml", "example"))
	succeeds(d.Workspace, "get", "-no-color")
	d.apply()
	d.holds("device", "DALLAS-1", enms.Object{"vendor": "Cisco", "location": "Dallas", "model": "C8300", "gateways": []string{"GW-1"}})
	d.holds("device", "DALLAS-2", enms.Object{"vendor": "Nokia", "location": "Dallas", "netmiko_driver": "nokia_sros", "gateways": []string{}})
	d.holds("gateway", "GW-1", enms.Object{"type": "gateway", "location": "", "operating_system": "IOS-XE"})
	d.holds("link", "D1-D2", enms.Object{"source_name": "DALLAS-1", "destination_name": "DALLAS-2"})
	d.holds("pool", "Dallas", enms.Object{"device_number": 2})
	d.holds("credential", "Dallas", enms.Object{"username": "backup", "role": "read-only", "device_pools": []string{"Dallas"}})
	d.holds("service", "[Backup] Wait", enms.Object{"type": "python_snippet_service", "maximum_runs": 3,
		"source_code": "import time\n\ntime.sleep(10)\nresults = {\"success\": True}\n"})
	d.holds("service", "[Backup] Save", enms.Object{"property": "configuration"})
	d.holds("task", "Nightly backup", enms.Object{"service_name": "Backup", "is_active": true})
	if edges := d.names("workflow_edge"); len(edges) != 7 || !slices.Contains(edges, "Backup: [Backup] Save -> [Shared] Report (failure)") {
		t.Errorf("the edges are %q", edges)
	}
	ids := map[string]any{}
	for _, name := range []string{"Backup", "[Backup] Check", "[Shared] Report"} {
		ids[name] = d.s.Get("service", name)["id"]
	}

	// A workflow and a device get other names; what they had stays.
	d.edit("enms/workflows/backup.yaml", "name: Backup", "name: Save all")
	d.edit("enms/services/report.yaml", "[Backup]", "[Save all]")
	d.edit("enms/tasks/nightly.yaml", "service: Backup", "service: Save all")
	d.edit("enms/devices/dallas/dallas-1.yaml", "DALLAS-1", "DALLAS-A")
	d.edit("enms/links/dallas.yaml", "DALLAS-1", "DALLAS-A")
	device := d.s.Get("device", "DALLAS-1")["id"]
	d.call(`renames = { devices = { DALLAS-1 = "DALLAS-A" }, workflows = { Backup = "Save all" } }`)
	d.apply()
	for before, now := range map[string]string{"Backup": "Save all", "[Backup] Check": "[Save all] Check", "[Shared] Report": "[Shared] Report"} {
		d.holds("service", now, enms.Object{"id": ids[before]})
	}
	d.holds("device", "DALLAS-A", enms.Object{"id": device})

	// A device goes with its link, and a nested workflow comes.
	d.remove("enms/devices/dallas/dallas-2.yaml", "enms/links/dallas.yaml")
	d.write("enms/workflows/inner.yaml", "name: '[Save all] Inner'\nworkflows: [Save all]\nsteps:\n  Ping: {type: ping_service, protocol: ICMP, on_success: [End]}\n")
	d.edit("enms/workflows/backup.yaml", `on_failure: ["[Shared] Report"]`, "on_failure: [Inner]")
	d.edit("enms/workflows/backup.yaml", "  # A step without", "  Inner:\n    on_failure: [\"[Shared] Report\"]\n  # A step without")
	d.apply()
	d.holds("service", "[[Save all] Inner] Ping", enms.Object{"protocol": "ICMP"})

	// The workflow goes with what belongs to it, and its task.
	d.remove("enms/workflows/backup.yaml", "enms/workflows/inner.yaml", "enms/tasks/nightly.yaml", "enms/services/report.yaml")
	d.apply()
	if left := slices.Concat(d.names("workflow"), d.names("workflow_edge"), d.names("link"), d.names("ping_service")); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
	if got := d.names("device"); !slices.Equal(got, []string{"DALLAS-A", "GW-1"}) {
		t.Errorf("the devices are %q", got)
	}
}

// What eNMS already has is taken over, also an edge whose name is another one in eNMS.
func TestModules_yamlAdopts(t *testing.T) {
	t.Parallel()
	d := newYAMLDirectory(t)
	d.s.Put("workflow", enms.Object{"name": "W", "scoped_name": "W"})()
	d.s.Put("ping_service", enms.Object{"name": "[W] A", "scoped_name": "A", "workflows": []string{"W"}})()
	d.s.Put("workflow_edge", enms.Object{"name": "by hand", "workflow": "W", "source": "[Shared] Start", "destination": "[W] A", "subtype": "success"})()
	d.write("enms/workflows/w.yaml", "name: W\nsteps:\n  A: {type: ping_service, protocol: ICMP, on_success: [End]}\n")
	d.call("adopt_existing = true")
	succeeds(d.Workspace, "get", "-no-color")
	d.apply()
	d.holds("service", "[W] A", enms.Object{"protocol": "ICMP"})
	if got := d.names("workflow_edge"); !slices.Equal(got, []string{"W: [W] A -> [Shared] End (success)", "by hand"}) {
		t.Errorf("the edges are %q", got)
	}
}

// programs returns a directory with the programs that the guide calls: that of the provider, and for the validator a
// script that records its arguments.
func (d yamlDirectory) programs() (bin string) {
	d.T.Helper()
	bin = d.T.TempDir()
	if err := os.Symlink(acctest.Program(d.T), filepath.Join(bin, "terraform-provider-enms")); err != nil {
		d.T.Fatal(err)
	}
	writeProgram(d.T, filepath.Join(bin, "jsonschema"), "#!/bin/sh\necho \"$@\" >> validated\n")
	return bin
}

// shell runs commands of the guide.
func (d yamlDirectory) shell(bin, commands string) {
	d.T.Helper()
	ends(d.Workspace, 0, "", commands, "PATH="+bin+":"+os.Getenv("PATH"))
}

// check runs the commands of the guide that validate files, and validates what they name.
func (d yamlDirectory) check(bin, commands string) {
	d.T.Helper()
	d.shell(bin, commands)
	checked := 0
	for call := range strings.Lines(contentOf(d.Workspace, "validated")) {
		words := strings.Fields(call)
		s := yamltest.Compile(d.T, []byte(contentOf(d.Workspace, words[1])))
		for _, file := range words[2:] {
			checked++
			if found := s.Problems(d.T, contentOf(d.Workspace, file)); len(found) > 0 {
				d.T.Errorf("%s is invalid: %q", file, found)
			}
		}
	}
	if checked < 10 {
		d.T.Errorf("only %d files are checked", checked)
	}
}

// The walk of the guide: its files, its commands and its configuration, in their order.
func TestGuide_yaml(t *testing.T) {
	t.Parallel()
	d := newYAMLDirectory(t)
	d.NeedsVersion(1, 11, "write-only attributes")
	guide := readPage(t, filepath.Join(acctest.Repository, "templates", "guides", "yaml.md"))
	var commands, configurations []string
	files := 0
	for _, f := range guide.fences {
		first, _, _ := strings.Cut(f.code, "\n")
		switch file, isFile := strings.CutPrefix(first, "# enms/"); {
		case isFile:
			files++
			d.write("enms/"+file, f.code)
		case f.language == "shell":
			commands = append(commands, f.code)
		case f.isConfiguration():
			configurations = append(configurations, ownModule.ReplaceAllString(f.code, `"./$1"`))
		}
	}
	if len(commands) != 3 || len(configurations) != 3 || files < 10 {
		t.Fatalf("the guide has %d blocks of commands and %d configurations", len(commands), len(configurations))
	}
	bin := d.programs()
	d.shell(bin, commands[0])
	d.check(bin, commands[1])

	d.Configure(configurations[0])
	succeeds(d.Workspace, "get", "-no-color")
	d.apply()
	d.holds("device", "DALLAS-3", enms.Object{"vendor": "Cisco", "location": "Dallas"})
	d.holds("pool", "Dallas", enms.Object{"device_number": 3})
	id := d.s.Get("device", "DALLAS-3")["id"]

	d.edit("enms/devices/dallas/others.yaml", "DALLAS-3", "DALLAS-4")
	d.Configure(configurations[1] + configurations[2] + strings.SplitAfter(configurations[0], "\n}\n")[0])
	d.Environment = append(d.Environment, "TF_VAR_houston_password=secret")
	d.apply()
	d.holds("device", "DALLAS-4", enms.Object{"id": id})
	d.holds("credential", "Houston", enms.Object{"username": "backup"})
}
