// This file edits servers that were exported, exports them again into the code that people
// have edited meanwhile, and looks at what changes in it.

package export_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// A second export of an unchanged server changes nothing, whatever the server holds.
func TestExport_again(t *testing.T) {
	t.Parallel()
	s, w := acctest.NewServerWith(t, "simulator", simulator.Options{}), acctest.NewWorkspace(t)
	s.OnlySimulated("it exports all that there is")
	fillHostile(s)
	for _, args := range [][]string{nil, {"-inventory", "csv"}} {
		dir := filepath.Join(t.TempDir(), "export")
		if code, out := export(s, w, append(args, dir)...); code != 0 {
			t.Fatalf("export ended with %d:\n%s", code, out)
		}
		before := tree(t, dir)
		for n, check := range [][]string{{"-check"}, nil, nil} {
			if n == 2 { // nothing tells what has changed, so that all is compared
				if err := os.Remove(filepath.Join(dir, ".enms-export.json")); err != nil {
					t.Fatal(err)
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
