// This file reads, writes and makes the record of an export: which objects the server had, where
// they are in the code, and digests of what was written.

package exportmerge

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Record is what the next export into a directory has to know of the export that wrote the record.
type Record struct {
	About   string   `json:"about"`
	Salt    string   `json:"salt"`              // is hashed with each value, so that digests cannot be compared with those of likely values
	Server  string   `json:"server"`            // a digest of the address
	Options []string `json:"options,omitempty"` // the options of the export, apart from those for a single run
	Readme  string   `json:"readme"`            // a digest of README.md as the export wrote it
	Mark    *Mark    `json:"mark,omitempty"`    // nil if the changelog was empty, or the export an older one

	// Left are the addresses of blocks whose object is now written in another block, and to which other
	// blocks still refer.
	Left []string `json:"left,omitempty"`

	Objects []*Object `json:"-"`
	// Written has the digests of what the export wrote, by the ids of blocks and by the paths in a block.
	// The id of a file without blocks is `file NAME`, and that of a row of a CSV file `row NAME KEY`. What
	// may be a secret has no digest.
	Written map[string]map[string]string `json:"-"`
}

// Mark is the newest row of the server's changelog before the objects were read.
type Mark struct {
	ID   int64  `json:"id"`
	Time string `json:"time"`
}

// Object is an object of the server, or a layout.
type Object struct {
	Kind    string   `json:"kind"`
	Name    string   `json:"name"`
	ID      string   `json:"id,omitempty"`            // "" in the record of what is gone and still in the code
	Subtype string   `json:"type,omitempty"`          // as the server returns it, such as "python_snippet_service"
	Created string   `json:"creation_time,omitempty"` // which only eNMS 5 has
	Ends    []string `json:"ends,omitempty"`          // of an edge or a layout: what identifies it
	Address string   `json:"address"`                 // of its block in the code; a row of a CSV file has that of the block that reads the file
	Table   string   `json:"table,omitempty"`         // the CSV file with its row, if it has one
	Texts   string   `json:"texts,omitempty"`         // the path that its files below code/ begin with

	// Set by the caller of Match, for objects of the server:
	Type   string   `json:"-"` // of its resource
	NameIn string   `json:"-"` // the attribute with its name
	Rows   string   `json:"-"` // the type of its row in a CSV file; Address and Table are those that a new export gives it
	EndsOf []string `json:"-"` // the kind of each of Ends; "" for one that is not a name

	// Set by Match:
	Before  *Object `json:"-"` // the entry of the object in the record
	At      string  `json:"-"` // its address in the code; that of a row is the address of its block
	Unclear bool    `json:"-"` // it is not known whether the object is one of Untold: it must not be written
	Deleted bool    `json:"-"` // the changelog has the deletion of this entry of the record
}

const aboutRecord = "What the server had at the last export, as digests. Commit this file, and do not edit it: the next export compares the server with it."

// line is the line of a block in the file of the record.
type line struct {
	Block  string            `json:"block"`
	Values map[string]string `json:"values"`
}

// ReadRecord decodes what Document has returned.
func ReadRecord(document []byte) (*Record, error) {
	read := struct {
		*Record
		Objects []*Object `json:"objects"`
		Written []line    `json:"written"`
	}{Record: &Record{Written: map[string]map[string]string{}}}
	if err := json.Unmarshal(document, &read); err != nil {
		return nil, err
	}
	read.Record.Objects = read.Objects
	for _, w := range read.Written {
		read.Record.Written[w.Block] = w.Values
	}
	return read.Record, nil
}

