// This file tells which instances run on others as their targets.

package kind

// Targets are the relations by which instances of a kind have their targets.
type Targets struct {
	Of         *Kind  // the kind whose instances have the targets
	Attribute  string // the relation that may hold an instance of the other kind
	Inverse    string // the same relation from the other side
	Attributes []Attribute
}

// TargetOf returns the kind of an instance that others may run on, and by which relations
// of which of the kinds they do. An instance of any type counts as one of the kind that has
// its type.
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
