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

// mergeTables merges the CSV files of the new export and of the record.
func (m *merger) mergeTables() {
	all := maps.Clone(m.Exported)
	if m.Record != nil {
		for _, o := range m.Record.Objects {
			if o.Table != "" {
				all[o.Table] = m.Exported[o.Table]
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		m.mergeTableFile(name, all[name])
		m.reportExchanges(name)
	}
}

// mergeTableFile merges a file if it is a table in the new export (written), or is only in the code (written is nil).
func (m *merger) mergeTableFile(name string, written []byte) {
	content, err := m.code.readFile(name)
	exported, _ := parseTable(name, written)
	code, _ := parseTable(name, content)
	if written == nil && code != nil { // the server has none of its rows any longer
		exported = &table{file: name, header: code.header}
	}
	switch {
	case exported == nil, bytes.Equal(content, written):
	case err != nil: // the code does not have it
		if !m.wroteTable(name) { // otherwise, people have removed it
			m.setFile(name, written, "is new")
		}
	case code == nil:
		m.Left = append(m.Left, Finding{At: name, What: "It is not changed, because it is not a CSV file with the column " + keyColumn + "."})
	default:
		// The file stays as it is if only blank lines or the ends of lines would change.
		if made := m.mergeTable(exported, code); !bytes.Equal(made, code.content(code)) {
			m.Files[name] = made
		}
	}
}

// reportExchanges reports the rows of a file whose objects have exchanged their names. Their enms_instances cannot see from
// keys that stay which instance each of them means.
func (m *merger) reportExchanges(file string) {
	reported := map[string]bool{}
	for _, id := range slices.Sorted(maps.Keys(m.RowNames)) {
		first, isRow := strings.CutPrefix(id, rowID(file, ""))
		var pairs []string
		for name := first; isRow && !reported[name]; {
			reported[name] = true
			now := m.RowNames[rowID(file, name)]
			pairs = append(pairs, fmt.Sprintf("%q = %q", name, now))
			if now == first && len(pairs) > 1 {
				m.addChange(file, "names were exchanged: add this to the enms_instances of the file, apply, and remove it again: renames = { "+strings.Join(pairs, ", ")+" }")
			}
			name = now
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
func (m *merger) mergeTable(exported, code *table) []byte {
	made := &table{file: code.file, header: slices.Clone(code.header), raw: code.raw, mark: code.mark}
	merged := map[string]bool{} // the names of the rows of the new export that the code has
	for _, r := range code.rows {
		name, id := r.cells[keyColumn], code.id(r)
		now := cmp.Or(m.RowNames[id], name)
		n := exported.index(now)
		switch isGone := m.RowsGone[id]; {
		case !isGone && n >= 0:
			merged[now] = true
			r = m.mergeRow(made, r, exported.rows[n])
		case !isGone: // people have written it
		case m.Keep && n < 0:
			m.Left = append(m.Left, Finding{At: fmt.Sprintf("%s %q", code.file, name), What: "The server no longer has it. It is kept, as -gone keep says."})
		default: // not even -gone keep keeps it if another object has its name
			m.addChange(code.file, fmt.Sprintf("%q is gone", name))
			continue
		}
		made.rows = append(made.rows, r)
	}
	m.addRows(made, exported, merged)
	return made.content(code)
}

// addRows adds to made the rows of the new export that are not merged and that nobody has removed from the code. Each
// comes behind the row that it follows in the new export, or if made does not have that, behind the row before, and so on.
func (m *merger) addRows(made, exported *table, merged map[string]bool) {
	for n, r := range exported.rows {
		name, id := r.cells[keyColumn], exported.id(r)
		hadOther := m.RowsGone[id] || cmp.Or(m.RowNames[id], name) != name // at the last export, another object had the name
		isTakenOut := m.before[id] != nil && !hadOther
		if merged[name] || isTakenOut {
			continue
		}
		place := len(made.rows)
		for _, before := range slices.Backward(exported.rows[:n]) {
			if i := made.index(before.cells[keyColumn]); i >= 0 {
				place = i + 1
				break
			}
		}
		added := row{cells: map[string]string{}}
		for _, column := range exported.header {
			made.set(&added, column, r.cells[column])
		}
		m.addChange(exported.file, fmt.Sprintf("%q is new", name))
		made.rows = slices.Insert(made.rows, place, added)
	}
}

// set sets a cell of a row. If the table lacks the column, it adds that for a text that is not empty.
func (t *table) set(r *row, column, text string) {
	if !slices.Contains(t.header, column) && text != "" {
		t.header = append(t.header, column)
	}
	r.cells, r.raw = maps.Clone(r.cells), nil
	r.cells[column] = text
}

// mergeRow returns a row of the code (have) with what the server has changed in it (want). It adds to made the columns
// that the row needs.
func (m *merger) mergeRow(made *table, have, want row) row {
	id, r := made.id(have), have
	columns := maps.Clone(have.cells)
	maps.Copy(columns, want.cells)
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		text, before := have.cells[column], m.before[id][column]
		wanted := want.cells[column]
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
	b.WriteString(t.mark)
	w := csv.NewWriter(&b)
	w.UseCRLF = bytes.HasSuffix(code.raw, []byte("\r\n"))
	end := map[bool]string{true: "\r\n", false: "\n"}[w.UseCRLF]
	write := func(raw []byte, cells []string) {
		if raw != nil && len(t.header) == len(code.header) {
			b.WriteString(string(bytes.TrimRight(raw, "\r\n")) + end)
			return
		}
		_ = w.Write(cells) // a buffer never fails
		w.Flush()
	}
	write(t.raw, t.header)
	for _, r := range t.rows {
		var cells []string
		for _, column := range t.header {
			cells = append(cells, r.cells[column])
		}
		write(r.raw, cells)
	}
	return b.Bytes()
}
