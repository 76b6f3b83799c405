// This file makes the schemas of a kind's list data source and list resource.

package lists

import (
	"fmt"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	listresource "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/schemas"
)

// Schema returns the schema of the kind's list data source.
func Schema(k *kind.Kind) datasource.Schema {
	attributes := map[string]datasource.Attribute{
		listFilter: datasource.MapAttribute{Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Only instances whose properties match all of these: attributes or other fields of eNMS, by name. Numbers and Booleans are compared by value. An empty string matches properties that are empty or not set; `null` is ignored. A property that no instance has is an error."},
		listMatch: datasource.StringAttribute{Optional: true, Validators: []validator.String{stringvalidator.OneOf(kind.MatchEquality, kind.MatchInclusion, kind.MatchRegex)},
			MarkdownDescription: "How `filter` compares strings and numbers: `equality` is exact; `inclusion` finds properties that contain the value; `regex` finds properties that contain a match of the regular expression. For the last two, case sensitivity and the syntax of expressions depend on eNMS's database. Default: `equality`."},
		listLimit: datasource.NumberAttribute{Optional: true, Validators: []validator.Number{checks.WholeNumber{Bounds: int64validator.AtLeast(1)}},
			MarkdownDescription: "The maximum number of instances to return: the first ones by name. It does not reduce the work of eNMS."},
		kind.RowProperties: datasource.ListAttribute{Optional: true, ElementType: types.StringType, Validators: []validator.List{listvalidator.NoNullValues()},
			MarkdownDescription: "Other fields to read of each instance, such as custom properties, by eNMS's names. Relations and secrets cannot be read. A field that no instance has is an error."},
		Instances: datasource.ListNestedAttribute{Computed: true, NestedObject: datasource.NestedAttributeObject{Attributes: listedAttributes(k)},
			MarkdownDescription: "The instances, sorted by name. An empty list is not an error."},
	}
	if row := k.Table().Subtype; row.Name != "" {
		attributes[row.Name] = listType(k, row)
	}
	for _, a := range listedBy(k) {
		attributes[a.Name] = datasource.ListAttribute{Optional: true, ElementType: types.StringType, Validators: []validator.List{listvalidator.NoNullValues()},
			MarkdownDescription: listDoc(a)}
	}
	if k.AnyType != nil {
		attributes[listRelations] = datasource.MapAttribute{Optional: true, ElementType: types.ListType{ElemType: types.StringType},
			MarkdownDescription: "Only instances that have at least one of the names in each of these relations. A relation that the type does not have is an error. eNMS's database compares the names."}
	}
	return datasource.Schema{MarkdownDescription: listSummary(k), Attributes: attributes}
}

// listSummary returns the description of the list.
func listSummary(k *kind.Kind) string {
	of := "Reads all " + k.Several() + ", or those that"
	if k.AnyType != nil {
		of = "Reads all instances of any type, or those that"
	}
	return of + " meet every condition. One search finds all of them; a relation with several names takes one search for each name and two more. " +
		"Searches return neither relations nor JSON objects: to read those of an instance, use " + k.TypeName() + "." + k.LineNote()
}

// listType returns the schema of the argument with the type.
func listType(k *kind.Kind, row kind.Attribute) datasource.Attribute {
	doc := "Only instances of exactly this type."
	if k.AnyType != nil {
		doc = "The instance type, as in the path `/rest/instance/<type>`. Instances of its subtypes are included."
	}
	return datasource.StringAttribute{Required: row.Required, Optional: !row.Required, MarkdownDescription: doc, Validators: checks.OfText(row)}
}

// listDoc returns the description of the argument that searches by the relation.
func listDoc(a kind.Attribute) string {
	if a.Type == kind.One {
		return fmt.Sprintf("Only instances whose `%s` is one of these full names. An empty list finds nothing.", a.Name)
	}
	return fmt.Sprintf("Only instances that have at least one of these names in `%s` (instances of the type `%s`). An empty list finds nothing.", a.Name, a.Of)
}

// listedAttributes returns the attributes of the instances of a list.
func listedAttributes(k *kind.Kind) map[string]datasource.Attribute {
	attributes := map[string]datasource.Attribute{
		kind.RowProperties: datasource.MapAttribute{Computed: true, ElementType: types.StringType,
			MarkdownDescription: "The fields in the argument `properties` that are set: numbers and Booleans as strings, lists and objects as JSON."},
	}
	for _, a := range k.Table().Listed {
		switch {
		case a.Type == kind.Number, a.Type == kind.Flag, a.Type == kind.Many:
			attributes[a.Name] = schemas.Attribute(a)
		case a.Role == kind.Key:
			attributes[a.Name] = datasource.StringAttribute{Computed: true, MarkdownDescription: "The name."}
		default:
			attributes[a.Name] = datasource.StringAttribute{Computed: true, MarkdownDescription: a.Doc}
		}
	}
	return attributes
}

// ResourceSchema returns the schema of the kind's list resource: the conditions of the list data source without the
// limit, for which Terraform has an argument.
func ResourceSchema(k *kind.Kind) listresource.Schema {
	attributes := map[string]listresource.Attribute{}
	for name, a := range Schema(k).Attributes {
		switch a := a.(type) {
		case datasource.StringAttribute:
			attributes[name] = listresource.StringAttribute{MarkdownDescription: a.MarkdownDescription, Required: a.Required, Optional: a.Optional, Validators: a.Validators}
		case datasource.MapAttribute:
			attributes[name] = listresource.MapAttribute{MarkdownDescription: a.MarkdownDescription, Optional: a.Optional, ElementType: a.ElementType, Validators: a.Validators}
		case datasource.ListAttribute:
			attributes[name] = listresource.ListAttribute{MarkdownDescription: a.MarkdownDescription, Optional: a.Optional, ElementType: a.ElementType, Validators: a.Validators}
		}
	}
	attributes[listBuiltIn] = listresource.BoolAttribute{Optional: true,
		MarkdownDescription: "Whether to include instances that every new eNMS contains. Instances that cannot be managed are never included. Default: `false`."}
	delete(attributes, kind.RowProperties) // a query returns whole instances, or none of their attributes
	return listresource.Schema{Attributes: attributes,
		MarkdownDescription: "Lists all " + k.Several() + ", or those that meet every condition, in the order of their creation. Instances that every new eNMS contains are omitted unless `built_in` is true. Instances that cannot be managed are always omitted." + k.LineNote()}
}
