// This file is the data source enms_device_configuration: the text that eNMS last fetched from a
// device (enms-rest.md 1.4, 5.2).

package operations

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/ephemeral"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/deviceconfig"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

const (
	deviceType = "device"
	// never is what eNMS returns as the time of something that has never happened.
	never = "Never"
)

// texts are the properties with the texts that eNMS fetches; the first is the default.
var texts = []string{"configuration", "operational_data", "specialized_data"}

// NewConfiguration returns the data source, for the provider's list.
func NewConfiguration() datasource.DataSource {
	return &dataSource{resources.DataSource{Name: "device_configuration"},
		textDoc + " The text is stored in the state, without what `only` and `ignore` leave out: eNMS sends the whole text, and the provider selects the lines. The ephemeral resource `enms_device_configuration` reads it without storing it.",
		textAttributes("The text; `\"\"` if none was ever fetched. It is sensitive, because configurations contain passwords. To show it, use `nonsensitive(...)`."), newTextModel}
}

// NewEphemeralConfiguration returns the ephemeral resource, for the provider's list.
func NewEphemeralConfiguration() ephemeral.EphemeralResource {
	return &ephemeralResource{resources.Ephemeral{Name: "device_configuration"}, textDoc + " The text is not stored in the state or the plan.",
		textAttributes("The text; `\"\"` if none was ever fetched."), newTextModel}
}

// textModel is what the data source and the ephemeral resource read.
type textModel struct {
	Device   types.String `tfsdk:"device"`
	Property types.String `tfsdk:"property"`
	Only     types.List   `tfsdk:"only"`
	Ignore   types.List   `tfsdk:"ignore"`
	Text     types.String `tfsdk:"text"`
	Status   types.String `tfsdk:"status"`
	Runtime  types.String `tfsdk:"runtime"`
	Update   types.String `tfsdk:"update"`
	Failure  types.String `tfsdk:"failure"`
}

func newTextModel() model { return &textModel{} }

// textDocs describes the attributes, apart from the text itself.
var textDocs = map[string]string{
	"device":   "The name of the device.",
	"property": "The text to read: `configuration`, `operational_data` or `specialized_data`. Default: `configuration`.",
	"only":     "Regular expressions in [RE2 syntax](https://github.com/google/re2/wiki/Syntax) of the lines to read, such as `^ntp `: the text has only the lines that match one of them, with what belongs to them, and the lines to which they belong. A line belongs to the line above it with a smaller indentation. The expressions are matched against lines without their indentation. An empty list selects nothing. Default: the whole text.",
	"ignore":   "Regular expressions of lines to leave out, with all that belongs to them, such as `^enable secret `. They take precedence over `only`. With `only` or `ignore`, empty lines and lines that begin with `!` are left out, too.",
	"status":   "The result of the last attempt to fetch the text, `Success` or `Failure`; null before the first attempt.",
	"runtime":  "The start of the last attempt, in eNMS's format; null before the first attempt.",
	"update":   "The time of the last successful attempt; null if there is none.",
	"failure":  "The time of the last failed attempt; null if there is none.",
}

// textDoc describes the data source and the ephemeral resource.
const textDoc = "The text that eNMS last fetched from a device, such as its configuration. Reading it does not contact the device: services in eNMS fetch the text. Devices that are read at the same time share a request."

// textAttributes returns the attributes of the data source and of the ephemeral resource, whose descriptions
// of the text differ.
func textAttributes(text string) map[string]schema.Attribute {
	attributes := map[string]schema.Attribute{"text": schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: text}}
	for name, doc := range textDocs {
		attributes[name] = schema.StringAttribute{Computed: true, MarkdownDescription: doc}
	}
	attributes["device"] = schema.StringAttribute{Required: true, MarkdownDescription: textDocs["device"], Validators: aName}
	for _, name := range []string{"only", "ignore"} {
		attributes[name] = schema.ListAttribute{Optional: true, ElementType: types.StringType, MarkdownDescription: textDocs[name],
			Validators: []validator.List{listvalidator.NoNullValues(), listvalidator.ValueStringsAre(expression{})}}
	}
	attributes["property"] = schema.StringAttribute{Optional: true, MarkdownDescription: textDocs["property"], Validators: []validator.String{stringvalidator.OneOf(texts...)}}
	return attributes
}

