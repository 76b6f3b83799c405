// This file parses CSV files with a row for each instance.

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

// table is a CSV file.
type table struct {
	file   string
	header []string
	rows   []row
}

// row is a line of a CSV file, or several if a cell has line breaks.
type row struct {
	cells []string
	raw   []byte // nil for a changed or new one
}

// parseTable parses a CSV file with a column of names; nil if it is none.
func parseTable(name string, content []byte) *table {
	if path.Ext(name) != ".csv" || isText(name) {
		return nil
	}
	reader := csv.NewReader(bytes.NewReader(content))
	t, from := &table{file: name}, int64(0)
	for {
		cells, err := reader.Read()
		if err != nil {
			break
		}
		t.rows = append(t.rows, row{cells, content[from:reader.InputOffset()]})
		from = reader.InputOffset()
	}
	if len(t.rows) == 0 || from != int64(len(content)) || !slices.Contains(t.rows[0].cells, keyColumn) {
		return nil
	}
	t.header = t.rows[0].cells
	return t
}

// cell returns a cell of a row, or "" if there is no such column.
func (t *table) cell(r row, column string) string {
	if n := slices.Index(t.header, column); n >= 0 {
		return r.cells[n]
	}
	return ""
}

func (t *table) name(r row) string { return t.cell(r, keyColumn) }

func (t *table) id(name string) string { return Row(t.file, name) }

// Row is the address of a row for Moved and Gone, and its id in the record.
func Row(file, name string) string { return "row " + file + " " + name }

// isText reports whether a file holds a text that configuration reads.
func isText(name string) bool { return strings.Contains("/"+name, "/code/") }
