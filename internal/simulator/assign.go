// What an upsert does with each property of an object: values, secrets and relations (1.1, 2.2).

package simulator

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// assign sets one property of an object. It ignores unknown properties without an error.
func (c *command) assign(o *database.Object, key string, value any) error {
	if key == "type" && o.Type.Polymorphic() {
		c.WriteType(o, value)
		return nil
	}
	if r := o.Type.Relations[key]; r != nil {
		return c.assignRelation(o, r, value)
	}
	if r := o.Type.Columns[key]; r != nil { // the column itself is set below, also to an id that no object has
		c.SetOne(o, r, c.ByID(r.Target, value))
	}
	f := o.Type.Fields[key]
	if f == nil {
		return nil
	}
	switch f.Kind {
	case database.KindBool:
		value = !python.IsFalse(value)
	case database.KindDict, database.KindList:
		return c.assignContainer(o, f, value)
	case database.KindSecret:
		return c.assignSecret(o, key, value)
	case database.KindComputed:
		return python.Raise("AttributeError", "can't set attribute '%s'", key)
	case database.KindProxy:
		return c.assignProxy(o, f, value)
	}
	c.Set(o, key, value)
	return nil
}

// assignContainer sets an object or a list, or merges the object into the stored one (1.1).
func (c *command) assignContainer(o *database.Object, f *database.Field, value any) error {
	dict, isDict := value.(*python.Dict)
	_, isList := value.([]any)
	fits := value == nil || isDict && f.Kind == database.KindDict || isList && f.Kind == database.KindList
	switch {
	case f.Merges && !isDict:
		return python.Raise("TypeError", "'%s' object is not a mapping", python.TypeName(value))
	case f.Merges:
		value = python.NewDict().Merged(o.Dict(f.Name)).Merged(dict)
	case !fits:
		if f.Name == "initial_payload" { // observed: a new task or service is created all the same (0.1)
			c.Pend(o)
		}
		return python.Raise("ValueError", "Attribute '%s' does not accept objects of type <class '%s'>", f.Name, python.TypeName(value))
	}
	c.Set(o, f.Name, value)
	return nil
}

// assignSecret sets a secret. It keeps the old one if the payload has none (1.1).
func (c *command) assignSecret(o *database.Object, key string, value any) error {
	if !python.Truthy(value) {
		return nil
	}
	if _, ok := value.(string); !ok {
		return python.Raise("TypeError", "a bytes-like object is required, not '%s'", python.TypeName(value))
	}
	c.Set(o, key, value)
	return nil
}

// assignProxy renames the object of a relation to one (1.1). If there is none, any value but null is an error.
func (c *command) assignProxy(o *database.Object, f *database.Field, value any) error {
	if target := o.One(f.Relation); target != nil {
		c.Set(target, "name", value)
		return nil
	}
	if value == nil {
		return nil
	}
	return python.Raise("TypeError", "__init__() takes 1 positional argument but 2 were given")
}

// assignRelation sets the members of a relation, given their ids (2.2).
func (c *command) assignRelation(o *database.Object, r *database.Relation, value any) error {
	if r.Unlisted {
		return c.assignUnlisted(o, r, value)
	}
	if !r.Many {
		return c.assignOne(o, r, value)
	}
	ids, err := python.Iterate(value)
	if err != nil {
		return err
	}
	members := make([]*database.Object, 0, len(ids))
	for _, id := range ids {
		if m := c.ByID(r.Target, id); m != nil {
			members = append(members, m)
		} else if c.Version == model.V47 {
			return c.NoSuch(r.Target, "id", id)
		}
	}
	if o.IsStored() { // for the changelog, which notes members only if a caller has sent them
		c.Remember(o, r.Name, slices.Clone(o.Members(r.Name)))
	}
	c.SetMany(o, r, members)
	return nil
}

// assignOne sets the object of a relation to one, given its id. Null unsets it.
func (c *command) assignOne(o *database.Object, r *database.Relation, value any) error {
	if value != nil && !python.Truthy(value) {
		return python.Raise("AttributeError", "'%s' object has no attribute '_sa_instance_state'", python.TypeName(value))
	}
	target := c.ByID(r.Target, value)
	if value != nil && target == nil {
		return c.NoSuch(r.Target, "id", value)
	}
	c.SetOne(o, r, target)
	return nil
}

// assignUnlisted writes a relation that eNMS does not know by that name: an empty list is accepted and
// removes all members (2.2).
func (c *command) assignUnlisted(o *database.Object, r *database.Relation, value any) error {
	items, ok := value.([]any)
	if !ok {
		return python.Raise("TypeError", "Incompatible collection type: %s is not list-like", python.TypeName(value))
	}
	if len(items) > 0 {
		return python.Raise("AttributeError", "'%s' object has no attribute '_sa_instance_state'", python.TypeName(items[0]))
	}
	if o.IsStored() {
		c.Remember(o, r.Name, slices.Clone(o.Members(r.Name)))
	}
	c.SetMany(o, r, nil)
	return nil
}
