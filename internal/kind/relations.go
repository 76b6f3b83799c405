// This file reads the relations of an instance with others.

package kind

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Related are names of instances of a type.
type Related struct {
	Type  string   `json:"type"`
	Names []string `json:"names"`
}

// expected returns the relation as a value has it.
func (a Attribute) expected(v tftypes.Value) instance.Relation {
	if a.Holds != nil {
		return a.Holds.expected(a.Inverse, isTrue(v))
	}
	return instance.Relation{Name: a.Name, Of: a.Of, Inverse: a.Inverse, Members: value.Names(v), AtLeast: a.ServerAdds}
}

// UnsearchedRelations returns all relations that searches do not answer. searchable is false
// when only a GET tells them all.
func (k *Kind) UnsearchedRelations() (relations []instance.Relation, searchable bool) {
	searchable = !k.AnyType
	for _, a := range k.rows().unsearched {
		relations = append(relations, a.expected(a.null()))
		searchable = searchable && a.Inverse != ""
	}
	return relations, searchable
}

// Unnamed is a relation to one of which an answer holds the id only, as searches do.
type Unnamed struct {
	Field   string // the field that the name belongs into
	IDField string // the field that holds the id
	Type    string // of the related instance
	ID      string
	// Optional: the instance can do without. eNMS leaves the id of what was deleted, and may
	// not show to a user what the instance refers to (enms-rest.md 3, 6.2).
	Optional bool
}

// Unnamed returns the relations of an answer whose names have to be looked up.
func (k *Kind) Unnamed(answer value.Object) (unnamed []Unnamed, err error) {
	for _, a := range k.rows().relations {
		_, named := answer[a.readFrom()]
		x := answer[a.IDField]
		if named || x == nil {
			continue
		}
		id, err := idFromAnswer(x)
		if err != nil {
			return nil, k.FieldError(answer, a.readFrom(), "has an id that "+err.Error())
		}
		unnamed = append(unnamed, Unnamed{Field: a.readFrom(), IDField: a.IDField, Type: a.Of, ID: value.Text(id), Optional: !a.Required && !a.Needed})
	}
	return unnamed, nil
}

// WithoutDangling returns the answer to a GET without the ids of what was deleted, beside
// which it has no names.
func (k *Kind) WithoutDangling(answer value.Object) value.Object {
	unnamed, err := k.Unnamed(answer)
	if err != nil { // which shows when a state is made of it
		return answer
	}
	for _, related := range unnamed {
		if related.Optional {
			answer = maps.Clone(answer)
			answer[related.IDField] = nil
		}
	}
	return answer
}

// NewlyRelated returns the instances that the plan refers to and the state does not.
func (k *Kind) NewlyRelated(planned, prior Values) []Related {
	var related []Related
	for _, a := range k.rows().relations {
		names := append(value.Names(planned[a.Name]), value.Text(planned[a.Name]))
		names = slices.DeleteFunc(names, func(name string) bool { return name == "" || refersTo(prior[a.Name], name) })
		related = append(related, Related{Type: a.Of, Names: names})
	}
	return related
}

// RelationNames returns the attributes whose newly related instances NewlyRelated tells of, in
// the same order.
func (k *Kind) RelationNames() (attributes []string) {
	for _, a := range k.rows().relations {
		attributes = append(attributes, a.Name)
	}
	return attributes
}

// ToRefresh returns the instances to write again after a relation to them has changed.
func (k *Kind) ToRefresh(planned, prior Values) []Related {
	var related []Related
	for _, a := range k.rows().relations {
		if before, after := prior[a.Name], planned[a.Name]; a.Refresh && !a.same(before, after) {
			names := slices.Sorted(slices.Values(append(value.Names(before), value.Names(after)...)))
			related = append(related, Related{Type: a.Of, Names: slices.Compact(names)})
		}
	}
	return related
}

// ReferringRow returns the attribute that refers to an instance, "" when there is none.
func (k *Kind) ReferringRow(values Values, typ, name string) string {
	for _, a := range k.rows().relations {
		if a.Of == typ && refersTo(values[a.Name], name) {
			return a.Name
		}
	}
	return ""
}

// OnlyRelations reports whether the payload of an update changes nothing but the name and
// relations; what follows from others is sent although it stays the same.
func (k *Kind) OnlyRelations(payload value.Object, planned, prior Values) bool {
	rows := k.rows().byName
	for name := range payload {
		a, is := rows[name]
		same := a.Derived && planned[a.Name].Equal(prior[a.Name])
		if !is || !a.isRelation() && a.Role != Key && !same {
			return false
		}
	}
	return true
}

// SentRelations returns the relations of a payload, exactly as planned.
func (k *Kind) SentRelations(payload value.Object, planned Values) (relations []instance.Relation) {
	for _, a := range k.rows().unsearched {
		if _, sent := payload[a.Name]; sent {
			exactly := a.expected(planned[a.Name])
			exactly.AtLeast = false
			relations = append(relations, exactly)
		}
	}
	return relations
}

// HoldsRelations reports whether an answer holds the relations of a payload as planned. Those
// that searches leave out need not be in it.
func (k *Kind) HoldsRelations(payload, answer value.Object, planned Values) bool {
	for name := range payload {
		a := k.rows().byName[name]
		x, answered := answer[a.readFrom()]
		if !answered && !a.inSearch() {
			continue
		}
		now, err := a.fromAnswer(x)
		if a.isRelation() && (err != nil || !a.same(now, planned[a.Name])) {
			return false
		}
	}
	return true
}

// refersTo reports whether a relation holds a name.
func refersTo(v tftypes.Value, name string) bool {
	return value.Text(v) == name || slices.Contains(value.Names(v), name)
}

// RelationsToRead returns the relations in the state, or among what this provider manages,
// that searches do not answer. searchable is false when only a GET tells them all.
func (k *Kind) RelationsToRead(state Values, managed []string) (relations []instance.Relation, searchable bool) {
	properties := value.Members(state[RowProperties])
	searchable = !slices.ContainsFunc(k.rows().further.relations, func(name string) bool { return properties[name] != nil }) &&
		(!k.AnyType || !holdsList(properties))
	for _, a := range k.rows().unsearched {
		v := state[a.Name]
		if len(value.Names(v)) > 0 || value.Text(v) != "" || isTrue(v) || slices.Contains(managed, a.Name) {
			relations = append(relations, a.expected(v))
			searchable = searchable && a.Inverse != ""
		}
	}
	return relations, searchable
}

// holdsList reports whether one of the properties is a list, as relations are.
func holdsList(properties map[string]any) bool {
	for _, x := range properties {
		if _, is := x.([]any); is {
			return true
		}
	}
	return false
}
