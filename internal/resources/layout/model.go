// This file converts positions and labels to the values of configurations and states, and back.

package layout

import (
	"encoding/json"
	"math/big"
	"strings"

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

// modelOf is the inverse of position.
func modelOf(p position) (m positionModel, ok bool) {
	var xIs, yIs bool
	m.X, xIs = numberValue(p.x)
	m.Y, yIs = numberValue(p.y)
	return m, xIs && yIs
}

// label returns the label as eNMS stores it.
func (m labelModel) label() label {
	return label{text: m.Text.ValueString(), alignment: m.Alignment.ValueString(), at: positionModel{m.X, m.Y}.position(), size: jsonOf(m.Size)}
}

// labelModelOf is the inverse of label. Lines end with LF, as in configurations.
func labelModelOf(l label) (m labelModel, ok bool) {
	at, placed := modelOf(l.at)
	size, sized := numberValue(l.size)
	text := strings.ReplaceAll(l.text, "\r\n", "\n")
	return labelModel{types.StringValue(text), at.X, at.Y, size, types.StringValue(l.alignment)}, placed && sized
}

// positionsOf returns the positions of the members that the state lists, or of all members after an import. It
// keeps the notation of the state for an equal position.
func positionsOf(members map[string]member, state map[string]positionModel, afterImport bool) map[string]positionModel {
	found := map[string]positionModel{}
	for name, m := range members {
		was, named := state[name]
		if m.at == nil || !named && !afterImport {
			continue
		}
		if named && m.at.equal(was.position()) {
			found[name] = was
		} else if now, ok := modelOf(*m.at); ok {
			found[name] = now
		}
	}
	return orNil(found, state)
}

// labelsIn returns the labels that the state lists, or all labels after an import. It keeps the notation of the
// state for an equal label.
func labelsIn(have labels, state map[string]labelModel, afterImport bool) map[string]labelModel {
	found := map[string]labelModel{}
	for key := range have.keys() {
		was, named := state[key]
		now, _ := have.get(key)
		if !named && !afterImport {
			continue
		}
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
