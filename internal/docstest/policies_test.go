// This file makes the plans that the policies among the examples are tested with.

package docstest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
)

// The plans with which the policies are tested are those of the configurations beside them, in
// what policies may look at. UPDATE_PLANS=1 writes them.
func TestPolicies_plansAreReal(t *testing.T) {
	t.Parallel()
	dirs, err := filepath.Glob(acctest.Repository + "/examples/policies/tests/*")
	if err != nil || len(dirs) < 5 {
		t.Fatalf("%d plans, %v", len(dirs), err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			s, w := acctest.NewServer(t), acctest.NewWorkspace(t)
			s.OnlySimulated("the names of the examples have no prefix")
			w.NeedsVersion(1, 11, "write-only attributes")
			w.Environment = append(w.Environment, "ENMS_BASE_URL="+s.URL, "ENMS_USERNAME="+s.User, "ENMS_PASSWORD="+s.Password)
			config, err := os.ReadFile(filepath.Join(dir, "main.tf"))
			if err != nil {
				t.Fatal(err)
			}
			w.Configure(string(config))
			if filepath.Base(dir) == "deletions" {
				succeeds(w, "apply", "-no-color", "-auto-approve", "-var=devices=6")
			}
			succeeds(w, "plan", "-out=plan")
			got := planForPolicies(t, succeeds(w, "show", "-json", "plan"))
			file := filepath.Join(dir, "plan.json")
			if os.Getenv("UPDATE_PLANS") != "" {
				if err := os.WriteFile(file, got, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if want, err := os.ReadFile(file); err != nil || !bytes.Equal(got, want) {
				t.Errorf("%v: the plan is now\n%s", err, got)
			}
		})
	}
}

// planForPolicies returns what policies look at in what Terraform says of a plan. Ids depend on
// the order of creations.
func planForPolicies(t *testing.T, shown string) []byte {
	t.Helper()
	var plan struct {
		Changes []struct {
			Address string         `json:"address"`
			Mode    string         `json:"mode"`
			Type    string         `json:"type"`
			Name    string         `json:"name"`
			Change  map[string]any `json:"change"`
		} `json:"resource_changes"`
	}
	shown = shown[bytes.IndexByte([]byte(shown), '{'):]
	if err := json.NewDecoder(bytes.NewReader([]byte(shown))).Decode(&plan); err != nil {
		t.Fatalf("%v\n%s", err, shown)
	}
	for _, c := range plan.Changes {
		for key := range c.Change {
			if key != "actions" && key != "before" && key != "after" && key != "after_unknown" {
				delete(c.Change, key)
			}
		}
	}
	text, err := json.MarshalIndent(map[string]any{"resource_changes": plan.Changes}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`("id": )"[^"]*"`).ReplaceAll(text, []byte(`$1"1"`))
	text = regexp.MustCompile(`("ids": )\{[^}]*\}`).ReplaceAll(text, []byte(`$1{}`))
	return append(text, '\n')
}
