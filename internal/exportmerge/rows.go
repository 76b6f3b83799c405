// This file merges CSV files. Rows that do not change keep their bytes.

package exportmerge

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// mergeTables merges the CSV files.
func (m *merger) mergeTables() {
	all := maps.Clone(m.Fresh)
	if m.Record != nil {
		for _, o := range m.Record.Objects {
			if o.Table != "" {
				all[o.Table] = m.Fresh[o.Table]
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		content, err := m.code.other(name) // an error if the code does not have it
		fresh, code := parseTable(name, m.Fresh[name]), parseTable(name, content)
		if all[name] == nil && code != nil { // the server has none of its rows any longer
			fresh = &table{file: name, header: code.header}
		}
		if fresh == nil {
			continue
		}
		switch {
		case err != nil && m.wroteTable(name): // people have removed it
		case err != nil:
			m.write(name, m.Fresh[name], "is new")
		case bytes.Equal(content, m.Fresh[name]):
		case code == nil:
			m.Left = append(m.Left, Finding{At: name, What: "It is not changed, because it is not a table with the column " + keyColumn + "."})
		default:
			if made := m.mergeTable(fresh, code); !bytes.Equal(made, content) {
				m.Files[name] = made
			}
		}
	}
}

// wroteTable reports whether the last export wrote a CSV file.
func (m *merger) wroteTable(name string) bool {
	for id := range m.before {
		if strings.HasPrefix(id, rowID(name, "")) {
			return true
		}
	}
	return false
}

// mergeTable returns the content of one file after the merge.
func (m *merger) mergeTable(fresh, code *table) []byte {
	made := &table{file: code.file, header: slices.Clone(code.header), first: code.first}
	merged := map[string]bool{} // the names of the rows of the new export that the code has
	for _, r := range code.rows {
		name := r.cells[keyColumn]
		id := code.id(r)
		now := cmp.Or(m.RowNames[id], name)
		n := fresh.index(now)
		switch isGone := m.RowsGone[id]; {
		case n >= 0 && !isGone:
			merged[now] = true
			r = m.mergeRow(made, r, fresh.rows[n])
		case isGone && m.Keep && n < 0:
			m.Left = append(m.Left, Finding{At: fmt.Sprintf("%s %q", code.file, name), What: "The server no longer has it. It is kept, as -gone keep says."})
		case isGone: // not even -gone keep keeps it if another object has its name
			m.Changes = append(m.Changes, fmt.Sprintf("%s: %q is gone", code.file, name))
			continue
		}
		made.rows = append(made.rows, r)
	}
	m.addRows(made, fresh, merged)
	return made.content(code)
}

// addRows adds the rows of the new export that are not merged and that nobody has removed from the code, each behind the
// nearest row before it in the new export that made has.
func (m *merger) addRows(made, fresh *table, merged map[string]bool) {
	for n, r := range fresh.rows {
		name := r.cells[keyColumn]
		id := fresh.id(r)
		isAnother := m.RowsGone[id] || cmp.Or(m.RowNames[id], name) != name // than the object that had the name
		isTakenOut := m.before[id] != nil && !isAnother
		if merged[name] || isTakenOut {
			continue
		}
		place := len(made.rows)
		for _, before := range slices.Backward(fresh.rows[:n]) {
			if i := made.index(before.cells[keyColumn]); i >= 0 {
				place = i + 1
				break
			}
		}
		added := row{cells: map[string]string{}}
		for _, column := range fresh.header {
			made.set(&added, column, r.cells[column])
		}
		m.Changes = append(m.Changes, fmt.Sprintf("%s: %q is new", fresh.file, name))
		made.rows = slices.Insert(made.rows, place, added)
	}
}

// set sets a cell. If there is no such column, it adds one.
func (t *table) set(r *row, column, text string) {
	if !slices.Contains(t.header, column) && text != "" {
		t.header = append(t.header, column)
	}
	r.cells, r.raw = maps.Clone(r.cells), nil
	r.cells[column] = text
}

// mergeRow returns a row of the code with what the server has changed in it. made gets the columns that it needs.
func (m *merger) mergeRow(made *table, have, want row) row {
	id, r := made.id(have), have
	columns := maps.Clone(have.cells)
	maps.Copy(columns, want.cells)
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		text, before := have.cells[column], m.before[id][column]
		wanted := m.withoutAutomatic(column, want.cells[column], text)
		at := fmt.Sprintf("%s %q %s", made.file, have.cells[keyColumn], column)
		switch decide(m.digestOf(column, wanted), m.digestOf(column, text), before, text == wanted) {
		case isTaken:
			made.set(&r, column, wanted)
			m.Changes = append(m.Changes, fmt.Sprintf("%s = %s, which was %s", at, m.cell(column, wanted), m.cell(column, text)))
		case isContested:
			m.Left = append(m.Left, Finding{At: at, What: notChanged(before) + " The server has " + m.cell(column, wanted) + "."})
			m.Unmerged = append(m.Unmerged, Unmerged{made.id(want), column, m.before[id]})
		}
	}
	return r
}

// withoutAutomatic returns a cell with a list, without the members that the server adds by itself and
// that the code does not have.
func (m *merger) withoutAutomatic(column, fresh, code string) string {
	have := strings.Split(code, CellSeparator)
	return strings.Join(slices.DeleteFunc(strings.Split(fresh, CellSeparator), func(member string) bool {
		return m.Automatic != nil && m.Automatic(column, Quote(member)) && !slices.Contains(have, member)
	}), CellSeparator)
}

// cell returns the text of a cell for messages.
func (m *merger) cell(column, text string) string {
	if m.isSecret(column, text) {
		return hidden
	}
	return strconv.Quote(text)
}

// content returns the content of the file, whose lines end as in the code. Rows without a change keep their
// text, unless there is a new column.
func (t *table) content(code *table) []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = bytes.HasSuffix(code.first, []byte("\r\n"))
	end := map[bool]string{true: "\r\n", false: "\n"}[w.UseCRLF]
	write := func(raw []byte, cells []string) {
		if raw != nil && len(t.header) == len(code.header) {
			b.WriteString(string(bytes.TrimRight(raw, "\r\n")) + end)
			return
		}
		_ = w.Write(cells) // a buffer never fails
		w.Flush()
	}
	write(t.first, t.header)
	for _, r := range t.rows {
		var cells []string
		for _, column := range t.header {
			cells = append(cells, r.cells[column])
		}
		write(r.raw, cells)
	}
	return b.Bytes()
}
