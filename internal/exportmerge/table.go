// This file parses CSV files with a row for each instance (rows.go merges them).

package exportmerge

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	mark   string // byteOrderMark, if the file begins with one
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

// byteOrderMark begins files that some spreadsheets write.
const byteOrderMark = "\uFEFF"

// parseTable parses a CSV file with a column of names. Blank lines and a byte order mark are no rows. It returns nil for a
// file that is no CSV file.
func parseTable(name string, content []byte) (*table, error) {
	if path.Ext(name) != ".csv" || IsText(name) {
		return nil, nil
	}
	t, from := &table{file: name}, int64(0)
	if text, has := bytes.CutPrefix(content, []byte(byteOrderMark)); has {
		t.mark, content = byteOrderMark, text
	}
	reader := csv.NewReader(bytes.NewReader(content))
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
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
	if !slices.Contains(t.header, keyColumn) {
		return nil, fmt.Errorf("%s: it has no column %q", name, keyColumn)
	}
	return t, nil
}

// names returns the names in the rows. A table that is nil has none.
func (t *table) names() map[string]bool {
	names := map[string]bool{}
	if t != nil {
		for _, r := range t.rows {
			names[r.cells[keyColumn]] = true
		}
	}
	return names
}

// table returns a CSV file of the code, or nil if people have removed it. A file that cannot be read is an error:
// otherwise its rows would count as removed by people.
func (c *Code) table(name string) (t *table, err error) {
	content, err := c.readFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		t, err = parseTable(name, content)
	}
	if err != nil {
		return nil, fmt.Errorf("%w. Correct the file, or give it another name if exports are not to change it", err)
	}
	return t, nil
}
