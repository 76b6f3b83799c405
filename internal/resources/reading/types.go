// This file checks the types of instances, of which a site may have its own.

package reading

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// CheckType returns an error about a type that eNMS does not have. It asks eNMS only about types that no table has,
// which may be a site's own, and about kinds that only one line of eNMS has. If the request fails, it returns none.
func (r *Reader) CheckType(ctx context.Context, typ string) (diags diag.Diagnostics) {
	row := r.Kind.SubtypeRow()
	if r.Kind.Line != 0 && r.Provider.Ready() {
		if line, err := r.Provider.Client.Line(ctx); err != nil || line == r.Kind.Line {
			return nil
		}
		// If eNMS shows the user nothing, the line is a guess, so only LacksType is certain.
		if _, lacks := r.Provider.LacksType(ctx, nil, r.Kind.Name); lacks {
			diags.AddAttributeError(path.Root(cmp.Or(row, kind.RowName)), fmt.Sprintf("Unknown type %q", r.Kind.Name),
				fmt.Sprintf("This eNMS has no type %q: only eNMS %d has it.", r.Kind.Name, r.Kind.Line))
		}
		return diags
	}
	if row == "" || typ == "" || !r.Provider.Ready() || slices.Contains(r.Kind.KnownTypes(), typ) {
		return nil
	}
	near, lacks := r.Provider.LacksType(ctx, r.Kind.KnownTypes(), typ)
	if !lacks {
		return nil
	}
	detail := fmt.Sprintf("This eNMS has no type %q.", typ) + resources.SpellingHint(near)
	if near == "" {
		detail += " A type of your own must be installed on the server first."
	}
	diags.AddAttributeError(path.Root(row), fmt.Sprintf("Unknown type %q", typ), detail)
	return diags
}

// ExplainType returns an error that eNMS does not have the type, if that is the reason for cause, a 500; otherwise
// nil. Usually, the plan has already refused the type.
func (r *Reader) ExplainType(ctx context.Context, verb string, planned kind.Values, cause error) error {
	typ := cmp.Or(value.Text(planned[r.Kind.SubtypeRow()]), r.Kind.Name)
	if !enms.InternalServerError(cause) || !r.CheckType(ctx, typ).HasError() {
		return nil
	}
	return &enms.RefusedError{Op: verb, Type: r.Kind.Name, Name: value.Text(planned[kind.RowName]), Reason: "it has no such type", UnknownType: typ}
}
