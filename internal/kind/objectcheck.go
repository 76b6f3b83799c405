// This file checks the attributes that are objects of any content.

package kind

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types/basetypes"
)

// objectCheck is the validator of attributes that hold an object: eNMS refuses
// anything else for them, JSON text included (enms-rest.md 1.1).
type objectCheck struct{}

func (objectCheck) Description(context.Context) string { return "must be an object" }

func (c objectCheck) MarkdownDescription(ctx context.Context) string { return c.Description(ctx) }

func (objectCheck) ValidateDynamic(_ context.Context, req validator.DynamicRequest, resp *validator.DynamicResponse) {
	if req.ConfigValue.IsNull() || req.ConfigValue.IsUnknown() || req.ConfigValue.IsUnderlyingValueNull() || req.ConfigValue.IsUnderlyingValueUnknown() {
		return
	}
	switch req.ConfigValue.UnderlyingValue().(type) {
	case basetypes.ObjectValue, basetypes.MapValue:
	case basetypes.StringValue:
		resp.Diagnostics.AddAttributeError(req.Path, "Not an object",
			"eNMS takes an object here, not a text. Write the object itself, { key = value }, or wrap JSON text in jsondecode(...).")
	default:
		resp.Diagnostics.AddAttributeError(req.Path, "Not an object", "eNMS takes an object here: { key = value }.")
	}
}
