// This file reads instances of which only the name is known: for imports, moves and data sources.

package reading

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"strconv"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/many"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/states"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// readImported reads an instance of which the import has stored only the name and the type. Values that no
// configuration may contain are left out, with warnings.
func (r *Reader) readImported(ctx context.Context, state kind.Values) (now kind.Values, origin *record.Origin, diags diag.Diagnostics) {
	summary := fmt.Sprintf("Cannot import %s %q", r.Kind.Name, value.Text(state[kind.RowName]))
	decode := func(answer value.Object) (kind.Values, error) {
		origin = r.Origin(ctx, answer)
		return states.Imported(r.Kind, answer, state)
	}
	if now, diags = r.ReadByName(ctx, failures.Import, state, summary, decode); now == nil {
		return nil, nil, diags
	}
	now, warnings := plans.WithoutInvalid(r.Kind, now) // Terraform may generate configuration from it
	return now, origin, append(diags, warnings...)
}

// readMoved reads an instance whose state was that of a resource of another type, as after an import. It returns no
// state if the instance is gone. If another instance has the name, which the id shows, that is an error, unless it
// may be adopted.
func (r *Reader) readMoved(ctx context.Context, state kind.Values) (now kind.Values, origin *record.Origin, diags diag.Diagnostics) {
	name := value.Text(state[kind.RowName])
	answer, err := r.getShared(ctx, name)
	isMissing := errors.Is(err, enms.ErrNotFound)
	if isMissing || err == nil && HasAnotherID(answer, state) {
		if diags = r.checkMoved(ctx, state, isMissing); diags.HasError() {
			return nil, nil, diags
		}
	}
	if isMissing {
		if err := r.proveGone(ctx, state); err != nil {
			diags = r.Failed(failures.Read, name, state, err)
		}
		return nil, nil, diags
	}
	state = maps.Clone(state)
	delete(state, kind.RowID) // an import does not know it
	failed := func(err error) diag.Diagnostics {
		return r.Failed(failures.Read, name, state, cmp.Or(r.ExplainType(ctx, failures.Read, state, err), err))
	}
	if err == nil {
		err = r.confirmType(ctx, answer)
	}
	if err != nil {
		return nil, nil, failed(err)
	}
	if r.Kind.AnyType == nil && r.Kind.HasSubtypes() { // a generic REST provider may have used another type in the path
		delete(state, r.Kind.SubtypeRow())
	}
	if now, err = states.Imported(r.Kind, answer, state); err != nil {
		return nil, nil, failed(err)
	}
	now, diags = plans.WithoutInvalid(r.Kind, now)
	return now, r.Origin(ctx, answer), diags
}

// HasAnotherID reports whether an answer has another id than the state, which has one.
func HasAnotherID(answer value.Object, state kind.Values) bool {
	id := value.Text(state[kind.RowID])
	return id != "" && idOf(answer) != id
}

// checkMoved checks a moved state whose instance is not the one with its name, because there is none (isMissing) or it
// has another id. It returns an error if the instance with the id exists, or if another one has the name, unless that
// may be adopted.
func (r *Reader) checkMoved(ctx context.Context, state kind.Values, isMissing bool) diag.Diagnostics {
	name, id := value.Text(state[kind.RowName]), value.Text(state[kind.RowID])
	if id == "" || r.Provider.Adopts(state) || r.Provider.IdentifyByName {
		return nil
	}
	withID, err := r.Provider.Client.FindByID(ctx, r.Kind.Name, id)
	switch {
	case err == nil:
		return movedElsewhere(r.Kind.Name, name, id, fmt.Sprintf("The %s with that id is %q now.", r.Kind.Name, withID[kind.RowName]))
	case !errors.Is(err, enms.ErrNotFound):
		return r.Failed(failures.Read, name, state, err)
	case !isMissing:
		return movedElsewhere(r.Kind.Name, name, id, fmt.Sprintf("No %s has that id any longer.", r.Kind.Name))
	}
	return nil
}

// movedElsewhere returns the error about a moved resource if the instance with its name does not have the id in the
// old state: that state has no other values that show which instance it is about. found is the sentence that says what
// has the id.
func movedElsewhere(typ, name, id, found string) diag.Diagnostics {
	return diag.Diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("Cannot move %s %q", typ, name),
		fmt.Sprintf("The state has the id %s and the name %q. %s Somebody has renamed or replaced the instance, or restored the server from a backup. Apply without the moved block, then move. To take over what has the name, set adopt_existing = true in the old resource, and apply that first.", id, name, found))}
}

