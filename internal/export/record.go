// This file makes the record of an export, and finds its objects in the record and in the code
// (package exportmerge).

package export

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	lines "github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// fileRecord is the name of the file with the record.
const fileRecord = ".enms-export.json"

// record is the record of a directory; nil if it has none.
type record struct {
	exportmerge.Record
	file []byte // the content of the file when it was read
}

// readRecord reads the record of a directory. dir is nil for a new one.
func readRecord(dir *os.Root) (*record, error) {
	if dir == nil {
		return nil, nil
	}
	document, err := dir.ReadFile(fileRecord)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := exportmerge.ReadRecord(document)
	if err != nil {
		return nil, fmt.Errorf("%s is not as it was written: %w. Restore it, or delete it", fileRecord, err)
	}
	return &record{*r, document}, nil
}

// kinds returns the kinds of the objects in the record.
func (r *record) kinds() map[string]bool {
	kinds := map[string]bool{}
	if r != nil {
		for _, o := range r.Objects {
			kinds[o.Kind] = true
		}
	}
	return kinds
}

// describe describes the objects of the server and their layouts to exportmerge: it sets the fields match and
// layoutMatch, and returns all of them.
func (i *inventory) describe() (all []*exportmerge.Object) {
	for _, o := range i.objects {
		o.match = &exportmerge.Object{
			Kind: o.kind.Name, Name: o.name, ID: o.id, Subtype: kind.TextIn(o.row, typeField), Created: kind.TextIn(o.row, lines.LineField), Type: o.kind.TypeName(), NameIn: kind.RowName,
		}
		if o.kind.Place != nil { // users of eNMS never see the name of an edge
			for _, attribute := range o.kind.Place.Attributes {
				end := ""
				if o.kind.Row(attribute).Of != "" {
					end = o.kind.Place.Of
				}
				o.match.Ends, o.match.EndsOf = append(o.match.Ends, o.text(attribute)), append(o.match.EndsOf, end)
			}
		}
		if slices.Contains(inventoryKinds, o.kind.Name) {
			asNew := table{typ: o.typ}
			o.match.Rows, o.match.Address, o.match.Table = o.typ, asNew.address(), asNew.path()
		}
		all = append(all, o.match)
		if b, is := builderOf(o); is {
			o.layoutMatch = &exportmerge.Object{Kind: b.TypeName(), Name: o.name, Ends: []string{o.name}, EndsOf: []string{o.kind.Name}, Type: b.TypeName(), NameIn: b.Of()}
			all = append(all, o.layoutMatch)
		}
	}
	return all
}

// isSecret reports whether a value may be a secret, by the path of its attribute or by its text.
func isSecret(path, text string) bool {
	return checks.SecretName.MatchString(path) || secretLike.MatchString(text)
}

// record returns the record of the export. last is the one of the last export into the directory, or nil: then,
// the salt is derived from the files of this export, so that two exports of the same server are the same.
func (e *exporter) record(last *record) (*exportmerge.Record, error) {
	r := &exportmerge.Record{Options: e.options.recorded, Mark: e.found.mark}
	if last != nil {
		r.Salt, r.Options = last.Salt, last.Options
	} else {
		r.Salt = exportmerge.Digest("", e.files)
		if e.options.identifyBy != "" {
			r.Options = append(r.Options, "-identify-by="+e.options.identifyBy)
		}
	}
	r.Server = exportmerge.Digest(r.Salt, e.options.server)
	if readme, is := e.files[fileReadme]; is {
		r.Readme = exportmerge.Digest(r.Salt, string(readme))
	}
	for _, o := range e.objects {
		now := *o.match
		now.Address, now.Table, now.Texts = o.address(), "", o.texts
		for _, t := range e.tables {
			if o.table == t.address() {
				now.Table = t.path()
			}
		}
		r.Objects = append(r.Objects, &now)
		if address := e.layouts[o]; address != "" {
			layout := *o.layoutMatch
			layout.Address = address
			r.Objects = append(r.Objects, &layout)
		}
	}
	return r, r.SetWritten(e.files, isSecret)
}
