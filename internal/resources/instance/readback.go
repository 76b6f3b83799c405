// This file reads an instance back after a write, and compares it with the plan.

package instance

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// foundAfterWrite is an instance as eNMS has it after a write.
type foundAfterWrite struct {
	answer     value.Object
	state      kind.Values // nil if the read failed
	diags      diag.Diagnostics
	deviations []states.Deviation
}

// deviates reports whether a value in eNMS differs from the plan.
func (found foundAfterWrite) deviates() bool {
	return slices.ContainsFunc(found.deviations, func(d states.Deviation) bool { return !d.Absent })
}

// readBack reads an instance back after a write. sent is the payload. existed is false for a creation, unless its
// second request failed. If the answer contradicts the write, it reads again.
func (r *Instances) readBack(ctx context.Context, planned kind.Values, sent value.Object, existed bool) (found foundAfterWrite) {
	name := value.Text(planned[kind.RowName])
	find := r.Provider.Client.Find // the first time: others may have read the instance since the write
	read := func() (value.Object, error) {
		answer, err := find(ctx, r.Kind.Name, name, states.Columns(r.Kind, planned, r.Kind.AfterWrite != nil))
		find = r.Provider.Client.FindNow
		return answer, err
	}
	var failed error // of the last comparison
	_, err := enms.Until(ctx, read, func(answer value.Object) bool {
		answer, failed = r.NameRelated(ctx, answer)
		if failed == nil {
			found, failed = r.compareWithPlan(ctx, answer, planned, sent, existed)
		}
		return failed != nil || !found.deviates()
	})
	if err = cmp.Or(err, failed); err != nil {
		return foundAfterWrite{diags: r.Failed(failures.ReadBack, name, planned, err)}
	}
	return found
}

// compareWithPlan compares a search result with the plan after a write. It completes the search result by a GET
// where that might not show everything (needsGet).
func (r *Instances) compareWithPlan(ctx context.Context, answer value.Object, planned kind.Values, sent value.Object, existed bool) (
	found foundAfterWrite, err error) {
	name, doubtful := value.Text(planned[kind.RowName]), states.DoubtfulRelations(r.Kind, planned)
	if !existed {
		doubtful = r.withoutKept(ctx, doubtful)
	}
	if r.needsGet(ctx, answer, planned, doubtful, existed) {
		full, err := r.Provider.Client.Get(ctx, r.Kind.Name, name)
		if err != nil {
			return found, err
		}
		answer = maps.Clone(answer) // other callers may share it
		maps.Copy(answer, full)
		found.diags = r.warnOfMissing(answer, planned)
	}
	state, err := r.StateOf(ctx, answer, planned)
	if err != nil {
		return found, err
	}
	found.answer = answer
	found.state, found.deviations = states.Deviations(r.Kind, answer, sent, states.WithoutLeftOut(r.Kind, state, planned), planned, existed)
	if !found.deviates() {
		r.noteKept(doubtful)
	}
	return found, nil
}

// needsGet reports whether a search result does not show what the plan asks for: it lacks a planned property, the
// plan has an unknown relation (which is empty after a creation), or a doubtful relation may be another one.
func (r *Instances) needsGet(ctx context.Context, answer value.Object, planned kind.Values, doubtful []enms.Relation, existed bool) bool {
	return len(states.Missing(r.Kind, answer, planned)) > 0 ||
		existed && states.UnknownRelation(r.Kind, planned) ||
		len(doubtful) > 0 && !r.AsExpected(ctx, value.Text(planned[kind.RowName]), doubtful)
}

// withoutKept leaves out the rights that need no check after a creation: eNMS keeps all rights that an
// administrator configures (enms-rest.md 6.3), and this eNMS has returned the relation for another
// instance of the kind that this run has written. A check costs a request for each instance, unless many
// are written at the same time.
func (r *Instances) withoutKept(ctx context.Context, doubtful []enms.Relation) (left []enms.Relation) {
	for _, relation := range doubtful {
		if !r.Provider.Lookups.KeptRights.Has(rightOf(r.Kind, relation)) || !r.Provider.Client.IsAdministrator(ctx) {
			left = append(left, relation)
		}
	}
	return left
}

