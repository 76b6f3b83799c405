// This file reads and writes the record of an export: what the server had, so that the next
// export into the same directory knows what has changed since. It contains digests instead of
// values.

package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/layout"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// fileRecord is the name of the file with the record.
const fileRecord = ".enms-export.json"

// record holds what the server had at the last export.
type record struct {
	readme  string // the digest of README.md as the export wrote it
	entries map[recordKey]*recordEntry
}

// recordKey identifies an object in the record. name is its identity (object.identity).
type recordKey struct{ kind, name string }

// recordEntry is an object of the record.
type recordEntry struct {
	ID     string            `json:"id,omitempty"`
	Values map[string]string `json:"values"` // digests of what differs from eNMS's defaults, by attributes and "properties.field"
}

// recordLine is a line of the file.
type recordLine struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
	recordEntry
}

// recordFile is the content of the file.
type recordFile struct {
	About   string       `json:"about"`
	Readme  string       `json:"readme"`
	Objects []recordLine `json:"objects"`
}

const aboutRecord = "What the server had at the last export, as digests. Commit this file, and do not edit it: the next export compares the server with it."

func newRecord() *record { return &record{entries: map[recordKey]*recordEntry{}} }

// readRecord reads the record of a directory. It returns nil if there is none.
func readRecord(dir string) (*record, error) {
	document, err := os.ReadFile(filepath.Join(dir, fileRecord)) // #nosec G304 -- the directory that was named
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return parseRecord(document)
}

func parseRecord(document []byte) (*record, error) {
	var read recordFile
	if err := json.Unmarshal(document, &read); err != nil {
		return nil, fmt.Errorf("%s is not as it was written: %w. Restore it, or delete it", fileRecord, err)
	}
	r := newRecord()
	r.readme = read.Readme
	for _, line := range read.Objects {
		r.entries[recordKey{line.Kind, line.Name}] = &line.recordEntry
	}
	return r, nil
}

// document returns the content of the file: a line for each object.
func (r *record) document() ([]byte, error) {
	var b bytes.Buffer
	keys := slices.SortedFunc(maps.Keys(r.entries), func(x, y recordKey) int {
		if x.kind != y.kind {
			return strings.Compare(x.kind, y.kind)
		}
		return strings.Compare(x.name, y.name)
	})
	about, err := json.Marshal(aboutRecord)
	fmt.Fprintf(&b, "{\n  \"about\": %s,\n  \"readme\": %q,\n  \"objects\": [", about, r.readme)
	for n, k := range keys {
		line, problem := json.Marshal(recordLine{k.kind, k.name, *r.entries[k]})
		err = errors.Join(err, problem)
		if n > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		b.Write(line)
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes(), err
}

// digest returns a digest of a value.
func digest(x any) string {
	document, err := json.Marshal(x)
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(document)
	return hex.EncodeToString(sum[:4])
}

// identity returns what identifies the object among those of its kind: its name, or the ends and
// the type of an edge, whose name users of eNMS never see.
func (o *object) identity() string {
	if o.kind.Within == nil {
		return o.name
	}
	var parts []string
	for _, attribute := range o.kind.Unique {
		parts = append(parts, o.text(attribute))
	}
	return strings.Join(parts, " | ")
}

// id returns the server's id of the object.
func (o *object) id() string { return value.Text(o.state[kind.RowID]) }

func (o *object) recordKey() recordKey { return recordKey{o.kind.Name, o.identity()} }

// recordEntry returns the entry of the object for the record.
func (o *object) recordEntry() *recordEntry {
	e := &recordEntry{ID: o.id(), Values: map[string]string{}}
	config := o.kind.For(o.state).Generated(o.state)
	lists := map[string]bool{}
	for _, row := range o.further() {
		lists[row.Name] = row.Of != "" && row.Type == kind.Many
	}
	for _, row := range o.kind.Rows() {
		x := value.ToJSON(config[row.Name])
		switch fields, _ := x.(map[string]any); {
		case x == nil || row.Role == kind.Key:
		case row.Type == kind.Properties:
			for name, x := range fields {
				e.Values[row.Name+"."+name] = digest(sorted(x, lists[name]))
			}
		default:
			e.Values[row.Name] = digest(sorted(x, row.Type == kind.Many))
		}
	}
	return e
}

// sorted sorts a list of names if their order is irrelevant.
func sorted(x any, is bool) any {
	list, isList := x.([]any)
	if !is || !isList {
		return x
	}
	list = slices.Clone(list)
	slices.SortFunc(list, func(x, y any) int { return strings.Compare(fmt.Sprint(x), fmt.Sprint(y)) })
	return list
}

// layoutEntry returns the entry of a layout for the record, or nil if the workflow or network has
// none.
func (i *inventory) layoutEntry(o *object, b layout.Builder) *recordEntry {
	e, held := &recordEntry{Values: map[string]string{}}, i.layouts[b.Of()]
	for _, name := range i.membersOf(o, b) {
		if at := held.Position(name, o.name); at != nil {
			e.Values[layout.PositionsAttribute+"."+name] = digest(at)
		}
	}
	keys, fields := held.Labels(o.name)
	for _, key := range keys {
		e.Values[layout.LabelsAttribute+"."+key] = digest(fields[key])
	}
	if len(e.Values) == 0 {
		return nil
	}
	return e
}

// record returns the record of the exported objects.
func (e *exporter) record() *record {
	r := newRecord()
	for _, o := range e.objects {
		r.entries[o.recordKey()] = o.recordEntry()
		if b, is := builderOf(o); is {
			if drawn := e.found.layoutEntry(o, b); drawn != nil {
				r.entries[recordKey{b.TypeName(), o.name}] = drawn
			}
		}
	}
	return r
}
