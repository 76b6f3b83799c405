// This file makes the digests of what an export writes.

package exportmerge

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Record has the digests of what an export wrote, by block and by path: `name`,
// `properties.commands`, `lifecycle/ignore_changes`. Other files are `file NAME`, and the rows of
// CSV files `row NAME KEY`.
type Record map[string]map[string]string

// RecordOf returns the record of the files of an export.
func RecordOf(files map[string][]byte) (Record, error) {
	code, err := Parse(files)
	if err != nil {
		return nil, err
	}
	r := Record{}
	for _, p := range code.blocks() {
		values := map[string]string{}
		p.file.record(p.id(), "", p.block.Body, values)
		r[p.id()] = values
	}
	for name, content := range files {
		if t := parseTable(name, content); t != nil {
			t.record(r)
		} else if isText(name) {
			r[fileID(name)] = map[string]string{"": digest(fileID(name), "", string(content))}
		}
	}
	return r, nil
}

func fileID(name string) string { return "file " + name }

// record adds the digests of a body.
func (f *file) record(id, prefix string, body *hclsyntax.Body, values map[string]string) {
	for name, a := range body.Attributes {
		f.recordValue(id, prefix+name, a.Expr, values)
	}
	for _, inner := range body.Blocks {
		f.record(id, prefix+inner.Type+"/", inner.Body, values)
	}
}

// recordValue adds the digests of an expression: of the members of objects, and else of the whole.
func (f *file) recordValue(id, path string, expr hclsyntax.Expression, values map[string]string) {
	if members, is := expr.(*hclsyntax.ObjectConsExpr); is && len(members.Items) > 0 {
		for _, item := range members.Items {
			f.recordValue(id, path+"."+key(f, item.KeyExpr), item.ValueExpr, values)
		}
		return
	}
	values[path] = f.digest(id, path, expr)
}

// digest returns the digest of an expression. That of a list consists of the digests of its
// members.
func (f *file) digest(id, path string, expr hclsyntax.Expression) string {
	tuple, is := expr.(*hclsyntax.TupleConsExpr)
	if !is || len(tuple.Exprs) == 0 {
		form, _ := canonical(f, expr)
		return digest(id, path, form)
	}
	all := f.members(id, path, tuple)
	if isSet(path) {
		slices.Sort(all)
	}
	return strings.Join(all, ",")
}

// isSet reports whether the order of the members of a list is irrelevant: all lists of names are
// sets, and only the values of further fields may be others.
func isSet(path string) bool {
	return !strings.HasPrefix(path, "properties.") && !strings.HasPrefix(path, "initial_payload")
}

// members returns the digests of the members of a list.
func (f *file) members(id, path string, tuple *hclsyntax.TupleConsExpr) (all []string) {
	for _, e := range tuple.Exprs {
		form, _ := canonical(f, e)
		all = append(all, digest(id, path, form))
	}
	return all
}

// record adds the digests of the rows.
func (t *table) record(into Record) {
	for _, r := range t.rows[1:] {
		id, values := t.id(t.name(r)), map[string]string{}
		for n, column := range t.header {
			if r.cells[n] != "" {
				values[column] = digest(id, column, r.cells[n])
			}
		}
		into[id] = values
	}
}
