// This file reads an instance back after a write, and compares it with the plan.

package lifecycle

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// foundAfterWrite is an instance as eNMS has it after a write.
type foundAfterWrite struct {
	answer     value.Object
	state      kind.Values // nil when eNMS could not be asked
	diags      diag.Diagnostics
	deviations []kind.Deviation
}

// deviates reports whether a value in eNMS differs from the plan.
func (found foundAfterWrite) deviates() bool {
	return slices.ContainsFunc(found.deviations, func(d kind.Deviation) bool { return !d.Absent })
}

// readBack reads an instance back after a write. sent is the payload; existed is false for a
// creation. If the response contradicts the write, it is read again.
func (r *Instances) readBack(ctx context.Context, planned kind.Values, sent value.Object, existed bool) (found foundAfterWrite) {
	name := value.Text(planned[kind.RowName])
	failed := func(err error) { found = foundAfterWrite{diags: r.errorDiagnostic(verbReadBack, name, planned, err)} }
	_, err := r.provider.Client.FindUntil(ctx, r.kind.Name, name, r.kind.Columns(planned, r.kind.AfterWrite != nil), func(answer value.Object) bool {
		answer, err := r.nameRelated(ctx, answer)
		if err == nil {
			found, err = r.compare(ctx, answer, planned, sent, existed)
		}
		if err != nil {
			failed(err)
		}
		return err != nil || !found.deviates()
	})
	if err != nil {
		failed(err)
	}
	return found
}

// compare compares a search result with the plan after a write. Unknown relations are empty
// after a creation; after an update, a GET returns them.
func (r *Instances) compare(ctx context.Context, answer value.Object, planned kind.Values, sent value.Object, existed bool) (
	found foundAfterWrite, err error) {
	name, doubtful := value.Text(planned[kind.RowName]), r.kind.DoubtfulRelations(planned)
	if len(r.kind.Missing(answer, planned)) > 0 || existed && r.kind.UnknownRelation(planned) ||
		len(doubtful) > 0 && !r.asExpected(ctx, name, doubtful) {
		full, err := r.provider.Client.Get(ctx, r.kind.Name, name)
		if err != nil {
			return found, err
		}
		answer = maps.Clone(answer) // Others may share it.
		maps.Copy(answer, full)
		found.diags = r.warnOfMissing(answer, planned)
	}
	state, err := r.stateOf(ctx, answer, planned)
	if err != nil {
		return found, err
	}
	found.answer = answer
	found.state, found.deviations = r.kind.Deviations(answer, sent, r.kind.KeepLeftOut(state, planned), planned)
	return found, nil
}

// warnOfMissing warns of properties that eNMS does not return: it ignores unknown fields
// (enms-rest.md 1.1).
func (r *Instances) warnOfMissing(answer value.Object, planned kind.Values) (diags diag.Diagnostics) {
	for _, name := range r.kind.Missing(answer, planned) {
		hint := "so check the spelling."
		if near := r.kind.NearestField(name, planned); near != "" {
			hint = fmt.Sprintf("so check the spelling: did you mean %q?", near)
		}
		diags.AddAttributeWarning(path.Root(kind.RowProperties).AtMapKey(name),
			fmt.Sprintf("eNMS does not return the field %q", name),
			fmt.Sprintf("The %s %q was written, but eNMS returns no field %q. It ignores fields that it does not know, %s For a secret, this is expected; its changes cannot be detected.", r.kind.Name, value.Text(planned[kind.RowName]), name, hint))
	}
	return diags
}

// stateAfterWrite returns the state after a write, or nil if the instance could not be read
// back.
func (r *Instances) stateAfterWrite(ctx context.Context, found foundAfterWrite, planned kind.Values) (kind.Values, diag.Diagnostics) {
	diags := found.diags
	diags.Append(r.deviationDiagnostics(found.deviations, planned)...)
	if found.state != nil && r.kind.AfterWrite != nil {
		diags.Append(r.checkAfterWrite(ctx, found.answer, planned)...)
	}
	return found.state, diags
}

// deviationDiagnostics returns the errors for deviations.
func (r *Instances) deviationDiagnostics(deviations []kind.Deviation, planned kind.Values) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	for _, d := range deviations {
		if d.Member != "" {
			diags.AddAttributeError(path.Root(d.Attribute).AtMapKey(d.Member),
				fmt.Sprintf("This eNMS has no field %q for %s %q", d.Field, r.kind.Name, name), absentCriterionHint)
			continue
		}
		if d.Absent {
			diags.AddAttributeError(path.Root(d.Attribute),
				fmt.Sprintf("This eNMS has no field %q for %s %q", d.Field, r.kind.Name, name), absentFieldHint)
			continue
		}
		diags.AddAttributeError(path.Root(d.Attribute),
			fmt.Sprintf("eNMS did not keep the configured %s of %s %q", d.Attribute, r.kind.Name, name),
			"eNMS accepted the write, but holds another value. Somebody else may have changed the instance at the same time, or this eNMS converts the value. The state holds the value of eNMS; plan again to see the difference.")
	}
	return diags
}

// absentCriterionHint is what to do about a criterion that eNMS drops.
const absentCriterionHint = "It cannot compare that property and dropped the condition, so that more matches than intended. Check the spelling; the configuration of the eNMS server defines which properties can be compared."

// askAgainPauses are the pauses between the attempts of a check after a write, while it is
// undecided.
var askAgainPauses = []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, time.Second}

// checkAfterWrite runs the kind's check after a write.
func (r *Instances) checkAfterWrite(ctx context.Context, answer value.Object, planned kind.Values) diag.Diagnostics {
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
