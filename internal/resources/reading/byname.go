// This file reads instances of which only the name is known: for imports, moves and data sources.

package reading

import (
	"context"
	"errors"
	"fmt"
	"maps"

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

// readImported reads an instance of which the import has stored only the name and the type.
func (r *Reader) readImported(ctx context.Context, state kind.Values) (kind.Values, diag.Diagnostics) {
	summary := fmt.Sprintf("Cannot import %s %q", r.Kind.Name, value.Text(state[kind.RowName]))
	now, diags := r.ReadByName(ctx, failures.Import, state, summary, "Import by",
		func(answer value.Object) (kind.Values, error) { return states.Imported(r.Kind, answer, state) })
	if now == nil {
		return nil, diags
	}
	now, warnings := plans.WithoutInvalid(r.Kind, now) // Terraform may generate configuration from it
	return now, append(diags, warnings...)
}

// readMoved reads an instance whose state was that of a resource of another type. It returns
// no state if the instance is gone.
func (r *Reader) readMoved(ctx context.Context, state kind.Values) (now kind.Values, diags diag.Diagnostics) {
	name := value.Text(state[kind.RowName])
	answer, err := r.GetShared(ctx, name)
	isMissing := errors.Is(err, enms.ErrNotFound)
	hasAnotherID := err == nil && HasAnotherID(answer, state)
	if id := value.Text(state[kind.RowID]); id != "" && (isMissing || hasAnotherID) && !r.Provider.Adopts(state) {
		withID, idErr := r.Provider.Client.FindByID(ctx, r.Kind.Name, id)
		switch {
		case idErr == nil:
			return nil, movedElsewhere(r.Kind.Name, name, id, fmt.Sprintf("that is %q now", withID[kind.RowName]))
		case !errors.Is(idErr, enms.ErrNotFound):
			return nil, r.Failed(failures.Read, name, state, idErr)
		case hasAnotherID:
			return nil, movedElsewhere(r.Kind.Name, name, id, "which no longer exists")
		}
	}
	if isMissing {
		return nil, r.failUnlessGone(ctx, state, record.Record{})
	}
	state = maps.Clone(state)
	delete(state, kind.RowID) // so that the instance is read as after an import
	if err == nil {
		err = r.ConfirmType(ctx, answer)
	}
	if err == nil {
		if !r.Kind.AnyType && r.Kind.HasSubtypes() { // a generic REST provider may have used another type in the path
			delete(state, r.Kind.SubtypeRow())
		}
		now, err = states.Imported(r.Kind, answer, state)
	}
	if unknown := r.ExplainType(ctx, failures.Read, state, err); unknown != nil {
		err = unknown
	}
	if err != nil {
		return nil, r.Failed(failures.Read, name, state, err)
	}
	return plans.WithoutInvalid(r.Kind, now)
}

// movedElsewhere returns the error about a moved resource: the instance with its name does not have the id in
// the old state, which has no other values that show which instance it is.
func movedElsewhere(typ, name, id, now string) diag.Diagnostics {
	return diag.Diagnostics{diag.NewErrorDiagnostic(fmt.Sprintf("Cannot move %s %q", typ, name),
		fmt.Sprintf("The state has the id %s, %s, and the name %q. Somebody has renamed or replaced the instance, or restored the server from a backup. Apply without the moved block, then move. To take over what has the name, set adopt_existing = true in the old resource, and apply that first.", id, now, name))}
}

// ReadByName reads an instance by its name alone, for an import or a data source. An import may also
// name the persistent id, which an instance keeps when it is renamed or promoted. missing is the summary
// of the error if there is no such instance, and write is the beginning of its advice.
func (r *Reader) ReadByName(ctx context.Context, verb string, known kind.Values, missing, write string,
	decode func(answer value.Object) (kind.Values, error)) (values kind.Values, diags diag.Diagnostics) {
	name := value.Text(known[kind.RowName])
	answer, err := r.GetShared(ctx, name)
	other, missed := errors.AsType[*enms.NotFoundError](err)
	if missed && verb == failures.Import && other.ByPersistentID != nil {
		answer, err = other.ByPersistentID, nil
	}
	if err == nil {
		err = r.ConfirmType(ctx, answer)
	}
	if err == nil {
		values, err = decode(answer)
	}
	if errors.Is(err, enms.ErrNotFound) {
		detail := fmt.Sprintf("eNMS has no %s with that name that this user may read%s. Names are case-sensitive.", r.Kind.Name, r.Provider.NameHint(ctx, r.Kind.Path(known), name))
		if missed && other.Spelling != "" {
			detail = fmt.Sprintf("eNMS has no %s with exactly that name; it has %q, which is the same name to its database.", r.Kind.Name, other.Spelling)
		}
		form := ""
		if r.Kind.ExampleName != "" {
			form = fmt.Sprintf(", such as %q", r.Kind.ExampleName)
		}
		diags.AddAttributeError(path.Root(kind.RowName), missing, fmt.Sprintf("%s %s the full name, as eNMS shows it%s.", detail, write, form))
		return nil, diags
	}
	if unknown := r.ExplainType(ctx, verb, known, err); unknown != nil {
		err = unknown
	}
	if err != nil {
		return nil, r.Failed(verb, name, known, err)
	}
	return values, nil
}

// Import reads an instance of which only the name is known: all of it, or only the given
// properties.
func (r *Reader) Import(ctx context.Context, config kind.Values, properties []string) (
	entry kind.Values, state kind.Values, diags diag.Diagnostics) {
	name := value.Text(config[kind.RowName])
	answer, err := r.importable(ctx, name, config, properties)
	if err == nil && answer["type"] != r.Kind.Path(config) && r.Kind.HasSubtypes() {
		diags.AddAttributeError(path.Root(kind.RowName), fmt.Sprintf("Cannot import %s %q", r.Kind.Name, name),
			fmt.Sprintf("It is a %v: import it by that type, into a resource of its own.", answer["type"]))
		return nil, nil, diags
	}
	if err == nil {
		entry, state, err = many.Imported(r.Kind, answer, config, properties)
	}
	switch {
	case errors.Is(err, enms.ErrNotFound):
		diags.AddAttributeError(path.Root(kind.RowName), fmt.Sprintf("Cannot import %s %q", r.Kind.Name, name),
			fmt.Sprintf("eNMS has no %s with exactly that name that this user may read.", r.Kind.Name))
	case err != nil:
		diags = r.Failed(failures.Import, name, config, err)
	}
	return entry, state, diags
}

func (r *Reader) importable(ctx context.Context, name string, config kind.Values, properties []string) (value.Object, error) {
	if properties == nil || many.NeedsWhole(r.Kind, properties) {
		return r.GetShared(ctx, name)
	}
	return r.FindNamed(ctx, name, append(states.Columns(r.Kind, config, false), properties...))
}
