// This file looks at an instance after a write: what eNMS made of it is what
// goes into the state.

package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// written reads an instance back after a write and makes its state. sent is the
// payload, existed tells that it was not a creation. The state is nil when eNMS
// could not be asked.
func (r *instances) written(ctx context.Context, planned kind.Values, sent enms.Object, existed bool) (kind.Values, diag.Diagnostics) {
	return r.conclude(ctx, r.afterWrite(ctx, planned, sent, existed), planned)
}

// afterWrite looks at an instance after a write. What contradicts the write is
// asked for again before anything is concluded from it.
func (r *instances) afterWrite(ctx context.Context, planned kind.Values, sent enms.Object, existed bool) (look afterWrite) {
	find := r.provider.Client.Find
	enms.UntilConsistent(ctx, func() bool {
		look = r.lookAfterWrite(ctx, find, planned, sent, existed)
		find = r.provider.Client.FindNow
		return look.state == nil || !look.deviates()
	})
	return look
}

// conclude makes the state of what a look after a write has found.
func (r *instances) conclude(ctx context.Context, look afterWrite, planned kind.Values) (kind.Values, diag.Diagnostics) {
	if look.state == nil {
		return nil, look.diags
	}
	diags := look.diags
	diags.Append(r.deviations(look.deviations, planned)...)
	if r.kind.AfterWrite != nil {
		diags.Append(r.checkAfterWrite(ctx, look.answer, planned)...)
	}
	return look.state, diags
}

// askAgainPauses are the pauses before eNMS is asked again for what it could not
// tell right after a write.
var askAgainPauses = []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, time.Second}

// checkAfterWrite runs the kind's check after a write.
func (r *instances) checkAfterWrite(ctx context.Context, answer enms.Object, planned kind.Values) diag.Diagnostics {
	name := value.Text(planned[kind.RowName])
	for _, pause := range askAgainPauses {
		if !r.kind.AfterWrite.Undecided(answer) {
			break
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		again, err := r.provider.Client.FindNow(ctx, r.kind.Name, name, r.kind.Columns(planned, true))
		if err != nil {
			break
		}
		answer = again
	}
	return r.kind.AfterWrite.Check(name, answer, time.Now())
}

// afterWrite is what eNMS holds of an instance after a write.
type afterWrite struct {
	answer enms.Object
	state  kind.Values // nil when eNMS could not be asked
	diags  diag.Diagnostics
	// deviations are where eNMS holds otherwise than was planned.
	deviations []kind.Deviation
}

// deviates tells whether eNMS holds another value than was planned.
func (look afterWrite) deviates() bool {
	return slices.ContainsFunc(look.deviations, func(d kind.Deviation) bool { return !d.Absent })
}

// lookAfterWrite reads an instance back once. Unknown relations can only be what
// the write made them, which is nothing, unless the instance existed before: then
// they are asked for.
func (r *instances) lookAfterWrite(ctx context.Context, find finder, planned kind.Values, sent enms.Object, existed bool) (look afterWrite) {
	name := value.Text(planned[kind.RowName])
	answer, err := find(ctx, r.kind.Name, name, r.kind.Columns(planned, r.kind.AfterWrite != nil))
	if err != nil {
		return afterWrite{diags: r.problem("read back", name, planned, err)}
	}
	if missing := r.kind.Missing(answer, planned); len(missing) > 0 || existed && r.kind.UnknownRelation(planned) {
		full, err := r.provider.Client.Get(ctx, r.kind.Name, name)
		if err != nil {
			return afterWrite{diags: r.problem("read back", name, planned, err)}
		}
		answer = maps.Clone(answer) // Others may share it.
		maps.Copy(answer, full)
		look.diags = r.unheardOf(answer, planned)
	}
	state, err := r.kind.State(answer, planned)
	if err != nil {
		return afterWrite{diags: append(look.diags, r.problem("read back", name, planned, err)...)}
	}
	look.answer = answer
	look.state, look.deviations = r.kind.Deviations(answer, sent, state, planned)
	return look
}

// finder is a read of one instance that may be shared with others.
type finder func(ctx context.Context, typ, name string, columns []string) (enms.Object, error)

// unheardOf warns of further fields that eNMS does not answer: it ignores
// unknown keys without a word (enms-rest.md 1.1).
func (r *instances) unheardOf(answer enms.Object, planned kind.Values) (diags diag.Diagnostics) {
	for _, name := range r.kind.Missing(answer, planned) {
		diags.AddAttributeWarning(path.Root(kind.RowProperties).AtMapKey(name),
			fmt.Sprintf("eNMS does not return the field %q", name),
			fmt.Sprintf("The %s %q was written, but eNMS returns no field %q. It ignores fields that it does not know, so check the spelling. If it is a secret or a field that can only be written, this is as it should be; its changes cannot be found.", r.kind.Name, value.Text(planned[kind.RowName]), name))
	}
	return diags
}

// deviations are errors for what eNMS keeps otherwise than it was told to, or
// does not keep at all.
func (r *instances) deviations(deviations []kind.Deviation, planned kind.Values) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	for _, d := range deviations {
		if d.Absent {
			diags.AddAttributeError(path.Root(d.Attribute),
				fmt.Sprintf("This eNMS has no field %q for %s %q", d.Field, r.kind.Name, name), unheldAdvice)
			continue
		}
		diags.AddAttributeError(path.Root(d.Attribute),
			fmt.Sprintf("eNMS keeps another %s for %s %q", d.Attribute, r.kind.Name, name),
			"It accepted the write, but holds a value that was not sent. Somebody else may be changing the instance at the same time, or this eNMS treats the field in its own way. The state holds what eNMS has; plan again to see the difference.")
	}
	return diags
}
