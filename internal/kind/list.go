// This file makes the schemas and the values of a kind's list data source and list resource.

package kind

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	listresource "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Plural returns the end of the Terraform type of the kind's list: "devices" of enms_devices.
func (k *Kind) Plural() string { return k.Resource() + "s" }

// Several returns the plural in words: "workflow edges" of enms_workflow_edges.
func (k *Kind) Several() string { return strings.ReplaceAll(k.Plural(), "_", " ") }

// ListSchema returns the schema of the kind's list data source.
func (k *Kind) ListSchema() datasource.Schema {
	attributes := map[string]datasource.Attribute{
		listFilter: datasource.MapAttribute{Optional: true, ElementType: types.StringType,
			MarkdownDescription: "Only instances whose properties match all of these: attributes or other fields of eNMS, by name. Numbers and Booleans are compared by value. An empty string matches properties that are empty or not set; `null` is ignored. A property that no instance has is an error."},
		listMatch: datasource.StringAttribute{Optional: true, Validators: []validator.String{stringvalidator.OneOf(MatchEquality, MatchInclusion, MatchRegex)},
			MarkdownDescription: "How `filter` compares strings and numbers: `equality` is exact; `inclusion` finds properties that contain the value; `regex` finds properties that contain a match of the regular expression. For the last two, case sensitivity and the syntax of expressions depend on eNMS's database. Default: `equality`."},
		listLimit: datasource.NumberAttribute{Optional: true, Validators: []validator.Number{WholeNumber{int64validator.AtLeast(1)}},
			MarkdownDescription: "The maximum number of instances to return: the first ones by name. It does not reduce the work of eNMS."},
		RowProperties: datasource.ListAttribute{Optional: true, ElementType: types.StringType, Validators: []validator.List{listvalidator.NoNullValues()},
			MarkdownDescription: "Other fields to read of each instance, such as custom properties, by eNMS's names. Relations and secrets cannot be read. A field that no instance has is an error."},
		ListInstances: datasource.ListNestedAttribute{Computed: true, NestedObject: datasource.NestedAttributeObject{Attributes: k.listedAttributes()},
			MarkdownDescription: "The instances, sorted by name. An empty list is not an error."},
	}
	if row := k.rows().subtype; row.Name != "" {
		attributes[row.Name] = k.listType(row)
	}
	for _, a := range k.listedBy() {
		attributes[a.Name] = datasource.ListAttribute{Optional: true, ElementType: types.StringType, Validators: []validator.List{listvalidator.NoNullValues()},
			MarkdownDescription: a.listDoc()}
	}
	if k.AnyType {
		attributes[listRelations] = datasource.MapAttribute{Optional: true, ElementType: types.ListType{ElemType: types.StringType},
			MarkdownDescription: "Only instances that have at least one of the names in each of these relations. A relation that the type does not have is an error. eNMS's database compares the names."}
	}
	return datasource.Schema{MarkdownDescription: k.listSummary(), Attributes: attributes}
}

// listSummary returns the description of the list.
func (k *Kind) listSummary() string {
	of := "Reads all " + k.Several() + ", or those that"
	if k.AnyType {
		of = "Reads all instances of any type, or those that"
	}
	return of + " meet every condition. One search finds all of them; if a relation has several names, it takes one search for each name and two small ones. " +
		"Searches return neither relations nor objects: to read those of an instance, use " + k.TypeName() + "."
}

// listType returns the schema of the argument with the type.
func (k *Kind) listType(row Attribute) datasource.Attribute {
	doc := "Only instances of exactly this type."
	if k.AnyType {
		doc = "The instance type, as in the path `/rest/instance/<type>`. Instances of its subtypes are included."
	}
	return datasource.StringAttribute{Required: row.Required, Optional: !row.Required, MarkdownDescription: doc, Validators: row.textChecks()}
}

// listDoc returns the description of the argument that searches by the relation.
func (a Attribute) listDoc() string {
	if a.Type == One {
		return fmt.Sprintf("Only instances whose `%s` is one of these full names. An empty list finds nothing.", a.Name)
	}
	return fmt.Sprintf("Only instances that have at least one of these names in `%s` (instances of the type `%s`). An empty list finds nothing.", a.Name, a.Of)
}

