// Package schemas makes the schemas of a kind's resource and of its identity (resource.go) and of its data source
// (datasource.go), and the other documentation that follows from its table (properties.go, sharedfields.go).
// nameset.go is the type of relations to many.
package schemas

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	datasource "github.com/hashicorp/terraform-plugin-framework/datasource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/identityschema"
	resource "github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
)

// Resource returns the schema of the kind's resource.
func Resource(k *kind.Kind) resource.Schema {
	attributes := map[string]resource.Attribute{}
	for _, a := range k.Table().Resource {
		attributes[a.Name] = resourceAttribute(a)
	}
	return resource.Schema{MarkdownDescription: k.Summary + k.LineNote(), Attributes: attributes}
}

// Identity returns the schema of the resource's identity. An import requires the attributes
// without which the instance cannot be found.
func Identity(k *kind.Kind) identityschema.Schema {
	attributes := map[string]identityschema.Attribute{}
	for _, a := range k.IdentityRows() {
		needed := a.Role == kind.Key || a.Required
		doc := a.Doc
		if a.Role == kind.Key {
			doc = "The name, as eNMS shows it."
		}
		if !needed {
			doc += " If omitted, an instance of any type is imported."
		}
		attributes[a.Name] = identityschema.StringAttribute{RequiredForImport: needed, OptionalForImport: !needed, Description: doc}
	}
	return identityschema.Schema{Attributes: attributes}
}

// resourceAttribute returns the attribute of the resource. Its validators check only secrets,
// settings, and what eNMS cannot have in any case, because they do not know the values in eNMS.
// Everything else is checked by the plan (package plans).
func resourceAttribute(a kind.Attribute) resource.Attribute {
	doc, required := Markdown(a), a.Required
	optional := !a.Required && !a.ReadOnly
	// A secret is write-only, so that no plan shows it. If it was also sensitive, the whole
	// resource would be sensitive in expressions. Settings are computed like other attributes:
	// generated configuration has null for an attribute that is not computed.
	secret := a.Role == kind.Secret
	computed := !a.Required && !secret
	switch a.Type {
	case kind.Number:
		var validators []validator.Number
		if a.Role == kind.Setting {
			validators = []validator.Number{checks.OfNumber(a)}
		}
		return resource.NumberAttribute{MarkdownDescription: doc, Required: required, Optional: optional, Computed: computed, Validators: validators}
	case kind.Flag:
		return resource.BoolAttribute{MarkdownDescription: doc, Required: required, Optional: optional, Computed: computed}
	case kind.Many:
		return resource.SetAttribute{MarkdownDescription: doc, ElementType: types.StringType, CustomType: NameSet,
			Required: required, Optional: optional, Computed: computed, Validators: checks.OfSet}
	case kind.JSON, kind.Properties:
		return resource.DynamicAttribute{MarkdownDescription: doc, Required: required, Optional: optional, Computed: computed,
			WriteOnly: secret, Validators: []validator.Dynamic{checks.Object{}}}
	case kind.Criteria:
		return resource.MapNestedAttribute{MarkdownDescription: doc, Optional: optional, Computed: computed, NestedObject: criterionSchema}
	}
	var validators []validator.String
	if secret || a.Role == kind.Setting {
		validators = checks.OfText(a)
	}
	return resource.StringAttribute{MarkdownDescription: doc, Required: required, Optional: optional, Computed: computed,
		WriteOnly: secret, Validators: validators}
}

// criterionSchema and criterionData are a criterion in the schemas of the resource and of the data source.
var (
	criterionSchema = resource.NestedAttributeObject{Attributes: map[string]resource.Attribute{
		kind.CriterionValue: resource.StringAttribute{Optional: true, Computed: true,
			MarkdownDescription: "The value to compare the property with, as a string, even for numbers. If it is omitted, the condition is ignored, unless `match` is `empty`."},
		kind.CriterionMatch: resource.StringAttribute{Optional: true, Computed: true, Validators: []validator.String{stringvalidator.OneOf(kind.Matches...)},
			MarkdownDescription: "How to compare: `inclusion` (the property contains the value), `equality`, `regex` (the property contains a match of the regular expression, in the syntax of eNMS's database), or `empty`. Default: `inclusion`."},
		kind.CriterionInvert: resource.BoolAttribute{Optional: true, Computed: true,
			MarkdownDescription: "Whether to negate the condition. Default: `false`."},
	}}
	criterionData = datasource.NestedAttributeObject{Attributes: map[string]datasource.Attribute{
		kind.CriterionValue:  datasource.StringAttribute{Computed: true, MarkdownDescription: "The value to compare the property with."},
		kind.CriterionMatch:  datasource.StringAttribute{Computed: true, MarkdownDescription: "How to compare: `inclusion`, `equality`, `regex` or `empty`."},
		kind.CriterionInvert: datasource.BoolAttribute{Computed: true, MarkdownDescription: "Whether the condition is negated."},
	}}
)

// Markdown returns the row's documentation: Doc, choices, bounds and default.
func Markdown(a kind.Attribute) string {
	parts := []string{a.Doc, checks.Choices(a), checks.Lines(a)}
	switch {
	case a.Range != nil && a.Range.Max == math.MaxInt32:
		parts = append(parts, fmt.Sprintf("At least %d.", a.Range.Min))
	case a.Range != nil:
		parts = append(parts, fmt.Sprintf("From %d to %d.", a.Range.Min, a.Range.Max))
	}
	switch {
	case a.MaxLength == kind.Unbounded:
		parts = append(parts, "Any length.")
	case a.MaxLength != 0:
		parts = append(parts, fmt.Sprintf("At most %d characters.", a.MaxLength))
	}
	if byDefault := cmp.Or(a.OnCreate, a.Default); byDefault != nil && byDefault != "" {
		parts = append(parts, fmt.Sprintf("Default: `%v`.", byDefault))
	}
	if a.Needed {
		parts = append(parts, "Required, except for an imported instance without it.")
	}
	if a.Recreate {
		parts = append(parts, "Changing this forces replacement.")
	}
	return sentences(parts...)
}

// sentences joins sentences, without empty ones.
func sentences(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
}

// Sections returns the attributes of the kind's resource by the headings in its table.
func Sections(k *kind.Kind) []Section {
	sections := []Section{{}}
	for _, a := range k.Table().Resource {
		if a.Section != "" && a.Section != sections[len(sections)-1].Title {
			sections = append(sections, Section{Title: a.Section})
		}
		last := &sections[len(sections)-1]
		last.Attributes = append(last.Attributes, a.Name)
	}
	return sections
}

// Section is a part of the page about a resource.
type Section struct {
	Title      string   `json:"title"`      // empty for what stands first
	Attributes []string `json:"attributes"` // in the order of the table
}
