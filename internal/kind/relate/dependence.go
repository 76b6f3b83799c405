// This file finds the instances together with which eNMS deletes an instance.

package relate

import (
	"cmp"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Dependence is a relation of a kind whose target takes the instance along when eNMS deletes the
// target (enms-rest.md 3).
type Dependence struct {
	Type      string     // the type of the target
	Attribute string     // the relation
	Allowed   bool       // as in the Cascade
	except    string     // the prefix of the names that eNMS does not delete
	of        *kind.Kind // the kind of the target
}

// Holders returns the targets of the relation that take the instance of a state along. It adds what
// takes these along in turn, if their names show it: the workflows around a service.
func (d Dependence) Holders(state kind.Values) (holders []Related) {
	if d.except != "" && strings.HasPrefix(value.Text(state[kind.RowName]), d.except) {
		return nil
	}
	names := relatedNames(state[d.Attribute])
	if len(names) == 0 {
		return nil
	}
	holders = append(holders, Related{Type: d.Type, Names: names})
	for _, name := range names {
		if scopes := Scopes(d.of, name); len(scopes) > 0 {
			holders = append(holders, Related{Type: d.of.Scope.Type, Names: scopes})
		}
	}
	return holders
}

// Dependences returns the relations of a kind to the given kinds whose targets take the instance along.
func Dependences(k *kind.Kind, kinds []*kind.Kind) (all []Dependence) {
	for _, of := range kinds {
		for _, c := range of.Cascades {
			if c.Type != k.Name {
				continue
			}
			for _, a := range k.Table().Relations {
				if a.Name == c.Property || c.Column != "" && (a.IDField == c.Column || a.Name+"_id" == c.Column) {
					all = append(all, Dependence{Type: cmp.Or(c.Of, of.Name), Attribute: a.Name, Allowed: c.Allowed, except: c.Except, of: of})
				}
			}
		}
	}
	return all
}