// read asks for the text in a search, which is shared with other devices. What is not selected reaches neither
// the state nor the plan.
func (m *textModel) read(ctx context.Context, client *enms.Client) (diags diag.Diagnostics) {
	only, ignore := patternsOf(ctx, m.Only, "only", deviceconfig.All, &diags), patternsOf(ctx, m.Ignore, "ignore", nil, &diags)
	if diags.HasError() {
		return diags
	}
	name, property := m.Device.ValueString(), m.Property.ValueString()
	if property == "" {
		property = texts[0]
	}
	last := func(what string) string { return "last_" + property + "_" + what }
	found, err := client.FindNow(ctx, deviceType, name, []string{property, last("status"), last("runtime"), last("update"), last("failure")})
	if err == nil {
		m.Text, err = textOf(found, property)
	}
	switch {
	case errors.Is(err, enms.ErrNotFound):
		diags.AddAttributeError(path.Root("device"), fmt.Sprintf("Cannot read the %s of device %q", property, name),
			"eNMS has no device with that name that this user may read. Names are case-sensitive.")
		return diags
	case err != nil:
		return append(diags, failures.Diagnostic(fmt.Sprintf("Cannot read the %s of device %q", property, name), err))
	}
	if !m.Only.IsNull() || !m.Ignore.IsNull() {
		m.Text = types.StringValue(deviceconfig.Select(m.Text.ValueString(), only, ignore))
	}
	m.Status, m.Runtime = happened(found[last("status")]), happened(found[last("runtime")])
	m.Update, m.Failure = happened(found[last("update")]), happened(found[last("failure")])
	return diags
}

// textOf returns the text in an answer. It returns an error if the answer does not have it, usually
// because the user cannot read it.
func textOf(found enms.Object, property string) (types.String, error) {
	text, is := found[property].(string)
	if !is {
		return types.StringNull(), &enms.FieldError{Type: deviceType, Name: fmt.Sprint(found["name"]), Field: property,
			Reason: "is no text in the answer: the user of the provider may lack the right to it (rbac_configuration)"}
	}
	return types.StringValue(text), nil
}

// happened returns the status or a time of attempts to fetch a text, or null if there was no such attempt.
func happened(x any) types.String {
	text, _ := x.(string)
	if text == never {
		return types.StringNull()
	}
	return textOrNull(text)
}

// patternsOf compiles the regular expressions in an attribute. Without the attribute, it returns others.
func patternsOf(ctx context.Context, configured types.List, attribute string, others deviceconfig.Patterns, diags *diag.Diagnostics) deviceconfig.Patterns {
	if configured.IsNull() {
		return others
	}
	var expressions []string
	diags.Append(configured.ElementsAs(ctx, &expressions, false)...)
	patterns, err := deviceconfig.Compile(expressions)
	if err != nil {
		diags.AddAttributeError(path.Root(attribute), invalidExpression, err.Error()+".")
	}
	return patterns
}

// invalidExpression is the summary of the error about a string that is no regular expression.
const invalidExpression = "Invalid regular expression"

// expression is the validator of regular expressions.
type expression struct{}

func (expression) Description(context.Context) string { return "must be a regular expression" }

func (e expression) MarkdownDescription(ctx context.Context) string { return e.Description(ctx) }

func (expression) ValidateString(_ context.Context, req validator.StringRequest, resp *validator.StringResponse) {
	if _, err := deviceconfig.Compile([]string{req.ConfigValue.ValueString()}); err != nil { // null and unknown are "" here
		resp.Diagnostics.AddAttributeError(req.Path, invalidExpression, err.Error()+".")
	}
}
