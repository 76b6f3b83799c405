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

// written reads an instance back after a write and makes its state. sent is the
// payload, existed tells that it was not a creation. The state is nil when eNMS
// could not be asked.
func (r *instanceResource) written(ctx context.Context, planned Values, sent enms.Object, existed bool) (Values, diag.Diagnostics) {
	return r.conclude(ctx, r.afterWrite(ctx, planned, sent, existed), planned)
}

// afterWrite looks at an instance after a write. What contradicts the write is
// asked for again before anything is concluded from it.
func (r *instanceResource) afterWrite(ctx context.Context, planned Values, sent enms.Object, existed bool) (look afterWrite) {
	find := r.provider.Client.Find
	enms.UntilConsistent(ctx, func() bool {
		look = r.lookAfterWrite(ctx, find, planned, sent, existed)
		find = r.provider.Client.FindNow
		return look.state == nil || len(look.deviating) == 0
	})
	return look
}

// conclude makes the state of what a look after a write has found.
func (r *instanceResource) conclude(ctx context.Context, look afterWrite, planned Values) (Values, diag.Diagnostics) {
	if look.state == nil {
		return nil, look.diags
	}
	diags := append(look.diags, r.kind.deviations(look, planned)...)
	if r.kind.Settle != nil {
		again := func(ctx context.Context) (enms.Object, error) {
			return r.provider.Client.FindNow(ctx, r.kind.Name, text(planned[rowName]), r.kind.columns(planned, true))
		}
		diags.Append(r.kind.Settle(ctx, &Written{Name: text(planned[rowName]), Answer: look.answer, Again: again})...)
	}
	return look.state, diags
}

// afterWrite is what eNMS holds of an instance after a write.
type afterWrite struct {
	answer enms.Object
	state  Values // nil when eNMS could not be asked
	diags  diag.Diagnostics
	// deviating are the attributes of which eNMS holds another value than was
	// planned, unheld those that were sent and of which it holds none.
	deviating, unheld []Attribute
}

// lookAfterWrite reads an instance back once. Unknown relations can only be what
// the write made them, which is nothing, unless the instance existed before: then
// they are asked for.
func (r *instanceResource) lookAfterWrite(ctx context.Context, find finder, planned Values, sent enms.Object, existed bool) (look afterWrite) {
	name := text(planned[rowName])
	answer, err := find(ctx, r.kind.Name, name, r.kind.columns(planned, r.kind.Settle != nil))
	if err != nil {
		return afterWrite{diags: r.kind.problem("read back", name, planned, err)}
	}
	if missing := r.kind.missing(answer, planned); len(missing) > 0 || existed && r.kind.unknownRelation(planned) {
		full, err := r.provider.Client.Get(ctx, r.kind.Name, name)
		if err != nil {
			return afterWrite{diags: r.kind.problem("read back", name, planned, err)}
		}
		for property, x := range full {
			answer[property] = x
		}
		look.diags = r.kind.unheardOf(answer, planned)
	}
	state, err := r.kind.stateOf(answer, planned)
	if err != nil {
		return afterWrite{diags: append(look.diags, r.kind.problem("read back", name, planned, err)...)}
	}
	look.answer, look.state = answer, state
	r.kind.compare(&look, planned, sent)
	return look
}

// finder is a read of one instance that may be shared with others.
type finder func(ctx context.Context, typ, name string, columns []string) (enms.Object, error)

// compare notes where eNMS holds otherwise than was planned. What it may change
// at any write is taken as planned; the next read tells.
func (k *Kind) compare(look *afterWrite, planned Values, sent enms.Object) {
	for _, a := range k.Rows() {
		plan := planned[a.Name]
		if a.DataOnly || a.Role == Setting || !plan.IsFullyKnown() {
			continue
		}
		_, held := look.answer[a.readFrom()]
		_, wanted := sent[a.property()]
		switch {
		case wanted && !held && a.Role == Field && a.inSearch():
			look.unheld = append(look.unheld, a)
			look.state[a.Name] = a.null()
		case look.state[a.Name].Equal(plan):
		case a.Restless:
			look.state[a.Name] = plan
		default:
			look.deviating = append(look.deviating, a)
		}
	}
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

// deviations are errors for what eNMS keeps otherwise than it was told to, or
// does not keep at all.
func (k *Kind) deviations(look afterWrite, planned Values) (diags diag.Diagnostics) {
	name := text(planned[rowName])
	for _, a := range look.unheld {
		diags.AddAttributeError(path.Root(a.Name),
			fmt.Sprintf("This eNMS has no field %q for %s %q", a.readFrom(), k.Name, name), unheldAdvice)
	}
	for _, a := range look.deviating {
		diags.AddAttributeError(path.Root(a.Name),
			fmt.Sprintf("eNMS keeps another %s for %s %q", a.Name, k.Name, name),
			"It accepted the write, but holds a value that was not sent. Somebody else may be changing the instance at the same time, or this eNMS treats the field in its own way. The state holds what eNMS has; plan again to see the difference.")
	}
	return diags
}
