// What Terraform's core checks of the results of a provider.

package terraformtest

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
)

// Summaries of the errors that blame the provider.
const (
	InvalidPlan           = "Provider produced invalid plan"
	InconsistentFinalPlan = "Provider produced inconsistent final plan"
	InvalidResult         = "Provider returned invalid result object after apply"
	InconsistentResult    = "Provider produced inconsistent result after apply"
)

// Proposed returns the new state that Terraform proposes: the configuration, with the values of the state for
// computed attributes that are not configured.
func Proposed(schema *tfprotov6.Schema, config, prior tftypes.Value) tftypes.Value {
	if config.IsNull() || prior.IsNull() {
		return config
	}
	values, old := Members(config), Members(prior)
	for _, a := range schema.Block.Attributes {
		if a.Computed && !a.WriteOnly && values[a.Name].IsNull() {
			values[a.Name] = old[a.Name]
		}
	}
	return tftypes.NewValue(config.Type(), values)
}

// checkPlan checks a plan: a configured value is planned as it is configured or was before, and other values only where
// the provider computes them.
func checkPlan(typ string, schema *tfprotov6.Schema, config, plan, prior tftypes.Value) Problems {
	configured, planned, old := Members(config), Members(plan), Members(prior)
	for _, a := range schema.Block.Attributes {
		v, want := planned[a.Name], configured[a.Name]
		isAsConfigured := v.Equal(want) || a.WriteOnly && v.IsNull() || a.NestedType != nil && fills(want, v)
		isComputed := a.Computed && want.IsNull()
		isAsBefore := len(old) > 0 && v.Equal(old[a.Name]) && !v.IsNull() && !want.IsNull()
		if !isAsConfigured && !isComputed && !isAsBefore {
			return Problem(InvalidPlan, "%s: %s is configured as %s and planned as %s", typ, a.Name, want, v)
		}
	}
	return nil
}

// fills reports whether a map of objects is planned as it is configured, apart from attributes that
// the objects do not set.
func fills(config, plan tftypes.Value) bool {
	if !config.IsKnown() || config.IsNull() || plan.IsNull() {
		return false
	}
	planned := Members(plan)
	for key, o := range Members(config) {
		fields := Members(planned[key])
		for name, v := range Members(o) {
			if !v.IsNull() && !v.Equal(fields[name]) {
				return false
			}
		}
	}
	return true
}

// checkResult checks the result of an apply.
func checkResult(typ string, plan, next tftypes.Value) Problems {
	if plan.IsNull() != next.IsNull() || !next.IsFullyKnown() {
		return Problem(InvalidResult, "%s: %s", typ, next)
	}
	if err := compatible(plan, next); err != nil {
		return Problem(InconsistentResult, "%s: %v", typ, err)
	}
	return nil
}

// compatible returns an error if an attribute that was known in a plan has another value in the result.
func compatible(plan, next tftypes.Value) error {
	after := Members(next)
	for name, want := range Members(plan) {
		if want.IsFullyKnown() && !after[name].Equal(want) {
			return fmt.Errorf("%s was planned as %s and is %s", name, want, after[name])
		}
	}
	return nil
}

// requiresReplacement reports whether any of the attributes that require a replacement differs:
// Terraform ignores those that are named and stay as they are.
func requiresReplacement(paths []*tftypes.AttributePath, prior, next tftypes.Value) bool {
	if prior.IsNull() {
		return false
	}
	before, after := Members(prior), Members(next)
	for _, path := range paths {
		if name, is := path.Steps()[0].(tftypes.AttributeName); is && !before[string(name)].Equal(after[string(name)]) {
			return true
		}
	}
	return false
}
