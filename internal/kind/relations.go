// This file tells of an instance's relations with others.

package kind

import (
	"slices"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Related are names of instances of a type.
type Related struct {
	Type  string
	Names []string
}

// NewlyRelated are the instances that the plan refers to and the state does not.
func (k *Kind) NewlyRelated(planned, prior Values) []Related {
	var all []Related
	for _, a := range k.rows().relations {
		names := append(value.Names(planned[a.Name]), value.Text(planned[a.Name]))
		names = slices.DeleteFunc(names, func(name string) bool { return name == "" || refersTo(prior[a.Name], name) })
		all = append(all, Related{Type: a.Of, Names: names})
	}
	return all
}

// ToRefresh are the instances that are to be written again because a relation to
// them has changed: those before and those after, by their types.
func (k *Kind) ToRefresh(planned, prior Values) []Related {
	var all []Related
	for _, a := range k.rows().relations {
		if before, after := prior[a.Name], planned[a.Name]; a.Refresh && !a.same(before, after) {
			names := append(value.Names(before), value.Names(after)...)
			slices.Sort(names)
			all = append(all, Related{Type: a.Of, Names: slices.Compact(names)})
		}
	}
	return all
}

// ReferringRow is the attribute that refers to an instance, "" when there is none.
func (k *Kind) ReferringRow(values Values, typ, name string) string {
	for _, a := range k.rows().relations {
		if a.Of == typ && refersTo(values[a.Name], name) {
			return a.Name
		}
	}
	return ""
}

// OnlyRelations tells whether a payload holds no more than the name, what follows
// from it, and relations.
func (k *Kind) OnlyRelations(payload value.Object) bool {
	rows := k.rows().byName
	for name := range payload {
		if a, is := rows[name]; !is || !a.isRelation() && a.Role != Key && !a.Derived {
			return false
		}
	}
	return true
}

// HoldsRelations tells whether the relations of a payload are planned as an answer
// holds them already.
func (k *Kind) HoldsRelations(payload, answer value.Object, planned Values) bool {
	rows := k.rows().byName
	for name := range payload {
		a := rows[name]
		if !a.isRelation() {
			continue
		}
		now, err := a.fromAnswer(answer[a.readFrom()])
		if err != nil || !a.same(now, planned[a.Name]) {
			return false
		}
	}
	return true
}

func (a Attribute) isRelation() bool { return a.Of != "" }

// refersTo tells whether a relation holds a name.
func refersTo(v tftypes.Value, name string) bool {
	return value.Text(v) == name || slices.Contains(value.Names(v), name)
}
