// This file makes the schemas of a kind's resource and data source, documentation
// included.

package kind

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/int64validator"
	"github.com/hashicorp/terraform-plugin-framework-validators/listvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"
)

// ResourceSchema returns the schema of the kind's resource.
func (k *Kind) ResourceSchema() resource.Schema {
	attributes := map[string]resource.Attribute{}
	for _, a := range k.rows().resource {
		attributes[a.Name] = a.resourceAttribute()
	}
	return resource.Schema{MarkdownDescription: k.Summary, Attributes: attributes}
}

// resourceAttribute returns the attribute of the resource. Its validators look at secrets, at
// settings, and at what no answer of eNMS can be: they do not know what eNMS holds already.
// All else is checked by the plan (valuecheck.go).
func (a Attribute) resourceAttribute() resource.Attribute {
	doc, required := a.markdown(), a.Required
	optional := !a.Required && !a.ReadOnly
	// A secret is write-only, which no plan shows; sensitive, it would make the whole
	// resource so in expressions. Settings are computed like all else, because Terraform
	// writes null for what is not when it generates configuration.
	secret := a.Role == Secret
	computed := !a.Required && !secret
	switch a.Type {
	case Number:
		var checks []validator.Number
		if a.Role == Setting {
			checks = []validator.Number{a.numberCheck()}
		}
		return resource.NumberAttribute{MarkdownDescription: doc, Required: required, Optional: optional, Computed: computed, Validators: checks}
	case Flag:
		return resource.BoolAttribute{MarkdownDescription: doc, Required: required, Optional: optional, Computed: computed}
	case Many:
		return resource.ListAttribute{MarkdownDescription: doc, ElementType: types.StringType,
			Required: required, Optional: optional, Computed: computed, Validators: listChecks}
	case JSON, Properties:
		return resource.DynamicAttribute{MarkdownDescription: doc, Required: required, Optional: optional, Computed: computed,
			WriteOnly: secret, Validators: []validator.Dynamic{objectCheck{}}}
	case Criteria:
		return resource.MapNestedAttribute{MarkdownDescription: doc, Optional: optional, Computed: computed, NestedObject: criterionSchema}
	}
	var checks []validator.String
	if secret || a.Role == Setting {
		checks = a.textChecks()
	}
	return resource.StringAttribute{MarkdownDescription: doc, Required: required, Optional: optional, Computed: computed,
		WriteOnly: secret, Validators: checks}
}

// DataSourceSchema returns the schema of the kind's data source: the name is configured, all
// else is answered.
func (k *Kind) DataSourceSchema() datasource.Schema {
	attributes := map[string]datasource.Attribute{}
	for _, a := range k.rows().dataSource {
		attributes[a.Name] = a.dataSourceAttribute()
	}
	return datasource.Schema{MarkdownDescription: "Reads one instance by its name. If it does not exist, that is an error. " + k.Summary, Attributes: attributes}
}

func (a Attribute) dataSourceAttribute() datasource.Attribute {
	switch a.Type {
	case Number:
		return datasource.Int64Attribute{MarkdownDescription: a.Doc, Computed: true}
	case Flag:
		return datasource.BoolAttribute{MarkdownDescription: a.Doc, Computed: true}
	case Criteria:
		return datasource.MapNestedAttribute{MarkdownDescription: a.Doc, Computed: true, NestedObject: criterionData}
	case Many:
		return datasource.ListAttribute{MarkdownDescription: a.Doc, ElementType: types.StringType, Computed: true}
	case JSON:
		return datasource.DynamicAttribute{MarkdownDescription: a.Doc, Computed: true}
	case Properties:
		return datasource.DynamicAttribute{MarkdownDescription: "All other fields that eNMS returns, by eNMS's names. It does not return secrets.", Computed: true}
	}
	if a.Role == Subtype && a.Required {
		return datasource.StringAttribute{MarkdownDescription: a.Doc, Required: true, Validators: a.textChecks()}
	}
	if a.Role == Key {
		return datasource.StringAttribute{MarkdownDescription: "The name of the instance.", Required: true, Validators: a.textChecks()}
	}
	return datasource.StringAttribute{MarkdownDescription: a.Doc, Computed: true}
}

// markdown returns the row's documentation: Doc, choices, bounds and default.
func (a Attribute) markdown() string {
	parts := []string{a.Doc}
	if choices := a.choices(); choices != "" {
		parts = append(parts, choices)
	}
	switch {
	case a.Range == nil:
	case a.Range.Max == math.MaxInt32:
		parts = append(parts, fmt.Sprintf("At least %d.", a.Range.Min))
	default:
		parts = append(parts, fmt.Sprintf("From %d to %d.", a.Range.Min, a.Range.Max))
	}
	switch {
	case a.MaxLength == Unbounded:
		parts = append(parts, "Any length.")
	case a.MaxLength != 0:
		parts = append(parts, fmt.Sprintf("At most %d characters.", a.MaxLength))
	}
	switch {
	case a.OnCreate != nil:
		parts = append(parts, fmt.Sprintf("Default: `%v`.", a.OnCreate))
	case a.Default != nil && a.Default != "":
		parts = append(parts, fmt.Sprintf("Default: `%v`.", a.Default))
	}
	if a.Needed {
		parts = append(parts, "Needed, unless an instance that is imported has none.")
	}
	if a.Recreate {
		parts = append(parts, "Changing this forces replacement.")
	}
	return strings.Join(parts, " ")
}

func (a Attribute) textChecks() []validator.String {
	checks := a.Checks
	if a.Type == One {
		checks = nameChecks
	}
	if len(a.OneOf) > 0 && a.closed() {
		checks = append([]validator.String{stringvalidator.OneOf(a.OneOf...)}, checks...)
	}
	return checks
}

func (a Attribute) numberCheck() WholeNumber {
	bounds := cmp.Or(a.Range, anyNumber)
	return WholeNumber{int64validator.Between(bounds.Min, bounds.Max)}
}

// listChecks are what a relation to many must be: duplicates make eNMS answer
// 500 (enms-rest.md 1.1).
var listChecks = []validator.List{listvalidator.UniqueValues(), listvalidator.NoNullValues()}
