// This file exports into a directory with code. It compares the code with the server in rounds,
// until nothing is left to change.

package export

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/export/existing"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/layout"
)

// result holds what an export writes.
type result struct {
	files   map[string][]byte // by name; nil for a file that is deleted
	report  *report
	changes []string // changes of existing code, in words
	code    bool     // whether the directory has code
}

// mostRounds is how often code is compared at most. Two rounds are enough in all known cases: one
// that changes the code, and one that finds nothing more to change.
const mostRounds = 5

// intoCode exports into a directory with code.
func intoCode(found *inventory, selected []*object, o options, tell func(string)) (*result, error) {
	if o.modules {
		return nil, errors.New("-modules writes a directory of its own: " + o.directory + " holds code already")
	}
	r, err := readRecord(o.directory)
	if err != nil {
		return nil, err
	}
	if r == nil {
		tell("There is no " + fileRecord + " in " + o.directory + ": all attributes are compared, and none counts as taken out of the code.")
	}
	made := &result{files: map[string][]byte{}, code: true}
	for range mostRounds {
		u, err := round(found, selected, o, tell, r, made.files)
		if err != nil {
			return nil, err
		}
		made.changes = append(made.changes, u.changes...)
		maps.Copy(made.files, u.files)
		if len(u.files) == 0 {
			made.report = u.exporter.report
			made.report.NotUpdated, made.report.Ahead = u.left, u.ahead
			return made, u.finish(made.files)
		}
		r = u.next
	}
	return nil, errors.New("the code does not come to rest: please report this as a bug of the exporter, with " + strings.Join(made.changes[max(0, len(made.changes)-3):], "; "))
}

// round compares code with the server once.
func round(found *inventory, selected []*object, o options, tell func(string), r *record, changed map[string][]byte) (*update, error) {
	code, err := existing.Read(o.directory, changed)
	if err != nil {
		return nil, err
	}
	m := match(code, found, r)
	if err := m.checkServer(o); err != nil {
		return nil, err
	}
	e := newExporter(found, o, tell)
	e.given = m.given()
	if err := e.write(m.wanted(selected)); err != nil {
		return nil, err
	}
	u, err := newUpdate(m, e)
	if err != nil {
		return nil, err
	}
	return u, u.run()
}

// wanted returns the objects that the code has or should have.
func (m *matching) wanted(selected []*object) (wanted []*object) {
	for _, o := range m.found.objects {
		here := m.at[o] != nil || m.rows[o] != ""
		if here || slices.Contains(selected, o) && !m.isTakenOut(o) {
			wanted = append(wanted, o)
		}
	}
	return wanted
}

// checkServer returns an error if the server has none of the objects in the code: then it is
// another server.
func (m *matching) checkServer(o options) error {
	if m.record == nil || len(m.record.entries) == 0 || len(m.at)+len(m.rows) > 0 || len(m.gone) == 0 || o.gone != "" {
		return nil
	}
	return fmt.Errorf("the server has none of the %d objects in %s: is ENMS_BASE_URL right? With -gone, they are taken out of the code", len(m.gone), o.directory)
}

// run makes all changes of a round.
func (u *update) run() error {
	if u.options.gone == "" {
		u.options.gone = goneRemoved
	}
	u.mergeTables()
	u.compare()
	added := u.addEdges()
	added = append(added, u.addBlocks()...)
	u.renameImports()
	if err := u.removeGone(); err != nil {
		return err
	}
	u.addImports(added)
	u.addVersions()
	u.carryRecord()
	return u.gather()
}

// gather collects the files that changed.
func (u *update) gather() error {
	edited := map[string][]byte{}
	for _, f := range u.code.Files() {
		content, err := f.Bytes()
		if err != nil {
			return err
		}
		edited[f.Name] = content
		if f.Edited() {
			u.files[f.Name] = content
		}
	}
	maps.DeleteFunc(u.files, func(name string, content []byte) bool {
		have, err := u.code.Content(name)
		return err == nil && content != nil && bytes.Equal(have, content)
	})
	return u.deleteTexts(edited)
}

// carryRecord copies objects to the new record that were not exported this time, and are not
// gone.
func (u *update) carryRecord() {
	if u.record == nil {
		return
	}
	kept := map[recordKey]bool{}
	for _, key := range u.goneAs {
		kept[key] = true
	}
	for typ, t := range u.tables {
		for name := range t.gone {
			kept[recordKey{typ, name}] = u.options.gone == goneKeep
		}
	}
	ids := map[recordKey]bool{}
	for key, e := range u.next.entries {
		ids[recordKey{key.kind, e.ID}] = e.ID != ""
	}
	for key, e := range u.record.entries {
		read := slices.ContainsFunc(u.found.read, func(k *kind.Kind) bool { return k.Name == key.kind })
		b, drawn := drawnBy(key.kind)
		there := u.byName[key] != nil || u.byID[recordKey{key.kind, e.ID}] != nil
		switch {
		case u.next.entries[key] != nil, ids[recordKey{key.kind, e.ID}]:
		case !read && !drawn, there, kept[key], drawn && u.isDrawn(b, key.name):
			u.next.entries[key] = e
		}
	}
}

// isDrawn reports whether the server has a workflow or network with a name.
func (u *update) isDrawn(b layout.Builder, name string) bool {
	return slices.ContainsFunc(u.found.objects, func(o *object) bool { return o.typ == b.Of() && o.name == name })
}

// finish writes the files about the export: the record, the report and README.md.
func (u *update) finish(files map[string][]byte) error {
	e := u.exporter
	e.report.Lines = 0
	for _, f := range u.code.Files() {
		if f.Name == fileImports || f.Name == fileRemoved {
			continue
		}
		content, err := f.Bytes()
		if err != nil {
			return err
		}
		e.report.Lines += bytes.Count(content, []byte("\n"))
	}
	document, err := e.report.document()
	if err != nil {
		return err
	}
	put := func(name string, content []byte) {
		if have, err := u.code.Content(name); err != nil || !bytes.Equal(have, content) {
			files[name] = content
		}
	}
	put(fileReport, document)
	readme := e.files[fileReadme]
	have, err := u.code.Content(fileReadme)
	switch {
	case err == nil && (bytes.Equal(have, readme) || u.record != nil && digest(string(have)) == u.record.readme), errors.Is(err, os.ErrNotExist) && u.record == nil:
		put(fileReadme, readme)
		u.next.readme = digest(string(readme))
	case u.record != nil: // somebody has edited README.md
		u.next.readme = u.record.readme
	}
	document, err = u.next.document()
	if err != nil {
		return err
	}
	put(fileRecord, document)
	if _, err := os.Stat(filepath.Join(e.options.directory, fileGit)); errors.Is(err, os.ErrNotExist) && u.record == nil {
		files[fileGit] = e.files[fileGit]
	}
	return nil
}
