// Assigning one property of an object: shapes, secrets, relations (1.1, 2.2).

package simulator

// assign sets one property; unknown ones are ignored without a word.
func (c *command) assign(o *object, key string, value any) error {
	if key == "type" && o.model.polymorphic() {
		c.damage(o, value)
		return nil
	}
	if r := o.model.relations[key]; r != nil {
		return c.assignRelation(o, r, value)
	}
	if r := o.model.columns[key]; r != nil {
		return c.assignColumn(o, r, value)
	}
	f := o.model.fields[key]
	if f == nil {
		return nil
	}
	switch f.kind {
	case kindBool:
		value = !isFalse(value)
	case kindDict, kindList:
		if err := checkShape(f, value); err != nil {
			return c.keepPayloadFailure(o, f, err)
		}
	case kindSecret:
		return c.assignSecret(o, key, value)
	case kindComputed:
		return raise("AttributeError", "can't set attribute '%s'", key)
	case kindProxy:
		return c.assignProxy(o, f, value)
	}
	c.set(o, key, value)
	return nil
}

// keepPayloadFailure is the observed oddity of 0.1: a task or a service whose
// initial_payload was refused is created all the same.
func (c *command) keepPayloadFailure(o *object, f *field, err error) error {
	if f.name == "initial_payload" {
		c.pend(o)
	}
	return err
}

func checkShape(f *field, value any) error {
	_, isDict := value.(*dict)
	_, isList := value.([]any)
	if value == nil || f.kind == kindDict && isDict || f.kind == kindList && isList {
		return nil
	}
	return raise("ValueError", "Attribute '%s' does not accept objects of type <class '%s'>", f.name, typeName(value))
}

// damage writes the discriminator of the row (0.2, type).
func (c *command) damage(o *object, value any) {
	old := o.damaged
	c.undo = append(c.undo, func() { o.damaged = old })
	o.damaged = value != o.model.name
}

// assignSecret keeps the old secret when there is none to set (1.1).
func (c *command) assignSecret(o *object, key string, value any) error {
	if !truthy(value) {
		return nil
	}
	if _, ok := value.(string); !ok {
		return raise("TypeError", "a bytes-like object is required, not '%s'", typeName(value))
	}
	c.set(o, key, value)
	return nil
}

// assignProxy renames the object on the other side of a single relation (1.1).
func (c *command) assignProxy(o *object, f *field, value any) error {
	if target := o.one(f.relation); target != nil {
		c.set(target, "name", value)
		return nil
	}
	if value == nil {
		return nil
	}
	return raise("TypeError", "__init__() takes 1 positional argument but 2 were given")
}

// assignColumn points a single relation through its id column, null to clear it.
func (c *command) assignColumn(o *object, r *relation, value any) error {
	c.setOne(o, r, c.byID(r.target, value))
	c.set(o, r.column, value)
	return nil
}

func (c *command) assignRelation(o *object, r *relation, value any) error {
	if r.unlisted {
		return c.assignUnlisted(o, r, value)
	}
	if !r.many {
		if value == nil {
			c.setOne(o, r, nil)
			return nil
		}
		if !truthy(value) {
			return raise("AttributeError", "'%s' object has no attribute '_sa_instance_state'", typeName(value))
		}
		target := c.byID(r.target, value)
		if target == nil {
			return noSuch(r.target, "id", value)
		}
		c.setOne(o, r, target)
		return nil
	}
	ids, err := iterate(value)
	if err != nil {
		return err
	}
	members := make([]*object, 0, len(ids))
	for _, id := range ids {
		m := c.byID(r.target, id)
		if m == nil {
			return noSuch(r.target, "id", id)
		}
		members = append(members, m)
	}
	c.setMany(o, r, members)
	return nil
}

// assignUnlisted writes a relation that eNMS does not know by that name: an empty
// list goes through and deletes all members (2.2).
func (c *command) assignUnlisted(o *object, r *relation, value any) error {
	items, ok := value.([]any)
	if !ok {
		return raise("TypeError", "Incompatible collection type: %s is not list-like", typeName(value))
	}
	if len(items) > 0 {
		return raise("AttributeError", "'%s' object has no attribute '_sa_instance_state'", typeName(items[0]))
	}
	c.setMany(o, r, nil)
	return nil
}
