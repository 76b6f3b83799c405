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

// readBack reads an instance back after a write. sent is the payload. If the answer contradicts the write, it reads again.
func (w *write) readBack(ctx context.Context, sent value.Object) (found foundAfterWrite) {
	name := w.name()
	find := w.client.Find // the first time: others may have read the instance since the write
	read := func() (value.Object, error) {
		answer, err := find(ctx, w.kind.Name, name, states.Columns(w.kind, w.planned))
		find = w.client.FindNow
		return answer, err
	}
	var failed error // of the last comparison
	_, err := enms.Until(ctx, read, func(answer value.Object) bool {
		answer, failed = w.i.NameRelated(ctx, answer)
		if failed == nil {
			found, failed = w.compareWithPlan(ctx, answer, sent)
		}
		return failed != nil || !found.deviates()
	})
	if err = cmp.Or(err, failed); err != nil {
		return foundAfterWrite{diags: w.i.Failed(failures.ReadBack, name, w.planned, err)}
	}
	return found
}

// compareWithPlan compares a search result with the plan after a write. It completes the search result by a GET
// where that might not show everything (needsGet).
func (w *write) compareWithPlan(ctx context.Context, answer, sent value.Object) (found foundAfterWrite, err error) {
	name, doubtful := w.name(), states.DoubtfulRelations(w.kind, w.planned)
	if !w.existed {
		doubtful = w.withoutKept(ctx, doubtful)
	}
	if w.needsGet(ctx, answer, doubtful) {
		full, err := w.client.Get(ctx, w.kind.Name, name)
		if err != nil {
			return found, err
		}
		answer = maps.Clone(answer) // other callers may share it
		maps.Copy(answer, full)
		found.diags = w.warnOfMissing(answer)
	}
	state, err := w.i.StateOf(ctx, answer, w.planned)
	if err != nil {
		return found, err
	}
	found.answer = answer
	found.state, found.deviations = states.Deviations(w.kind, answer, sent, states.WithoutLeftOut(w.kind, state, w.planned), w.config, w.planned, w.existed)
	if !found.deviates() {
		w.addKeptRights(doubtful)
	}
	return found, nil
}

// needsGet reports whether a search result is not enough to compare with the plan: it lacks a planned property; the plan
// has an unknown relation (after a creation, such a relation is empty); or searches do not confirm a relation of which
// eNMS may have written other members (states.DoubtfulRelations).
func (w *write) needsGet(ctx context.Context, answer value.Object, doubtful []enms.Relation) bool {
	return len(states.Missing(w.kind, answer, w.planned)) > 0 ||
		w.existed && states.UnknownRelation(w.kind, w.planned) ||
		len(doubtful) > 0 && !w.i.AsExpected(ctx, w.name(), doubtful, nil)
}

// withoutKept leaves out the rights that need no check after a creation: eNMS keeps all rights that an
// administrator configures (enms-rest.md 6.3), and this eNMS has returned the relation for another
// instance of the kind that this run has written. A check costs a request for each instance, unless many
// are written at the same time.
func (w *write) withoutKept(ctx context.Context, doubtful []enms.Relation) (left []enms.Relation) {
	for _, relation := range doubtful {
		if !w.i.Provider.Lookups.KeptRights.Has(rightOf(w.kind, relation)) || !w.client.IsAdministrator(ctx) {
			left = append(left, relation)
		}
	}
	return left
}

// addKeptRights records the rights that eNMS has returned as they were written: they alone have AtLeast.
func (w *write) addKeptRights(relations []enms.Relation) {
	for _, relation := range relations {
		if relation.AtLeast && len(relation.Members) > 0 {
			w.i.Provider.Lookups.KeptRights.Add(rightOf(w.kind, relation))
		}
	}
}

// rightOf names a relation of a kind.
func rightOf(k *kind.Kind, relation enms.Relation) applying.Reference {
	return applying.Reference{Type: k.Name, Name: relation.Name}
}

// warnOfMissing warns of properties that eNMS does not return: it ignores unknown fields (enms-rest.md 1.1).
func (w *write) warnOfMissing(answer value.Object) (diags diag.Diagnostics) {
	for _, name := range states.Missing(w.kind, answer, w.planned) {
		hint := "Check the spelling."
		switch near := plans.NearestField(w.kind, name, w.planned); near {
		case "":
		case name: // a known field, which belongs to another line of eNMS
			hint = "Only other versions of eNMS have this one."
		default:
			hint = fmt.Sprintf("Check the spelling: did you mean %q?", near)
		}
		diags.AddAttributeWarning(path.Root(kind.RowProperties).AtMapKey(name),
			fmt.Sprintf("eNMS does not return the field %q", name),
			fmt.Sprintf("The %s %q was written, but eNMS returns no field %q. It ignores fields that it does not know. %s For a secret, this is expected; its changes cannot be detected.", w.kind.Name, w.name(), name, hint))
	}
	return diags
}

// stateAfterWrite returns the state after a write, or nil if the instance could not be read back.
func (w *write) stateAfterWrite(ctx context.Context, found foundAfterWrite) (kind.Values, diag.Diagnostics) {
	diags := found.diags
	diags.Append(w.deviationDiagnostics(found.deviations)...)
	if found.state != nil && w.kind.DataCheck != nil {
		diags.Append(w.checkAfterWrite(ctx, found.answer)...)
	}
	return found.state, diags
}

// deviationDiagnostics returns an error for each deviation from the plan.
func (w *write) deviationDiagnostics(deviations []states.Deviation) (diags diag.Diagnostics) {
	name := w.name()
	for _, d := range deviations {
		at, hint := path.Root(d.Attribute), failures.AbsentFieldHint
		if d.Member != "" {
			at, hint = at.AtMapKey(d.Member), absentCriterionHint
		}
		if d.Absent {
			diags.AddAttributeError(at, fmt.Sprintf("This eNMS has no field %q for %s %q", d.Field, w.kind.Name, name), hint)
			continue
		}
		diags.AddAttributeError(at,
			fmt.Sprintf("eNMS did not keep the configured %s of %s %q", d.Attribute, w.kind.Name, name),
			"eNMS accepted the write, but holds another value. Somebody else may have changed the instance at the same time, or this eNMS converts the value. The state holds the value of eNMS; plan again to see the difference.")
	}
	return diags
}

// absentCriterionHint is what to do about a criterion that eNMS drops.
const absentCriterionHint = "It cannot compare that property and dropped the condition, so that more matches than intended. Check the spelling; the configuration of the eNMS server defines which properties can be compared."

// askAgainPauses are the pauses between the attempts of a check after a write, as long as its result is undecided.
var askAgainPauses = []time.Duration{50 * time.Millisecond, 200 * time.Millisecond, time.Second}

// checkAfterWrite returns what the check of the kind (kind.DataCheck) finds in an answer. As long as the result is
// undecided, it reads the instance again.
func (w *write) checkAfterWrite(ctx context.Context, answer value.Object) diag.Diagnostics {
	name := w.name()
	for _, pause := range askAgainPauses {
		if !w.kind.DataCheck.Undecided(answer) {
			break
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(pause):
		}
		again, err := w.client.FindNow(ctx, w.kind.Name, name, states.Columns(w.kind, w.planned))
		if err != nil {
			break
		}
		answer = again
	}
	return w.kind.DataCheck.AfterWrite(w.planned, answer, time.Now())
}
