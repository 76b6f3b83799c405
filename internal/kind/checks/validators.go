// This file makes the validators of strings, numbers, lists and objects.

package checks

import (
	"cmp"
	"context"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/setvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// OfText returns the validators of a string.
func OfText(a kind.Attribute) []validator.String {
	validators := a.Checks
	switch {
	case a.Instead != nil:
		validators = []validator.String{refuseSecret(a.Name, *a.Instead)}
	case a.Type == kind.One:
		validators = kind.NameChecks
	}
	if len(a.OneOf) > 0 && closed(a) {
		validators = append([]validator.String{choice(a)}, validators...)
	}
	return validators
}

// choice returns the validator of a closed row of choices.
func choice(a kind.Attribute) validator.String {
	choices := stringvalidator.OneOf(a.OneOf...)
	if a.Meant == nil {
		return choices
	}
	return kind.StringCheck(func(req validator.StringRequest, resp *validator.StringResponse) {
		if text := req.ConfigValue.ValueString(); a.Meant[text] != "" {
			resp.Diagnostics.AddAttributeError(req.Path, "Invalid "+a.Name, OtherName(text, a.Meant[text]))
			return
		}
		choices.ValidateString(context.Background(), req, resp)
	})
}

// OtherName says that a type has another name in a configuration than in eNMS 5.
func OtherName(typ, plain string) string {
	return fmt.Sprintf("The type %q of eNMS 5 is called %q here, with every version of eNMS. Write type = %q.", typ, plain, plain)
}

// OfNumber returns the validator of a number.
func OfNumber(a kind.Attribute) WholeNumber {
	bounds := cmp.Or(a.Range, kind.AnyNumber)
	return WholeNumber{int64validator.Between(bounds.Min, bounds.Max)}
}

// OfSet are the validators of relations to many.
var OfSet = []validator.Set{setvalidator.NoNullValues()}

// refuseSecret returns the validator of the attribute with the plain name of a secret: every value is an
// error that names the write-only attribute.
func refuseSecret(name string, writeOnly kind.Attribute) validator.String {
	return kind.StringCheck(func(req validator.StringRequest, resp *validator.StringResponse) {
		if !req.ConfigValue.IsNull() {
			resp.Diagnostics.AddAttributeError(req.Path, fmt.Sprintf("%s is a secret", name),
				fmt.Sprintf("It would be stored in the state. Write %s = ... and %s = 1 in its place, which needs Terraform or OpenTofu 1.11.", writeOnly.Name, writeOnly.VersionName()))
		}
	})
}

// Object is the validator of attributes that hold an object: eNMS refuses other types,
// including strings with JSON (enms-rest.md 1.1).
type Object struct{}

// Description says what a value must be.
func (Object) Description(context.Context) string { return "must be an object" }

// MarkdownDescription is Description.
func (c Object) MarkdownDescription(ctx context.Context) string { return c.Description(ctx) }

// ValidateDynamic adds an error unless the value is an object.
func (Object) ValidateDynamic(_ context.Context, req validator.DynamicRequest, resp *validator.DynamicResponse) {
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

// WholeNumber is the validator of whole numbers, and of their bounds. An Int64Attribute cannot be
// used instead: the framework reports a fraction as an error in the provider.
type WholeNumber struct{ Bounds validator.Int64 }

// Description says what a value must be.
func (WholeNumber) Description(context.Context) string { return "must be a whole number" }

// MarkdownDescription is Description.
func (w WholeNumber) MarkdownDescription(ctx context.Context) string { return w.Description(ctx) }

// ValidateNumber adds an error unless the value is a whole number within the bounds.
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
	n, _ := f.Int64() // a number beyond 64 bits becomes the nearest one, which is out of bounds
	bounds := &validator.Int64Response{}
	w.Bounds.ValidateInt64(ctx, validator.Int64Request{Path: req.Path, ConfigValue: types.Int64Value(n)}, bounds)
	resp.Diagnostics.Append(bounds.Diagnostics...)
}
