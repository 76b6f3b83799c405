// This file makes the schemas of a kind's resource and data source, and the other documentation
// that follows from its table.

package kind

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

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

// resourceAttribute returns the attribute of the resource. Its validators check secrets,
// settings, and values that eNMS cannot have, because they do not know the values in eNMS.
// Everything else is checked by the plan (plan.go).
func (a Attribute) resourceAttribute() resource.Attribute {
	doc, required := a.markdown(), a.Required
	optional := !a.Required && !a.ReadOnly
	// A secret is write-only, so that no plan shows it. If it was also sensitive, the whole
	// resource would be sensitive in expressions. Settings are computed like other attributes,
	// because Terraform writes null for attributes that are not when it generates configuration.
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

// DataSourceSchema returns the schema of the kind's data source: the name is configured,
// everything else is computed.
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

// Section is a part of the page about a resource.
type Section struct {
	Title      string   `json:"title"`      // empty for what stands first
	Attributes []string `json:"attributes"` // in the order of the table
}

// Sections returns the attributes of the kind's resource by the headings in its table.
func (k *Kind) Sections() []Section {
	sections := []Section{{}}
	for _, a := range k.rows().resource {
		if a.Section != "" && a.Section != sections[len(sections)-1].Title {
			sections = append(sections, Section{Title: a.Section})
		}
		last := &sections[len(sections)-1]
		last.Attributes = append(last.Attributes, a.Name)
	}
	return sections
}

// FurtherMarkdown describes the further fields in Markdown: those of every subtype,
// then those of each.
func (k *Kind) FurtherMarkdown() string {
	var page strings.Builder
	page.WriteString("## Fields of every " + k.Name + "\n\n")
	k.writeFields(&page, slices.DeleteFunc(slices.Clone(k.Further), func(a Attribute) bool { return a.Sample }))
	for _, table := range k.Subtypes {
		fmt.Fprintf(&page, "## `%s`\n\n%s\n\n", table.Name, table.Doc)
		k.writeFields(&page, slices.DeleteFunc(slices.Clone(table.Fields), func(a Attribute) bool { return a.Sample }))
	}
	page.WriteString("## Custom properties of eNMS's sample configuration\n\n" +
		"Your eNMS has these unless they were removed. They may be declared differently there, so their values are not checked.\n\n")
	k.writeFields(&page, k.samples())
	return strings.TrimRight(page.String(), "\n") + "\n"
}

func (k *Kind) samples() []Attribute {
	all := slices.Clone(k.Further)
	for _, table := range k.Subtypes {
		all = append(all, table.Fields...)
	}
	return slices.DeleteFunc(all, func(a Attribute) bool { return !a.Sample })
}

// writeFields writes a table of rows by their names.
func (k *Kind) writeFields(page *strings.Builder, rows []Attribute) {
	if len(rows) == 0 {
		page.WriteString("It has no fields of its own.\n\n")
		return
	}
	slices.SortFunc(rows, func(a, b Attribute) int { return strings.Compare(a.Name, b.Name) })
	page.WriteString("| Field | Type | Default | Meaning |\n|---|---|---|---|\n")
	for _, a := range rows {
		byDefault := "`" + a.defaultText() + "`"
		switch {
		case slices.Contains(k.Secrets, a.Name):
			byDefault = "a secret: eNMS never returns it"
		case a.Type == One:
			byDefault = "none"
		}
		fmt.Fprintf(page, "| `%s` | %s | %s | %s |\n", a.Name, a.typeText(), byDefault, strings.ReplaceAll(a.furtherDoc(), "|", "\\|"))
	}
	page.WriteString("\n")
}

// typeText returns the type in words, without an article.
func (a Attribute) typeText() string {
	switch {
	case a.isRelation():
		return strings.TrimPrefix(a.Type.InWords(), "a ") + fmt.Sprintf(" (`%s`)", a.Of)
	default:
		return strings.TrimPrefix(strings.TrimPrefix(a.Type.InWords(), "an "), "a ")
	}
}

func (a Attribute) defaultText() string {
	document, err := json.Marshal(a.defaultJSON())
	if err != nil {
		panic("kind: the default of " + a.Name + " is no JSON value: " + err.Error())
	}
	return string(document)
}

// furtherDoc returns what a further field means, with its choices.
func (a Attribute) furtherDoc() string {
	return strings.TrimSuffix(a.Doc+" "+a.choices(), " ")
}
