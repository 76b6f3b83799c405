// This file holds the policies against plans and a query: each refuses what is made for it, and
// all accept one plan. Its package has a name of its own, as govulncheck does not see what tests within a
// package import.

package policies_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/open-policy-agent/opa/v1/rego"
)

// directory holds the policies.
const directory = "../../examples/policies"

// Every policy is in a plan that is refused for that reason alone, and a plan with all that they
// look at is accepted.
func TestPolicies(t *testing.T) {
	t.Parallel()
	plans, err := filepath.Glob(directory + "/tests/*/plan.json")
	if err != nil || len(plans) < 5 {
		t.Fatalf("%d plans, %v", len(plans), err)
	}
	for _, file := range plans {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			t.Parallel()
			expect(t, file, refused(t, "enms", read(t, file)))
		})
	}
}

// A service that no state has is refused, and so is a query that says nothing.
func TestPolicies_query(t *testing.T) {
	t.Parallel()
	const file = directory + "/query-test/query.json"
	found := read(t, file).(map[string]any)
	expect(t, file, refused(t, "enms_query", found))
	documents := found["documents"].([]any)
	const silent = "the input has no query of services that succeeded\n"
	for name, input := range map[string][]any{
		"without a query":   documents[:1],
		"interrupted query": documents[:len(documents)-1],
		"failed query":      append(slices.Clone(documents), map[string]any{"@level": "error", "type": "diagnostic"}),
	} {
		if got := refused(t, "enms_query", map[string]any{"documents": input}); !strings.Contains(got, silent) {
			t.Errorf("%s: refused:\n%s", name, got)
		}
	}
	if got := refused(t, "enms_query", map[string]any{"documents": documents[1:]}); strings.Count(got, "is in no state") != 4 {
		t.Errorf("without a state, refused:\n%s", got)
	}
}

// expect compares the reasons with refused.txt beside a file.
func expect(t *testing.T, file, got string) {
	t.Helper()
	want, err := os.ReadFile(filepath.Join(filepath.Dir(file), "refused.txt"))
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("refused:\n%s\nwant\n%s", got, want)
	}
}

// read returns what JSON in a file says.
func read(t *testing.T, file string) (input any) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &input); err != nil {
		t.Fatal(err)
	}
	return input
}

// refused returns the reasons for which a package of policies refuses an input, one on a line, by
// the expression that the pipeline evaluates. All files are loaded, as users have them in one
// directory.
func refused(t *testing.T, namespace string, input any) string {
	t.Helper()
	results, err := rego.New(
		rego.Query(fmt.Sprintf(`concat("\n", sort(data.%s.deny))`, namespace)),
		rego.Load([]string{directory + "/enms.rego", directory + "/unmanaged.rego", directory + "/settings.json"}, nil),
		rego.Input(input),
	).Eval(t.Context())
	if err != nil || len(results) != 1 {
		t.Fatalf("%d results, %v", len(results), err)
	}
	lines := fmt.Sprint(results[0].Expressions[0].Value)
	if lines == "" {
		return ""
	}
	return strings.TrimSuffix(lines, "\n") + "\n"
}
