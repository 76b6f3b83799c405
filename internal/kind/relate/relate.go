// Package relate reads the relations of an instance: which instances it refers to (relate.go),
// whose names its name begins with (scope.go), together with which others eNMS deletes it
// (dependence.go), and which refer to it (referring.go).
package relate

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Related are names of instances of a type.
type Related struct {
	Type      string   `json:"type"`
	Names     []string `json:"names"`
	Attribute string   `json:"-"` // of NewlyRelated only: the attribute that refers to them
}

// NewlyRelated returns the instances that the plan refers to and the state does not, by relation.
func NewlyRelated(k *kind.Kind, planned, prior kind.Values) []Related {
	var related []Related
	for _, a := range k.Table().Relations {
		unchanged := map[string]bool{"": true}
		for _, name := range namesIn(prior[a.Name]) {
			unchanged[name] = true
		}
		names := slices.DeleteFunc(namesIn(planned[a.Name]), func(name string) bool { return unchanged[name] })
		related = append(related, Related{Type: a.Of, Names: names, Attribute: a.Name})
	}
	return related
}

// ToRefresh returns the instances to write again after a relation to them has changed.
func ToRefresh(k *kind.Kind, planned, prior kind.Values) []Related {
	var related []Related
	for _, a := range k.Table().Relations {
		if before, after := prior[a.Name], planned[a.Name]; a.Refresh && !a.Same(before, after) {
			names := slices.Sorted(slices.Values(append(value.Names(before), value.Names(after)...)))
			related = append(related, Related{Type: a.Of, Names: slices.Compact(names)})
		}
	}
	return related
}

// HasOtherSide reports whether instances of another kind have a relation to many that is the
// other side of an attribute.
func HasOtherSide(k *kind.Kind, attribute string, kinds []*kind.Kind) bool {
	a := k.Row(attribute)
	other := kind.Named(kinds, a.Of)
	return other != nil && other.Name != k.Name &&
		slices.ContainsFunc(other.Table().Relations, func(b kind.Attribute) bool { return b.Name == a.Inverse && b.Of == k.Name && b.Type == kind.Many })
}

// ReferringRow returns the attribute that refers to an instance, or "" if there is none.
func ReferringRow(k *kind.Kind, values kind.Values, typ, name string) string {
	for _, a := range k.Table().Relations {
		if a.Of == typ && refersTo(values[a.Name], name) {
			return a.Name
		}
	}
	return ""
}

// refersTo reports whether a relation holds a name.
func refersTo(v tftypes.Value, name string) bool { return slices.Contains(namesIn(v), name) }

// namesIn returns the names that a relation to one or to many holds.
func namesIn(v tftypes.Value) []string {
	if name := value.Text(v); name != "" {
		return []string{name}
	}
	return value.Names(v)
}

// Types returns the types by which others may refer to the instance of a state.
func Types(k *kind.Kind, state kind.Values) []string {
	return slices.Compact([]string{k.Name, k.Path(state)})
}

// Targets is a relation of a kind to its targets.
type Targets struct {
	Of        *kind.Kind // the kind whose instances have the targets
	Attribute string     // the relation to the targets
	Inverse   string     // the other side of the relation
}

// TargetOf returns the kind of an instance that may be a target, and the relations of kinds by which it may be.
func TargetOf(k *kind.Kind, kinds []*kind.Kind) (target *kind.Kind, all []Targets) {
	k = kind.Named(kinds, k.Name) // that of the type, if k stands for every type
	for _, of := range kinds {
		for _, a := range of.Table().Targets {
			if a.Of == k.Name {
				all = append(all, Targets{Of: of, Attribute: a.Name, Inverse: a.Inverse})
			}
		}
	}
	return k, all
}

// HoldsMember reports whether an instance has a member, according to its attribute with Holds.
func HoldsMember(k *kind.Kind, values kind.Values, member string) bool {
	return slices.ContainsFunc(k.Table().Holds, func(a kind.Attribute) bool { return a.Holds.Member == member && kind.IsTrue(values[a.Name]) })
}
