// This file imports an instance into a resource, and moves one from a resource of another type.

package instance

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/identify"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/record"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// ImportState stores what the import says: the name, and possibly the type. Terraform then calls
// Read, which reads the rest.
func (r *instanceResource) ImportState(ctx context.Context, req resource.ImportStateRequest, resp *resource.ImportStateResponse) {
	known, invalid := r.importedBy(req)
	name := value.Text(known[kind.RowName])
	switch {
	case invalid != "":
		resp.Diagnostics.AddError("Cannot import "+req.ID, invalid)
		return
	case value.HasNUL(name):
		resp.Diagnostics.AddAttributeError(path.Root(kind.RowName), "Invalid name", kind.WrongName(name))
		return
	}
	for attribute, v := range known {
		resp.Diagnostics.Append(resp.State.SetAttribute(ctx, path.Root(attribute), value.Text(v))...)
	}
	resp.Identity.Raw = identify.Of(r.kind, known)
	resp.Diagnostics.Append(record.Record{Imported: true}.Write(ctx, resp.Private)...)
}

// importedBy returns the values in the identity or the id of an import. If they are not valid, invalid says how to write them;
// otherwise it is "".
func (r *instanceResource) importedBy(req resource.ImportStateRequest) (known kind.Values, invalid string) {
	var ok bool
	typ, name, typed := strings.Cut(req.ID, "/")
	identity := kind.ValuesOf(req.Identity.Raw)
	switch {
	case identity != nil:
		known, ok = identify.ByIdentity(r.kind, identity)
		invalid = "The identity must not have empty members."
	case typed && r.kind.AnyType == nil:
		if !slices.Contains(r.kind.KnownTypes(), typ) || strings.Contains(name, "/") { // the rest is no name
			name = r.kind.ExampleName
		}
		if name != "" {
			name = fmt.Sprintf(", such as %q", name)
		}
		invalid = fmt.Sprintf("Import by the name alone, as eNMS shows it%s. Names contain no slash.", name)
	default:
		known, ok = identify.Imported(r.kind, req.ID)
		invalid = `Import by the type and the name with a slash between them, such as "rack/DALLAS 12".`
	}
	if ok {
		return known, ""
	}
	return nil, invalid
}

// MoveState stores what the state of a resource of another type says: the name, the type, the id and the settings.
// Terraform then calls Read, which reads the rest.
func (r *instanceResource) MoveState(context.Context) []resource.StateMover {
	return []resource.StateMover{{StateMover: r.moveState}}
}

func (r *instanceResource) moveState(ctx context.Context, req resource.MoveStateRequest, resp *resource.MoveStateResponse) {
	summary := fmt.Sprintf("Cannot move %s to %s", req.SourceTypeName, r.kind.TypeName())
	if strings.HasPrefix(req.SourceTypeName, "enms_") {
		private, diags := record.Read(ctx, req.SourcePrivate)
		resp.Diagnostics.Append(diags...)
		if private.Pending() {
			resp.Diagnostics.AddError(summary, "The last apply did not finish with the instance. Apply without the moved block, then move.")
		}
	}
	known, err := identify.Moved(r.kind, r.kinds, req.SourceTypeName, req.SourceRawState.JSON)
	if err == nil && value.HasNUL(value.Text(known[kind.RowName])) {
		err = errors.New(kind.WrongName(value.Text(known[kind.RowName])))
	}
	if err != nil {
		resp.Diagnostics.AddError(summary, err.Error())
	}
	if resp.Diagnostics.HasError() {
		return
	}
	for attribute, v := range known { // strings, and a Boolean
		resp.Diagnostics.Append(resp.TargetState.SetAttribute(ctx, path.Root(attribute), value.ToJSON(v))...)
	}
	resp.TargetIdentity.Raw = identify.Of(r.kind, known)
	resp.Diagnostics.Append(record.Record{Moved: true}.Write(ctx, resp.TargetPrivate)...)
}
