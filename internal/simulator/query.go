// GET /rest/query: objects by equality (5.1).

package simulator

import (
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// ignoredFilters are parameters of a query that mean nothing (5.1).
var ignoredFilters = []string{"allow_none", "all_matches", "rbac", "username"}

// query returns the objects of a type whose properties equal the parameters.
func (c *command) query(typ string, parameters *python.Dict) (any, error) {
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
		return nil, model.NoSuch(typ, "name", nil)
	}
	return rows, nil
}

// equalities returns the conditions that the parameters of a query make.
func (c *command) equalities(m *database.Type, parameters *python.Dict) ([]database.Condition, error) {
	tests := []database.Condition{}
	for _, key := range parameters.Keys {
		if key == "allow_none" && c.opts.AllowNone500 || key == "all_matches" && (c.opts.NoMatch403 || c.opts.AllowNone500) {
			return nil, python.ErrServer
		}
		if slices.Contains(ignoredFilters, key) {
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

// mayRead returns which objects of a type the caller may read.
func (c *command) mayRead(m *database.Type) func(*database.Object) bool {
	return func(o *database.Object) bool { return c.MayAs(m, "read", o) }
}

// candidates spares a query by name the way through the whole table.
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
