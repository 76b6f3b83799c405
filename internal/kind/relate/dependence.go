// This file finds the instances together with which eNMS deletes an instance.

package relate

import (
	"cmp"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Dependence is a relation of a kind whose instances are dependents: eNMS deletes an instance when it deletes one of
// its parents, the instances to which the relation refers (enms-rest.md 3).
type Dependence struct {
	Type      string     // the type of the parents
	Attribute string     // the relation
	Allowed   bool       // Cascade.Allowed of the parents' kind
	except    string     // the prefix of the names of instances that eNMS does not delete with their parents
	of        *kind.Kind // the kind of the parents
}

// Parents returns the instances whose deletion deletes the instance of a state: the parents, and
// those that contain a parent, as its name shows (Scopes).
func (d Dependence) Parents(state kind.Values) (parents []Related) {
	if d.except != "" && strings.HasPrefix(value.Text(state[kind.RowName]), d.except) {
		return nil
	}
	names := namesIn(state[d.Attribute])
	if len(names) == 0 {
		return nil
	}
	parents = append(parents, Related{Type: d.Type, Names: names})
	for _, name := range names {
		if scopes := Scopes(d.of, name); len(scopes) > 0 {
			parents = append(parents, Related{Type: d.of.Scope.Type, Names: scopes})
		}
	}
	return parents
}

// Dependences returns the relations of a kind to parents of the given kinds.
func Dependences(k *kind.Kind, kinds []*kind.Kind) (all []Dependence) {
	for _, of := range kinds {
		for _, c := range of.Cascades {
			if c.Type != k.Name {
				continue
			}
			for _, a := range k.Table().Relations {
				if a.Name == c.Property || a.Name+"_id" == c.Column {
					all = append(all, Dependence{Type: cmp.Or(c.Of, of.Name), Attribute: a.Name, Allowed: c.Allowed, except: c.Except, of: of})
				}
			}
		}
	}
	return all
}
