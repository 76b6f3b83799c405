// POST /rest/search: filter, sort, page, choose columns (5.2).

package simulator

import (
	"fmt"
	"slices"
	"strings"
)

// search answers one search request.
func (c *command) search(request *dict) (any, error) {
	m, columns, err := c.searched(request)
	if err != nil {
		return nil, err
	}
	if err := c.mayTouch(m, "read"); err != nil {
		return nil, err
	}
	given, sent := request.lookup("search_criteria")
	form, ok := given.(*dict)
	if sent && !ok {
		return nil, errServer
	}
	tests, err := c.conditions(m, form)
	if err != nil {
		return nil, err
	}
	rows, err := filtered(c.all(m.name), tests, c.mayRead(m))
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
	out := make([]record, 0, len(rows))
	for _, o := range rows {
		if o.damaged {
			return nil, errServer
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
func (c *command) searched(request *dict) (*model, []string, error) {
	name, _ := request.get("type").(string)
	m := c.typeOf(name)
	value, sent := request.lookup("columns")
	if m == nil || !sent {
		return nil, nil, errServer
	}
	items, err := iterate(value)
	if err != nil {
		return nil, nil, errServer
	}
	columns := make([]string, 0, len(items))
	for _, item := range items {
		column, ok := item.(string)
		if !ok {
			return nil, nil, errServer
		}
		columns = append(columns, column)
	}
	return m, columns, nil
}

// sort orders by the column that the first order entry points at; an unknown
// direction or a property without a column leaves the order of the rows.
func (c *command) sort(rows []*object, m *model, columns []string, request *dict) error {
	column, direction, err := firstOrder(request)
	if err != nil {
		return err
	}
	if column < 0 {
		column += len(columns)
	}
	if column < 0 || column >= len(columns) || m.relations[columns[column]] != nil {
		return errServer
	}
	if direction == "asc" || direction == "desc" {
		c.sortBy(columns[column], rows, m, direction == "desc")
	}
	return nil
}

// firstOrder returns the first order entry, which defaults to the first column.
func firstOrder(request *dict) (column int, direction string, err error) {
	value, sent := request.lookup("order")
	if !sent {
		return 0, "asc", nil
	}
	list, ok := value.([]any)
	if !ok || len(list) == 0 {
		return 0, "", errServer
	}
	first, ok := list[0].(*dict)
	if !ok {
		return 0, "", errServer
	}
	at, ok := pythonInt(first.get("column"))
	direction, isText := first.get("dir").(string)
	if !ok || !isText {
		return 0, "", errServer
	}
	return at, direction, nil
}

// pageOf returns the rows asked for: ten unless told.
func (c *command) pageOf(rows []*object, request *dict) ([]*object, error) {
	limit, start := 10, 0
	for key, n := range map[string]*int{"maximum_return_records": &limit, "start": &start} {
		if v, sent := request.lookup(key); sent {
			given, ok := pythonInt(v)
			if !ok {
				return nil, errServer
			}
			*n = given
		}
	}
	return c.page(rows, start, limit)
}

// row returns one line of the answer: the columns asked for as far as the object's own
// type has them, and what search adds.
func (c *command) row(o *object, columns []string, form *dict) (record, error) {
	inDeviceFamily := o.model.class == "device"
	r := c.scalars(o, func(name string) bool {
		return slices.Contains(columns, name) ||
			!inDeviceFamily && (name == "type" || slices.Contains(o.model.additional, name))
	})
	if !inDeviceFamily {
		return r, nil
	}
	for _, property := range configurationProperties {
		if slices.Contains(columns, property) && o.model.unserialized[property] {
			r = r.with(property, o.get(property))
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
func matches(o *object, property string, form *dict) (record, error) {
	wanted, _ := form.get(property).(string)
	if wanted == "" {
		return newRecord(property, ""), nil
	}
	found := func(line string) bool { return strings.Contains(strings.ToLower(line), strings.ToLower(wanted)) }
	if form.get(property+"_filter") == "regex" {
		matches, err := compile(wanted)
		if err != nil {
			return nil, errServer
		}
		found = matches
	}
	lines := []any{}
	for i, line := range strings.Split(strings.TrimSuffix(o.text(property), "\n"), "\n") {
		if found(line) {
			lines = append(lines, fmt.Sprintf("L%d: %s", i+1, strings.TrimSpace(line)))
		}
	}
	return newRecord(property+"_matches", lines), nil
}
