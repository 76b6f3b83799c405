// Reading objects: one by name, some by equality (0, 5.1), and POST /rest/search: filter, sort,
// page, choose columns (5.2).

package simulator

import (
	"fmt"
	"slices"
	"strings"

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

// byPersistentID returns the object of a type that has a persistent id, nil for none.
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
		return nil, c.NoSuch(typ, "name", name)
	}
	if o.Damaged {
		return nil, python.ErrServer
	}
	return o, nil
}

func (c *command) getInstance(path []string, _ *python.Dict) (any, error) {
	if o := c.byPersistentID(c.Type(path[0]), path[1], "read"); o != nil {
		return c.whole(o, false), nil
	}
	o, err := c.fetch(path[0], path[1], "read")
	if err != nil {
		return nil, err
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

func (c *command) equalities(m *database.Type, parameters *python.Dict) ([]database.Condition, error) {
	tests := []database.Condition{}
	for _, key := range parameters.Keys {
		if key == "allow_none" && c.opts.AllowNone500 || key == "all_matches" && (c.opts.NoMatch403 || c.opts.AllowNone500) {
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

func (c *command) search(_ []string, request *python.Dict) (any, error) {
	m, columns, err := c.searched(request)
	if err != nil {
		return nil, err
	}
	if err := c.MayTouch(m, "read"); err != nil {
		return nil, err
	}
	given, sent := request.Lookup("search_criteria")
	form, ok := given.(*python.Dict)
	if sent && !ok {
		return nil, python.ErrServer
	}
	tests, err := c.Conditions(m, form)
	if err != nil {
		return nil, err
	}
	if text, _ := form.Get("serialized").(string); text != "" && c.Version == model.V53 {
		tests = append(tests, c.AnyText(m, text))
	}
	rows, err := database.Filtered(c.All(m.Name), tests, c.mayRead(m))
	if err != nil {
		return nil, err
	}
	if err := c.sort(rows, m, columns, request); err != nil {
		return nil, err
	}
	rows, err = c.pageOf(rows, request)
	if err != nil {
		return nil, err
	}
	out := make([]python.Record, 0, len(rows))
	for _, o := range rows {
		if o.Damaged {
			return nil, python.ErrServer
		}
		row, err := c.row(o, columns, form)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

// searched reads the two keys without which a search breaks.
func (c *command) searched(request *python.Dict) (*database.Type, []string, error) {
	name, _ := request.Get("type").(string)
	m := c.Type(name)
	value, sent := request.Lookup("columns")
	if m == nil || !sent {
		return nil, nil, python.ErrServer
	}
	items, err := python.Iterate(value)
	if err != nil {
		return nil, nil, python.ErrServer
	}
	columns := make([]string, 0, len(items))
	for _, item := range items {
		column, ok := item.(string)
		if !ok {
			return nil, nil, python.ErrServer
		}
		columns = append(columns, column)
	}
	return m, columns, nil
}

// sort sorts rows by the column whose number the first order entry has. The server fails with a number
// of no column, and with that of a relation. With an unknown direction, or a property without a column in
// the database, the rows stay as they are.
func (c *command) sort(rows []*database.Object, m *database.Type, columns []string, request *python.Dict) error {
	column, direction, err := firstOrder(request)
	if err != nil {
		return err
	}
	if column < 0 {
		column += len(columns) // as in Python, it counts from the end
	}
	if column < 0 || column >= len(columns) || m.Relations[columns[column]] != nil {
		return python.ErrServer
	}
	if direction == "asc" || direction == "desc" {
		c.SortBy(columns[column], rows, m, direction == "desc")
	}
	return nil
}

// firstOrder returns the first order entry, which defaults to the first column.
func firstOrder(request *python.Dict) (column int, direction string, err error) {
	value, sent := request.Lookup("order")
	if !sent {
		return 0, "asc", nil
	}
	list, _ := value.([]any)
	if len(list) == 0 {
		return 0, "", python.ErrServer
	}
	first, _ := list[0].(*python.Dict)
	column, isNumber := python.Int(first.Get("column"))
	direction, isText := first.Get("dir").(string)
	if !isNumber || !isText {
		return 0, "", python.ErrServer
	}
	return column, direction, nil
}

// pageOf returns the rows asked for: ten unless told.
func (c *command) pageOf(rows []*database.Object, request *python.Dict) ([]*database.Object, error) {
	limit, start := 10, 0
	for key, n := range map[string]*int{"maximum_return_records": &limit, "start": &start} {
		if v, sent := request.Lookup(key); sent {
			given, ok := python.Int(v)
			if !ok {
				return nil, python.ErrServer
			}
			*n = given
		}
	}
	return c.Page(rows, start, limit)
}

// row returns one line of the answer: the columns asked for as far as the object's own
// type has them, and what search adds.
func (c *command) row(o *database.Object, columns []string, form *python.Dict) (python.Record, error) {
	inDeviceFamily := o.Type.IsA("device")
	addsFields := !inDeviceFamily || c.Version != model.V47 // a search for devices adds none on 4.7
	r := c.scalars(o, func(name string) bool {
		isAdded := name == "type" || slices.Contains(o.Type.Additional, name)
		return slices.Contains(columns, name) || addsFields && isAdded
	})
	if inDeviceFamily {
		return addConfigurations(r, o, columns, form)
	}
	if found := model.HooksOf(o.Type).Found; found != nil {
		more, err := found(o)
		return append(r, more...), err
	}
	return r, nil
}

// addConfigurations adds the configurations of a device to its line, and the lines of them that match.
func addConfigurations(r python.Record, o *database.Object, columns []string, form *python.Dict) (python.Record, error) {
	for _, property := range model.ConfigurationProperties {
		if slices.Contains(columns, property) && o.Type.Unserialized[property] {
			r = r.With(property, o.Get(property))
		}
		if slices.Contains(columns, property+"_matches") {
			matched, err := matches(o, property, form)
			if err != nil {
				return nil, err
			}
			r = append(r, matched...)
		}
	}
	return r, nil
}

// matches returns the lines of a configuration that a search found, or "" when it
// did not look into it.
func matches(o *database.Object, property string, form *python.Dict) (python.Record, error) {
	wanted, _ := form.Get(property).(string)
	if wanted == "" {
		return python.NewRecord(property, ""), nil
	}
	found := func(line string) bool { return strings.Contains(strings.ToLower(line), strings.ToLower(wanted)) }
	if form.Get(property+"_filter") == "regex" {
		matches, err := database.Compile(wanted)
		if err != nil {
			return nil, python.ErrServer
		}
		found = matches
	}
	lines := []any{}
	for i, line := range strings.Split(strings.TrimSuffix(o.Text(property), "\n"), "\n") {
		if found(line) {
			lines = append(lines, fmt.Sprintf("L%d: %s", i+1, strings.TrimSpace(line)))
		}
	}
	return python.NewRecord(property+"_matches", lines), nil
}
