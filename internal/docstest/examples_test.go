// This file applies whole configurations among the examples, those of running services, and the test of the guide
// "Testing modules", by the real Terraform with the provider as it is in the tree.

package docstest

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
)

// renamings are other names for what the example of three sites makes.
var renamings = strings.NewReplacer(
	`"DALLAS"`, `"DALLAS-EDGE"`,
	`"Houston site"`, `"Site of Houston"`,
	`"Router upgrade"`, `"Upgrade of routers"`)

func TestExamples_threeSitesApplyRenameDestroy(t *testing.T) {
	t.Parallel()
	s := acctest.NewServer(t)
	s.OnlySimulated("the names of the example have no prefix")
	before := allNames(s)

	w := acctest.NewWorkspace(t)
	w.NeedsVersion(1, 11, "write-only attributes")
	copyDirectory(t, w.Dir, acctest.Repository+"/examples")
	w.Dir = filepath.Join(w.Dir, "three-sites")
	w.Environment = append(append(w.Environment, at(s)...), "TF_VAR_router_password=secret-of-the-routers", "TF_VAR_operator_password=secret-of-the-operator")
	succeeds(w, "get", "-no-color")

	w.Apply(10)
	w.PlanNothing()
	membersAre(s, "Edge routers", "AUSTIN", "DALLAS", "HOUSTON")
	membersAre(s, "Routers to replace", "HOUSTON")
	checkStateHoldsNo(w, "secret-of-the-")

	rewriteFile(w, "variables.tf", renamings)
	ids := allIDs(s)
	w.Apply(10)
	w.PlanNothing()
	membersAre(s, "Edge routers", "AUSTIN", "DALLAS-EDGE", "HOUSTON")
	if got := allIDs(s); !slices.Equal(got, ids) {
		t.Errorf("renaming made other instances: %v, before %v", got, ids)
	}
	if !slices.Contains(allNames(s), "service [Upgrade of routers] Roll back") || !slices.Contains(allNames(s), "network Site of Houston") {
		t.Errorf("not renamed: %v", allNames(s))
	}

	succeeds(w, "destroy", "-no-color", "-auto-approve")
	if left := allNames(s); !slices.Equal(left, before) {
		t.Errorf("the example leaves %v, before it there were %v", left, before)
	}
}

// allNames returns those of all instances of the managed types, each after its type.
func allNames(s *acctest.Server) []string {
	s.T.Helper()
	return s.AllInstances(func(typ string, row enms.Object) string { return typ + " " + row["name"].(string) })
}

// allIDs returns those of all instances of the managed types, each after its type.
func allIDs(s *acctest.Server) []string {
	s.T.Helper()
	return s.AllInstances(func(typ string, row enms.Object) string { return typ + " " + row["id"].(json.Number).String() })
}

// membersAre checks which devices a pool holds.
func membersAre(s *acctest.Server, pool string, devices ...string) {
	s.T.Helper()
	var members []string
	for _, member := range s.Get("pool", pool)["devices"].([]any) {
		members = append(members, member.(string))
	}
	slices.Sort(members)
	if !slices.Equal(members, devices) {
		s.T.Errorf("pool %q holds %v, want %v", pool, members, devices)
	}
}

// rewriteFile replaces words in a file of the configuration.
func rewriteFile(w *acctest.Workspace, file string, words *strings.Replacer) {
	w.T.Helper()
	content := contentOf(w, file)
	changed := words.Replace(content)
	if changed == content {
		w.T.Fatalf("%s holds nothing to replace", file)
	}
	writeFile(w.T, filepath.Join(w.Dir, file), changed)
}

// checkStateHoldsNo checks that the state does not hold a text.
func checkStateHoldsNo(w *acctest.Workspace, text string) {
	w.T.Helper()
	if strings.Contains(contentOf(w, "terraform.tfstate"), text) {
		w.T.Errorf("the state holds %q", text)
	}
}

// The example of enms_service_run and the configurations of the guide Running services
// succeed on a simulator that holds the devices which they name, also where it cannot run
// their code.
func TestExamples_serviceRunsSucceed(t *testing.T) {
	t.Parallel()
	example := readFile(t, filepath.Join(acctest.Repository, "examples", "resources", "enms_service_run", "resource.tf"))
	guide := readPage(t, filepath.Join(acctest.Repository, "docs", "guides", "running-services.md"))
	var shown []fence
	for _, f := range guide.fences {
		if f.isConfiguration() {
			shown = append(shown, f)
		}
	}
	if len(shown) < 3 {
		t.Fatalf("the guide shows %d configurations", len(shown))
	}
	for _, f := range append(shown, fence{code: example, line: 1}) {
		found, err := declarations(f.code, guide.path, f.line)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(found[0].addresses[0], func(t *testing.T) {
			t.Parallel()
			s, w := acctest.NewServerWith(t, "of the pages", simulator.Options{}), acctest.NewWorkspace(t)
			if lacks := step(found).tooNewFor(w); lacks != "" {
				t.Skip(lacks)
			}
			if f.line > 1 {
				guide.surround(t, s, w, "enms.json")
			}
			w.Environment = append(w.Environment, at(s)...)
			declare(w, found, s)
			w.Apply(10)
			w.PlanNothing()
		})
	}
}

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
