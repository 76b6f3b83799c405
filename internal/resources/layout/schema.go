// This file declares the schema of the resource.

package layout

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hashicorp/terraform-plugin-framework-validators/mapvalidator"
	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/numberdefault"
	"github.com/hashicorp/terraform-plugin-framework/resource/schema/stringdefault"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
)

// fullName returns the description of the attribute with the name of the workflow or network.
func (b Builder) fullName() string { return "The full name of the " + b.typ + "." }

// exampleOf returns the name of a member, for an error.
func (b Builder) exampleOf(name string) string {
	if b.scoped {
		return fmt.Sprintf(b.example, name)
	}
	return b.example
}

// schema returns the schema of the resource.
func (b Builder) schema() schema.Schema {
	s := schema.Schema{
		MarkdownDescription: b.summary,
		Attributes: map[string]schema.Attribute{
			b.typ: schema.StringAttribute{Required: true, MarkdownDescription: b.fullName()},
			positionsField: schema.MapNestedAttribute{Required: !b.labelled, Optional: b.labelled, Validators: []validator.Map{mapvalidator.SizeAtLeast(1)},
				MarkdownDescription: b.positions, NestedObject: schema.NestedAttributeObject{Attributes: coordinates()}},
		},
	}
	if b.labelled {
		s.Attributes[labelsField] = labelsAttribute()
	}
	return s
}

// coordinates returns the attributes of a position.
func coordinates() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"x": schema.NumberAttribute{Required: true, MarkdownDescription: "The horizontal position in pixels; it increases to the right."},
		"y": schema.NumberAttribute{Required: true, MarkdownDescription: "The vertical position in pixels; it increases downwards."},
	}
}

// labelsAttribute returns the attribute of the labels.
func labelsAttribute() schema.Attribute {
	attributes := coordinates()
	attributes["text"] = schema.StringAttribute{Required: true, MarkdownDescription: "The text of the label; it may have several lines."}
	attributes["size"] = schema.NumberAttribute{Optional: true, Computed: true, Default: numberdefault.StaticBigFloat(big.NewFloat(defaultSize)),
		MarkdownDescription: fmt.Sprintf("The size of the font in pixels. Defaults to `%d`.", defaultSize)}
	attributes["alignment"] = schema.StringAttribute{Optional: true, Computed: true, Default: stringdefault.StaticString(defaultAlignment),
		Validators:          []validator.String{stringvalidator.OneOf(alignments...)},
		MarkdownDescription: fmt.Sprintf("The alignment of the text: `%s`. Defaults to `%s`.", strings.Join(alignments, "`, `"), defaultAlignment)}
	return schema.MapNestedAttribute{Optional: true,
		Validators: []validator.Map{mapvalidator.SizeAtLeast(1), mapvalidator.AtLeastOneOf(path.MatchRoot(positionsField)),
			mapvalidator.KeysAre(stringvalidator.RegexMatches(configKeyPattern, fmt.Sprintf("must have at most %d characters, letters, digits, underscores, hyphens and dots, and neither begin nor end with a hyphen or dot; or be the UUID that eNMS has given to a label", maxConfigKey)))},
		MarkdownDescription: "The labels in the Workflow Builder, each with a key of your choice. Labels that are not listed are ignored.",
		NestedObject:        schema.NestedAttributeObject{Attributes: attributes}}
}
