// This file is the data source enms_server: what a module or a person may want to know of the server first.

package operations

import (
	"context"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

// NewServer returns the data source, for the provider's list.
func NewServer() datasource.DataSource {
	return &serverSource{resources.DataSource{Name: "server"}}
}

type serverSource struct{ resources.DataSource }

// serverModel is the data source's state.
type serverModel struct {
	Address       types.String `tfsdk:"address"`
	Line          types.Int64  `tfsdk:"line"`
	Support       types.String `tfsdk:"support"`
	User          types.String `tfsdk:"user"`
	Administrator types.Bool   `tfsdk:"administrator"`
	Requests      types.Set    `tfsdk:"requests"`
}

// support says how well this provider supports the lines of eNMS that it finds, in a word.
const support = "supported"

func (d *serverSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	resp.Schema = schema.Schema{
		MarkdownDescription: "The server and the user of the provider block, for a `precondition`, or for a person who wants to know where a plan goes. It takes one request, which other resources share.\n\n" +
			"The line is found by the row of the user: eNMS has no endpoint that tells its version reliably, and none that tells its database or its rate limits. If the user may not read its own row, by `GET /rest/query`, only `address` and `user` are known, and the other attributes are null.",
		Attributes: map[string]schema.Attribute{
			"address":       schema.StringAttribute{Computed: true, MarkdownDescription: "The address of the server: `base_url` without a user and a password."},
			"line":          schema.Int64Attribute{Computed: true, MarkdownDescription: "The line of eNMS: `4` or `5`."},
			"support":       schema.StringAttribute{Computed: true, MarkdownDescription: "How well the provider supports the newest version of the line, in a word: `supported`."},
			"user":          schema.StringAttribute{Computed: true, MarkdownDescription: "The name of the user."},
			"administrator": schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the user is an administrator, from whom eNMS hides nothing."},
			"requests": schema.SetAttribute{Computed: true, ElementType: types.StringType,
				MarkdownDescription: "The requests that the user's groups allow, such as `POST /rest/search`. Null for an administrator, who may send every request."},
		},
	}
}

// Read reads the user, whose row also shows the line.
func (d *serverSource) Read(ctx context.Context, _ datasource.ReadRequest, resp *datasource.ReadResponse) {
	if resp.Diagnostics.Append(d.Provider.Readable("Cannot read the server")...); resp.Diagnostics.HasError() {
		return
	}
	client := d.Provider.Client
	rights, err := client.Rights(ctx)
	if err != nil {
		resp.Diagnostics.Append(failures.Diagnostic("Cannot read the server", err))
		return
	}
	read := serverModel{Address: types.StringValue(client.Address()), User: types.StringValue(client.User()), Requests: types.SetNull(types.StringType)}
	if rights != nil {
		line, _ := client.Line(ctx) // the row has shown it
		read.Line, read.Support = types.Int64Value(int64(line)), types.StringValue(support)
		read.Administrator = types.BoolValue(rights.Administrator)
		if !rights.Administrator {
			requests, diags := types.SetValueFrom(ctx, types.StringType, rights.Requests)
			resp.Diagnostics.Append(diags...)
			read.Requests = requests
		}
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, read)...)
}
