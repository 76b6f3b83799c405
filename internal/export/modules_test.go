// This file exports servers as modules, and has Terraform import them.

package export_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// A module for each workflow imports a server that was filled with what is awkward.
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
}

// get has Terraform read the modules. The provider needs no installation in tests.
func get(w *acctest.Workspace) {
	w.T.Helper()
	if code, out := w.Run("get", "-no-color"); code != 0 {
		w.T.Fatalf("get ended with %d:\n%s", code, out)
	}
}
