// This file runs the test of the guide "Testing modules" with the mock data of the examples.

package docstest

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// The test of the guide passes with the mock data, without a server, and with the simulator. Without the data, what
// eNMS fills in is something else.
func TestMocks_testOfTheGuide(t *testing.T) {
	t.Parallel()
	w := acctest.NewWorkspace(t)
	w.NeedsVersion(1, 11, "mock data in a directory")
	guide := readPage(t, filepath.Join(acctest.Repository, "docs", "guides", "testing-modules.md"))
	var hcl []string
	for _, f := range guide.fences {
		if f.language == "hcl" || f.language == "terraform" {
			hcl = append(hcl, f.code)
		}
	}
	if len(hcl) != 2 {
		t.Fatalf("the guide has %d blocks", len(hcl))
	}
	w.Configure(hcl[0])
	mocks := filepath.Join(w.Dir, "tests", "mocks")
	copyDirectory(t, mocks, acctest.Repository+"/examples/mocks")
	file := filepath.Join(w.Dir, "tests", "backup.tftest.hcl")
	writeFile(t, file, hcl[1])
	if out := succeeds(w, "test", "-no-color"); !strings.Contains(out, "Success! 3 passed, 0 failed") || strings.Contains(out, "Warning: Ignored") {
		t.Errorf("test:\n%s", out)
	}
	writeFile(t, file, strings.Replace(hcl[1], `source = "./tests/mocks"`, "", 1))
	if code, out := w.Run("test", "-no-color"); code == 0 || !strings.Contains(out, "eNMS's defaults are not those") {
		t.Errorf("without the data, test ended with %d:\n%s", code, out)
	}
	s := acctest.NewServer(t)
	s.OnlySimulated("the names in the guide have no prefix")
	w.Environment = append(w.Environment, at(s)...)
	block := "mock_provider \"enms\" {\n  source = \"./tests/mocks\"\n}\n"
	writeFile(t, file, strings.Replace(hcl[1], block, "", 1))
	if out := succeeds(w, "test", "-no-color"); !strings.Contains(out, "Success! 3 passed, 0 failed") {
		t.Errorf("with the simulator:\n%s", out)
	}
}
