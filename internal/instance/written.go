// This file looks at an instance after a write: what eNMS made of it is what
// goes into the state.

package instance

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// Written is an instance that was just written, as a kind's Settle sees it.
type Written struct {
	// Name is the instance's name.
	Name string
	// Answer is what eNMS holds, fields for the data source included.
	Answer enms.Object
	// Again asks eNMS once more.
	Again func(context.Context) (enms.Object, error)
}

// written reads an instance back after a write and makes its state. Unknown
// relations can only be what the write made them, which is nothing, unless the
// instance existed before: then they are asked for. The state is nil when eNMS
// could not be asked.
func (r *instanceResource) written(ctx context.Context, planned Values, existed bool) (Values, diag.Diagnostics) {
	name := text(planned[rowName])
	columns := r.kind.columns(planned, r.kind.Settle != nil)
	answer, err := r.provider.Client.Find(ctx, r.kind.Name, name, columns)
	if err != nil {
		return nil, r.kind.problem("read back", name, planned, err)
	}
	var diags diag.Diagnostics
	if missing := r.kind.missing(answer, planned); len(missing) > 0 || existed && r.kind.unknownRelation(planned) {
		full, err := r.provider.Client.Get(ctx, r.kind.Name, name)
		if err != nil {
			return nil, r.kind.problem("read back", name, planned, err)
		}
		for property, x := range full {
			answer[property] = x
		}
		diags.Append(r.kind.unheardOf(answer, planned)...)
	}
	state, err := r.kind.stateOf(answer, planned)
	if err != nil {
		return nil, append(diags, r.kind.problem("read back", name, planned, err)...)
	}
	diags.Append(r.kind.deviations(state, planned)...)
	if r.kind.Settle != nil {
		again := func(ctx context.Context) (enms.Object, error) {
			return r.provider.Client.FindNow(ctx, r.kind.Name, name, columns)
		}
		diags.Append(r.kind.Settle(ctx, &Written{Name: name, Answer: answer, Again: again})...)
	}
	return state, diags
}

// missing are the further fields of the plan that an answer does not hold,
// secrets apart.
func (k *Kind) missing(answer enms.Object, planned Values) []string {
	var missing []string
	for name := range fields(planned[rowProperties]) {
		if _, answered := answer[name]; !answered && !slices.Contains(k.Secrets, name) {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	return missing
}

// unknownRelation tells whether the plan leaves a relation to eNMS that only a
// single GET answers.
func (k *Kind) unknownRelation(planned Values) bool {
	for _, a := range k.Rows() {
		if a.Role == Field && !a.DataOnly && !a.inSearch() && !planned[a.Name].IsKnown() {
			return true
		}
	}
	return false
}

// unheardOf warns of further fields that eNMS does not answer: it ignores
// unknown keys without a word (enms-rest.md 1.1).
func (k *Kind) unheardOf(answer enms.Object, planned Values) (diags diag.Diagnostics) {
	for _, name := range k.missing(answer, planned) {
		diags.AddAttributeWarning(path.Root(rowProperties).AtMapKey(name),
			fmt.Sprintf("eNMS does not return the field %q", name),
			fmt.Sprintf("The %s %q was written, but eNMS returns no field %q. It ignores fields that it does not know, so check the spelling. If it is a secret or a field that can only be written, this is as it should be; its changes cannot be found.", k.Name, text(planned[rowName]), name))
	}
	return diags
}

// deviations are errors for what eNMS keeps otherwise than it was told to. What
// it may change at any write is taken as planned; the next read tells.
func (k *Kind) deviations(state, planned Values) (diags diag.Diagnostics) {
	for _, a := range k.Rows() {
		plan := planned[a.Name]
		if a.DataOnly || a.Role == Setting || !plan.IsFullyKnown() || state[a.Name].Equal(plan) {
			continue
		}
		if a.Restless {
			state[a.Name] = plan
			continue
		}
		diags.AddAttributeError(path.Root(a.Name),
			fmt.Sprintf("eNMS keeps another %s for %s %q", a.Name, k.Name, text(planned[rowName])),
			"It accepted the write, but holds a value that was not sent. Somebody else may be changing the instance at the same time, or this eNMS treats the field in its own way. The state holds what eNMS has; plan again to see the difference.")
	}
	return diags
}
