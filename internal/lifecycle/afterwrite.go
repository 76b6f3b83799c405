// This file follows a write: it reads the instance back and compares it with the plan, and does
// what eNMS does not do by itself. It requests computations, writes related instances again, and
// removes what eNMS has kept of an earlier instance with the same name.

package lifecycle

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/payloads"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// foundAfterWrite is an instance as eNMS has it after a write.
type foundAfterWrite struct {
	answer     value.Object
	state      kind.Values // nil if eNMS could not be asked
	diags      diag.Diagnostics
	deviations []states.Deviation
}

// deviates reports whether a value in eNMS differs from the plan.
func (found foundAfterWrite) deviates() bool {
	return slices.ContainsFunc(found.deviations, func(d states.Deviation) bool { return !d.Absent })
}

// hasOnlyAnotherID reports whether everything is as planned but for the id.
func (found foundAfterWrite) hasOnlyAnotherID() bool {
	return len(found.deviations) == 1 && found.deviations[0].Attribute == kind.RowID
}

// readBack reads an instance back after a write. sent is the payload; existed is false for a
// creation. If the response contradicts the write, it is read again.
func (r *Instances) readBack(ctx context.Context, planned kind.Values, sent value.Object, existed bool) (found foundAfterWrite) {
	name := value.Text(planned[kind.RowName])
	failed := func(err error) { found = foundAfterWrite{diags: r.errorDiagnostic(verbReadBack, name, planned, err)} }
	_, err := r.provider.Client.FindUntil(ctx, r.kind.Name, name, states.Columns(r.kind, planned, r.kind.AfterWrite != nil), func(answer value.Object) bool {
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
	name, doubtful := value.Text(planned[kind.RowName]), states.DoubtfulRelations(r.kind, planned)
	if !existed {
		doubtful = r.withoutKept(ctx, doubtful)
	}
	if len(states.Missing(r.kind, answer, planned)) > 0 || existed && states.UnknownRelation(r.kind, planned) ||
		len(doubtful) > 0 && !r.asExpected(ctx, name, doubtful) {
		full, err := r.provider.Client.Get(ctx, r.kind.Name, name)
		if err != nil {
			return found, err
		}
		answer = maps.Clone(answer) // other callers may share it
		maps.Copy(answer, full)
		found.diags = r.warnOfMissing(answer, planned)
	}
	state, err := r.stateOf(ctx, answer, planned)
	if err != nil {
		return found, err
	}
	found.answer = answer
	found.state, found.deviations = states.Deviations(r.kind, answer, sent, states.KeepLeftOut(r.kind, state, planned), planned)
	if !found.deviates() {
		r.noteKept(doubtful)
	}
	return found, nil
}

// withoutKept removes the rights that need no check after a creation: eNMS keeps all rights that
// an administrator configures (enms-rest.md 6.3), and this eNMS has returned the relation for
// another instance of the kind that this run has written. The check costs a request for each
// instance unless many are written at the same time.
func (r *Instances) withoutKept(ctx context.Context, doubtful []enms.Relation) (left []enms.Relation) {
	for _, relation := range doubtful {
		if _, kept := r.provider.keptRights.Load(rightOf(r.kind, relation)); !kept || !r.provider.Client.IsAdministrator(ctx) {
			left = append(left, relation)
		}
	}
	return left
}

// noteKept records the rights that eNMS has kept.
func (r *Instances) noteKept(relations []enms.Relation) {
	for _, relation := range relations {
		if relation.AtLeast && len(relation.Members) > 0 {
			r.provider.keptRights.Store(rightOf(r.kind, relation), true)
		}
	}
}

// rightOf names a relation of a kind.
func rightOf(k *kind.Kind, relation enms.Relation) applying.Reference {
	return applying.Reference{Type: k.Name, Name: relation.Name}
}

// warnOfMissing warns of properties that eNMS does not return: it ignores unknown fields
// (enms-rest.md 1.1).
func (r *Instances) warnOfMissing(answer value.Object, planned kind.Values) (diags diag.Diagnostics) {
	for _, name := range states.Missing(r.kind, answer, planned) {
		hint := "so check the spelling."
		if near := plans.NearestField(r.kind, name, planned); near != "" {
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

func (r *Instances) deviationDiagnostics(deviations []states.Deviation, planned kind.Values) (diags diag.Diagnostics) {
	name := value.Text(planned[kind.RowName])
	for _, d := range deviations {
		at, hint := path.Root(d.Attribute), absentFieldHint
		if d.Member != "" {
			at, hint = at.AtMapKey(d.Member), absentCriterionHint
		}
		if d.Absent {
			diags.AddAttributeError(at, fmt.Sprintf("This eNMS has no field %q for %s %q", d.Field, r.kind.Name, name), hint)
			continue
		}
		diags.AddAttributeError(at,
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
		again, err := r.provider.Client.FindNow(ctx, r.kind.Name, name, states.Columns(r.kind, planned, true))
		if err != nil {
			break
		}
		answer = again
	}
	return r.kind.AfterWrite.Check(name, answer, time.Now())
}

// consequences requests the computations and writes that must follow an update, and those that
// earlier updates left unfinished. It returns the ones that failed, or nil.
func (r *Instances) consequences(ctx context.Context, planned, prior kind.Values, left *unfinished) (still *unfinished, diags diag.Diagnostics) {
	due := unfinished{Recompute: r.kind.NeedsRecompute(planned, prior), Refresh: relate.ToRefresh(r.kind, planned, prior)}
	if left != nil {
		due.Recompute = due.Recompute || left.Recompute && r.kind.Recomputes(planned)
		due.Refresh = append(slices.Clone(left.Refresh), due.Refresh...)
	}
	if diags = r.refresh(ctx, planned, due.Refresh); !diags.HasError() {
		due.Refresh = nil
	}
	if due.Recompute {
		failed := r.recompute(ctx, planned)
		diags, due.Recompute = append(diags, failed...), failed.HasError()
	}
	diags = slices.Concat(diags, r.changeHeld(ctx, planned, prior), r.checkWithin(ctx, planned, prior))
	if !diags.HasError() {
		return nil, diags
	}
	return &due, diags
}

// changeHeld adds and removes single members of relations that have no attribute. eNMS replaces a
// relation as a whole (enms-rest.md 2.1), so its members are read immediately before.
func (r *Instances) changeHeld(ctx context.Context, planned, prior kind.Values) diag.Diagnostics {
	if !payloads.ChangesMember(r.kind, planned, prior) {
		return nil
	}
	name := value.Text(planned[kind.RowName])
	answer, err := r.provider.Client.Get(ctx, r.kind.Name, name)
	if err == nil {
		if payload := payloads.Member(r.kind, answer, planned, prior); payload != nil {
			err = r.provider.Client.Upsert(ctx, r.clientType(planned), payload)
		}
	}
	if err != nil {
		return r.errorDiagnostic(verbUpdate, name, planned, err)
	}
	return nil
}

// recompute requests the computation of a kind, together with all others that need it at this
// time.
func (r *Instances) recompute(ctx context.Context, planned kind.Values) diag.Diagnostics {
	what := r.kind.Recompute
	r.provider.Run.Computations.Note(what.Endpoint)
	err := r.provider.Client.Recompute(ctx, what.Endpoint)
	if err == nil {
		return nil
	}
	failed := Diagnostic(fmt.Sprintf("Cannot compute the %s of %s %q", what.Computed, r.kind.Name, value.Text(planned[kind.RowName])), err)
	return diag.Diagnostics{diag.NewErrorDiagnostic(failed.Summary(), failed.Detail()+" "+
		fmt.Sprintf("The %s itself was written. %s To skip the computation, set %s = false.", r.kind.Name, what.Hint, what.Setting))}
}

// computeLate repeats a computation if an instance on which it depends was written after it. It
// does so once, after the last of the writes that are in progress together. Every creation and
// update ends with it, whatever its kind.
func (r *Instances) computeLate(ctx context.Context, written bool) (diags diag.Diagnostics) {
	for _, k := range r.provider.Kinds {
		if k.Recompute == nil {
			continue
		}
		c, endpoint := &r.provider.Run.Computations, k.Recompute.Endpoint
		if written && k.Selects(r.kind) {
			c.Outdate(endpoint)
		}
		if !c.IsDue(endpoint) || !c.IsLast(ctx) || !c.IsDue(endpoint) {
			continue
		}
		c.Note(endpoint)
		if err := r.provider.Client.Recompute(ctx, endpoint); err != nil {
			failed := Diagnostic(fmt.Sprintf("Cannot compute the %s of every %s again", k.Recompute.Computed, k.Name), err)
			diags.AddWarning(failed.Summary(), failed.Detail()+" They were computed before all devices and links of this apply were written. "+checks.Sentence(k.Recompute.Hint))
		}
	}
	return diags
}

// refresh writes the members of a changed relation again. It first checks that they exist,
// because an upsert would create those that are gone.
func (r *Instances) refresh(ctx context.Context, planned kind.Values, all []relate.Related) diag.Diagnostics {
	for _, related := range all {
		for _, name := range related.Names {
			_, err := r.provider.Client.Find(ctx, related.Type, name, nil)
			if errors.Is(err, enms.ErrNotFound) {
				continue
			}
			if err == nil {
				err = r.provider.Client.Upsert(ctx, enms.Type{Name: related.Type}, enms.Object{kind.RowName: name})
			}
			if err != nil {
				return r.errorDiagnostic(verbUpdate, value.Text(planned[kind.RowName]), planned, fmt.Errorf("writing %s %q again, so that what follows from it takes effect: %w", related.Type, name, err))
			}
		}
	}
	return nil
}

// clearLayout removes the values that other instances store for a deleted instance with the same
// name as the new one. If this run has deleted it to replace it, it restores the values instead.
func (r *Instances) clearLayout(ctx context.Context, planned kind.Values) (diags diag.Diagnostics) {
	layout, name := r.kind.Layout, value.Text(planned[kind.RowName])
	if layout == nil || r.kind.Path(planned) != layout.Subtype {
		return nil
	}
	holders, err := r.provider.Client.Search(ctx, layout.Holder, []string{layout.Field},
		map[string]any{kind.RowName: "^" + regexp.QuoteMeta(layout.Prefix), kind.RowName + kind.FilterSuffix: kind.MatchRegex})
	replaced := r.replaced(name)
	for _, holder := range holders {
		holderName, _ := holder[kind.RowName].(string)
		held, _ := holder[layout.Field].(map[string]any)
		fresh, known := replaced.Referring.Layout[holderName]
		if !known {
			fresh, known = layout.Fresh[holderName]
		}
		if !known {
			fresh = layout.Other
		}
		if was, has := held[name]; has && !value.Equal(was, fresh) && err == nil {
			err = r.provider.Client.Upsert(ctx, enms.Type{Name: layout.Holder}, enms.Object{kind.RowName: holderName, layout.Field: map[string]any{name: fresh}})
		}
	}
	if err != nil {
		diags.AddWarning(fmt.Sprintf("The %s %q may have an old layout", r.kind.Name, name),
			fmt.Sprintf("eNMS keeps the %s of a deleted %s under its name, and they could not be removed: %s", layout.Field, layout.Subtype, checks.Sentence(err.Error())))
	}
	return diags
}

// checkWithin warns of relations that a write has set to instances outside the container
// (kind.Within).
func (r *Instances) checkWithin(ctx context.Context, planned, prior kind.Values) (diags diag.Diagnostics) {
	within := r.kind.Within
	if within == nil {
		return nil
	}
	container := value.Text(planned[within.Relation])
	for _, row := range within.Members {
		member := value.Text(planned[row])
		same := prior != nil && planned[row].Equal(prior[row]) && planned[within.Relation].Equal(prior[within.Relation])
		if container == "" || member == "" || same || r.isMember(ctx, container, member) {
			continue
		}
		diags.AddAttributeWarning(path.Root(row), "A service is not in the workflow", within.Problem(container, member))
	}
	return diags
}

// isMember reports whether an instance is a member of a container, or eNMS cannot be asked. One
// search finds all members of a container. A member that the search does not find may be hidden
// from this user, or unknown to a worker, so a GET of it decides.
func (r *Instances) isMember(ctx context.Context, container, member string) (is bool) {
	within := r.kind.Within
	if is, known := within.Named(container, member); known {
		return is
	}
	members := r.provider.members.get(container, func() map[string]bool {
		criteria := maps.Clone(within.Search)
		criteria[within.Field] = []string{container}
		rows, err := r.provider.Client.Search(ctx, within.Of, nil, criteria)
		if err != nil {
			return nil
		}
		names := map[string]bool{}
		for _, row := range rows {
			if name, is := row[kind.RowName].(string); is {
				names[name] = true
			}
		}
		return names
	})
	if members == nil || members[member] {
		return true
	}
	_, err := r.provider.Client.GetUntil(ctx, within.Of, member, func(answer value.Object) bool {
		containers, _ := answer[within.Field].([]any)
		is = slices.Contains(containers, any(container))
		return is
	})
	return is || err != nil
}
