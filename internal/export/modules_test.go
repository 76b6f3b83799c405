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
	s, w := newSource(t)
	fillHostile(s)
	dir := filepath.Join(w.Dir, "export")
	files := exports(s, w, "-modules", dir)
	if again := exports(s, w, "-modules", filepath.Join(w.Dir, "again")); !reflect.DeepEqual(files, again) {
		t.Error("two exports are not the same")
	}
	exported := w.In(dir, s)
	get(exported)
	importsAll(exported)

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
