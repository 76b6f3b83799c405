// This file says which relations a state needs that searches do not return, and reads them.

package states

import (
	"maps"
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// relationOf returns the relation of a row, with the members that a value of the row says. For a Flag (Holds), only one
// member matters.
func relationOf(a kind.Attribute, v tftypes.Value) object.Relation {
	if h := a.Holds; h != nil {
		relation := object.Relation{Name: h.Relation, Of: h.Of, Inverse: a.Inverse, Only: h.Member, Subtype: h.Subtype}
		if kind.IsTrue(v) {
			relation.Members = []string{h.Member}
		}
		return relation
	}
	return object.Relation{Name: a.Name, Of: a.Of, Inverse: a.Inverse, Members: value.Names(v), AtLeast: a.ServerAdds}
}

// UnsearchedRelations returns all relations that search results do not contain. searchable reports whether instances
// can be searched by each of them; otherwise only a GET returns them all.
func UnsearchedRelations(k *kind.Kind) (relations []object.Relation, searchable bool) {
	searchable = k.AnyType == nil
	for _, a := range k.Table().Unsearched {
		relations = append(relations, relationOf(a, a.Null()))
		searchable = searchable && a.Inverse != ""
	}
	return relations, searchable
}

// UnnamedRelation is a relation to one in a search result, which contains only the id of the related instance.
type UnnamedRelation struct {
	Field   string // the field for the name of the related instance
	IDField string // the field with its id
	Type    string // its type
	ID      string // its id
	// Optional: the instance may exist without the related one. eNMS keeps the id of a deleted
	// instance, and hides instances from users without rights (enms-rest.md 3, 6.2).
	Optional bool
}

// Unnamed returns the relations of an answer whose names have to be looked up.
func Unnamed(k *kind.Kind, answer value.Object) (unnamed []UnnamedRelation, err error) {
	for _, a := range k.Table().Relations {
		_, named := answer[a.AnswerField()]
		x := answer[a.IDField]
		if named || x == nil {
			continue
		}
		id, err := kind.IDFromAnswer(x)
		if err != nil {
			return nil, k.FieldError(answer, a.AnswerField(), "has an id that "+err.Error())
		}
		unnamed = append(unnamed, UnnamedRelation{Field: a.AnswerField(), IDField: a.IDField, Type: a.Of, ID: value.Text(id), Optional: !a.Required && !a.Needed})
	}
	return unnamed, nil
}

// WithoutDangling returns the answer to a GET in which optional relations that have an id but no name are
// null. eNMS keeps the id of a deleted instance, and hides the name of one that the user cannot read.
func WithoutDangling(k *kind.Kind, answer value.Object) value.Object {
	unnamed, err := Unnamed(k, answer)
	if err != nil { // the error is reported when a state is made of the answer
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

// SentUnsearched returns the relations in a payload that search results do not contain, with the planned members.
func SentUnsearched(k *kind.Kind, payload value.Object, planned kind.Values) (relations []object.Relation) {
	for _, a := range k.Table().Unsearched {
		if _, sent := payload[a.Name]; sent {
			exactly := relationOf(a, planned[a.Name])
			exactly.AtLeast = false // the payload may remove members that eNMS has added
			relations = append(relations, exactly)
		}
	}
	return relations
}

// ShowsRelations reports whether an answer has the relations of a payload as planned.
// Relations that searches leave out may be missing.
func ShowsRelations(k *kind.Kind, payload, answer value.Object, planned kind.Values) bool {
	for name := range payload {
		a := k.Table().ByName[name]
		x, answered := answer[a.AnswerField()]
		if isLeftOut := !answered && !a.InSearch(); isLeftOut || !a.IsRelation() {
			continue
		}
		if now, err := a.FromAnswer(x); err != nil || !a.Same(now, planned[a.Name]) {
			return false
		}
	}
	return true
}

// RelationsToRead returns the relations in the state, or managed by this provider, that search
// results do not contain. searchable is as for UnsearchedRelations.
func RelationsToRead(k *kind.Kind, state kind.Values, managed []string) (relations []object.Relation, searchable bool) {
	properties := value.Members(state[kind.RowProperties])
	hasProperty := slices.ContainsFunc(k.Table().Properties.Relations, func(name string) bool { return properties[name] != nil })
	searchable = !hasProperty && !(k.AnyType != nil && holdsList(properties))
	for _, a := range k.Table().Unsearched {
		v := state[a.Name]
		isSet := len(value.Names(v)) > 0 || value.Text(v) != "" || kind.IsTrue(v)
		if isSet || slices.Contains(managed, a.Name) {
			relations = append(relations, relationOf(a, v))
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
