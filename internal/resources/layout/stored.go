// This file reads all layouts of a server, and returns them as attributes of configurations, for exports.

package layout

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Builders are both builders.
var Builders = []Builder{Workflows, Networks}

// TypeName returns the Terraform type of the layouts.
func (b Builder) TypeName() string { return "enms_" + b.resource() }

// Of returns the type that the builder draws, workflow or network. The attribute with its name is called like that.
func (b Builder) Of() string { return b.typ }

// Members returns the type of the members, and their relation to the workflow or network.
func (b Builder) Members() (typ, relation string) { return b.memberType, b.relation }

// Stored has all layouts of a builder on a server.
type Stored struct {
	positions map[string]map[string]position // by member, and by workflow or network
	labels    map[string]labels              // by workflow
}

// ReadStored reads all layouts of a builder.
func (b Builder) ReadStored(ctx context.Context, client *enms.Client) (Stored, error) {
	stored := Stored{map[string]map[string]position{}, map[string]labels{}}
	columns := []string{PositionsField}
	if b.labelled { // workflows are services, and so among the rows
		columns = append(columns, LabelsField)
	}
	for page, err := range client.Pages(ctx, b.memberType, columns, map[string]any{}) {
		if err != nil {
			return stored, err
		}
		for _, row := range page {
			name, _ := row["name"].(string)
			stored.positions[name] = positionsIn(row)
			if labels := labelsOf(row[LabelsField]); b.labelled && len(labels) > 0 {
				stored.labels[name] = labels
			}
		}
	}
	return stored, nil
}

// positionsIn returns the valid positions of a member in an answer, by workflow or network.
func positionsIn(row enms.Object) map[string]position {
	stored, _ := row[PositionsField].(map[string]any)
	found := map[string]position{}
	for in, x := range stored {
		if p, is := positionOf(x); is {
			found[in] = p
		}
	}
	return found
}

// Field is an attribute of a configuration: a JSON value.
type Field struct {
	Name  string
	Value any
}

// Position returns the attributes of the position of a member, or nil if it has none.
func (s Stored) Position(member, in string) []Field {
	p, is := s.positions[member][in]
	if !is {
		return nil
	}
	return p.fields()
}

// fields returns the attributes of the position.
func (p position) fields() []Field { return []Field{{"x", p.x}, {"y", p.y}} }

// Labels returns the sorted keys of the labels of a workflow, and the attributes of each that do not have their
// defaults.
func (s Stored) Labels(of string) (keys []string, fields map[string][]Field) {
	keys, fields = slices.Sorted(maps.Keys(s.labels[of].keys())), map[string][]Field{}
	for _, key := range keys {
		l, _ := s.labels[of].get(key)
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

// Unusable returns how many labels of a workflow cannot be in a configuration, because they have no text, no
// position or an invalid key.
func (s Stored) Unusable(of string) int { return len(s.labels[of]) - len(s.labels[of].keys()) }
