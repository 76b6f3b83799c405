// GET /rest/query: objects by equality (5.1).

package simulator

import "slices"

// ignoredFilters are parameters of a query that mean nothing (5.1).
var ignoredFilters = []string{"allow_none", "all_matches", "rbac", "username"}

// query returns the objects of a type whose properties equal the parameters.
func (c *command) query(model string, parameters *dict) (any, error) {
	m := c.typeOf(model)
	if m == nil {
		return nil, errServer
	}
	if err := c.mayTouch(m, "read"); err != nil {
		return nil, err
	}
	tests, err := c.equalities(m, parameters)
	if err != nil {
		return nil, err
	}
	found, err := filtered(c.candidates(m, parameters), tests, c.mayRead(m))
	if err != nil {
		return nil, err
	}
	rows := make([]record, 0, len(found))
	for _, o := range found {
		if o.damaged {
			return nil, errServer
		}
		rows = append(rows, c.scalars(o, withoutPositions))
	}
	if len(rows) == 0 && c.opts.NoMatch403 && !truthy(parameters.get("allow_none")) {
		return nil, noSuch(model, "name", nil)
	}
	return rows, nil
}

// equalities returns the conditions that the parameters of a query make.
func (c *command) equalities(m *model, parameters *dict) ([]test, error) {
	tests := []test{}
	for _, key := range parameters.keys {
		if key == "allow_none" && c.opts.AllowNone500 || key == "all_matches" && (c.opts.NoMatch403 || c.opts.AllowNone500) {
			return nil, errServer
		}
		if slices.Contains(ignoredFilters, key) {
			continue
		}
		one, err := c.equality(m, key, parameters.get(key))
		if err != nil {
			return nil, err
		}
		tests = append(tests, one)
	}
	return tests, nil
}

// mayRead returns which objects of a type the caller may read.
func (c *command) mayRead(m *model) func(*object) bool {
	return func(o *object) bool { return c.mayAs(m, "read", o) }
}

// candidates spares a query by name the way through the whole table.
func (c *command) candidates(m *model, parameters *dict) []*object {
	name, ok := parameters.lookup("name")
	if !ok || m.nameless {
		return c.all(m.name)
	}
	if o := c.byName(m.name, name.(string)); o != nil {
		return []*object{o}
	}
	return nil
}
