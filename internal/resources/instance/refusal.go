// This file finds out why eNMS has refused a write, if eNMS gives no reason, or only the first of
// several.

package instance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/relate"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

// explainRefusal returns the error of a write, with the reason why eNMS refused it if it finds one. cause is the
// error, or nil.
func (w *write) explainRefusal(ctx context.Context, cause error) error {
	if cause == nil {
		return nil
	}
	ctx, done := w.client.WithGrace(ctx) // an interrupt must not cost the reason
	defer done()
	cause = w.explainDuplicate(ctx, cause)
	if w.prior != nil {
		cause = w.i.explainRight(ctx, cause)
	}
	return w.explainMissing(ctx, cause)
}

// editRight is the attribute with the groups that may edit an instance.
const editRight = "rbac_edit"

// explainRight names the right that may be missing for the write of an existing instance: eNMS then creates another
// instance with the name, which its database refuses, or does not find the id (enms-rest.md 6.2).
func (r *Instances) explainRight(ctx context.Context, cause error) error {
	_, has := r.Kind.Table().ByName[editRight]
	refused, is := errors.AsType[*enms.RefusedError](cause)
	mayLack := enms.InternalServerError(cause) || is && refused.UnknownID
	if !has || !mayLack || r.Provider.Client.IsAdministrator(ctx) {
		return cause
	}
	return fmt.Errorf("%w. Perhaps this user may read it, but not edit it: then add a group of this user to its %s", cause, editRight)
}

// explainDuplicate looks for six reasons of a refusal: another resource of this run has the instance; this user cannot
// read the instance with the name; that instance has other values in attributes that must be unique (isElsewhere);
// somebody has just created what is to be adopted; eNMS does not have the type; or another instance has the same
// values in attributes that must be unique.
func (w *write) explainDuplicate(ctx context.Context, cause error) error {
	if exists, ok := errors.AsType[*enms.ExistsError](cause); ok {
		if err := w.i.checkOwner(cmp.Or(exists.FoundName, exists.Name), exists.ID); err != nil {
			return err
		}
		if !exists.SoftDeleted && w.isHidden(ctx, exists) {
			return &failures.Hidden{Exists: exists}
		}
		if w.prior == nil && w.isElsewhere(ctx, exists) {
			return &failures.Elsewhere{Exists: exists, Unique: w.kind.Place.Attributes}
		}
		if w.prior == nil && w.i.Provider.Adopts(w.planned) && exists.FoundName == "" && !exists.SoftDeleted && exists.FoundType == exists.Type {
			return &failures.Meanwhile{Exists: exists}
		}
	}
	if err := w.i.ExplainType(ctx, w.verb(), w.planned, cause); err != nil {
		return err
	}
	if states.PlaceCriteria(w.kind, w.planned) == nil || !enms.InternalServerError(cause) {
		return cause
	}
	rows, err := w.i.RowsAtPlace(ctx, w.planned, nil)
	name := w.name()
	if err != nil || len(rows) == 0 || rows[0][kind.RowName] == name {
		return cause
	}
	remedy := "import that one, or remove one of the two from the configuration"
	switch {
	case enms.Deleted(rows[0]):
		remedy = "it was deleted in the Workflow Builder, which keeps it: delete it permanently in eNMS"
	case w.prior != nil: // only a creation may meet its own instance
		remedy = "if this configuration manages that one, remove one of the two; otherwise delete it in eNMS; if the two exchange these, have Terraform make one of them anew (terraform apply -replace), or leave one out for one apply"
	}
	return &enms.RefusedError{Op: w.verb(), Type: w.kind.Name, Name: name, Reason: fmt.Sprintf(
		"eNMS has the %s %q (id %v) with the same %s, of which it takes one only; %s; if this run was to change that one, apply again",
		w.kind.Name, rows[0][kind.RowName], rows[0][kind.RowID], strings.Join(w.kind.Place.Attributes, ", "), remedy)}
}

// isHidden reports whether this user cannot read the instance that has the name. Searches by
// the type of the namespace, such as node, return it nevertheless (enms-rest.md 6.2).
func (w *write) isHidden(ctx context.Context, exists *enms.ExistsError) bool {
	_, err := w.client.FindByID(ctx, cmp.Or(exists.FoundType, w.kind.Name), exists.ID)
	return errors.Is(err, enms.ErrNotFound)
}

// isElsewhere reports whether the instance that has the name has other values in the attributes that
// must be unique. Then it is not the planned instance, but one that was changed and has kept its name.
func (w *write) isElsewhere(ctx context.Context, exists *enms.ExistsError) bool {
	if states.PlaceCriteria(w.kind, w.planned) == nil {
		return false
	}
	rows, err := w.i.RowsAtPlace(ctx, w.planned, nil)
	return err == nil && !slices.ContainsFunc(rows, func(row enms.Object) bool { return row[kind.RowName] == cmp.Or(exists.FoundName, exists.Name) })
}

// explainMissing returns the error of a write that eNMS refused because the plan refers to
// instances that do not exist. It names all of them, while eNMS names only the first.
func (w *write) explainMissing(ctx context.Context, cause error) error {
	refused, ok := errors.AsType[*enms.RefusedError](cause)
	if !ok || refused.Missing == nil {
		return cause
	}
	found := &failures.Missing{Cause: cause}
	named := *refused.Missing
	for _, related := range relate.NewlyRelated(w.kind, w.planned, w.prior) {
		missing, err := w.client.Missing(ctx, related.Type, related.Names)
		if err != nil {
			return cause
		}
		if related.Type == named.Type && slices.Contains(related.Names, named.Name) && !slices.Contains(missing, named.Name) {
			missing = append(missing, named.Name) // Missing treats names that this client has read before as existing
		}
		found.References = append(found.References, w.missingOf(ctx, related.Attribute, related.Type, missing)...)
	}
	if len(found.References) == 0 {
		return cause
	}
	w.addRemedy(ctx, found)
	return found
}

// addRemedy adds what to do to the error about references to instances that do not exist.
func (w *write) addRemedy(ctx context.Context, found *failures.Missing) {
	missing := make([]applying.Reference, len(found.References))
	for i, m := range found.References {
		missing[i] = applying.Reference{Type: m.Type, Name: m.Name}
	}
	found.Remedy, found.Hidden = w.i.Provider.MissingRemedy(ctx, missing...)
}

// missingOf returns the references of an attribute to names that do not exist.
func (w *write) missingOf(ctx context.Context, attribute, typ string, names []string) (references []failures.MissingReference) {
	for _, name := range names {
		references = append(references, failures.MissingReference{Attribute: attribute, Type: typ, Name: name, Hint: w.i.Provider.NameHint(ctx, typ, name)})
	}
	return references
}
