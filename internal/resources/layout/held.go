// This file reads everything that a server holds of layouts, and says how configuration holds
// it, for whoever writes configuration.

package layout

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Builders are those of which layouts are resources.
var Builders = []Builder{Workflows, Networks}

// TypeName returns the Terraform type of the layouts.
func (b Builder) TypeName() string { return "enms_" + b.resource() }

// Of returns the type of what is drawn, which is the attribute that names it, too.
func (b Builder) Of() string { return b.typ }

// Members returns the type of what is drawn in it, and its relation to that.
func (b Builder) Members() (typ, relation string) { return b.members, b.relation }

// Held is what a server holds of the layouts of a builder.
type Held struct {
	places map[string]map[string]position // by the members, and by what they are drawn in
	labels map[string]labels              // by what they are drawn in
}

// ReadHeld reads what a server holds of the layouts of a builder.
func (b Builder) ReadHeld(ctx context.Context, client *enms.Client) (Held, error) {
	held := Held{map[string]map[string]position{}, map[string]labels{}}
	columns := []string{positionsField}
	if b.labelled { // What is drawn is of the type of the members, too.
		columns = append(columns, labelsField)
	}
	for page, err := range client.Pages(ctx, b.members, columns, map[string]any{}) {
		if err != nil {
			return held, err
		}
		for _, row := range page {
			name, _ := row["name"].(string)
			held.places[name] = placesOf(row)
			if drawn := labelsOf(row[labelsField]); b.labelled && len(drawn) > 0 {
				held.labels[name] = drawn
			}
		}
	}
	return held, nil
}

// placesOf returns the positions of an answer; what is none does not count.
func placesOf(row enms.Object) map[string]position {
	stored, _ := row[positionsField].(map[string]any)
	places := map[string]position{}
	for in, x := range stored {
		if p, is := positionOf(x); is {
			places[in] = p
		}
	}
	return places
}

// Exists reports whether the server has a member.
func (h Held) Exists(member string) bool { return h.places[member] != nil }

// Field is an attribute of a configuration: a JSON value.
type Field struct {
	Name  string
	Value any
}

// The attributes of layouts.
const (
	PositionsAttribute = positionsField
	LabelsAttribute    = labelsField
)

// Position returns the attributes of the position of a member, none when it has none.
func (h Held) Position(member, in string) []Field {
	p, is := h.places[member][in]
	if !is {
		return nil
	}
	return p.fields()
}

func (p position) fields() []Field { return []Field{{"x", p.x}, {"y", p.y}} }

// Labels returns the keys of the labels of a workflow in order, and the attributes of each, but
// those that are as they are when nobody sets them.
func (h Held) Labels(of string) (keys []string, fields map[string][]Field) {
	keys, fields = slices.Sorted(maps.Keys(h.labels[of].keys())), map[string][]Field{}
	for _, key := range keys {
		l, _ := h.labels[of].get(key)
		all := append([]Field{{"text", value.ToJSON(value.WithLF(value.FromJSON(l.text)))}}, l.at.fields()...)
		if !value.Equal(l.size, json.Number(defaultSizeText)) {
			all = append(all, Field{"size", l.size})
		}
		if l.alignment != defaultAlignment {
			all = append(all, Field{"alignment", l.alignment})
		}
		fields[key] = all
	}
	return keys, fields
}

// Undrawn returns how many labels of a workflow no configuration holds: they have no text, or
// no place.
func (h Held) Undrawn(of string) int { return len(h.labels[of]) - len(h.labels[of].keys()) }
