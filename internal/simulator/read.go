// Reading objects: one by name, some by equality (0, 5.1).

package simulator

import (
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// property returns what an answer shows of a property; ok is false where the object has
// none.
func (c *command) property(o *database.Object, name string) (value any, ok bool) {
	if f := o.Type.Fields[name]; f != nil && f.Kind == database.KindComputed && !f.Filterable() {
		return model.HooksOf(o.Type).Computed[name](c.Process, o)
	}
	return o.Property(name)
}

// scalars returns the properties of an object that an answer shows; keep chooses
// among them, nil for all.
func (c *command) scalars(o *database.Object, keep func(string) bool) python.Record {
	r := make(python.Record, 0, len(o.Type.Properties))
	for _, name := range o.Type.Properties {
		if keep != nil && !keep(name) || c.Lacks(o.Type, name) {
			continue
		}
		if v, ok := c.property(o, name); ok {
			r = append(r, python.Member{Key: name, Value: v})
		}
	}
	return r
}

func withoutPositions(name string) bool { return name != "positions" }

// whole returns an object with its relations: as names, or expanded as DELETE shows
// them (3). A single relation that is not set is left out.
func (c *command) whole(o *database.Object, expanded bool) python.Record {
	keep := withoutPositions
	if expanded {
		keep = nil
	}
	r := c.scalars(o, keep)
	show := func(m *database.Object) any {
		if expanded {
			return c.scalars(m, nil)
		}
		return m.Get("name")
	}
	for name, rel := range o.Type.Relations {
		switch {
		case rel.Unlisted, c.Lacks(o.Type, name):
		case rel.Many:
			list := []any{}
			for _, m := range o.Members(name) {
				list = append(list, show(m))
			}
			r = r.With(name, list)
		case o.One(name) != nil:
			r = r.With(name, show(o.One(name)))
		}
	}
	return r
}

// fetch returns the object of a type and name that the caller has a right to.
func (c *command) fetch(typ, name, mode string) (*database.Object, error) {
	m := c.Type(typ)
	if m == nil {
		return nil, python.ErrServer
	}
	if err := c.MayTouch(m, mode); err != nil {
		return nil, err
	}
	if err := c.LookUp(name); err != nil {
		return nil, err
	}
	o := c.ByName(m.Name, name)
	if o == nil || !c.MayAs(m, mode, o) {
		return nil, model.NoSuch(typ, "name", name)
	}
	if o.Damaged {
		return nil, python.ErrServer
	}
	return o, nil
}

// getInstance returns the object of a type and name.
func (c *command) getInstance(typ, name string) (any, error) {
	o, err := c.fetch(typ, name, "read")
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
	if !ok || o.Type.Fields[property] != nil && o.Type.Fields[property].Kind == database.KindSecret {
		return nil, python.ErrServer
	}
	return v, nil
}