// listedAttributes returns the attributes of the instances of a list.
func (k *Kind) listedAttributes() map[string]datasource.Attribute {
	attributes := map[string]datasource.Attribute{
		RowProperties: datasource.MapAttribute{Computed: true, ElementType: types.StringType,
			MarkdownDescription: "The fields in the argument `properties` that are set: numbers and Booleans as strings, lists and objects as JSON."},
	}
	for _, a := range k.rows().listed {
		doc := a.Doc
		if a.Role == Key {
			doc = "The name."
		}
		switch a.Type {
		case Number, Flag, Many:
			attributes[a.Name] = a.dataSourceAttribute()
		default:
			attributes[a.Name] = datasource.StringAttribute{Computed: true, MarkdownDescription: doc}
		}
	}
	return attributes
}

// First sorts the rows by name, and returns as many as the list may have.
func (l *Listing) First(rows []value.Object) []value.Object {
	text := func(row value.Object, field string) string { return fmt.Sprint(row[field]) }
	rows = slices.SortedFunc(slices.Values(rows), func(x, y value.Object) int {
		return cmp.Or(strings.Compare(text(x, RowName), text(y, RowName)), strings.Compare(text(x, RowID), text(y, RowID)))
	})
	if l.limit > 0 {
		rows = rows[:min(l.limit, len(rows))]
	}
	return rows
}

// Instances returns the values of the list. The error is a *instance.FieldError.
func (l *Listing) Instances(rows []value.Object, typ tftypes.Type) (tftypes.Value, error) {
	list, _ := typ.(tftypes.List)
	instances := make([]tftypes.Value, len(rows))
	for i, row := range rows {
		values, err := l.kind.valuesOf(l.kind.rows().listed, row, nil, nil)
		if err != nil {
			return tftypes.Value{}, err
		}
		values[RowProperties] = l.propertiesOf(row)
		instances[i] = tftypes.NewValue(list.ElementType, values)
	}
	return tftypes.NewValue(typ, instances), nil
}

// propertiesOf returns the requested properties of a row, as strings.
func (l *Listing) propertiesOf(row value.Object) tftypes.Value {
	texts := map[string]tftypes.Value{}
	for _, name := range l.properties {
		x := row[name]
		if x == nil {
			continue
		}
		x = value.Plain(x)
		text, is := x.(string)
		if !is {
			document, _ := json.Marshal(x) // it was decoded from JSON
			text = string(document)
		}
		texts[name] = tftypes.NewValue(tftypes.String, text)
	}
	return tftypes.NewValue(tftypes.Map{ElementType: tftypes.String}, texts)
}

// ListResourceSchema returns the schema of the kind's list resource: the conditions of the list
// data source. The number of instances is not among them, because Terraform has an argument for
// it.
func (k *Kind) ListResourceSchema() listresource.Schema {
	attributes := map[string]listresource.Attribute{}
	for name, a := range k.ListSchema().Attributes {
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
		MarkdownDescription: "Whether to include instances that every new eNMS contains, such as the pool `All objects`. Instances that cannot be managed are never included. Default: `false`."}
	delete(attributes, RowProperties) // a query returns whole instances, or none of their attributes
	return listresource.Schema{Attributes: attributes,
		MarkdownDescription: "Lists all " + k.Several() + ", or those that meet every condition, in the order of their creation. Instances that every new eNMS contains are omitted unless `built_in` is true. Instances that cannot be managed are always omitted."}
}

// IdentityColumns returns the fields that a search must return for a query that only asks for
// identities.
func (l *Listing) IdentityColumns() []string {
	var columns []string
	for _, c := range l.conditions {
		columns = append(columns, c.property)
	}
	return unique(columns)
}

// Listed returns the state of an instance of which only a row of a search is known: its name
// and its type.
func (k *Kind) Listed(row value.Object) Values {
	values := Values{}
	for _, a := range k.identityRows() {
		text, _ := row[a.readFrom()].(string)
		values[a.Name] = tftypes.NewValue(tftypes.String, text)
	}
	return k.MinimalState(values)
}

// Offers reports whether a query lists the row of a search: it meets the conditions, a plan would
// accept the instance as it is, and it is not built in, unless the query includes those.
func (l *Listing) Offers(row value.Object) bool {
	name, _ := row[RowName].(string)
	return l.Matches(row) && (l.builtIn || !slices.Contains(l.kind.BuiltIn, name)) && l.kind.manageable(l.kind.Listed(row))
}

// manageable reports whether a plan would accept the instance as it is.
func (k *Kind) manageable(known Values) bool {
	return len(k.NewPlan(known, known, nil, time.Time{}).Refused) == 0 // these errors do not depend on the time
}
