// This file refuses plans that create instances of types which this eNMS does not have.

package lifecycle

import (
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// CheckType refuses a type that eNMS does not have. It asks only about types that no table
// has, which may be a site's own; while eNMS cannot be asked, it refuses nothing.
func (r *Instances) CheckType(ctx context.Context, typ string) (diags diag.Diagnostics) {
	row := r.kind.SubtypeRow()
	if row == "" || typ == "" || !r.provider.Ready() || slices.Contains(r.kind.KnownTypes(), typ) {
		return nil
	}
	near, missing := r.provider.types.missing(ctx, r.provider.Client, r.kind, typ)
	if !missing {
		return nil
	}
	diags.AddAttributeError(path.Root(row), fmt.Sprintf("Unknown type %q", typ), unknownTypeHint(typ, near))
	return diags
}

// explainType returns the error of a 500 that eNMS gave because it does not have the type, nil
// when that is not why. The plan has not told when it could not ask.
func (r *Instances) explainType(ctx context.Context, verb string, planned kind.Values, cause error) error {
	typ := value.Text(planned[r.kind.SubtypeRow()])
	if !enms.InternalServerError(cause) || !r.CheckType(ctx, typ).HasError() {
		return nil
	}
	return &enms.RefusedError{Op: verb, Type: r.kind.Name, Name: value.Text(planned[kind.RowName]), Reason: "it has no such type", UnknownType: typ}
}

// unknownTypeHint says what to do about a type that eNMS does not have.
func unknownTypeHint(typ, near string) string {
	if near != "" {
		return fmt.Sprintf("This eNMS has no type %q. Did you mean %q?", typ, near)
	}
	return fmt.Sprintf("This eNMS has no type %q. Check the spelling. A type of your own must be installed on the server first.", typ)
}
