// This file is the data source enms_changelog, which lists who has changed what.

package operations

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework/datasource"
	"github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
)

// NewChangelog returns the data source, for the provider's list.
func NewChangelog() datasource.DataSource {
	return &changelogSource{resources.DataSource{Name: "changelog"}}
}

type changelogSource struct{ resources.DataSource }

// changelogModel is the data source's state.
type changelogModel struct {
	Author  types.String  `tfsdk:"author"`
	Type    types.String  `tfsdk:"type"`
	Name    types.String  `tfsdk:"name"`
	Since   types.String  `tfsdk:"since"`
	Max     types.Int64   `tfsdk:"max"`
	Values  types.Bool    `tfsdk:"values"`
	Entries []changeModel `tfsdk:"entries"`
}

// changeModel is one change in that state.
type changeModel struct {
	Time    types.String            `tfsdk:"time"`
	Author  types.String            `tfsdk:"author"`
	Action  types.String            `tfsdk:"action"`
	Type    types.String            `tfsdk:"type"`
	Name    types.String            `tfsdk:"name"`
	Source  types.String            `tfsdk:"source"`
	Fields  []string                `tfsdk:"fields"`
	Content types.String            `tfsdk:"content"`
	Changes map[string]changedModel `tfsdk:"changes"`
}

// changedModel is one field that a change has changed.
type changedModel struct {
	Old types.String `tfsdk:"old"`
	New types.String `tfsdk:"new"`
}

func (d *changelogSource) Schema(_ context.Context, _ datasource.SchemaRequest, resp *datasource.SchemaResponse) {
	text := func(doc string) schema.StringAttribute {
		return schema.StringAttribute{Computed: true, MarkdownDescription: doc}
	}
	content := text("The entry in the words of eNMS, if `values` is true. On eNMS 5, the entry of a creation contains all properties.")
	content.Sensitive = true
	resp.Schema = schema.Schema{
		MarkdownDescription: "Who has created, changed and deleted what: the latest entries of eNMS's changelog, the last one first. Messages that are not about an instance are omitted.\n\n" +
			"eNMS shows the changelog to every user who may send `/rest/search`, whatever the rights to the instances. It conceals passwords and keys of credentials and users; eNMS 4 has no entry for their changes. " +
			"It does not conceal other values: a password in a script, in a payload or in a custom property stays in the changelog after it has been removed. " +
			"Therefore the values are read only if `values` is true. They are then sensitive, and stored in the state: keep the state as secret as eNMS itself, or omit `values`.",
		Attributes: map[string]schema.Attribute{
			"author": schema.StringAttribute{Optional: true, Validators: aName, MarkdownDescription: "Only changes by this user. Changes that a run of a service makes are those of the user who runs it."},
			"type":   schema.StringAttribute{Optional: true, Validators: aName, MarkdownDescription: "Only changes of instances of this type, as eNMS writes it: `device`, `pool`, `netmiko_commands_service`."},
			"name":   schema.StringAttribute{Optional: true, Validators: aName, MarkdownDescription: "Only changes of instances with this name. Changes before a rename are under the former name, and the rename is under the new one."},
			"since":  sinceAttribute("Only changes at this time or later"),
			"max":    maxAttribute("entries"),
			"values": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether to read the values, as `content` and `changes`. Default: `false`."},
			"entries": schema.ListNestedAttribute{Computed: true, MarkdownDescription: "The entries.", NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
				"time":    text("When, by eNMS's clock."),
				"author":  text("The user; null for eNMS itself."),
				"action":  text("`create`, `update` or `delete`."),
				"type":    text("The type of the instance."),
				"name":    text("The name of the instance, after the change."),
				"source":  text("Where the change was made, such as `ReST API` or `Edit Panel`. Only of updates, and only on eNMS 5."),
				"fields":  schema.ListAttribute{Computed: true, ElementType: types.StringType, MarkdownDescription: "The names of the fields of eNMS that an update has changed, without those whose values eNMS conceals. Only on eNMS 5."},
				"content": content,
				"changes": schema.MapNestedAttribute{Computed: true, Sensitive: true, MarkdownDescription: "What an update has changed, by field, if `values` is true. Only on eNMS 5.",
					NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
						"old": text("The former value: a string as it is, anything else as JSON; for a relation or a list, what was removed, one on each line."),
						"new": text("The new value; for a relation or a list, what was added."),
					}}},
			}}},
		},
	}
}

// actions maps eNMS's words for actions to those of Terraform.
var actions = map[string]string{"CREATION": "create", "UPDATE": "update", "DELETION": "delete"}

// Read reads the changes.
func (d *changelogSource) Read(ctx context.Context, req datasource.ReadRequest, resp *datasource.ReadResponse) {
	var asked changelogModel
	resp.Diagnostics.Append(req.Config.Get(ctx, &asked)...)
	client := d.Provider.Configured(&resp.Diagnostics)
	if resp.Diagnostics.HasError() {
		return
	}
	found, err := client.Changes(ctx, enms.ChangeSelection{Author: asked.Author.ValueString(), Type: asked.Type.ValueString(), Name: asked.Name.ValueString(),
		Since: asked.Since.ValueString(), Most: mostOf(asked.Max)})
	if err != nil {
		resp.Diagnostics.Append(failures.Diagnostic("Cannot read the changelog", err))
		return
	}
	asked.Entries = []changeModel{}
	for _, change := range found {
		entry := changeModel{Time: types.StringValue(change.Time), Author: textOrNull(change.Author), Action: textOrNull(actions[change.Action]),
			Type: textOrNull(change.Type), Name: textOrNull(change.Name), Source: textOrNull(change.Source)}
		if change.Values != nil {
			entry.Fields = slices.AppendSeq([]string{}, maps.Keys(change.Values))
			slices.Sort(entry.Fields)
		}
		if asked.Values.ValueBool() {
			entry.Content = types.StringValue(change.Content)
			if change.Values != nil {
				entry.Changes = map[string]changedModel{}
			}
			for field, values := range change.Values {
				entry.Changes[field] = changedModel{Old: textOrJSON(values.Old), New: textOrJSON(values.New)}
			}
		}
		asked.Entries = append(asked.Entries, entry)
	}
	resp.Diagnostics.Append(resp.State.Set(ctx, asked)...)
}

// textOrJSON returns a value of eNMS: a string as it is, anything else as JSON, or null.
func textOrJSON(value any) types.String {
	if text, is := value.(string); is {
		return types.StringValue(text)
	}
	text, err := json.Marshal(value)
	if err != nil || value == nil {
		return types.StringNull()
	}
	return types.StringValue(string(text))
}
