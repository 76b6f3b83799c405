// This file does after a write what eNMS does not do by itself: what depends on the
// instance is computed, related instances are written again, and what is left of an
// earlier instance is taken away. It also explains refusals for which eNMS gives no reason.

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

// consequences has eNMS draw the consequences of an update, and those that are left of
// earlier ones. still are those that it could not be had to draw; nil when there are none.
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
	diags = append(diags, r.checkWithin(ctx, planned, prior)...)
	if !diags.HasError() {
		return nil, diags
	}
	return &due, diags
}

// recompute has eNMS compute what depends on attributes that were written, in a
// request that is shared with all others that want it.
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

// refresh writes the instances again to which a relation has changed. They are
// looked for before, because an upsert would create those that are gone.
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

// explainRefusal looks what eNMS refused a write for.
func (r *Instances) explainRefusal(ctx context.Context, verb string, planned, prior kind.Values, cause error) error {
	return r.explainMissing(ctx, planned, prior, r.explainDuplicate(ctx, verb, planned, cause))
}

// explainDuplicate looks whether eNMS refused a write because of an instance that another
// resource of this process has, or that this user may not see, or because it does not have
// the type, or because another instance has the same values in attributes that no two may
// share.
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

// isHidden reports whether an instance that has a name is one that this user may not read.
// eNMS shows it all the same where it is asked for by the type of the name space, such as
// node (enms-rest.md 6.2).
func (r *Instances) isHidden(ctx context.Context, exists *enms.ExistsError) bool {
	_, err := r.provider.Client.FindByID(context.WithoutCancel(ctx), cmp.Or(exists.FoundType, r.kind.Name), exists.ID)
	return errors.Is(err, enms.ErrNotFound)
}

// isElsewhere reports whether an instance that has a name has other values in the attributes
// that no two may share: it is another one than is meant, and has kept the name that it had
// before it was changed.
func (r *Instances) isElsewhere(ctx context.Context, exists *enms.ExistsError, planned kind.Values) bool {
	if r.kind.UniqueCriteria(planned) == nil {
		return false
	}
	rows, err := r.inPlace(context.WithoutCancel(ctx), planned)
	return err == nil && !slices.ContainsFunc(rows, func(row enms.Object) bool { return row[kind.RowName] == cmp.Or(exists.FoundName, exists.Name) })
}

// clearLayout takes away what others hold for a deleted instance that had the name of a
// new one.
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

// computeLate has what depends on instances of the kind computed again, if it was computed in
// this run before one of them was written: once, after the last write of those that are under
// way together. Every creation and update ends with it, whatever its kind.
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
