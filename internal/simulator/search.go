// POST /rest/search: filter, sort, page, choose columns (5.2).

package simulator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// search is POST /rest/search: the rows of one page of the objects that meet the criteria.
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
	if text, _ := form.Get("serialized").(string); text != "" && c.Version == model.V53 { // the search in all columns
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

// searched returns the type and the columns of a search, without which the request fails.
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

// sort sorts rows by the column whose number the first order entry has. The request fails if there is no
// column with the number, or if it is a relation. If the direction is unknown, or the property has no
// column in the database, the order stays as it is.
func (c *command) sort(rows []*database.Object, m *database.Type, columns []string, request *python.Dict) error {
	column, direction, err := firstOrder(request)
	if err != nil {
		return err
	}
	if column < 0 {
		column += len(columns) // as in Python, a negative number counts from the end
	}
	if column < 0 || column >= len(columns) || m.Relations[columns[column]] != nil {
		return python.ErrServer
	}
	if direction == "asc" || direction == "desc" {
		c.SortBy(columns[column], rows, m, direction == "desc")
	}
	return nil
}

// firstOrder returns the first order entry, which defaults to the first column, ascending.
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

// pageOf returns the rows of the requested page, which has ten rows by default.
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

// row returns one row of the answer: the requested columns that the object's own type has, and what a
// search adds to them.
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

// addConfigurations adds the configurations of a device to its row, and their lines that match.
func addConfigurations(r python.Record, o *database.Object, columns []string, form *python.Dict) (python.Record, error) {
	for _, property := range model.ConfigurationProperties {
		if slices.Contains(columns, property) && o.Type.Unserialized[property] { // otherwise, r has it
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

// matches returns the lines of a configuration that a search found. If it did not search in the configuration, eNMS
// answers with "" in place of the configuration itself.
func matches(o *database.Object, property string, form *python.Dict) (python.Record, error) {
	wanted, _ := form.Get(property).(string)
	if wanted == "" {
		return python.NewRecord(property, ""), nil
	}
	found := func(line string) bool { return strings.Contains(strings.ToLower(line), strings.ToLower(wanted)) }
	if form.Get(property+"_filter") == "regex" {
		var err error
		if found, err = database.Compile(wanted); err != nil {
			return nil, python.ErrServer
		}
	}
	lines := []any{}
	for i, line := range strings.Split(strings.TrimSuffix(o.Text(property), "\n"), "\n") {
		if found(line) {
			lines = append(lines, fmt.Sprintf("L%d: %s", i+1, strings.TrimSpace(line)))
		}
	}
	return python.NewRecord(property+"_matches", lines), nil
}
