// This file changes CSV inventories in place: unchanged rows keep all of their bytes.

package export

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/bulk"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/export/existing"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// merge changes the rows of the table and returns the content of the file.
func (t *csvTable) merge(u *update, fresh []byte, objects map[string]*object) []byte {
	freshHeader, freshRows, ok := parseCSV(fresh)
	if !ok {
		return nil
	}
	wanted := map[string]map[string]string{}
	for _, row := range freshRows {
		wanted[row.cells[slices.Index(freshHeader, kind.RowName)]] = cellsOf(freshHeader, row)
	}
	header := slices.Clone(t.header)
	nameAt := slices.Index(header, kind.RowName)
	var kept []csvRow
	there := map[string]bool{}
	for _, row := range t.rows {
		name := row.cells[nameAt]
		o := objects[name]
		switch {
		case t.gone[name] && u.options.gone != goneKeep:
			u.changed(t.path, "%s %q is gone", t.typ, name)
			continue
		case o != nil && wanted[o.name] != nil:
			there[o.name] = true
			row = t.mergeRow(u, o, row, &header, wanted[o.name])
		}
		kept = append(kept, row)
	}
	for n, row := range freshRows { // new rows, each after the row that it follows in a new export
		cells := cellsOf(freshHeader, row)
		name := cells[kind.RowName]
		if there[name] {
			continue
		}
		at := len(kept)
		for before := n - 1; before >= 0 && at == len(kept); before-- {
			previous := cellsOf(freshHeader, freshRows[before])[kind.RowName]
			if i := slices.IndexFunc(kept, func(r csvRow) bool { return r.cells[nameAt] == previous }); i >= 0 {
				at = i + 1
			}
		}
		there[name], t.grows = true, true
		added := csvRow{cells: make([]string, len(header))}
		for _, column := range freshHeader {
			if cells[column] != "" {
				added.set(&header, column, cells[column])
			}
		}
		u.changed(t.path, "%s %q is new", t.typ, name)
		kept = slices.Insert(kept, at, added)
	}
	return t.content(header, kept)
}

// cellsOf returns the cells of a row by their columns.
func cellsOf(header []string, row csvRow) map[string]string {
	cells := map[string]string{}
	for n, column := range header {
		cells[column] = row.cells[n]
	}
	return cells
}

// set sets a cell. If there is no such column, it adds one.
func (r *csvRow) set(header *[]string, column, text string) {
	at := slices.Index(*header, column)
	if at < 0 {
		at = len(*header)
		*header = append(*header, column)
	}
	r.cells = slices.Clone(r.cells)
	for len(r.cells) <= at {
		r.cells = append(r.cells, "")
	}
	r.cells[at], r.raw = text, ""
}

// mergeRow changes the cells of a row that the server has changed.
func (t *csvTable) mergeRow(u *update, o *object, row csvRow, header *[]string, wanted map[string]string) csvRow {
	have := cellsOf(t.header, row)
	columns := slices.Sorted(maps.Keys(wanted))
	for column := range have {
		if _, is := wanted[column]; !is {
			columns = append(columns, column)
		}
	}
	slices.Sort(columns)
	for _, column := range slices.Compact(columns) {
		key := column
		if !slices.ContainsFunc(o.kind.Rows(), func(row kind.Attribute) bool { return row.Name == column }) {
			key = kind.RowProperties + "." + column
		}
		now, is := have[column]
		switch {
		case now == wanted[column], column != kind.RowName && !u.hasChanged(o, key):
		case !is && !u.mayAdd(o, key):
		default:
			row.set(header, column, wanted[column])
			u.changed(t.path, "%s %q: %s = %s, which was %s", t.typ, o.name, column, shown(wanted[column]), shown(now))
		}
	}
	return row
}

// content returns the content of the file. Unchanged rows keep their bytes unless there are new
// columns.
func (t *csvTable) content(header []string, rows []csvRow) []byte {
	var b bytes.Buffer
	ends := "\n"
	all := append([]csvRow{{cells: header}}, rows...)
	for _, row := range t.rows {
		if strings.HasSuffix(row.raw, "\r\n") {
			ends = "\r\n"
		}
	}
	if len(header) == len(t.header) {
		content, _ := t.head()
		all[0].raw = content
	}
	for _, row := range all {
		if row.raw != "" && len(row.cells) == len(header) {
			b.WriteString(strings.TrimRight(row.raw, "\r\n") + ends)
			continue
		}
		for len(row.cells) < len(header) {
			row.cells = append(row.cells, "")
		}
		w := csv.NewWriter(&b)
		w.UseCRLF = ends == "\r\n"
		_ = w.Write(row.cells) // a buffer never fails
		w.Flush()
	}
	return b.Bytes()
}

// head returns the first line as it is written.
func (t *csvTable) head() (string, bool) {
	content, err := t.place.File(t.path)
	if err != nil {
		return "", false
	}
	line, _, _ := strings.Cut(string(content), "\n")
	return line, true
}

// adoptNew has Terraform take over what new rows stand for: it imports nothing into a resource
// that is in its state already.
func (t *csvTable) adoptNew(u *update) {
	r := t.resource
	at := existing.Position(r.Block.DefRange())
	a := r.Attribute(kind.RowAdoptExisting)
	if a == nil {
		r.AddAttribute(kind.RowAdoptExisting+" = true", []string{"instances"})
		u.changed(at, "%s: %s = true is new, so that the next apply takes over what is new in %s", r.Address(), kind.RowAdoptExisting, t.path)
		return
	}
	if x, known := u.scope.JSON(a.Expr, nil); !known || x != true {
		u.refused(at+" "+r.Address(), "The next apply takes over what is new in "+t.path+" only if "+kind.RowAdoptExisting+" is true.", nil)
	}
}

// bracketed matches lists in the expression of a table.
var bracketed = regexp.MustCompile(`\[[^\]]*\]`)

// mergeExpression updates the expression of the table's resource for its columns, unless the
// existing one converts all cells in the same way.
func (t *csvTable) mergeExpression(u *update, from existing.Place, before, after []string) {
	if slices.Equal(before, after) {
		return
	}
	plain := func(s string) string { return strings.Join(strings.Fields(bracketed.ReplaceAllString(s, "[]")), "") }
	now := plain(t.place.Text())
	written := false
	for columns := range 1 << 3 { // each form that an export may have written
		other := table{typ: t.typ, file: t.path, columns: map[string]columnType{}}
		for typ := numberColumn; typ <= listColumn; typ++ {
			if columns&(1<<(typ-1)) != 0 {
				other.columns[fmt.Sprint(typ)] = typ
			}
		}
		written = written || now == plain(other.expression())
	}
	if !written {
		u.refused(t.place.Position()+" "+bulk.TypeName+"."+t.resource.Label, "The columns "+strings.Join(after, ", ")+" are new, and the expression is not that of an export.", nil)
		return
	}
	if t.place.Text() != from.Text() {
		t.place.Replace(from)
	}
}
