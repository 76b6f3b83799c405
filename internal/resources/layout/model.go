// This file declares the schema of the resource. It converts positions and labels to the values of
// configurations and states, and back.

package layout

import (
	"encoding/json"
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
	"github.com/hashicorp/terraform-plugin-framework/types"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// positionModel is a position in a state.
type positionModel struct {
	X types.Number `tfsdk:"x"`
	Y types.Number `tfsdk:"y"`
}

// labelModel is a label in a state.
type labelModel struct {
	Text      types.String `tfsdk:"text"`
	X         types.Number `tfsdk:"x"`
	Y         types.Number `tfsdk:"y"`
	Size      types.Number `tfsdk:"size"`
	Alignment types.String `tfsdk:"alignment"`
}

// position returns the position as eNMS stores it.
func (m positionModel) position() position {
	return position{jsonOf(m.X), jsonOf(m.Y)}
}

// jsonOf returns a number as eNMS stores it.
func jsonOf(n types.Number) json.Number {
	written, _ := value.ToJSON(tftypes.NewValue(tftypes.Number, n.ValueBigFloat())).(json.Number)
	return written
}

// numberValue is the inverse of jsonOf. ok is false for a number that Terraform cannot represent.
func numberValue(n json.Number) (v types.Number, ok bool) {
	var f big.Float
	ok = value.FromJSON(n).As(&f) == nil
	return types.NumberValue(&f), ok
}

// positionModelOf is the inverse of positionModel.position. ok is false if Terraform cannot represent a number.
func positionModelOf(p position) (m positionModel, ok bool) {
	var xIs, yIs bool
	m.X, xIs = numberValue(p.x)
	m.Y, yIs = numberValue(p.y)
	return m, xIs && yIs
}

// label returns the label as eNMS stores it.
func (m labelModel) label() label {
	return label{text: m.Text.ValueString(), alignment: m.Alignment.ValueString(), at: positionModel{m.X, m.Y}.position(), size: jsonOf(m.Size)}
}

// labelModelOf is the inverse of labelModel.label. Lines end with LF, as in configurations. ok is false if
// Terraform cannot represent a number.
func labelModelOf(l label) (m labelModel, ok bool) {
	at, placed := positionModelOf(l.at)
	size, sized := numberValue(l.size)
	text := strings.ReplaceAll(l.text, "\r\n", "\n")
	return labelModel{types.StringValue(text), at.X, at.Y, size, types.StringValue(l.alignment)}, placed && sized
}

// positionModels returns the positions of the members that the state lists, or of all members after an import.
// For an equal position, it keeps the numbers as the state has them.
func positionModels(members map[string]member, state map[string]positionModel, afterImport bool) map[string]positionModel {
	found := map[string]positionModel{}
	for name, m := range members {
		was, named := state[name]
		if m.at == nil || !named && !afterImport {
			continue
		}
		if named && m.at.equal(was.position()) {
			found[name] = was
		} else if now, ok := positionModelOf(*m.at); ok {
			found[name] = now
		}
	}
	return orNil(found, state)
}

// labelModels returns the labels that the state lists, or all labels after an import. An equal label stays as
// the state has it.
func labelModels(have labels, state map[string]labelModel, afterImport bool) map[string]labelModel {
	found := map[string]labelModel{}
	for key := range have.keys() {
		was, named := state[key]
		if !named && !afterImport {
			continue
		}
		now, _ := have.get(key)
		if named && now.equal(was.label()) {
			found[key] = was
		} else if m, ok := labelModelOf(now); ok {
			found[key] = m
		}
	}
	return orNil(found, state)
}

// orNil returns nil for an empty map, unless the state has a map.
func orNil[M any](found, state map[string]M) map[string]M {
	if len(found) == 0 && state == nil {
		return nil
	}
	return found
}

// nameDescription describes the attribute with the name of the workflow or network.
func (b Builder) nameDescription() string { return "The full name of the " + b.typ + "." }

// schema returns the schema of the resource.
func (b Builder) schema() schema.Schema {
	s := schema.Schema{
		MarkdownDescription: b.summary,
		Attributes: map[string]schema.Attribute{
			b.typ: schema.StringAttribute{Required: true, MarkdownDescription: b.nameDescription()},
			PositionsField: schema.MapNestedAttribute{Required: !b.labelled, Optional: b.labelled, Validators: []validator.Map{mapvalidator.SizeAtLeast(1)},
				MarkdownDescription: b.positionsDoc, NestedObject: schema.NestedAttributeObject{Attributes: coordinates()}},
		},
	}
	if b.labelled {
		s.Attributes[LabelsField] = labelsAttribute()
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
		Validators: []validator.Map{mapvalidator.SizeAtLeast(1), mapvalidator.AtLeastOneOf(path.MatchRoot(PositionsField)),
			mapvalidator.KeysAre(stringvalidator.RegexMatches(configKeyPattern, fmt.Sprintf("must have at most %d characters, letters, digits, underscores, hyphens and dots, and neither begin nor end with a hyphen or dot; or be the UUID that eNMS has given to a label", maxConfigKey)))},
		MarkdownDescription: "The labels in the Workflow Builder, each with a key of your choice. Labels that are not listed are ignored.",
		NestedObject:        schema.NestedAttributeObject{Attributes: attributes}}
}
