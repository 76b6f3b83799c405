// This file merges CSV files with a row for each instance. Rows that do not change keep their
// bytes.

package exportmerge

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// digestOf returns the digest of a cell, "" for an empty one.
func digestOf(id, column, text string) string {
	if text == "" {
		return ""
	}
	return digest(id, column, text)
}

// mergeTables merges the CSV files.
func (m *merger) mergeTables() error {
	for _, name := range slices.Sorted(maps.Keys(m.Fresh)) {
		fresh := parseTable(name, m.Fresh[name])
		if fresh == nil {
			continue
		}
		content, err := m.code.other(name)
		code := parseTable(name, content)
		switch {
		case err == nil && bytes.Equal(content, m.Fresh[name]):
		case err != nil:
			if !m.wroteTable(name) {
				m.Files[name] = m.Fresh[name]
				m.Changes = append(m.Changes, name+": is new")
			}
		case code == nil:
			m.Left = append(m.Left, Finding{At: name, What: "It is not changed, because it is not a table with the column " + keyColumn + "."})
		default:
			m.mergeTable(fresh, code, content)
		}
	}
	return nil
}

// wroteTable reports whether the last export wrote a CSV file.
func (m *merger) wroteTable(name string) bool {
	for id := range m.Record {
		if strings.HasPrefix(id, Row(name, "")) {
			return true
		}
	}
	return false
}

// mergeTable merges the rows of one file.
func (m *merger) mergeTable(fresh, code *table, was []byte) {
	made := &table{file: code.file, header: slices.Clone(code.header)}
	there := map[string]bool{}
	byName := map[string]row{}
	for _, r := range fresh.rows[1:] {
		byName[fresh.name(r)] = r
	}
	for _, r := range code.rows[1:] {
		name := code.name(r)
		now, id := name, code.id(name)
		if renamed, is := m.Moved[code.id(name)]; is { // the name that the server has now
			now = renamed
		}
		want, is := byName[now]
		switch {
		case is:
			there[now] = true
			r = m.mergeRow(made, code, fresh, r, want)
		case m.Gone[id] && !m.Keep:
			m.Changes = append(m.Changes, fmt.Sprintf("%s: %q is gone", code.file, name))
			continue
		}
		made.rows = append(made.rows, r)
	}
	m.addRows(made, fresh, there)
	if content := made.content(code); !bytes.Equal(content, was) {
		m.Files[code.file] = content
	}
}

// addRows adds the new rows, each after the row that it follows in a new export.
func (m *merger) addRows(made, fresh *table, there map[string]bool) {
	for n, r := range fresh.rows[1:] {
		name := fresh.name(r)
		if there[name] || m.isTakenOut(fresh.id(name), name) {
			continue
		}
		at := len(made.rows)
		for before := n; before > 0 && at == len(made.rows); before-- {
			previous := fresh.name(fresh.rows[before])
			if i := slices.IndexFunc(made.rows, func(r row) bool { return made.name(r) == previous }); i >= 0 {
				at = i + 1
			}
		}
		added := row{cells: make([]string, len(made.header))}
		for _, column := range fresh.header {
			if text := fresh.cell(r, column); text != "" {
				made.set(&added, column, text)
			}
		}
		m.Changes = append(m.Changes, fmt.Sprintf("%s: %q is new", fresh.file, name))
		made.rows = slices.Insert(made.rows, at, added)
	}
}

// isTakenOut reports whether people have removed a row from the code that the last export wrote.
func (m *merger) isTakenOut(id, name string) bool {
	now, moved := m.Moved[id]
	return m.Record[id] != nil && !m.Gone[id] && (!moved || now == name)
}

// set sets a cell. If there is no such column, it adds one.
func (t *table) set(r *row, column, text string) {
	if !slices.Contains(t.header, column) {
		t.header = append(t.header, column)
	}
	r.cells, r.raw = slices.Clone(r.cells), nil
	for len(r.cells) < len(t.header) {
		r.cells = append(r.cells, "")
	}
	r.cells[slices.Index(t.header, column)] = text
}

// mergeRow merges the cells of a row.
func (m *merger) mergeRow(made, code, fresh *table, have, want row) row {
	name := code.name(have)
	id, r := code.id(name), have
	columns := slices.Concat(fresh.header, code.header)
	slices.Sort(columns)
	for _, column := range slices.Compact(columns) {
		text, wanted := code.cell(have, column), fresh.cell(want, column)
		before := m.Record[id][column]
		changed := m.Record == nil || digestOf(id, column, wanted) != before
		at := fmt.Sprintf("%s %q %s", code.file, name, column)
		switch {
		case text == wanted || !changed:
		case m.Record != nil && digestOf(id, column, text) != before:
			m.Left = append(m.Left, Finding{At: at, What: fmt.Sprintf("It is not changed, because somebody has changed it in the code, too. The server has %s.", m.cell(column, wanted))})
			m.Unmerged[fresh.id(fresh.name(want))] = append(m.Unmerged[fresh.id(fresh.name(want))], column)
		default:
			made.set(&r, column, wanted)
			m.Changes = append(m.Changes, fmt.Sprintf("%s = %s, which was %s", at, m.cell(column, wanted), m.cell(column, text)))
		}
	}
	return r
}

// cell returns a cell for messages.
func (m *merger) cell(column, text string) string {
	if m.isSecret(column, text) {
		return hidden
	}
	return strconv.Quote(text)
}

// content returns the content of the file.
func (t *table) content(code *table) []byte {
	crlf := bytes.HasSuffix(code.rows[0].raw, []byte("\r\n"))
	all := append([]row{{t.header, code.rows[0].raw}}, t.rows...)
	if len(t.header) != len(code.header) {
		all[0].raw = nil
	}
	var b bytes.Buffer
	for _, r := range all {
		if r.raw != nil && len(r.cells) == len(t.header) {
			b.Write(bytes.TrimRight(r.raw, "\r\n"))
			b.WriteString(map[bool]string{true: "\r\n", false: "\n"}[crlf])
			continue
		}
		for len(r.cells) < len(t.header) {
			r.cells = append(r.cells, "")
		}
		w := csv.NewWriter(&b)
		w.UseCRLF = crlf
		_ = w.Write(r.cells) // a buffer never fails
		w.Flush()
	}
	return b.Bytes()
}
