// This file is what a list resource of a kind is searched for, and what it tells of an
// instance.

package kind

import (
	"slices"
	"time"

	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	listresource "github.com/hashicorp/terraform-plugin-framework/list/schema"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// ListResourceSchema returns the schema of the kind's list resource: the conditions of the
// list data source. How many instances to list is Terraform's own argument there.
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
	delete(attributes, RowProperties) // A query answers whole instances, or none of their attributes.
	return listresource.Schema{Attributes: attributes,
		MarkdownDescription: "Lists all " + k.Several() + ", or those that meet every condition, in the order of their creation. Instances that every new eNMS contains are omitted unless `built_in` is true. Instances that cannot be managed are always omitted."}
}

// IdentityColumns returns the fields that a search must answer for a query that asks for
// nothing but identities.
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

// Offers reports whether a query lists the row of a search: it meets the conditions, no
// plan would refuse the instance as it is, and it is not built in, unless that is wanted.
func (l *Listing) Offers(row value.Object) bool {
	name, _ := row[RowName].(string)
	return l.Matches(row) && (l.builtIn || !slices.Contains(l.kind.BuiltIn, name)) && l.kind.manageable(l.kind.Listed(row))
}

// manageable reports whether no plan would refuse the instance as it is.
func (k *Kind) manageable(known Values) bool {
	return len(k.NewPlan(known, known, nil, time.Time{}).refused) == 0 // whatever the time is
}
