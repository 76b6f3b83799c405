// Reading objects: one by name, some by equality (0, 5.1).

package simulator

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// property returns the value of a property as an answer shows it. ok is false if the object does not have
// the property.
func (c *command) property(o *database.Object, name string) (value any, ok bool) {
	if f := o.Type.Fields[name]; f != nil && !f.Filterable() {
		return model.HooksOf(o.Type).Computed[name](c.Process, o)
	}
	return o.Property(name)
}

// scalars returns the properties of an object that an answer shows. If keep is not nil, only those for
// which it returns true.
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

// byPersistentID returns the object of a type with a persistent id, or nil if there is none on which the
// caller has the right in mode, such as "read".
func (c *command) byPersistentID(m *database.Type, id, mode string) *database.Object {
	if m == nil || m.Fields["persistent_id"] == nil {
		return nil
	}
	for _, o := range c.All(m.Name) {
		if o.Text("persistent_id") == id && c.MayAs(m, mode, o) {
			return o
		}
	}
	return nil
}

func withoutPositions(name string) bool { return name != "positions" }

// whole returns an object with its relations: as names, or, if expanded, as objects, as DELETE shows
// them (3). Positions are left out unless expanded. A relation to one object is left out if it is not set.
// Objects that this server conceals are in no relation.
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
		if rel.Unlisted || c.Lacks(o.Type, name) {
			continue
		}
		switch {
		case rel.Many:
			list := []any{}
			for _, m := range o.Members(name) {
				if !c.conceals(m) {
					list = append(list, show(m))
				}
			}
			r = r.With(name, list)
		case o.One(name) != nil && !c.conceals(o.One(name)):
			r = r.With(name, show(o.One(name)))
		}
	}
	return r
}

// conceals reports whether this server leaves an object out of the relations that it shows: 5.3 does so
// with objects that are softly deleted.
func (c *command) conceals(o *database.Object) bool {
	return c.Version == model.V53 && o.Is(model.SoftDeleted)
}

// fetch returns the object with a type and a name, on which the caller must have the right in mode, such as "read".
func (c *command) fetch(typ, name, mode string) (*database.Object, error) {
	m := c.Type(typ)
	if m == nil {
		return nil, python.ErrServer
	}
	if err := c.MayTouch(m, mode); err != nil {
		return nil, err
	}
	if err := c.CheckText(name); err != nil {
		return nil, err
	}
	o := c.ByName(m.Name, name)
	if o == nil || !c.MayAs(m, mode, o) {
		return nil, c.NoSuch(typ, "name", name)
	}
	if o.Damaged {
		return nil, python.ErrServer
	}
	return o, nil
}

// getInstance is GET /rest/instance: an object by its persistent id or its name.
func (c *command) getInstance(path []string, _ *python.Dict) (any, error) {
	o := c.byPersistentID(c.Type(path[0]), path[1], "read")
	if o == nil {
		var err error
		if o, err = c.fetch(path[0], path[1], "read"); err != nil {
			return nil, err
		}
	}
	return c.whole(o, false), nil
}

// configuration is GET /rest/configuration: one attribute of a device as a bare value.
func (c *command) configuration(path []string, keywords *python.Dict) (any, error) {
	property := "configuration"
	if asked, sent := keywords.Lookup("property"); sent {
		property = asked.(string)
	}
	if len(path) == 2 {
		property = path[1]
	}
	o, err := c.fetch("device", path[0], "read")
	if err != nil {
		return nil, err
	}
	v, ok := c.property(o, property)
	if f := o.Type.Fields[property]; !ok || f != nil && f.Kind == database.KindSecret {
		return nil, python.ErrServer
	}
	return v, nil
}

// ignoredFilters are parameters of a query that mean nothing (5.1).
var ignoredFilters = map[model.Version][]string{
	model.V47: {"allow_none", "all_matches", "rbac", "username"},
	model.V53: {"allow_none", "all_matches", "rbac", "user"},
}

// query returns the objects of a type whose properties equal the parameters.
func (c *command) query(path []string, parameters *python.Dict) (any, error) {
	typ := path[0]
	m := c.Type(typ)
	if m == nil {
		return nil, python.ErrServer
	}
	if err := c.MayTouch(m, "read"); err != nil {
		return nil, err
	}
	tests, err := c.equalities(m, parameters)
	if err != nil {
		return nil, err
	}
	found, err := database.Filtered(c.candidates(m, parameters), tests, c.mayRead(m))
	if err != nil {
		return nil, err
	}
	rows := make([]python.Record, 0, len(found))
	for _, o := range found {
		if o.Damaged {
			return nil, python.ErrServer
		}
		rows = append(rows, c.scalars(o, withoutPositions))
	}
	if len(rows) == 0 && c.opts.NoMatch403 && !python.Truthy(parameters.Get("allow_none")) {
		return nil, c.NoSuch(typ, "name", nil)
	}
	return rows, nil
}

// equalities returns the conditions of a query, one for each parameter that means anything.
func (c *command) equalities(m *database.Type, parameters *python.Dict) ([]database.Condition, error) {
	tests := []database.Condition{}
	for _, key := range parameters.Keys {
		if key == "all_matches" && c.opts.NoMatch403 { // to an older eNMS a property, which no type has
			return nil, python.ErrServer
		}
		if slices.Contains(ignoredFilters[c.Version], key) {
			continue
		}
		one, err := c.Equality(m, key, parameters.Get(key))
		if err != nil {
			return nil, err
		}
		tests = append(tests, one)
	}
	return tests, nil
}

// mayRead returns a function that reports whether the caller may read an object as one of a type.
func (c *command) mayRead(m *database.Type) func(*database.Object) bool {
	return func(o *database.Object) bool { return c.MayAs(m, "read", o) }
}

// candidates returns the objects that a query may find: the one with the name in the parameters, or all of the type
// if there is no name.
func (c *command) candidates(m *database.Type, parameters *python.Dict) []*database.Object {
	name, ok := parameters.Lookup("name")
	if !ok || m.Nameless {
		return c.All(m.Name)
	}
	if o := c.ByName(m.Name, name.(string)); o != nil {
		return []*database.Object{o}
	}
	return nil
}
