// Reading objects: one by name, some by equality (0, 5.1).

package simulator

import "slices"

// property is one value of an answer; ok is false where the object has none.
func (s *Server) property(o *object, name string) (value any, ok bool) {
	switch name {
	case "id":
		return o.id, true
	case "type":
		return o.model.name, true
	}
	f := o.model.fields[name]
	if f == nil {
		return nil, false
	}
	switch f.kind {
	case kindComputed:
		return f.read(s, o)
	case kindProxy:
		if target := o.ones[f.relation]; target != nil {
			return target.get("name"), true
		}
		return nil, true
	default:
		return o.get(name), true
	}
}

// scalars are the properties of an object that an answer shows; keep chooses
// among them, nil for all.
func (s *Server) scalars(o *object, keep func(string) bool) record {
	r := make(record, 0, len(o.model.properties))
	for _, name := range o.model.properties {
		if keep != nil && !keep(name) || s.lacks(o.model, name) {
			continue
		}
		if v, ok := s.property(o, name); ok {
			r = append(r, member{name, v})
		}
	}
	return r
}

func withoutPositions(name string) bool { return name != "positions" }

// whole is an object with its relations: as names, or expanded as DELETE shows
// them (3). A single relation that is not set is left out.
func (s *Server) whole(o *object, expanded bool) record {
	keep := withoutPositions
	if expanded {
		keep = nil
	}
	r := s.scalars(o, keep)
	show := func(m *object) any {
		if expanded {
			return s.scalars(m, nil)
		}
		return m.get("name")
	}
	for name, rel := range o.model.relations {
		switch {
		case rel.unlisted, s.lacks(o.model, name):
		case rel.many:
			list := []any{}
			for _, m := range o.members(name) {
				list = append(list, show(m))
			}
			r = append(r, member{name, list})
		case o.ones[name] != nil:
			r = append(r, member{name, show(o.ones[name])})
		}
	}
	return r
}

// fetch is the object of a type and name that the caller has a right to.
func (t *tx) fetch(model, name, mode string) (*object, error) {
	m := t.s.model(model)
	if m == nil {
		return nil, errServer
	}
	if err := t.mayTouch(m, mode); err != nil {
		return nil, err
	}
	if err := t.lookUp(name); err != nil {
		return nil, err
	}
	o := t.s.byName(m, name)
	if o == nil || !t.mayAs(m, mode, o) {
		return nil, noSuch(model, "name", name)
	}
	if o.damaged {
		return nil, errServer
	}
	return o, nil
}

func (t *tx) getInstance(model, name string) (any, error) {
	o, err := t.fetch(model, name, "read")
	if err != nil {
		return nil, err
	}
	return t.s.whole(o, false), nil
}

// ignoredFilters are parameters of a query that mean nothing (5.1).
var ignoredFilters = []string{"allow_none", "all_matches", "rbac", "username"}

// query lists the objects of a type whose properties equal the parameters.
func (t *tx) query(model string, parameters *dict) (any, error) {
	m := t.s.model(model)
	if m == nil {
		return nil, errServer
	}
	if err := t.mayTouch(m, "read"); err != nil {
		return nil, err
	}
	tests, err := t.s.equalities(m, parameters)
	if err != nil {
		return nil, err
	}
	rows := []record{}
	for _, o := range t.candidates(m, parameters) {
		if !t.mayAs(m, "read", o) {
			continue
		}
		matches, err := all(tests, t.s, o)
		if err != nil {
			return nil, err
		}
		if !matches {
			continue
		}
		if o.damaged {
			return nil, errServer
		}
		rows = append(rows, t.s.scalars(o, withoutPositions))
	}
	if none, _ := parameters.get("allow_none"); len(rows) == 0 && t.s.opts.NoMatch403 && !truthy(none) {
		return nil, noSuch(model, "name", nil)
	}
	return rows, nil
}

// equalities are the conditions that the parameters of a query make.
func (s *Server) equalities(m *model, parameters *dict) ([]test, error) {
	tests := []test{}
	for _, key := range parameters.keys {
		if key == "allow_none" && s.opts.AllowNone500 || key == "all_matches" && (s.opts.NoMatch403 || s.opts.AllowNone500) {
			return nil, errServer
		}
		if slices.Contains(ignoredFilters, key) {
			continue
		}
		value, _ := parameters.get(key)
		one, err := s.equality(m, key, value)
		if err != nil {
			return nil, err
		}
		tests = append(tests, one)
	}
	return tests, nil
}

// candidates spares a query by name the way through the whole table.
func (t *tx) candidates(m *model, parameters *dict) []*object {
	name, ok := parameters.get("name")
	if !ok || m.names == "object" {
		return t.s.all(m)
	}
	if o := t.s.byName(m, name.(string)); o != nil {
		return []*object{o}
	}
	return nil
}

// configuration is one attribute of a device as a bare value.
func (t *tx) configuration(device, property string) (any, error) {
	o, err := t.fetch("device", device, "read")
	if err != nil {
		return nil, err
	}
	v, ok := t.s.property(o, property)
	if !ok || o.model.fields[property] != nil && o.model.fields[property].kind == kindSecret {
		return nil, errServer
	}
	return v, nil
}