// ReadByName reads an instance by its name alone, for an import or a data source. In place of the name, an import
// may have the persistent id, which an instance keeps when it is renamed or promoted. known has the name, and the
// type if that is known. decode makes the result of the answer. missing is the summary of the error if there is no
// such instance.
func (r *Reader) ReadByName(ctx context.Context, verb string, known kind.Values, missing string,
	decode func(answer value.Object) (kind.Values, error)) (values kind.Values, diags diag.Diagnostics) {
	name := value.Text(known[kind.RowName])
	answer, err := r.getShared(ctx, name)
	notFound, isMissing := errors.AsType[*enms.NotFoundError](err)
	if isMissing && verb == failures.Import && notFound.ByPersistentID != nil {
		answer, err = notFound.ByPersistentID, nil
	}
	if err == nil {
		err = r.confirmType(ctx, answer)
	}
	if err == nil {
		values, err = decode(answer)
	}
	switch {
	case errors.Is(err, enms.ErrNotFound):
		diags.AddAttributeError(path.Root(kind.RowName), missing, r.notFoundDetail(ctx, verb, known, err))
		return nil, diags
	case err != nil:
		return nil, r.Failed(verb, name, known, cmp.Or(r.ExplainType(ctx, verb, known, err), err))
	}
	return values, nil
}

// notFoundDetail says that eNMS has no instance with a name, and how to write names.
func (r *Reader) notFoundDetail(ctx context.Context, verb string, known kind.Values, err error) string {
	name := value.Text(known[kind.RowName])
	detail := fmt.Sprintf("eNMS has no %s with that name that this user may read%s. Names are case-sensitive.", r.Kind.Name, r.Provider.NameHint(ctx, r.Kind.Path(known), name))
	if notFound, is := errors.AsType[*enms.NotFoundError](err); is && notFound.Spelling != "" {
		detail = fmt.Sprintf("eNMS has no %s with exactly that name; it has %q, which is the same name to its database.", r.Kind.Name, notFound.Spelling)
	} else if is && notFound.SoftDeleted != "" {
		return "It was deleted in the Workflow Builder, which keeps it and its name. Restore it or delete it permanently in eNMS."
	}
	advice := "Write the full name, as eNMS shows it"
	if verb == failures.Import {
		advice = "Import by the full name, as eNMS shows it"
		if _, err := strconv.ParseUint(name, 10, 63); err == nil {
			advice += ", not by an id"
		}
	}
	if r.Kind.ExampleName != "" {
		advice += fmt.Sprintf(", such as %q", r.Kind.ExampleName)
	}
	return detail + " " + advice + "."
}

// Import reads an instance that becomes an entry of enms_instances, and of which only the name is known. The entry
// has the given properties, or, if they are nil, all that differ from eNMS's defaults. The state has all values.
func (r *Reader) Import(ctx context.Context, config kind.Values, properties []string) (
	entry kind.Values, state kind.Values, origin *record.Origin, diags diag.Diagnostics) {
	r.Provider.Client.TakeMark(ctx)
	name := value.Text(config[kind.RowName])
	answer, err := r.importable(ctx, name, config, properties)
	if err == nil && r.CheckFoundType(name, config, answer) != nil {
		diags.AddAttributeError(path.Root(kind.RowName), fmt.Sprintf("Cannot import %s %q", r.Kind.Name, name),
			fmt.Sprintf("It is a %v: import it by that type, into a resource of its own.", answer["type"]))
		return nil, nil, nil, diags
	}
	if err == nil {
		entry, state, err = many.Imported(r.Kind, answer, config, properties)
		origin = r.Origin(ctx, answer)
	}
	switch {
	case errors.Is(err, enms.ErrNotFound):
		diags.AddAttributeError(path.Root(kind.RowName), fmt.Sprintf("Cannot import %s %q", r.Kind.Name, name),
			fmt.Sprintf("eNMS has no %s with exactly that name that this user may read%s.", r.Kind.Name, r.Provider.NameHint(ctx, r.Kind.Path(config), name)))
	case err != nil:
		diags = r.Failed(failures.Import, name, config, err)
	}
	return entry, state, origin, diags
}

// importable reads what Import needs: the whole instance, or only the row of a search if that has the properties.
func (r *Reader) importable(ctx context.Context, name string, config kind.Values, properties []string) (value.Object, error) {
	if properties == nil || many.NeedsWhole(r.Kind, properties) {
		return r.getShared(ctx, name)
	}
	return r.FindNamed(ctx, name, append(states.Columns(r.Kind, config), properties...))
}
