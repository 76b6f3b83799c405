// This file exports into a directory with code: it has a new export merged into it.

package export

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// result holds what an export writes.
type result struct {
	files   map[string][]byte // by name; nil for a file that is deleted
	report  *report
	changes []string // changes of existing code, in words
	code    bool     // whether the directory has code
	record  []byte   // the file with the record, as it was read; nil if there was none
}

// intoCode exports into a directory with code.
func intoCode(found *inventory, selected []*object, o options, r *record, tell func(string)) (*result, error) {
	if r == nil {
		tell("There is no " + fileRecord + " in " + o.directory + ": all attributes are compared, and none counts as taken out of the code.")
	}
	code, err := exportmerge.Read(o.root.FS())
	if err != nil {
		return nil, err
	}
	m := match(code, found, r)
	if err := m.checkGone(o); err != nil {
		return nil, err
	}
	e := newExporter(found, o, tell)
	e.given = m.given()
	if err := e.write(m.wanted(selected)); err != nil {
		return nil, err
	}
	m.noteEmptied(e)
	input := exportmerge.Input{
		Fresh: e.files, Moved: m.moved, Gone: m.gone, Keep: o.gone == goneKeep, Removed: o.gone == goneRemoved || o.gone == "", Secret: isSecret,
	}
	if r != nil {
		input.Record = r.Written
	}
	merged, err := exportmerge.Merge(code, input)
	if err != nil {
		return nil, err
	}
	made := &result{files: merged.Files, changes: merged.Changes, code: true, report: e.report}
	if r != nil {
		made.record = r.file
	}
	e.report.NotUpdated, e.report.Ahead = findings(merged.Left), findings(merged.Ahead)
	return made, m.finish(e, code, merged)
}

// noteEmptied notes as gone the layouts of workflows and networks that nothing is drawn in any longer.
func (m *matching) noteEmptied(e *exporter) {
	for _, o := range e.objects {
		if b, is := builderOf(o); is && e.layouts[o] == "" {
			if address := m.layoutAddress(o, b.TypeName()); address != "" && m.used[address] {
				m.gone[address] = true
			}
		}
	}
}

// findings converts findings of a merge.
func findings(all []exportmerge.Finding) (made []finding) {
	for _, f := range all {
		made = append(made, finding{f.At, f.What})
	}
	return made
}

// isSecret reports whether a value may be a secret, by the path of its attribute or by its text.
func isSecret(path, text string) bool {
	return kind.SecretName.MatchString(path) || secretLike.MatchString(text)
}

// checkServer returns an error if the record is that of a server with another address.
func (r *record) checkServer(o options) error {
	if r == nil || r.Server == "" || r.Server == o.server || o.anotherServer {
		return nil
	}
	return fmt.Errorf("%s was exported from a server with another address: is ENMS_BASE_URL right? If the server has moved, or this one is a copy of it, add -another-server", o.directory)
}

// checkGone returns an error if more than a third of the objects are gone: then it is likely
// that this is another server.
func (m *matching) checkGone(o options) error {
	if m.record == nil || o.gone != "" {
		return nil
	}
	if n := len(m.record.Objects); len(m.lost) > 10 && 3*len(m.lost) > n || len(m.lost) > 0 && len(m.before) == 0 {
		return fmt.Errorf("the server no longer has %d of the %d objects in %s: is ENMS_BASE_URL right? With -gone %s, they are taken out of the code", len(m.lost), n, o.directory, goneRemoved)
	}
	return nil
}

// finish makes the files about the export: the record, the report and README.md.
func (m *matching) finish(e *exporter, code *exportmerge.Code, merged *exportmerge.Result) error {
	e.report.Lines = code.Lines()
	document, err := e.report.document()
	if err != nil {
		return err
	}
	read := e.options.root.ReadFile
	put := func(name string, content []byte) {
		if have, err := read(name); err != nil || !bytes.Equal(have, content) {
			merged.Files[name] = content
		}
	}
	put(fileReport, document)
	next, err := e.record()
	if err != nil {
		return err
	}
	readme := e.files[fileReadme]
	have, err := read(fileReadme)
	switch {
	case e.options.others: // it would tell only of what this run has selected
		next.Readme, next.Options = m.record.Readme, m.record.Options
	case err == nil && (bytes.Equal(have, readme) || m.record != nil && exportmerge.Digest(string(have)) == m.record.Readme), errors.Is(err, fs.ErrNotExist) && m.record == nil:
		put(fileReadme, readme)
		next.Readme = exportmerge.Digest(string(readme))
	case m.record != nil: // somebody has edited README.md
		next.Readme = m.record.Readme
	}
	m.carry(next, merged, e)
	if document, err = next.document(); err != nil {
		return err
	}
	put(fileRecord, document)
	if _, err := read(fileGit); errors.Is(err, fs.ErrNotExist) && m.record == nil {
		put(fileGit, e.files[fileGit])
	}
	return nil
}

// carry copies to the new record what the merge has left alone, and objects that were not
// exported this time, and are not gone.
func (m *matching) carry(next *record, merged *exportmerge.Result, e *exporter) {
	if m.record == nil {
		return
	}
	for id, paths := range merged.Unmerged {
		before := m.record.Written[m.recordedID(id)]
		for _, path := range paths {
			if d, was := before[path]; was {
				next.Written[id][path] = d
			} else {
				delete(next.Written[id], path)
			}
		}
	}
	exported := map[*recorded]bool{}
	for _, o := range e.objects {
		exported[m.before[o]] = true
	}
	for n := range m.record.Objects {
		r := &m.record.Objects[n]
		same := func(other recorded) bool { return other.Kind == r.Kind && other.Name == r.Name }
		if exported[r] || slices.ContainsFunc(next.Objects, same) || slices.ContainsFunc(m.lost, same) && !m.isKept(r, merged) {
			continue
		}
		next.Objects = append(next.Objects, *r)
		base, _, _ := strings.Cut(r.Address, "[")
		for _, id := range []string{exportmerge.BlockID(base), "import " + r.Address, exportmerge.Row(r.Table, r.Name)} {
			if values := m.record.Written[id]; values != nil && next.Written[id] == nil {
				next.Written[id] = values
			}
		}
	}
}

// recordedID returns the id in the record of a block of the new export.
func (m *matching) recordedID(id string) string {
	for now, before := range m.moved {
		if id == exportmerge.BlockID(now) {
			return exportmerge.BlockID(before)
		}
	}
	return id
}

// isKept reports whether the code still has an object that is gone.
func (m *matching) isKept(r *recorded, merged *exportmerge.Result) bool {
	if r.Table != "" {
		return m.code.Rows(r.Table)[r.Name] && merged.Files[r.Table] == nil
	}
	for address := range merged.Kept {
		if before, moved := m.moved[address]; address == r.Address || moved && before == r.Address {
			return true
		}
	}
	return false
}

// write changes the files of the directory, unless another export has done so since it was read.
func (made *result) write(dir *os.Root) error {
	if now, err := dir.ReadFile(fileRecord); err == nil && !bytes.Equal(now, made.record) {
		return errors.New("another export has changed the directory meanwhile. Run this one again")
	}
	return changeFiles(dir, made.files)
}
