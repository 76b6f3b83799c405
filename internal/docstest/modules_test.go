// This file tests the modules among the examples, by the real Terraform with the
// provider as it is in the tree.

package docstest

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// passes is the last line of `terraform test` when there were tests and all of
// them passed.
var passes = regexp.MustCompile(`Success! [1-9]\d* passed, 0 failed`)

// Each module passes its own tests, against a server of its own: in the short form those that read answers of other
// systems. TestInstall_initWithoutRegistry runs some of one module every time.
func TestModules_passTheirOwnTests(t *testing.T) {
	t.Parallel()
	modules, err := os.ReadDir(moduleDirectory)
	if err != nil {
		t.Fatal(err)
	}
	for _, module := range modules {
		t.Run(module.Name(), func(t *testing.T) {
			t.Parallel()
			if !slices.Contains([]string{"netbox", "nautobot"}, module.Name()) {
				acctest.OnlyLong(t, "Terraform takes minutes for them")
			}
			w := newModuleWorkspace(t, acctest.NewServer(t), module.Name())
			if w.OpenTofu() && comparesRuns(t, w.Dir) {
				t.Skip(noRunsInConditions)
			}
			if code, out := w.Run("test", "-no-color"); code != 0 || !passes.MatchString(out) {
				t.Errorf("test ended with %d:\n%s", code, out)
			}
		})
	}
}

// noRunsInConditions is why a module's tests that compare runs are not run by OpenTofu.
const noRunsInConditions = "OpenTofu 1.12 takes the outputs of other runs in variables, and not in conditions"

// comparesRuns reports whether conditions of a module's tests refer to other runs.
func comparesRuns(t *testing.T, dir string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "tests", "*.tftest.hcl"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.ContainsFunc(files, func(file string) bool {
		text := readFile(t, file)
		return strings.Contains(text, "== run.")
	})
}

// moduleDirectory holds the modules, seen from this package.
const moduleDirectory = acctest.Repository + "/examples/modules"

// newModuleWorkspace returns a workspace with a module as its configuration, the other modules beside it and the
// server in its environment.
func newModuleWorkspace(t *testing.T, s *acctest.Server, module string) *acctest.Workspace {
	t.Helper()
	s.OnlySimulated("the names in the tests of modules have no prefix")
	if module == "maintenance-window" {
		acctest.SkipOn(t, "services have no field disabled, which the module switches", "enms-4.4")
	}
	w := acctest.NewWorkspace(t)
	w.NeedsVersion(1, 8, "functions of providers and mocked providers")
	copyDirectory(t, w.Dir, moduleDirectory)
	w.Dir = filepath.Join(w.Dir, module)
	w.Environment = append(w.Environment, at(s)...)
	succeeds(w, "get", "-no-color")
	return w
}

// After each apply by the commands that a user types, a plan has nothing to change, and what the module leaves is what
// was there. What is off in a window, and on after it, is in the module's own tests.
func TestModules_maintenanceWindowBeginsAndEnds(t *testing.T) {
	t.Parallel()
	acctest.OnlyLong(t, "it takes half a minute of Terraform's time")
	s := acctest.NewServer(t)
	w := newModuleWorkspace(t, s, "maintenance-window")
	s.Put("service", enms.Object{"name": "Backup", "scoped_name": "Backup"})()
	s.Put("task", enms.Object{"name": "Nightly", "service": "Backup", "scheduling_mode": "cron", "crontab_expression": "0 2 * * *", "is_active": true})()
	w.Environment = append(w.Environment, `TF_VAR_services=["Backup"]`)
	ids := allIDs(s)
	for _, active := range []string{"true", "false", "true", "false"} {
		w.Environment = append(w.Environment, "TF_VAR_active="+active)
		w.Apply(10)
		w.PlanNothing()
	}
	succeeds(w, "destroy", "-no-color", "-auto-approve", "-var=active=false")
	s.Check(s.Holds("task", "Nightly", "is_active", "true"))
	if got := allIDs(s); !slices.Equal(got, ids) {
		t.Errorf("the module leaves %v, before it there were %v", got, ids)
	}
}
