// This file makes the plans and the query that the policies among the examples are tested with.

package docstest

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/acctest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
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
			w.Environment = append(w.Environment, at(s)...)
			w.Configure(readFile(t, filepath.Join(dir, "main.tf")))
			if filepath.Base(dir) == "deletions" {
				succeeds(w, "apply", "-no-color", "-auto-approve", "-var=devices=6")
			}
			succeeds(w, "plan", "-out=plan")
			got := planForPolicies(t, succeeds(w, "show", "-json", "plan"))
			recorded(t, filepath.Join(dir, "plan.json"), got)
		})
	}
}

// planForPolicies returns what policies look at in what Terraform says of a plan.
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
	return withoutIDs(text)
}

// withoutIDs returns JSON with the same id everywhere, as ids depend on the order of creations.
func withoutIDs(text []byte) []byte {
	text = regexp.MustCompile(`("id": )"[^"]*"`).ReplaceAll(text, []byte(`$1"1"`))
	text = regexp.MustCompile(`("ids": )\{[^}]*\}`).ReplaceAll(text, []byte(`$1{}`))
	return append(text, '\n')
}

// The query that a policy is tested with is what Terraform 1.14 and newer says of the
// configuration beside it and two services of others, in what the policy may look at.
// UPDATE_PLANS=1 writes it.
func TestPolicies_queryIsReal(t *testing.T) {
	t.Parallel()
	s, w := acctest.NewServer(t), acctest.NewWorkspace(t)
	s.OnlySimulated("the names of the examples have no prefix")
	w.NeedsVersion(1, 14, "terraform query")
	if w.OpenTofu() {
		t.Skip("OpenTofu has no query")
	}
	w.Environment = append(w.Environment, at(s)...)
	const policies = acctest.Repository + "/examples/policies"
	copyDirectory(t, w.Dir, policies+"/query-test")
	writeFile(t, filepath.Join(w.Dir, "services.tfquery.hcl"), readFile(t, policies+"/services.tfquery.hcl"))
	succeeds(w, "get")
	succeeds(w, "apply", "-no-color", "-auto-approve")
	for _, name := range []string{"Drawn by hand", "Playground"} {
		s.Put("workflow", enms.Object{"name": name, "scoped_name": name})()
	}
	got := queryForPolicies(t, succeeds(w, "show", "-json")+succeeds(w, "query", "-json"))
	recorded(t, policies+"/query-test/query.json", got)
}

// recorded compares what Terraform writes with the record of it, or makes the record.
func recorded(t *testing.T, file string, got []byte) {
	t.Helper()
	if os.Getenv("UPDATE_PLANS") != "" {
		writeFile(t, file, string(got))
	}
	if readFile(t, file) != string(got) {
		t.Errorf("%s would now be\n%s", file, got)
	}
}

// queryForPolicies returns what policies look at in the documents that Terraform writes of a
// state and of a query, one on a line.
func queryForPolicies(t *testing.T, shown string) []byte {
	t.Helper()
	var documents []map[string]any
	for line := range strings.Lines(shown) {
		if !strings.HasPrefix(line, "{") {
			continue
		}
		var document map[string]any
		if err := json.Unmarshal([]byte(line), &document); err != nil {
			t.Fatalf("%v\n%s", err, line)
		}
		kind, isMessage := document["type"].(string)
		if isMessage && !strings.HasPrefix(kind, "list_") {
			continue
		}
		maps.DeleteFunc(document, func(key string, _ any) bool {
			return key != "values" && key != "type" && key != "@level" && key != kind
		})
		documents = append(documents, document)
	}
	text, err := json.MarshalIndent(map[string]any{"documents": documents}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return withoutIDs(text)
}
