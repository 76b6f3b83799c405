// This file exports servers as modules, and has Terraform import them and build another server
// of them.

package export_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// A module for each workflow imports a server that was filled with what is awkward, and builds
// the same on another one.
func TestExport_modules(t *testing.T) {
	t.Parallel()
	s, w := acctest.NewServerWith(t, "simulator", simulator.Options{}), acctest.NewWorkspace(t)
	s.OnlySimulated("it exports all that there is")
	fillHostile(s)
	dir := filepath.Join(w.Dir, "export")
	code, out := export(s, w, "-modules", dir)
	if code != 0 {
		t.Fatalf("export ended with %d:\n%s", code, out)
	}
	t.Log(out)
	files := tree(t, dir)
	if code, out := export(s, w, "-modules", filepath.Join(w.Dir, "again")); code != 0 {
		t.Fatalf("the second export ended with %d:\n%s", code, out)
	}
	if again := tree(t, filepath.Join(w.Dir, "again")); !reflect.DeepEqual(files, again) {
		t.Error("two exports are not the same")
	}
	exported := w.In(dir, s)
	if code, out := exported.Run("fmt", "-check", "-recursive", "-diff"); code != 0 || out != "" {
		t.Errorf("terraform fmt would change\n%s", out)
	}
	get(exported)
	if out = exported.Apply(10); !nothingButImports.MatchString(out) {
		t.Fatalf("the plan with imports is\n%s", out)
	}
	exported.PlanNothing()

	if !acctest.Long() {
		return // TestExport and TestExport_modulesWithInventory build servers in make test
	}
	other := acctest.NewServerWith(t, "simulator", simulator.Options{})
	built := w.In(filepath.Join(w.Dir, "again"), other)
	if err := os.Remove(filepath.Join(built.Dir, "imports.tf")); err != nil {
		t.Fatal(err)
	}
	get(built)
	built.Apply(10)
	built.PlanNothing()
	compareServers(t, s, other, differsByReport(files["report.json"]))
	if code, out := built.Run("destroy", "-no-color", "-auto-approve"); code != 0 {
		t.Fatalf("destroy ended with %d:\n%s", code, out)
	}
}

// get has Terraform read the modules. The provider needs no installation in tests.
func get(w *acctest.Workspace) {
	w.T.Helper()
	if code, out := w.Run("get", "-no-color"); code != 0 {
		w.T.Fatalf("get ended with %d:\n%s", code, out)
	}
}
