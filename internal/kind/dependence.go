// This file reads Cascades from the other side: with which instances eNMS deletes an
// instance.

package kind

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// Dependence is a relation of a kind to an instance with which eNMS deletes its own
// (enms-rest.md 3).
type Dependence struct {
	Type      string // the type of the other instance
	Attribute string // the relation that holds it
	Allowed   bool   // as in the Cascade
	except    string // the prefix of the names that eNMS does not delete
	of        *Kind  // the kind of the other instance
}

// Dependences returns the relations to instances of some kinds with which eNMS deletes an
// instance.
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

// Holders returns the instances with which eNMS deletes the instance of a state by the
// relation, and those with which it deletes these in turn, as far as names tell.
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

// Types returns the types as which others may refer to the instance of a state.
func (k *Kind) Types(state Values) []string {
	return slices.Compact([]string{k.Name, k.Path(state)})
}
