// This file applies whole configurations among the examples, by the real Terraform
// with the provider as it is in the tree.

package docstest

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
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
	w.Environment = append(w.Environment, "ENMS_BASE_URL="+s.URL, "ENMS_USERNAME="+s.User, "ENMS_PASSWORD="+s.Password,
		"TF_VAR_router_password=secret-of-the-routers", "TF_VAR_operator_password=secret-of-the-operator")
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
