// This file holds the policies against plans: each refuses the plan that is made for it, and all
// accept one. Its package has a name of its own, as govulncheck does not see what tests within a
// package import.

package policies_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
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
			want, err := os.ReadFile(filepath.Join(filepath.Dir(file), "refused.txt"))
			if err != nil {
				t.Fatal(err)
			}
			if got := refused(t, file); got != string(want) {
				t.Errorf("refused:\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// refused returns the reasons for which a plan is refused, one on a line, by the expression that
// the pipeline evaluates.
func refused(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var plan any
	if err := json.Unmarshal(text, &plan); err != nil {
		t.Fatal(err)
	}
	results, err := rego.New(
		rego.Query(`concat("\n", sort(data.enms.deny))`),
		rego.Load([]string{directory + "/enms.rego", directory + "/settings.json"}, nil),
		rego.Input(plan),
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