// noteKept records the rights that eNMS has returned as they were written: they alone have AtLeast.
func (r *Instances) noteKept(relations []enms.Relation) {
	for _, relation := range relations {
		if relation.AtLeast && len(relation.Members) > 0 {
			r.Provider.Lookups.KeptRights.Add(rightOf(r.Kind, relation))
		}
	}
}

// rightOf names a relation of a kind.
func rightOf(k *kind.Kind, relation enms.Relation) applying.Reference {
	return applying.Reference{Type: k.Name, Name: relation.Name}
}

// warnOfMissing warns of properties that eNMS does not return: it ignores unknown fields (enms-rest.md 1.1).
func (r *Instances) warnOfMissing(answer value.Object, planned kind.Values) (diags diag.Diagnostics) {
	for _, name := range states.Missing(r.Kind, answer, planned) {
		hint := "so check the spelling."
		switch near := plans.NearestField(r.Kind, name, planned); near {
		case "":
		case name:
			hint = "and only other versions of eNMS have this one."
		default:
			hint = fmt.Sprintf("so check the spelling: did you mean %q?", near)
		}
		diags.AddAttributeWarning(path.Root(kind.RowProperties).AtMapKey(name),
			fmt.Sprintf("eNMS does not return the field %q", name),
			fmt.Sprintf("The %s %q was written, but eNMS returns no field %q. It ignores fields that it does not know, %s For a secret, this is expected; its changes cannot be detected.", r.Kind.Name, value.Text(planned[kind.RowName]), name, hint))
	}
	return diags
}

// stateAfterWrite returns the state after a write, or nil if the instance could not be read back.
func (r *Instances) stateAfterWrite(ctx context.Context, found foundAfterWrite, planned kind.Values) (kind.Values, diag.Diagnostics) {
	diags := found.diags
	diags.Append(r.deviationDiagnostics(found.deviations, planned)...)
	if found.state != nil && r.Kind.AfterWrite != nil {
		diags.Append(r.checkAfterWrite(ctx, found.answer, planned)...)
	}
	return found.state, diags
}

// deviationDiagnostics returns an error for each deviation from the plan.
func (r *Instances) deviationDiagnostics(deviations []states.Deviation, planned kind.Values) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	for _, d := range deviations {
		at, hint := path.Root(d.Attribute), failures.AbsentFieldHint
		if d.Member != "" {
			at, hint = at.AtMapKey(d.Member), absentCriterionHint
		}
		if d.Absent {
			diags.AddAttributeError(at, fmt.Sprintf("This eNMS has no field %q for %s %q", d.Field, r.Kind.Name, name), hint)
			continue
		}
		diags.AddAttributeError(at,
			fmt.Sprintf("eNMS did not keep the configured %s of %s %q", d.Attribute, r.Kind.Name, name),
			"eNMS accepted the write, but holds another value. Somebody else may have changed the instance at the same time, or this eNMS converts the value. The state holds the value of eNMS; plan again to see the difference.")
	}
	return diags
}

// absentCriterionHint is what to do about a criterion that eNMS drops.
const absentCriterionHint = "It cannot compare that property and dropped the condition, so that more matches than intended. Check the spelling; the configuration of the eNMS server defines which properties can be compared."

// askAgainPauses are the pauses between the attempts of a check after a write, as long as its result is undecided.
var askAgainPauses = []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, time.Second}

// checkAfterWrite returns what the check of the kind (kind.AfterWrite) finds in an answer. As long as the result is
// undecided, it reads the instance again.
func (r *Instances) checkAfterWrite(ctx context.Context, answer value.Object, planned kind.Values) diag.Diagnostics {
	name := value.Text(planned[kind.RowName])
	for _, pause := range askAgainPauses {
		if !r.Kind.AfterWrite.Undecided(answer) {
			break
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		again, err := r.Provider.Client.FindNow(ctx, r.Kind.Name, name, states.Columns(r.Kind, planned, true))
		if err != nil {
			break
		}
		answer = again
	}
	return r.Kind.AfterWrite.Check(planned, answer, time.Now())
}
