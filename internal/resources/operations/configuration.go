// This file is the data source enms_device_configuration: the text that eNMS last fetched from a
// device (enms-rest.md 1.4, 5.2).

package operations

import (
	"context"
	"errors"
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

const (
	deviceType = "device"
	// never is what eNMS writes for what has not happened.
	never = "Never"
)

// texts are the kinds of text that eNMS fetches; the first is the default.
var texts = []string{"configuration", "operational_data", "specialized_data"}

// NewConfiguration returns the data source, for the provider's list.
func NewConfiguration() datasource.DataSource {
	return &textSource{resources.DataSource{Name: "device_configuration"}}
}

type textSource struct{ resources.DataSource }

var _ datasource.DataSourceWithConfigure = (*textSource)(nil)

// textModel is the data source's state.
type textModel struct {
	Device   types.String `tfsdk:"device"`
	Property types.String `tfsdk:"property"`
	Text     types.String `tfsdk:"text"`
	Status   types.String `tfsdk:"status"`
	Runtime  types.String `tfsdk:"runtime"`
	Update   types.String `tfsdk:"update"`
	Failure  types.String `tfsdk:"failure"`
}

func (d *textSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	read := func(doc string) schema.Attribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: doc}
	}
	resp.Schema = schema.Schema{
		MarkdownDescription: "The text that eNMS last fetched from a device, such as its configuration. Reading it does not contact the device: services in eNMS fetch the text. Devices that are read at the same time share a request.",
		Attributes: map[string]schema.Attribute{
			"device": schema.StringAttribute{Required: true, MarkdownDescription: "The name of the device.",
				Validators: []validator.String{stringvalidator.LengthAtLeast(1)}},
			"property": schema.StringAttribute{Optional: true, MarkdownDescription: "The text to read: `configuration`, `operational_data` or `specialized_data`. Default: `configuration`.",
				Validators: []validator.String{stringvalidator.OneOf(texts...)}},
			"text":    schema.StringAttribute{Computed: true, Sensitive: true, MarkdownDescription: "The text; `\"\"` if none was ever fetched. It is sensitive, because configurations contain passwords. To show it, use `nonsensitive(...)`."},
			"status":  read("What came of the last attempt to fetch it, `Success` or `Failure`; null before the first."),
			"runtime": read("When the last attempt began, as eNMS writes it; null before the first."),
			"update":  read("When it last succeeded; null when it never did."),
			"failure": read("When it last failed; null when it never did."),
		},
	}
}

// Read asks for the text in a search, which is shared with other devices.
func (d *textSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var asked textModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &asked)...)
	client := d.Provider.Configured(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	name, property := asked.Device.ValueString(), asked.Property.ValueString()
	if property == "" {
		property = texts[0]
	}
	last := func(what string) string { return "last_" + property + "_" + what }
	found, err := client.FindNow(ctx, deviceType, name, []string{property, last("status"), last("runtime"), last("update"), last("failure")})
	if err == nil {
		asked.Text, err = textOf(found, property)
	}
	switch {
	case errors.Is(err, enms.ErrNotFound):
		resp.Diagnostics.AddAttributeError(path.Root("device"), fmt.Sprintf("Cannot read the %s of device %q", property, name),
			"eNMS has no device with that name that this user may read. Names are case-sensitive.")
		return
	case err != nil:
		resp.Diagnostics.Append(failures.Diagnostic(fmt.Sprintf("Cannot read the %s of device %q", property, name), err))
		return
	}
	asked.Status, asked.Runtime = happened(found[last("status")]), happened(found[last("runtime")])
	asked.Update, asked.Failure = happened(found[last("update")]), happened(found[last("failure")])
	resp.Diagnostics.Append(resp.State.Set(ctx, asked)...)
}

// textOf returns the text in an answer, which a user without the right to it does not get.
func textOf(found enms.Object, property string) (types.String, error) {
	text, is := found[property].(string)
	if !is {
		return types.StringNull(), &enms.FieldError{Type: deviceType, Name: fmt.Sprint(found["name"]), Field: property,
			Reason: "is no text in the answer: the user of the provider may lack the right to it (rbac_configuration)"}
	}
	return types.StringValue(text), nil
}

// happened returns what eNMS recorded about the last time it fetched the configuration, or
// null if it never did.
func happened(x any) types.String {
	text, is := x.(string)
	if !is || text == "" || text == never {
		return types.StringNull()
	}
	return types.StringValue(text)
}
