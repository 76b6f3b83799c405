// This file reads the relations of an instance: which instances it refers to, which refer to it,
// together with which others eNMS deletes it, which tasks and services run on it, and whose names
// begin with its own.

package kind

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Related are names of instances of a type.
type Related struct {
	Type  string   `json:"type"`
	Names []string `json:"names"`
}

// expected returns the relation that a value describes.
func (a Attribute) expected(v tftypes.Value) instance.Relation {
	if a.Holds != nil {
		return a.Holds.expected(a.Inverse, isTrue(v))
	}
	return instance.Relation{Name: a.Name, Of: a.Of, Inverse: a.Inverse, Members: value.Names(v), AtLeast: a.ServerAdds}
}

// UnsearchedRelations returns all relations that search results do not contain. searchable is
// false if one of them cannot be searched by either, so that only a GET returns it.
func (k *Kind) UnsearchedRelations() (relations []instance.Relation, searchable bool) {
	searchable = !k.AnyType
	for _, a := range k.rows().unsearched {
		relations = append(relations, a.expected(a.null()))
		searchable = searchable && a.Inverse != ""
	}
	return relations, searchable
}

// Unnamed is a relation to one in a search result, which contains only the id of the
// related instance.
type Unnamed struct {
	Field   string // the field for the name
	IDField string // the field that holds the id
	Type    string // the type of the related instance
	ID      string
	// Optional: the instance may exist without the related one. eNMS keeps the id of a deleted
	// instance, and hides instances from users without rights (enms-rest.md 3, 6.2).
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

// WithoutDangling returns the answer to a GET without ids of deleted instances, for which it has
// no names.
func (k *Kind) WithoutDangling(answer value.Object) value.Object {
	unnamed, err := k.Unnamed(answer)
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

// NewlyRelated returns the instances that the plan refers to and the state does not, by relation.
func (k *Kind) NewlyRelated(planned, prior Values) []Related {
	var related []Related
	for _, a := range k.rows().relations {
		names := append(value.Names(planned[a.Name]), value.Text(planned[a.Name]))
		names = slices.DeleteFunc(names, func(name string) bool { return name == "" || refersTo(prior[a.Name], name) })
		related = append(related, Related{Type: a.Of, Names: names})
	}
	return related
}

// RelationNames returns the attributes of the relations in NewlyRelated, in the same order.
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

// HasOtherSide reports whether instances of another kind have a relation to many that is the
// other side of an attribute.
func (k *Kind) HasOtherSide(attribute string, kinds []*Kind) bool {
	a := k.row(attribute)
	other := Named(kinds, a.Of)
	return a.Type == Many && other != nil && other.Name != k.Name &&
		slices.ContainsFunc(other.rows().relations, func(b Attribute) bool { return b.Name == a.Inverse && b.Of == k.Name && b.Type == Many })
}

// ReferringRow returns the attribute that refers to an instance, or "" if there is none.
func (k *Kind) ReferringRow(values Values, typ, name string) string {
	for _, a := range k.rows().relations {
		if a.Of == typ && refersTo(values[a.Name], name) {
			return a.Name
		}
	}
	return ""
}

// OnlyRelations reports whether the payload of an update changes only the name and relations.
// Derived attributes may be in it without a change.
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

// SentRelations returns the relations in a payload, with the planned members.
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

// HoldsRelations reports whether the relations of a payload are in an answer as planned.
// Relations that searches leave out may be missing.
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

// RelationsToRead returns the relations in the state, or managed by this provider, that search
// results do not contain. searchable is as for UnsearchedRelations.
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

// Scopes returns the names of the workflows that a name begins with, the outermost first.
func (k *Kind) Scopes(name string) (scopes []string) {
	if k.Scope == nil {
		return nil
	}
	for scope, _ := k.Scope.Split(name); scope != ""; scope, _ = k.Scope.Split(scope) {
		scopes = append(scopes, scope)
	}
	slices.Reverse(scopes)
	return scopes
}

// Renamed returns the name of an instance after eNMS has renamed another one, with which the name
// may begin.
func (k *Kind) Renamed(name, from, to string) string {
	if name == from {
		return to
	}
	scope, own := k.Scope.Split(name)
	if scope == "" {
		return name
	}
	return k.Scope.Join(k.Renamed(scope, from, to), own)
}

// InPlannedScope reports whether a name differs from the prior one only in its scope, and has the
// planned scope.
func (k *Kind) InPlannedScope(name string, planned, prior Values) bool {
	if k.Scope == nil {
		return false
	}
	scope, own := k.Scope.Split(name)
	_, ownBefore := k.Scope.Split(value.Text(prior[RowName]))
	return scope != "" && own == ownBefore && refersTo(planned[k.Scope.Attribute], scope)
}

// Dependence is a relation to another instance together with which eNMS deletes the instances of
// a kind (enms-rest.md 3).
type Dependence struct {
	Type      string // the type of the other instance
	Attribute string // the relation to it
	Allowed   bool   // as in the Cascade
	except    string // the prefix of the names that eNMS does not delete
	of        *Kind  // the kind of the other instance
}

// Dependences returns the relations to instances of the given kinds together with which eNMS
// deletes an instance.
func (k *Kind) Dependences(kinds []*Kind) (all []Dependence) {
	for _, of := range kinds {
		for _, c := range of.Cascades {
			if c.Type != k.Name {
				continue
			}
			for _, a := range k.rows().relations {
				if a.Name == c.Property || c.Column != "" && (a.IDField == c.Column || a.Name+"_id" == c.Column) {
					all = append(all, Dependence{Type: cmp.Or(c.Of, of.Name), Attribute: a.Name, Allowed: c.Allowed, except: c.Except, of: of})
				}
			}
		}
	}
	return all
}

// Holders returns the instances together with which eNMS deletes the instance of a state, because
// of the relation. It adds those together with which it deletes these in turn, if their names
// show it.
func (d Dependence) Holders(state Values) (holders []Related) {
	if d.except != "" && strings.HasPrefix(value.Text(state[RowName]), d.except) {
		return nil
	}
	names := relatedNames(state[d.Attribute])
	if len(names) == 0 {
		return nil
	}
	holders = append(holders, Related{Type: d.Type, Names: names})
	for _, name := range names {
		if scopes := d.of.Scopes(name); len(scopes) > 0 {
			holders = append(holders, Related{Type: d.of.Scope.Type, Names: scopes})
		}
	}
	return holders
}

// relatedNames returns the names that a relation to one or to many holds.
func relatedNames(v tftypes.Value) []string {
	if name := value.Text(v); name != "" {
		return []string{name}
	}
	return slices.Clone(value.Names(v))
}

// Types returns the types by which others may refer to the instance of a state.
func (k *Kind) Types(state Values) []string {
	return slices.Compact([]string{k.Name, k.Path(state)})
}

// drawnFields hold the positions of an instance in workflows and networks, by their names, and
// the labels in it (enms-rest.md 1.16, 1.17).
var drawnFields = []string{"positions", "labels"}

// Referring holds what is lost when eNMS deletes an instance, and what its own configuration does
// not contain: the references of other instances to it, and how it is drawn.
type Referring struct {
	Relations map[string]Related // by the instance's fields for the other side
	Drawn     value.Object       // the instance's own values of drawnFields
	Layout    map[string]any     // the values that the holders of its Layout store for it, by their names
}

// Without returns a copy without the names that gone returns for each relation.
func (r Referring) Without(gone func(Related) []string) Referring {
	rest := r
	rest.Relations = map[string]Related{}
	for field, related := range r.Relations {
		left := gone(related)
		names := slices.DeleteFunc(slices.Clone(related.Names), func(name string) bool { return slices.Contains(left, name) })
		if len(names) > 0 {
			rest.Relations[field] = Related{Type: related.Type, Names: names}
		}
	}
	return rest
}

// With returns a copy with further relations.
func (r Referring) With(relations map[string]Related) Referring {
	if len(relations) == 0 {
		return r
	}
	all := maps.Clone(relations)
	maps.Copy(all, r.Relations)
	r.Relations = all
	return r
}

// Payload returns the payload that restores the references to the instance with a name. It leaves
// out fields that were already sent.
func (r Referring) Payload(name string, sent ...value.Object) value.Object {
	payload := value.Object{}
	for field, related := range r.Relations {
		payload[field] = related.Names
	}
	maps.Copy(payload, r.Drawn)
	for _, other := range sent {
		maps.DeleteFunc(payload, func(field string, _ any) bool { _, has := other[field]; return has })
	}
	if len(payload) > 0 {
		payload[RowName] = name
	}
	return payload
}

// ReferringTo returns what referred to a deleted instance, from eNMS's answer to the deletion
// (enms-rest.md 3). kinds are all kinds that may refer to it. Instances that eNMS deletes
// together with it are left out.
func (k *Kind) ReferringTo(deleted value.Object, kinds []*Kind) Referring {
	if typ, is := deleted["type"].(string); is && k.AnyType {
		k = Named(kinds, typ)
	}
	found := Referring{Relations: map[string]Related{}, Drawn: value.Object{}}
	for _, of := range kinds {
		for _, a := range of.rows().relations {
			if of.AnyType || a.Inverse == "" || !k.isReferredToAs(a.Of) {
				continue
			}
			names := slices.DeleteFunc(expandedNames(deleted[a.Inverse]), func(name string) bool { return k.goesAlong(of, a, name) })
			if len(names) > 0 {
				names = append(names, found.Relations[a.Inverse].Names...)
				slices.Sort(names)
				found.Relations[a.Inverse] = Related{Type: of.Name, Names: slices.Compact(names)}
			}
		}
	}
	for _, field := range drawnFields {
		if drawn, _ := deleted[field].(map[string]any); len(drawn) > 0 && slices.Contains(k.Unwatched, field) {
			found.Drawn[field] = drawn
		}
	}
	if k.Layout != nil {
		found.Layout = k.Layout.of(deleted)
	}
	return found
}

// of returns the values that the holders of a layout store for a deleted instance, from eNMS's
// answer to the deletion.
func (l *Layout) of(deleted value.Object) map[string]any {
	held := map[string]any{}
	name, _ := deleted[RowName].(string)
	holders, _ := deleted[l.Relation].([]any)
	for _, holder := range holders {
		object, _ := holder.(map[string]any)
		holderName, _ := object[RowName].(string)
		values, _ := object[l.Field].(map[string]any)
		if drawn, has := values[name]; has && strings.HasPrefix(holderName, l.Prefix) {
			held[holderName] = drawn
		}
	}
	return held
}

// EmptiedFirst returns the members that EmptyPayload removes from an instance, from eNMS's answer
// about it.
func (k *Kind) EmptiedFirst(answer value.Object) map[string]Related {
	emptied := map[string]Related{}
	for _, a := range k.rows().relations {
		if !a.EmptyFirst {
			continue
		}
		if members, err := a.fromAnswer(answer[a.Name]); err == nil && len(value.Names(members)) > 0 {
			emptied[a.Name] = Related{Type: a.Of, Names: value.Names(members)}
		}
	}
	return emptied
}

// isReferredToAs reports whether a relation to instances of a type may contain one of the kind.
func (k *Kind) isReferredToAs(typ string) bool {
	return typ == k.Name || typ == k.Namespace || slices.ContainsFunc(k.Subtypes, func(t SubtypeTable) bool { return t.Name == typ })
}

// goesAlong reports whether eNMS deletes the instance with a name together with an instance of
// kind k, to which it refers by the attribute.
func (k *Kind) goesAlong(of *Kind, a Attribute, name string) bool {
	return slices.ContainsFunc(k.Cascades, func(c Cascade) bool {
		return c.Type == of.Name && c.Property == a.Name && (c.Except == "" || !strings.HasPrefix(name, c.Except))
	})
}

// expandedNames returns the names in a relation whose members are objects.
func expandedNames(relation any) (names []string) {
	members, _ := relation.([]any)
	for _, member := range members {
		object, _ := member.(map[string]any)
		if name, _ := object[RowName].(string); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// Targets is a relation of a kind to its targets.
type Targets struct {
	Of         *Kind  // the kind whose instances have the targets
	Attribute  string // the relation to the targets
	Inverse    string // the other side of the relation
	Attributes []Attribute
}

// TargetOf returns the kind of an instance that may be a target, and the relations of kinds by
// which it may be. An instance of a kind with AnyType counts as one of the kind of its type.
func (k *Kind) TargetOf(kinds []*Kind) (target *Kind, all []Targets) {
	if k.AnyType {
		k = Named(kinds, k.Name)
	}
	for _, of := range kinds {
		var targets []Attribute
		for _, a := range of.rows().relations {
			if a.Target {
				targets = append(targets, a)
			}
		}
		for _, a := range targets {
			if a.Of == k.Name {
				all = append(all, Targets{Of: of, Attribute: a.Name, Inverse: a.Inverse, Attributes: targets})
			}
		}
	}
	return k, all
}

// expected returns the relation that a Flag describes, of which only one member matters.
func (h *Holds) expected(inverse string, is bool) instance.Relation {
	relation := instance.Relation{Name: h.Relation, Of: h.Of, Inverse: inverse, Only: h.Member, Holder: h.Subtype}
	if is {
		relation.Members = []string{h.Member}
	}
	return relation
}

// HoldsMember reports whether an instance has a member, according to its attribute with Holds.
func (k *Kind) HoldsMember(values Values, member string) bool {
	return slices.ContainsFunc(k.rows().holds, func(a Attribute) bool { return a.Holds.Member == member && isTrue(values[a.Name]) })
}
