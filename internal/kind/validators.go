// This file holds the validators of names and of objects.

package kind

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// noNUL is why a NUL is refused.
const noNUL = "PostgreSQL cannot store that character, and eNMS would refuse the whole instance without a reason. Remove it."

// nameCheck is the validator of names (enms-rest.md 0.3).
type nameCheck struct{}

func (nameCheck) Description(context.Context) string { return "must be a name that eNMS takes" }

func (c nameCheck) MarkdownDescription(ctx context.Context) string { return c.Description(ctx) }

func (nameCheck) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	if wrong := WrongName(req.ConfigValue.ValueString()); wrong != "" {
		resp.Diagnostics.AddAttributeError(req.Path, "Invalid name", wrong)
	}
}

// WrongName tells what is wrong with a name, "" when nothing is.
func WrongName(name string) string {
	switch length := utf8.RuneCountInString(name); {
	case name == "":
		return "The name is empty."
	case length > CommonLength:
		return fmt.Sprintf("The name has %d characters; the maximum is %d.", length, CommonLength)
	}
	return wrongCharacters(name)
}

// wrongCharacters tells which character of a name no name may have, "" when there is none.
func wrongCharacters(name string) string {
	switch {
	case strings.ContainsAny(name, `/\'"`):
		return fmt.Sprintf("%q contains a slash, a backslash or a quote, which eNMS does not allow in names.", name)
	case strings.Contains(name, "\n"):
		return fmt.Sprintf("%q contains a line break. eNMS would store it, but could neither show nor delete the instance.", name)
	case value.HasNUL(name):
		return fmt.Sprintf("%q contains a NUL (U+0000). %s", name, noNUL)
	}
	return ""
}

// objectCheck is the validator of attributes that hold an object: eNMS refuses all
// else, JSON text included (enms-rest.md 1.1).
type objectCheck struct{}

func (objectCheck) Description(context.Context) string { return "must be an object" }

func (c objectCheck) MarkdownDescription(ctx context.Context) string { return c.Description(ctx) }

func (objectCheck) ValidateDynamic(_ context.Context, req validator.DynamicRequest, resp *validator.DynamicResponse) {
	if req.ConfigValue.IsUnderlyingValueNull() || req.ConfigValue.IsUnderlyingValueUnknown() {
		return
	}
	switch req.ConfigValue.UnderlyingValue().(type) {
	case nil, basetypes.ObjectValue, basetypes.MapValue: // nil is null or unknown
	case basetypes.StringValue:
		resp.Diagnostics.AddAttributeError(req.Path, "Not an object",
			"Expected an object, got a string. Write { key = value }, or use jsondecode(...) for a JSON string.")
	default:
		resp.Diagnostics.AddAttributeError(req.Path, "Not an object", "Expected an object: { key = value }.")
	}
}

// WholeNumber is the validator of whole numbers, and of their bounds. An Int64Attribute
// cannot take its place: of a fraction the framework says that it is an error in the
// provider.
type WholeNumber struct{ Bounds validator.Int64 }

// Description says what a value must be.
func (WholeNumber) Description(context.Context) string { return "must be a whole number" }

// MarkdownDescription is Description.
func (w WholeNumber) MarkdownDescription(ctx context.Context) string { return w.Description(ctx) }

// ValidateNumber adds an error for what is no whole number within the bounds.
func (w WholeNumber) ValidateNumber(ctx context.Context, req validator.NumberRequest, resp *validator.NumberResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() {
		return
	}
	f := req.ConfigValue.ValueBigFloat()
	if !f.IsInt() {
		resp.Diagnostics.AddAttributeError(req.Path, "Not a whole number",
			fmt.Sprintf("%s is %s. Write a whole number.", req.Path, f.Text('g', 10)))
		return
	}
	n, _ := f.Int64() // what is beyond 64 bits becomes the nearest, which is out of bounds
	within := &validator.Int64Response{}
	w.Bounds.ValidateInt64(ctx, validator.Int64Request{Path: req.Path, ConfigValue: types.Int64Value(n)}, within)
	resp.Diagnostics.Append(within.Diagnostics...)
}
