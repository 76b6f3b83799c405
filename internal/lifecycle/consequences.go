// This file does after a write what eNMS does not do by itself: it requests computations,
// writes related instances again, and removes what eNMS has kept of an earlier instance with
// the same name. It also finds the reason if eNMS refuses a write without one.

package lifecycle

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// consequences requests the computations and writes that must follow an update, and those that
// earlier updates left unfinished. It returns the ones that failed, or nil.
func (r *Instances) consequences(ctx context.Context, planned, prior kind.Values, left *unfinished) (still *unfinished, diags diag.Diagnostics) {
	due := unfinished{Recompute: r.kind.NeedsRecompute(planned, prior), Refresh: r.kind.ToRefresh(planned, prior)}
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

// changeHeld adds and removes single members of relations that have no attribute. eNMS replaces
// a relation as a whole (enms-rest.md 2.1), so that what it holds is read immediately before.
func (r *Instances) changeHeld(ctx context.Context, planned, prior kind.Values) diag.Diagnostics {
	if !r.kind.ChangesHeld(planned, prior) {
		return nil
	}
	name := value.Text(planned[kind.RowName])
	answer, err := r.provider.Client.Get(ctx, r.kind.Name, name)
	if err == nil {
		if payload := r.kind.HeldPayload(answer, planned, prior); payload != nil {
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
	r.provider.computations.note(what.Endpoint)
	err := r.provider.Client.Recompute(ctx, what.Endpoint)
	if err == nil {
		return nil
	}
	failed := Diagnostic(fmt.Sprintf("Cannot compute the %s of %s %q", what.Computed, r.kind.Name, value.Text(planned[kind.RowName])), err)
	return diag.Diagnostics{diag.NewErrorDiagnostic(failed.Summary(), failed.Detail()+" "+
		fmt.Sprintf("The %s itself was written. %s To skip the computation, set %s = false.", r.kind.Name, what.Hint, what.Setting))}
}

// refresh writes the members of a changed relation again. It looks for them before, because an
// upsert would create those that are gone.
func (r *Instances) refresh(ctx context.Context, planned kind.Values, all []kind.Related) diag.Diagnostics {
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

// explainRefusal looks for the reason why eNMS refused a write.
func (r *Instances) explainRefusal(ctx context.Context, verb string, planned, prior kind.Values, cause error) error {
	return r.explainMissing(ctx, planned, prior, r.explainDuplicate(ctx, verb, planned, cause))
}

// explainDuplicate looks for four reasons of a refusal: another resource of this run has the
// instance; this user may not read the instance with the name; eNMS does not have the type;
// another instance has the same values in attributes that must be unique.
func (r *Instances) explainDuplicate(ctx context.Context, verb string, planned kind.Values, cause error) error {
	if exists, ok := errors.AsType[*enms.ExistsError](cause); ok {
		if err := r.checkOwner(cmp.Or(exists.FoundName, exists.Name), exists.ID); err != nil {
			return err
		}
		if r.isHidden(ctx, exists) {
			return &hiddenError{exists}
		}
		if verb == verbCreate && r.isElsewhere(ctx, exists, planned) {
			return &elsewhereError{exists: exists, unique: r.kind.Unique}
		}
	}
	if err := r.explainType(ctx, verb, planned, cause); err != nil {
		return err
	}
	if r.kind.UniqueCriteria(planned) == nil || !enms.InternalServerError(cause) {
		return cause
	}
	rows, err := r.inPlace(context.WithoutCancel(ctx), planned)
	name := value.Text(planned[kind.RowName])
	if err != nil || len(rows) == 0 || rows[0][kind.RowName] == name {
		return cause
	}
	return &enms.RefusedError{Op: verb, Type: r.kind.Name, Name: name, Reason: fmt.Sprintf(
		"eNMS has the %s %q (id %v) with the same %s, of which it takes one only; import that one, or remove one of the two from the configuration; if this run was to change that one, apply again",
		r.kind.Name, rows[0][kind.RowName], rows[0][kind.RowID], strings.Join(r.kind.Unique, ", "))}
}

// isHidden reports whether this user may not read the instance that has the name. Searches by
// the type of the namespace, such as node, return it nevertheless (enms-rest.md 6.2).
func (r *Instances) isHidden(ctx context.Context, exists *enms.ExistsError) bool {
	_, err := r.provider.Client.FindByID(context.WithoutCancel(ctx), cmp.Or(exists.FoundType, r.kind.Name), exists.ID)
	return errors.Is(err, enms.ErrNotFound)
}

// isElsewhere reports whether the instance that has the name has other values in the
// attributes that must be unique: then it is not the planned one, and has kept its name from
// before it was changed.
func (r *Instances) isElsewhere(ctx context.Context, exists *enms.ExistsError, planned kind.Values) bool {
	if r.kind.UniqueCriteria(planned) == nil {
		return false
	}
	rows, err := r.inPlace(context.WithoutCancel(ctx), planned)
	return err == nil && !slices.ContainsFunc(rows, func(row enms.Object) bool { return row[kind.RowName] == cmp.Or(exists.FoundName, exists.Name) })
}

// clearLayout removes the values that other instances store for a deleted instance, whose name
// a new one has now.
func (r *Instances) clearLayout(ctx context.Context, planned kind.Values) (diags diag.Diagnostics) {
	layout, name := r.kind.Layout, value.Text(planned[kind.RowName])
	if layout == nil || r.kind.Path(planned) != layout.Subtype {
		return nil
	}
	holders, err := r.provider.Client.Search(ctx, layout.Holder, []string{layout.Field},
		map[string]any{kind.RowName: "^" + regexp.QuoteMeta(layout.Prefix), kind.RowName + kind.FilterSuffix: kind.MatchRegex})
	for _, holder := range holders {
		holderName, _ := holder[kind.RowName].(string)
		held, _ := holder[layout.Field].(map[string]any)
		fresh, known := layout.Fresh[holderName]
		if !known {
			fresh = layout.Other
		}
		if was, has := held[name]; has && !value.Equal(was, fresh) && err == nil {
			err = r.provider.Client.Upsert(ctx, enms.Type{Name: layout.Holder}, enms.Object{kind.RowName: holderName, layout.Field: map[string]any{name: fresh}})
		}
	}
	if err != nil {
		diags.AddWarning(fmt.Sprintf("The %s %q may have an old layout", r.kind.Name, name),
			fmt.Sprintf("eNMS keeps the %s of a deleted %s under its name, and they could not be removed: %s", layout.Field, layout.Subtype, kind.Sentence(err.Error())))
	}
	return diags
}

// computeLate requests a computation again if this run requested it before an instance was
// written on which it depends: once, after the last of the writes that are in progress
// together. Every creation and update ends with it, whatever its kind.
func (r *Instances) computeLate(ctx context.Context, written bool) (diags diag.Diagnostics) {
	for _, k := range r.provider.Kinds {
		if k.Recompute == nil {
			continue
		}
		c, endpoint := &r.provider.computations, k.Recompute.Endpoint
		if written && k.Selects(r.kind) {
			c.outdate(endpoint)
		}
		if !c.isDue(endpoint) || !c.last(ctx) || !c.isDue(endpoint) {
			continue
		}
		c.note(endpoint)
		if err := r.provider.Client.Recompute(ctx, endpoint); err != nil {
			failed := Diagnostic(fmt.Sprintf("Cannot compute the %s of every %s again", k.Recompute.Computed, k.Name), err)
			diags.AddWarning(failed.Summary(), failed.Detail()+" They were computed before all devices and links of this apply were written. "+kind.Sentence(k.Recompute.Hint))
		}
	}
	return diags
}
