// Reading objects: one by name, some by equality (0, 5.1).

package simulator

// property returns what an answer shows of a property; ok is false where the object has
// none.
func (c *command) property(o *object, name string) (value any, ok bool) {
	if f := o.model.fields[name]; f != nil && f.kind == kindComputed && !f.filterable() {
		return hooksOf(o.model).computed[name](c.process, o)
	}
	return o.property(name)
}

// scalars returns the properties of an object that an answer shows; keep chooses
// among them, nil for all.
func (c *command) scalars(o *object, keep func(string) bool) record {
	r := make(record, 0, len(o.model.properties))
	for _, name := range o.model.properties {
		if keep != nil && !keep(name) || c.lacks(o.model, name) {
			continue
		}
		if v, ok := c.property(o, name); ok {
			r = append(r, member{name, v})
		}
	}
	return r
}

func withoutPositions(name string) bool { return name != "positions" }

// whole returns an object with its relations: as names, or expanded as DELETE shows
// them (3). A single relation that is not set is left out.
func (c *command) whole(o *object, expanded bool) record {
	keep := withoutPositions
	if expanded {
		keep = nil
	}
	r := c.scalars(o, keep)
	show := func(m *object) any {
		if expanded {
			return c.scalars(m, nil)
		}
		return m.get("name")
	}
	for name, rel := range o.model.relations {
		switch {
		case rel.unlisted, c.lacks(o.model, name):
		case rel.many:
			list := []any{}
			for _, m := range o.members(name) {
				list = append(list, show(m))
			}
			r = r.with(name, list)
		case o.one(name) != nil:
			r = r.with(name, show(o.one(name)))
		}
	}
	return r
}

// fetch returns the object of a type and name that the caller has a right to.
func (c *command) fetch(model, name, mode string) (*object, error) {
	m := c.typeOf(model)
	if m == nil {
		return nil, errServer
	}
	if err := c.mayTouch(m, mode); err != nil {
		return nil, err
	}
	if err := c.lookUp(name); err != nil {
		return nil, err
	}
	o := c.byName(m.name, name)
	if o == nil || !c.mayAs(m, mode, o) {
		return nil, noSuch(model, "name", name)
	}
	if o.damaged {
		return nil, errServer
	}
	return o, nil
}

// getInstance returns the object of a type and name.
func (c *command) getInstance(model, name string) (any, error) {
	o, err := c.fetch(model, name, "read")
	if err != nil {
		return nil, err
	}
	return c.whole(o, false), nil
}

// configuration returns one attribute of a device as a bare value.
func (c *command) configuration(device, property string) (any, error) {
	o, err := c.fetch("device", device, "read")
	if err != nil {
		return nil, err
	}
	v, ok := c.property(o, property)
	if !ok || o.model.fields[property] != nil && o.model.fields[property].kind == kindSecret {
		return nil, errServer
	}
	return v, nil
}
