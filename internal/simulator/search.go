// POST /rest/search: filter, sort, page, choose columns (5.2).

package simulator

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// search answers one search request.
func (t *tx) search(request *dict) (any, error) {
	m, columns, err := t.s.searched(request)
	if err != nil {
		return nil, err
	}
	if err := t.mayTouch(m, "read"); err != nil {
		return nil, err
	}
	given, sent := request.get("search_criteria")
	form, ok := given.(*dict)
	if sent && !ok {
		return nil, errServer
	}
	rows, err := t.selected(m, form)
	if err != nil {
		return nil, err
	}
	if err := t.sort(rows, m, columns, request); err != nil {
		return nil, err
	}
	rows, err = t.s.page(rows, request)
	if err != nil {
		return nil, err
	}
	out := make([]record, 0, len(rows))
	for _, o := range rows {
		if o.damaged {
			return nil, errServer
		}
		row, err := t.s.row(o, columns, form)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, nil
}

// searched reads the two keys without which a search breaks.
func (s *Server) searched(request *dict) (*model, []string, error) {
	name, _ := request.get("type")
	model, _ := name.(string)
	value, sent := request.get("columns")
	if s.model(model) == nil || !sent {
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
	return s.model(model), columns, nil
}

// selected are the readable objects that meet the criteria, ordered by id.
func (t *tx) selected(m *model, form *dict) ([]*object, error) {
	tests, err := t.s.conditions(m, form)
	if err != nil {
		return nil, err
	}
	rows := []*object{}
	for _, o := range t.s.all(m) {
		if !t.mayAs(m, "read", o) {
			continue
		}
		matches, err := all(tests, t.s, o)
		if err != nil {
			return nil, err
		}
		if matches {
			rows = append(rows, o)
		}
	}
	return rows, nil
}

// sort orders by the column that the first order entry points at; an unknown
// direction or a property without a column leaves the order of the rows.
func (t *tx) sort(rows []*object, m *model, columns []string, request *dict) error {
	column, direction, err := firstOrder(request)
	if err != nil {
		return err
	}
	if column < 0 {
		column += len(columns)
	}
	if column < 0 || column >= len(columns) {
		return errServer
	}
	name := columns[column]
	if r := m.relations[name]; r != nil {
		return errServer
	}
	f, ok := t.s.column(m, name)
	if !ok || direction != "asc" && direction != "desc" || f.kind == kindProxy || f.kind == kindComputed && !f.filterable {
		return nil
	}
	slices.SortStableFunc(rows, func(a, b *object) int {
		order := t.s.db.before(t.s.cell(a, f), t.s.cell(b, f))
		if direction == "desc" {
			return -order
		}
		return order
	})
	return nil
}

func firstOrder(request *dict) (column int, direction string, err error) {
	value, sent := request.get("order")
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
	index, _ := first.get("column")
	at, ok := pythonInt(index)
	dir, _ := first.get("dir")
	direction, isText := dir.(string)
	if !ok || !isText {
		return 0, "", errServer
	}
	return at, direction, nil
}

// pythonInt is int(v).
func pythonInt(v any) (int, bool) {
	switch v := v.(type) {
	case int64:
		return int(v), true
	case float64:
		return int(v), true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case string:
		n, err := strconv.Atoi(strings.TrimSpace(v))
		return n, err == nil
	default:
		return 0, false
	}
}

// page cuts out the rows asked for: ten unless told. On SQLite any negative number
// is all; strict databases refuse it.
func (s *Server) page(rows []*object, request *dict) ([]*object, error) {
	limit, start := 10, 0
	for key, n := range map[string]*int{"maximum_return_records": &limit, "start": &start} {
		if v, sent := request.get(key); sent {
			given, ok := pythonInt(v)
			if !ok {
				return nil, errServer
			}
			*n = given
		}
	}
	if s.db.strict && (limit < 0 || start < 0) {
		return nil, errServer
	}
	rows = rows[min(max(start, 0), len(rows)):]
	if limit >= 0 {
		rows = rows[:min(limit, len(rows))]
	}
	return rows, nil
}

// row is one line of the answer: the columns asked for as far as the object's own
// type has them, and what search adds.
func (s *Server) row(o *object, columns []string, form *dict) (record, error) {
	inDeviceFamily := o.model.class == "device"
	r := s.scalars(o, func(name string) bool {
		return slices.Contains(columns, name) ||
			!inDeviceFamily && (name == "type" || slices.Contains(o.model.additional, name))
	})
	if !inDeviceFamily {
		return r, nil
	}
	for _, property := range configurationProperties {
		if slices.Contains(columns, property) && o.model.unserialized[property] {
			r = append(r, member{property, o.get(property)})
		}
		if slices.Contains(columns, property+"_matches") {
			matched, err := matches(o, property, form)
			if err != nil {
				return nil, err
			}
			r = append(r, matched)
		}
	}
	return r, nil
}

// matches are the lines of a configuration that a search found, or "" when it
// did not look into it.
func matches(o *object, property string, form *dict) (member, error) {
	value, _ := form.get(property)
	wanted, _ := value.(string)
	if wanted == "" {
		return member{property, ""}, nil
	}
	filter, _ := form.get(property + "_filter")
	found := func(line string) bool { return strings.Contains(strings.ToLower(line), strings.ToLower(wanted)) }
	if filter == "regex" {
		matches, err := compile(wanted)
		if err != nil {
			return member{}, errServer
		}
		found = matches
	}
	lines := []any{}
	for i, line := range strings.Split(strings.TrimSuffix(o.text(property), "\n"), "\n") {
		if found(line) {
			lines = append(lines, fmt.Sprintf("L%d: %s", i+1, strings.TrimSpace(line)))
		}
	}
	return member{property + "_matches", lines}, nil
}
