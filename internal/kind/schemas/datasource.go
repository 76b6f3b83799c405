// This file makes the schema of a kind's data source.

package schemas

import (
	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
)

// DataSource returns the schema of the kind's data source: the name is configured, everything else is computed.
func DataSource(k *kind.Kind) datasource.Schema {
	attributes := map[string]datasource.Attribute{}
	for _, a := range k.Table().DataSource {
		attributes[a.Name] = Attribute(a)
	}
	return datasource.Schema{MarkdownDescription: "Reads one instance by its name. If it does not exist, that is an error. " + k.Summary + k.LineNote(), Attributes: attributes}
}

// Attribute returns an attribute of a data source.
func Attribute(a kind.Attribute) datasource.Attribute {
	switch a.Type {
	case kind.Number:
		return datasource.Int64Attribute{MarkdownDescription: a.Doc, Computed: true}
	case kind.Flag:
		return datasource.BoolAttribute{MarkdownDescription: a.Doc, Computed: true}
	case kind.Criteria:
		return datasource.MapNestedAttribute{MarkdownDescription: a.Doc, Computed: true, NestedObject: criterionData}
	case kind.Many:
		return datasource.SetAttribute{MarkdownDescription: a.Doc, ElementType: types.StringType, CustomType: NameSet, Computed: true}
	case kind.JSON:
		return datasource.DynamicAttribute{MarkdownDescription: a.Doc, Computed: true}
	case kind.Properties:
		return datasource.DynamicAttribute{MarkdownDescription: "All other fields that eNMS returns, by eNMS's names. It does not return secrets.", Computed: true}
	}
	if a.Role == kind.Subtype && a.Required {
		return datasource.StringAttribute{MarkdownDescription: a.Doc, Required: true, Validators: checks.OfText(a)}
	}
	if a.Role == kind.Key {
		return datasource.StringAttribute{MarkdownDescription: "The name of the instance.", Required: true, Validators: checks.OfText(a)}
	}
	return datasource.StringAttribute{MarkdownDescription: a.Doc, Computed: true}
}
