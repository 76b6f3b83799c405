// This file parses CSV files with a row for each instance (rows.go merges them).

package exportmerge

import (
	"bytes"
	"encoding/csv"
	"path"
	"slices"
	"strings"
)

// keyColumn is the column with the names of instances.
const keyColumn = "name"

// CellSeparator separates the names in a cell.
const CellSeparator = ";"

// table is a CSV file.
type table struct {
	file   string
	header []string
	rows   []row
	raw    []byte // the line of the header as it is in the file
}

// row is a line of a CSV file, or several if a cell has line breaks.
type row struct {
	cells map[string]string // by column
	raw   []byte            // as it is in the file; nil for a changed or new one
}

// rowID returns the id of a row in the record.
func rowID(file, name string) string { return "row " + file + " " + name }

func (t *table) id(r row) string { return rowID(t.file, r.cells[keyColumn]) }

// index returns the index of the row with a name, or -1.
func (t *table) index(name string) int {
	return slices.IndexFunc(t.rows, func(r row) bool { return r.cells[keyColumn] == name })
}

// IsText reports whether a file is one of those in code/ that configuration reads, such as a script.
func IsText(name string) bool { return strings.Contains("/"+name, "/code/") }

// parseTable parses a CSV file with a column of names. It returns nil for any other file.
func parseTable(name string, content []byte) *table {
	if path.Ext(name) != ".csv" || IsText(name) {
		return nil
	}
	reader := csv.NewReader(bytes.NewReader(content))
	t, from := &table{file: name}, int64(0)
	for {
		cells, err := reader.Read()
		if err != nil {
			break
		}
		raw := content[from:reader.InputOffset()]
		from = reader.InputOffset()
		if t.header == nil {
			t.header, t.raw = cells, raw
			continue
		}
		r := row{map[string]string{}, raw}
		for n, column := range t.header {
			r.cells[column] = cells[n]
		}
		t.rows = append(t.rows, r)
	}
	if from != int64(len(content)) || !slices.Contains(t.header, keyColumn) { // the first: an error before the end
		return nil
	}
	return t
}

// rowNames returns the names in a CSV file. There are none in any other file.
func rowNames(file string, content []byte) map[string]bool {
	names := map[string]bool{}
	if t := parseTable(file, content); t != nil {
		for _, r := range t.rows {
			names[r.cells[keyColumn]] = true
		}
	}
	return names
}
