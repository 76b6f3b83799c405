// This file reads and writes the record of an export: which objects the server had, where they
// are in the code, and digests of what was written.

package export

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/plans"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/layout"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// fileRecord is the name of the file with the record.
const fileRecord = ".enms-export.json"

// record is what the next export into the directory has to know of this one.
type record struct {
	about
	Objects []recorded
	Written exportmerge.Record
	file    []byte // as it was read
}

// about is the part of the record that is not about single objects.
type about struct {
	About   string   `json:"about"`
	Server  string   `json:"server"`            // a digest of the address
	Options []string `json:"options,omitempty"` // of the export, apart from those of a single run
	Readme  string   `json:"readme"`            // the digest of README.md as the export wrote it
}

// recorded is an object or a layout of the record.
type recorded struct {
	Kind    string   `json:"kind"`
	Name    string   `json:"name"`
	ID      string   `json:"id,omitempty"`
	Ends    []string `json:"ends,omitempty"`    // of an edge: what identifies it for users
	Content string   `json:"content,omitempty"` // a digest of its values, without names
	Address string   `json:"address"`           // in the code; for a row of a CSV file, that of the block
	Table   string   `json:"table,omitempty"`   // the CSV file
	Texts   string   `json:"texts,omitempty"`   // the path that its files below code/ begin with
}

// written are the digests of a block in the file.
type written struct {
	Block  string            `json:"block"`
	Values map[string]string `json:"values"`
}

const aboutRecord = "What the server had at the last export, as digests. Commit this file, and do not edit it: the next export compares the server with it."

// readRecord reads the record of a directory. It returns nil if there is none.
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
	var read struct {
		about
		Objects []recorded `json:"objects"`
		Written []written  `json:"written"`
	}
	if err := json.Unmarshal(document, &read); err != nil {
		return nil, fmt.Errorf("%s is not as it was written: %w. Restore it, or delete it", fileRecord, err)
	}
	r := &record{about: read.about, Objects: read.Objects, Written: exportmerge.Record{}, file: document}
	for _, w := range read.Written {
		r.Written[w.Block] = w.Values
	}
	return r, nil
}

// document returns the content of the file: a line for each object and each block.
func (r *record) document() ([]byte, error) {
	r.About = aboutRecord
	head, err := json.MarshalIndent(r.about, "", "  ")
	var b bytes.Buffer
	b.Write(bytes.TrimSuffix(head, []byte("\n}")))
	lines := func(name string, n int, line func(int) any) {
		fmt.Fprintf(&b, ",\n  %q: [", name)
		for i := range n {
			document, problem := json.Marshal(line(i))
			err = errors.Join(err, problem)
			b.WriteString(strings.Repeat(",", min(i, 1)) + "\n    ")
			b.Write(document)
		}
		b.WriteString("\n  ]")
	}
	slices.SortFunc(r.Objects, func(x, y recorded) int {
		return cmp.Or(strings.Compare(x.Kind, y.Kind), strings.Compare(x.Name, y.Name), strings.Compare(x.Address, y.Address))
	})
	ids := slices.Sorted(maps.Keys(r.Written))
	lines("objects", len(r.Objects), func(i int) any { return r.Objects[i] })
	lines("written", len(ids), func(i int) any { return written{ids[i], r.Written[ids[i]]} })
	b.WriteString("\n}\n")
	return b.Bytes(), err
}

// ends returns what identifies an edge, whose name users of eNMS never see; nil for other objects.
func (o *object) ends() (ends []string) {
	if o.kind.Within == nil {
		return nil
	}
	for _, attribute := range o.kind.Unique {
		ends = append(ends, o.text(attribute))
	}
	return ends
}

// id returns the server's id of the object.
func (o *object) id() string { return value.Text(o.state[kind.RowID]) }

// content returns a digest of the values of the object, without names: others may be renamed.
func (o *object) content() string {
	values := map[string]any{}
	config := plans.Generated(o.kind.For(o.state), o.state)
	named := map[string]bool{}
	for _, row := range o.further() {
		named[row.Name] = row.Of != "" || row.KeysOf != ""
	}
	for _, row := range o.kind.Rows() {
		x := value.ToJSON(config[row.Name])
		switch fields, _ := x.(map[string]any); {
		case x == nil || row.Role == kind.Key || row.Of != "":
		case row.Type == kind.Properties:
			for name, x := range fields {
				if !named[name] {
					values[row.Name+"."+name] = x
				}
			}
		default:
			values[row.Name] = x
		}
	}
	return exportmerge.Digest(values)
}

// recorded returns the entry of the object for the record.
func (e *exporter) recorded(o *object) recorded {
	r := recorded{Kind: o.kind.Name, Name: o.name, ID: o.id(), Ends: o.ends(), Content: o.content(), Address: o.address()}
	for _, t := range e.tables {
		if o.table == t.address() {
			r.Table = t.path()
		}
	}
	for name := range e.files {
		if base := e.bases[o]; base != "" && strings.HasPrefix(name, o.module.dir()+base) {
			r.Texts = base
		}
	}
	return r
}

// record returns the record of the export.
func (e *exporter) record() (*record, error) {
	r := &record{about: about{Server: e.options.server, Options: e.options.recorded}}
	for _, o := range e.objects {
		r.Objects = append(r.Objects, e.recorded(o))
		if b, is := builderOf(o); is {
			if address := e.layouts[o]; address != "" {
				r.Objects = append(r.Objects, recorded{Kind: b.TypeName(), Name: o.name, Address: address})
			}
		}
	}
	var err error
	r.Written, err = exportmerge.RecordOf(e.files)
	return r, err
}

// isLayout reports whether an entry of the record is a layout.
func (r recorded) isLayout() bool {
	return slices.ContainsFunc(layout.Builders, func(b layout.Builder) bool { return b.TypeName() == r.Kind })
}
