// This file tests the modules among the examples, by the real Terraform with the
// provider as it is in the tree.

package provider_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// passes is the last line of `terraform test` when there were tests and all of
// them passed.
var passes = regexp.MustCompile(`Success! [1-9]\d* passed, 0 failed`)

// Each module passes its own tests, against a server of its own.
func TestModules(t *testing.T) {
	t.Parallel()
	modules, err := os.ReadDir(moduleDirectory)
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range modules {
		t.Run(module.Name(), func(t *testing.T) {
			t.Parallel()
			w := newModuleWorkspace(t, newServer(t), module.Name())
			if w.openTofu() && comparesRuns(t, w.dir) {
				t.Skip("OpenTofu 1.12 takes the outputs of other runs in variables, and not in conditions")
			}
			if code, out := w.run("test", "-no-color"); code != 0 || !passes.MatchString(out) {
				t.Errorf("test ended with %d:\n%s", code, out)
			}
		})
	}
}

// comparesRuns reports whether conditions of a module's tests refer to other runs.
func comparesRuns(t *testing.T, dir string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "tests", "*.tftest.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Contains(string(text), "== run.")
	})
}

// moduleDirectory holds the modules, seen from this package.
const moduleDirectory = repository + "/examples/modules"

// newModuleWorkspace returns a workspace with a module as its configuration and with the
// server in its environment.
func newModuleWorkspace(t *testing.T, s *server, module string) *workspace {
	t.Helper()
	s.onlySimulated("the names in the tests of modules have no prefix")
	if module == "maintenance-window" {
		notOn(t, "services have no field disabled, which the module switches", "enms-4.4")
	}
	w := newWorkspace(t)
	w.needs(1, 8, "functions of providers and mocked providers")
	if err := os.CopyFS(w.dir, os.DirFS(filepath.Join(moduleDirectory, module))); err != nil {
		t.Fatal(err)
	}
	w.environment = append(w.environment, "ENMS_BASE_URL="+s.url, "ENMS_USERNAME="+s.user, "ENMS_PASSWORD="+s.password)
	if code, out := w.run("get", "-no-color"); code != 0 {
		t.Fatalf("get ended with %d:\n%s", code, out)
	}
	return w
}

// A window is begun and ended twice by the commands that a user types, and what the
// module leaves is what was there.
func TestModuleMaintenanceWindow(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	w := newModuleWorkspace(t, s, "maintenance-window")
	s.put("service", enms.Object{"name": "Backup", "scoped_name": "Backup"})()
	s.put("task", enms.Object{"name": "Nightly", "service": "Backup", "scheduling_mode": "cron", "crontab_expression": "0 2 * * *", "is_active": true})()
	s.put("task", enms.Object{"name": "Spare", "service": "Backup", "scheduling_mode": "cron", "crontab_expression": "0 3 * * *"})()
	w.environment = append(w.environment, `TF_VAR_services=["Backup"]`)
	ids := s.ids()
	for range 2 {
		w.window(true)
		s.are(map[string]bool{"Nightly": false, "Spare": false}, true)
		s.put("task", enms.Object{"name": "Nightly", "is_active": true})()
		if code, out := w.run("plan", "-no-color", "-detailed-exitcode"); code != 2 {
			t.Errorf("plan ended with %d though a task was switched on in the window:\n%s", code, out)
		}
		w.window(true)
		s.are(map[string]bool{"Nightly": false, "Spare": false}, true)
		w.window(false)
		s.are(map[string]bool{"Nightly": true, "Spare": false}, false)
	}
	if next := s.nextRun("Nightly"); !strings.HasSuffix(next, " 02:00:00") {
		t.Errorf("the task runs next: %s", next)
	}
	if code, out := w.run("destroy", "-no-color", "-auto-approve", "-var=active=false"); code != 0 {
		t.Fatalf("destroy ended with %d:\n%s", code, out)
	}
	s.are(map[string]bool{"Nightly": true, "Spare": false}, false)
	if got := s.ids(); !slices.Equal(got, ids) {
		t.Errorf("the module leaves %v, before it there were %v", got, ids)
	}
}

// window begins or ends a window, after which a plan has nothing to change.
func (w *workspace) window(active bool) {
	w.t.Helper()
	w.environment = append(w.environment, fmt.Sprintf("TF_VAR_active=%t", active))
	w.apply(10)
	w.planNothing()
}

// are checks which tasks are active, and whether the service is disabled.
func (s *server) are(active map[string]bool, disabled bool) {
	s.t.Helper()
	for name, want := range active {
		if got := s.get("task", name)["is_active"]; got != want {
			s.t.Errorf("is_active of %q is %v, want %t", name, got, want)
		}
	}
	if got := s.get("service", "Backup")["disabled"]; got != disabled {
		s.t.Errorf("disabled is %v, want %t", got, disabled)
	}
}
