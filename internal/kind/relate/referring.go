// This file finds what refers to an instance, from the answer to its deletion, so that it can be
// restored when the instance is created again.

package relate

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// layoutFields hold the positions of an instance in the instances that contain it, by their names, and
// the labels in it (enms-rest.md 1.16, 1.17).
var layoutFields = []string{"positions", "labels"}

// Referring holds what is lost when eNMS deletes an instance, and what its own configuration does
// not contain: the references of other instances to it, and its positions in layouts.
type Referring struct {
	Relations map[string]Related // by the instance's fields for the other side
	Layout    value.Object       // the instance's own values of layoutFields
	// Positions holds, by the type and the name of a member, its position in the instance, where eNMS stores that with the
	// instance and not with the member: eNMS 5 (enms-rest.md 11.3).
	Positions map[string]map[string]any
	Along     []Related // the dependents that never prevent a deletion (kind.Cascade.Allowed): eNMS has deleted them, too
	Unknown   bool      // eNMS's answer to the deletion was lost, and other instances may have referred to the instance
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
	all := map[string]Related{}
	maps.Copy(all, relations)
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
	maps.Copy(payload, r.Layout)
	for _, other := range sent {
		maps.DeleteFunc(payload, func(field string, _ any) bool { _, has := other[field]; return has })
	}
	if len(payload) > 0 {
		payload[kind.RowName] = name
	}
	return payload
}

// ReferringTo returns what referred to a deleted instance. deleted is eNMS's answer to the deletion (enms-rest.md 3), nil
// if it was lost. kinds are all kinds that may refer to the instance. Those that eNMS deletes together with it are left out.
func ReferringTo(k *kind.Kind, deleted value.Object, kinds []*kind.Kind) Referring {
	if typ, is := deleted["type"].(string); is && k.AnyType != nil {
		k = kind.Named(kinds, typ)
	}
	found := Referring{Relations: map[string]Related{}, Layout: value.Object{}, Positions: map[string]map[string]any{}}
	for _, of := range kinds {
		for _, a := range of.Table().Relations {
			if a.Inverse == "" || !k.MayBe(a.Of) {
				continue
			}
			found.Unknown = deleted == nil
			found.addPositions(of.Name, deleted, a.Inverse)
			names := slices.DeleteFunc(expandedNames(deleted[a.Inverse]), func(name string) bool { return isDeletedAlong(k, of, a, name) })
			typ := of.Name
			if _, shared := found.Relations[a.Inverse]; shared {
				typ = of.Namespace // a user owns stores and secrets, which are both data, by one field
			}
			if len(names) > 0 {
				slices.Sort(names)
				found.Relations[a.Inverse] = Related{Type: typ, Names: names}
			}
		}
	}
	for _, a := range k.Table().Relations {
		found.addPositions(a.Of, deleted, a.Name)
	}
	for _, c := range k.Cascades {
		if names := expandedNames(deleted[c.Inverse]); len(names) > 0 {
			found.Along = append(found.Along, Related{Type: c.Type, Names: names})
		}
	}
	for _, field := range layoutFields {
		if members, _ := deleted[field].(map[string]any); len(members) > 0 && slices.Contains(k.Unwatched, field) {
			found.Layout[field] = members
		}
	}
	return found
}

// MembersToEmpty returns, from an answer about an instance, the members of the relations that are emptied before its
// deletion (EmptyFirst): the response to the deletion does not contain them any longer.
func MembersToEmpty(k *kind.Kind, answer value.Object) map[string]Related {
	found := map[string]Related{}
	for _, a := range k.Table().Relations {
		members, _ := a.FromAnswer(answer[a.Name]) // without a list, there is nothing to empty
		if names := value.Names(members); a.EmptyFirst && len(names) > 0 {
			found[a.Name] = Related{Type: a.Of, Names: names}
		}
	}
	return found
}

// isDeletedAlong reports whether eNMS deletes the dependent called name together with the instance of kind k that its
// attribute a refers to.
func isDeletedAlong(k, dependents *kind.Kind, a kind.Attribute, name string) bool {
	return slices.ContainsFunc(k.Cascades, func(c kind.Cascade) bool {
		return c.Type == dependents.Name && c.Property == a.Name && (c.Except == "" || !strings.HasPrefix(name, c.Except))
	})
}

// addPositions adds the positions that the members of a relation, of a type, had in a deleted instance.
func (r Referring) addPositions(typ string, deleted value.Object, relation string) {
	if kind.LineOf(deleted) != object.Line5 {
		return
	}
	name, _ := deleted[kind.RowName].(string)
	members, _ := deleted[relation].([]any)
	for _, member := range members {
		row, _ := member.(map[string]any)
		stored, _ := row["positions"].(map[string]any)
		if at, has := stored[name]; has {
			if r.Positions[typ] == nil {
				r.Positions[typ] = map[string]any{}
			}
			r.Positions[typ][fmt.Sprint(row[kind.RowName])] = at
		}
	}
}

// expandedNames returns the names in a relation whose members are objects.
func expandedNames(relation any) (names []string) {
	members, _ := relation.([]any)
	for _, member := range members {
		row, _ := member.(map[string]any)
		if name, _ := row[kind.RowName].(string); name != "" {
			names = append(names, name)
		}
	}
	return names
}
