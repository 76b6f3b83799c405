// Rows as SQL selects, orders and pages them.

package simulator

import "slices"

// filtered returns the objects that meet all conditions and that the caller may read.
func filtered(objects []*object, conditions []test, mayRead func(*object) bool) ([]*object, error) {
	rows := []*object{}
	for _, o := range objects {
		if !mayRead(o) {
			continue
		}
		matches, err := meets(o, conditions)
		if err != nil {
			return nil, err
		}
		if matches {
			rows = append(rows, o)
		}
	}
	return rows, nil
}

// sortBy orders objects by a property; one without a column leaves the order.
func (s *store) sortBy(property string, rows []*object, m *model, descending bool) {
	f, ok := s.column(m, property)
	if !ok || f.kind == kindProxy || !f.filterable() {
		return
	}
	slices.SortStableFunc(rows, func(a, b *object) int {
		order := s.before(cell(a, f), cell(b, f))
		if descending {
			return -order
		}
		return order
	})
}

// page returns up to limit objects from start on. On SQLite any negative number is all;
// strict databases refuse it.
func (s *store) page(rows []*object, start, limit int) ([]*object, error) {
	if s.strict && (limit < 0 || start < 0) {
		return nil, errServer
	}
	rows = rows[min(max(start, 0), len(rows)):]
	if limit >= 0 {
		rows = rows[:min(limit, len(rows))]
	}
	return rows, nil
}
