// This file tells what refers to an instance by its name, from what eNMS answers when it
// deletes the instance.

package kind

import (
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// fieldPositions is where an instance lies in workflows and networks, by their names
// (enms-rest.md 1.16).
const fieldPositions = "positions"

// Referring are the instances that refer to an instance, and where it lies in workflows and
// networks: what eNMS takes from an instance that it deletes, and what no configuration of
// the instance itself holds.
type Referring struct {
	Relations map[string]Related // by the fields of the instance that hold them
	Positions value.Object
}

// Empty reports whether nothing refers to the instance.
func (r Referring) Empty() bool { return len(r.Relations) == 0 && len(r.Positions) == 0 }

// Without leaves out, of each relation, the names that gone returns.
func (r Referring) Without(gone func(Related) []string) Referring {
	rest := Referring{Relations: map[string]Related{}, Positions: r.Positions}
	for field, related := range r.Relations {
		left := gone(related)
		names := slices.DeleteFunc(slices.Clone(related.Names), func(name string) bool { return slices.Contains(left, name) })
		if len(names) > 0 {
			rest.Relations[field] = Related{Type: related.Type, Names: names}
		}
	}
	return rest
}

// With adds relations.
func (r Referring) With(relations map[string]Related) Referring {
	if len(relations) == 0 {
		return r
	}
	all := maps.Clone(relations)
	maps.Copy(all, r.Relations)
	return Referring{Relations: all, Positions: r.Positions}
}

// Payload returns what gives an instance of a name back what referred to it. It holds none of
// the fields of other payloads.
func (r Referring) Payload(name string, sent ...value.Object) value.Object {
	payload := value.Object{}
	for field, related := range r.Relations {
		payload[field] = related.Names
	}
	if len(r.Positions) > 0 {
		payload[fieldPositions] = r.Positions
	}
	for _, other := range sent {
		maps.DeleteFunc(payload, func(field string, _ any) bool { _, has := other[field]; return has })
	}
	if len(payload) > 0 {
		payload[RowName] = name
	}
	return payload
}

// ReferringTo returns what refers to an instance that eNMS has deleted, from its answer
// (enms-rest.md 3). kinds are all that may refer to it. What eNMS deletes along is left out.
func (k *Kind) ReferringTo(deleted value.Object, kinds []*Kind) Referring {
	if typ, is := deleted["type"].(string); is && k.AnyType {
		k = Named(kinds, typ)
	}
	found := Referring{Relations: map[string]Related{}}
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
	if positions, is := deleted[fieldPositions].(map[string]any); is && slices.Contains(k.Unwatched, fieldPositions) {
		found.Positions = positions
	}
	return found
}

// EmptiedFirst returns the members of an instance that EmptyPayload takes out of it, from
// eNMS's answer about the instance.
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

// isReferredToAs reports whether a relation to instances of a type may hold one of the kind.
func (k *Kind) isReferredToAs(typ string) bool {
	return typ == k.Name || typ == k.Namespace || slices.ContainsFunc(k.Subtypes, func(t SubtypeTable) bool { return t.Name == typ })
}

// goesAlong reports whether eNMS deletes an instance that refers to one of the kind by a
// relation along with that.
func (k *Kind) goesAlong(of *Kind, a Attribute, name string) bool {
	return slices.ContainsFunc(k.Cascades, func(c Cascade) bool {
		return c.Type == of.Name && c.Property == a.Name && (c.Except == "" || !strings.HasPrefix(name, c.Except))
	})
}

// expandedNames returns the names of a relation that is expanded to objects.
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