// Document returns the record as the JSON of its file, with a line for each object and each block. It sorts
// Objects.
func (r *Record) Document() ([]byte, error) {
	r.About = aboutRecord
	slices.SortFunc(r.Objects, func(x, y *Object) int {
		return cmp.Or(strings.Compare(x.Kind, y.Kind), strings.Compare(x.Name, y.Name), strings.Compare(x.Address, y.Address))
	})
	var blocks []line
	for _, id := range slices.Sorted(maps.Keys(r.Written)) {
		blocks = append(blocks, line{id, r.Written[id]})
	}
	header, err := Encoded(r, "  ")
	objects, errObjects := lines(r.Objects)
	written, errWritten := lines(blocks)
	document := strings.TrimSuffix(header, "\n}") + ",\n  \"objects\": " + objects + ",\n  \"written\": " + written + "\n}\n"
	return []byte(document), errors.Join(err, errObjects, errWritten)
}

// lines returns the elements as an array in JSON, each on a line of its own.
func lines[T any](elements []T) (string, error) {
	var all []string
	for _, e := range elements {
		text, err := Encoded(e, "")
		if err != nil {
			return "", err
		}
		all = append(all, "\n    "+text)
	}
	return "[" + strings.Join(all, ",") + "\n  ]", nil
}

// Encoded returns a value as JSON for people, in which <, > and & stay as they are.
func Encoded(value any, indent string) (string, error) {
	var b strings.Builder
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	err := encoder.Encode(value)
	return strings.TrimSuffix(b.String(), "\n"), err
}

// SetWritten sets Written to the digests of the files of an export. secret reports whether a value may be a
// secret, by the path of an attribute and by its text.
func (r *Record) SetWritten(files map[string][]byte, secret func(path, text string) bool) error {
	code, err := parse(files)
	if err != nil {
		return err
	}
	d := digester{salt: r.Salt, secret: secret}
	r.Written = map[string]map[string]string{}
	for _, p := range code.blocks() {
		p.file.digester = d
		r.Written[p.id()] = p.file.leaves(nil, p.block)
	}
	for name, content := range files {
		d.recordFile(r.Written, name, content)
	}
	return nil
}

// recordFile adds the digests of a file without blocks to those of a record: of the rows of a CSV file, without empty
// cells, or of a text.
func (d digester) recordFile(into map[string]map[string]string, name string, content []byte) {
	t, _ := parseTable(name, content) // the export itself has written it
	switch {
	case t != nil:
		for _, r := range t.rows {
			values := map[string]string{}
			for column, text := range r.cells {
				if text != "" {
					values[column] = d.digestOf(column, text)
				}
			}
			into[t.id(r)] = values
		}
	case IsText(name):
		text, _ := withLF(content)
		into[fileID(name)] = map[string]string{"": d.digestOf("", string(text))}
	}
}

func fileID(name string) string { return "file " + name }

// leaves returns the digests of the innermost parts of a node, by their paths. The members of a list have no
// positions: each is a path that ends in its digest, with the value "in".
func (f *file) leaves(at itemPath, node hclsyntax.Node) map[string]string {
	items, byItem := f.items(at, node)
	if !byItem || len(items) == 0 && len(at) > 0 { // an empty object or list is a value, unlike an empty block
		return map[string]string{at.String(): f.leaf(at, node)}
	}
	values := map[string]string{}
	for _, i := range items {
		if isList(node) {
			values[at.and(i.key).String()] = "in"
		} else {
			maps.Copy(values, f.leaves(at.and(i.key), i.node))
		}
	}
	return values
}

// leaf returns the digest of a node as a whole, or secretDigest or expressionDigest.
func (f *file) leaf(at itemPath, node hclsyntax.Node) string {
	form, plain := canonical(f, node)
	d := f.digestOf(at.String(), form)
	_, isName := node.(*hclsyntax.ScopeTraversalExpr)
	switch {
	case isName && d == secretDigest: // the name of a variable is not a secret
		return Digest(f.salt, at.String(), form)
	case f.noRecord && !plain:
		return expressionDigest
	}
	return d
}

// hasPrefix reports whether a path equals at, or leads to something inside of it.
func hasPrefix(path, at string) bool {
	rest, is := strings.CutPrefix(path, at)
	return is && (rest == "" || rest[0] == '.' || strings.HasSuffix(at, "/"))
}
