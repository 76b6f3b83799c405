// This file writes devices and links as CSV files, each with one resource enms_instances.

package export

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/entries"
)

// The values of -inventory.
const (
	inventoryBlocks = "blocks"
	inventoryCSV    = "csv"
	inventoryYAML   = "yaml"
)

// csvFrom is the number of devices and links from which they are written as CSV by default.
const csvFrom = 200

// inventoryKinds are the kinds that may be written as CSV or YAML.
var inventoryKinds = []string{"device", "link"}

// table is a CSV file with the objects of a type.
type table struct {
	typ     string
	objects []*object
	columns map[string]columnType // by name
	label   string                // the label of the block; "" for the usual one
	file    string                // the path of the file; "" for the usual one
	adopts  bool                  // whether the block has adopt_existing
}

// columnType is the type of the cells in a column.
type columnType int

const (
	textColumn columnType = iota
	numberColumn
	flagColumn
	listColumn
)

// converters are the expressions that convert a cell, by the type of its column.
var converters = map[columnType]string{
	numberColumn: "tonumber(row[property])", flagColumn: "tobool(row[property])", listColumn: `split("` + exportmerge.CellSeparator + `", row[property])`,
}

func (t *table) address() string { return entries.TypeName + "." + cmp.Or(t.label, t.typ+"s") }
func (t *table) path() string    { return cmp.Or(t.file, t.typ+"s.csv") }

// tables puts devices and links into tables, a table for each type, and sets the field table of these objects. It leaves
// out objects whose values do not fit into cells, or have other types than those of the objects before them.
func tables(objects []*object) []*table {
	byType := map[string]*table{}
	for _, o := range objects {
		if !slices.Contains(inventoryKinds, o.kind.Name) {
			continue
		}
		t := byType[o.typ]
		if t == nil {
			t = &table{typ: o.typ, columns: map[string]columnType{}}
			byType[o.typ] = t
		}
		if types, fits := o.columns(); fits && agree(t.columns, types) {
			maps.Copy(t.columns, types)
			t.objects = append(t.objects, o)
			o.table = t.address()
		}
	}
	var all []*table
	for _, typ := range slices.Sorted(maps.Keys(byType)) {
		if len(byType[typ].objects) > 0 {
			all = append(all, byType[typ])
		}
	}
	return all
}

// agree reports whether the columns that two sets have in common have the same types.
func agree(x, y map[string]columnType) bool {
	for name, typ := range x {
		if other, both := y[name]; both && other != typ {
			return false
		}
	}
	return true
}

// entry returns the values of the object for a table, by the names of the columns.
func (o *object) entry(names namer) map[string]any {
	entry := map[string]any{}
	for _, a := range o.attributes(names) {
		if fields, is := a.value.(map[string]any); is && a.name == kind.RowProperties {
			maps.Copy(entry, fields)
		} else if a.name != o.kind.SubtypeRow() {
			entry[a.name] = a.value
		}
	}
	return entry
}

// plainName is a namer that does not replace names by references.
func plainName(_, _, name string) any { return name }

// columns returns the types of the columns that the object needs. fits is false if a cell could not hold a value exactly,
// or would lose it.
func (o *object) columns() (types map[string]columnType, fits bool) {
	types = map[string]columnType{}
	for name, x := range o.entry(plainName) {
		typ, fits := columnTypeOf(x)
		// The configuration ignores an empty cell. That is harmless for a property, which keeps its value on this server
		// (see emptied), but an attribute would get its default.
		_, isAttribute := o.kind.Table().ByName[name]
		if !fits || isAttribute && x == "" {
			return nil, false
		}
		types[name] = typ
	}
	return types, true
}

// columnTypeOf returns the type of a column for a value. fits is false if a cell could not hold the value exactly.
func columnTypeOf(x any) (typ columnType, fits bool) {
	switch x := x.(type) {
	case string:
		return textColumn, !strings.Contains(x, "\r")
	case json.Number:
		return numberColumn, true
	case bool:
		return flagColumn, true
	case []any:
		return listColumn, len(x) > 0 && !slices.ContainsFunc(x, func(member any) bool {
			text, _ := member.(string)
			return text == "" || strings.ContainsAny(text, exportmerge.CellSeparator+"\r")
		})
	}
	return textColumn, false
}

// emptied returns the columns in which an object has an empty string.
func (t *table) emptied() []string {
	columns := map[string]bool{}
	for _, o := range t.objects {
		for name, x := range o.entry(plainName) {
			if x == "" {
				columns[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(columns))
}

// write returns the content of the file and the block that reads it.
func (t *table) write(refs *references) (content []byte, attributes []attribute) {
	columns := slices.DeleteFunc(slices.Sorted(maps.Keys(t.columns)), func(name string) bool { return name == kind.RowName })
	columns = append([]string{kind.RowName}, columns...)
	records, depends := [][]string{columns}, map[string]bool{}
	for _, o := range t.objects {
		entry, record := o.entry(refs.in(o, depends)), []string{}
		for _, column := range columns {
			record = append(record, cell(entry[column]))
		}
		records = append(records, record)
	}
	var b bytes.Buffer
	_ = csv.NewWriter(&b).WriteAll(records) // a buffer never fails
	attributes = []attribute{{"type", t.typ}, {"instances", source(t.expression())}}
	if t.adopts {
		attributes = append(attributes, attribute{kind.RowAdoptExisting, true})
	}
	return b.Bytes(), withDepends(attributes, depends)
}

// cell returns the text of a value in a cell.
func cell(x any) string {
	members, is := x.([]any)
	switch {
	case x == nil:
		return ""
	case !is:
		return fmt.Sprint(x)
	}
	var texts []string
	for _, member := range members {
		texts = append(texts, fmt.Sprint(member))
	}
	return strings.Join(texts, exportmerge.CellSeparator)
}

// rows returns the expression that reads the rows of the file. A spreadsheet may begin it with a byte order mark, which
// csvdecode would take for a part of the first column's name.
func (t *table) rows() string {
	return `csvdecode(trimprefix(file("${path.module}/` + t.path() + `"), "\uFEFF"))`
}

// expression returns the expression that makes the instances from the rows of the file. They do
// not repeat the name, which is the key: an import does not store it.
func (t *table) expression() string {
	byType, others := map[columnType][]any{}, []any{kind.RowName}
	for _, name := range slices.Sorted(maps.Keys(t.columns)) {
		if typ := t.columns[name]; typ != textColumn {
			byType[typ] = append(byType[typ], name)
			others = append(others, name)
		}
	}
	if len(others) == 1 {
		return "{\n    for row in " + t.rows() + " : row.name => { for property, text in row : property => text if text != \"\" && property != \"name\" }\n  }"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "{\n    for row in %s : row.name => merge(\n", t.rows())
	fmt.Fprintf(&b, "      { for property, text in row : property => text if text != \"\" && !contains(%s, property) },\n", expression(others, 6))
	for _, typ := range []columnType{numberColumn, flagColumn, listColumn} {
		if len(byType[typ]) > 0 {
			fmt.Fprintf(&b, "      { for property in %s : property => %s if row[property] != \"\" },\n", expression(byType[typ], 6), converters[typ])
		}
	}
	b.WriteString("    )\n  }")
	return b.String()
}

// importID returns the id by which the instances are imported.
func (t *table) importID() source {
	return source("jsonencode({ type = " + exportmerge.Quote(t.typ) + ", names = [for row in " + t.rows() + " : row.name] })")
}
