// This file imports the entries of enms_instances, and instances that searches have found. An
// import into a resource of one instance is in read.go.

package lifecycle

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Import reads an instance of which only the name is known: all of it, or the properties.
func (r *Instances) Import(ctx context.Context, config kind.Values, properties []string) (
	entry kind.Values, state kind.Values, diags diag.Diagnostics) {
	name := value.Text(config[kind.RowName])
	answer, err := r.importable(ctx, name, config, properties)
	if err == nil && answer["type"] != r.kind.Path(config) && r.kind.HasSubtypes() {
		diags.AddAttributeError(path.Root(kind.RowName), fmt.Sprintf("Cannot import %s %q", r.kind.Name, name),
			fmt.Sprintf("It is a %v: import it by that type, into a resource of its own.", answer["type"]))
		return nil, nil, diags
	}
	if err == nil {
		entry, state, err = r.kind.ImportedEntry(answer, config, properties)
	}
	switch {
	case errors.Is(err, enms.ErrNotFound):
		diags.AddAttributeError(path.Root(kind.RowName), fmt.Sprintf("Cannot import %s %q", r.kind.Name, name),
			fmt.Sprintf("eNMS has no %s with exactly that name that this user may read.", r.kind.Name))
	case err != nil:
		diags = r.errorDiagnostic(verbImport, name, config, err)
	}
	return entry, state, diags
}

// importable asks for an instance that is imported.
func (r *Instances) importable(ctx context.Context, name string, config kind.Values, properties []string) (value.Object, error) {
	if properties == nil || r.kind.NeedsWhole(properties) {
		return r.getShared(ctx, name)
	}
	return r.findNamed(ctx, name, append(r.kind.Columns(config, false), properties...))
}

// importListed returns the state of an instance as an import brings it, or nil if the instance
// is gone. known is the state as a row of a search shows it.
func (r *Instances) importListed(ctx context.Context, known kind.Values) (kind.Values, error) {
	answer, err := r.getShared(ctx, value.Text(known[kind.RowName]))
	if errors.Is(err, enms.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return r.kind.ImportedState(answer, known)
}
