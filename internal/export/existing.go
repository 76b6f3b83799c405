// This file exports into a directory with code: it makes a new export and merges it into the code.

package export

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
)

// result holds what an export writes.
type result struct {
	files   map[string][]byte // by name; nil for a file that is deleted
	report  *report
	changes []string // changes of existing code, in words
	hasCode bool     // whether the directory had code when it was read
	record  []byte   // the file with the record, as it was read; nil if there was none
}

// intoCode exports into a directory with code.
func intoCode(ctx context.Context, client *enms.Client, found *inventory, objects []*exportmerge.Object, selected []*object, o options, r *record, tell func(string)) (*result, error) {
	if r == nil {
		tell("There is no " + fileRecord + " in " + o.directory + ": all attributes are compared, and none counts as taken out of the code.")
	}
	code, err := exportmerge.Read(o.root.FS())
	if err != nil {
		return nil, err
	}
	made := &result{hasCode: true}
	input := exportmerge.Input{Keep: o.gone == goneKeep, Removed: o.gone == goneRemoved || o.gone == "", Secret: isSecret}
	var ask exportmerge.Ask
	if r != nil {
		made.record, input.Record = r.file, &r.Record
		if o.identifyBy != identifyByName {
			ask = askChangelog(ctx, client, r.Mark)
		}
	}
	m, err := exportmerge.Match(code, input.Record, objects, ask)
	if err != nil {
		return nil, err
	}
	if err := proveGone(ctx, client, found, m.Lost); err != nil {
		return nil, err
	}
	if err := checkGone(m, objects, r, o); err != nil {
		return nil, err
	}
	e := newExporter(found, o, m, tell)
	written := slices.DeleteFunc(slices.Clone(found.objects), func(x *object) bool { // those in the code, and new ones
		return x.seen.At == "" && (!slices.Contains(selected, x) || x.seen.IsTakenOut() || x.seen.Unclear)
	})
	if err := e.write(written); err != nil {
		return nil, err
	}
	e.noteLeft(m)
	if e.report.Unclear = unclear(m); len(e.report.Unclear) > 0 {
		tell("Warning: " + told(e.report.Unclear))
	}
	input.Fresh, input.Places, input.TakenOut = e.files, m.Places, found.takenOut()
	merged, err := exportmerge.Apply(code, input)
	if err != nil {
		return nil, err
	}
	made.files, made.changes, made.report = merged.Files, merged.Changes, e.report
	e.report.NotUpdated, e.report.Ahead = merged.Left, merged.Ahead
	e.report.Lines = code.Lines()
	return made, e.finishInto(m, merged, r)
}

// noteLeft adds to Gone the blocks of layouts that draw nothing any longer, and those of objects that this export
// writes in another module. A task that now is an instance of the tasks of a module keeps its state (Elsewhere).
func (e *exporter) noteLeft(m *exportmerge.Matching) {
	for _, o := range e.objects {
		if o.drawn != nil && o.drawn.At != "" && e.layouts[o] != o.drawn.At {
			m.Gone[o.drawn.At] = true
		}
		was, _ := splitModule(o.seen.At)
		is, _ := splitModule(o.address())
		switch isMoved := o.seen.At != "" && was != is; {
		case isMoved && (o.passed || strings.Contains(o.seen.At, `["`)): // without its entry, Terraform would delete it
			m.Elsewhere[o.seen.At] = o.address()
		case isMoved && o.table == "":
			m.Gone[o.seen.At] = true
		}
	}
}

// takenOut returns exportmerge.Input.TakenOut.
func (i *inventory) takenOut() map[string][]string {
	all := map[string][]string{}
	for _, o := range i.objects {
		if o.seen.IsTakenOut() {
			_, inside := splitModule(o.seen.Before.Address)
			all[o.name] = append(all[o.name], inside+".name")
		}
	}
	return all
}

// checkServer returns an error if the record is that of another server, by its address.
func (r *record) checkServer(o options) error {
	if r == nil || r.Server == "" || r.Server == exportmerge.Digest(r.Salt, o.server) || o.anotherServer {
		return nil
	}
	return fmt.Errorf("%s was exported from a server with another address: is ENMS_BASE_URL right? If the server has moved, or this one is a copy of it, add -another-server", o.directory)
}

// proveGone returns an error if eNMS may only hide a lost object of the record from this user. Objects whose
// kind was not read are not asked for.
func proveGone(ctx context.Context, client *enms.Client, found *inventory, lost []*exportmerge.Object) error {
	for _, o := range lost {
		if o.Deleted { // the changelog says so
			continue
		}
		for _, k := range found.readKinds {
			if k.Name != o.Kind {
				continue
			}
			if err := client.ProveGone(ctx, k.Name, k.Namespace, o.Name, o.ID); err != nil {
				return fmt.Errorf("%w. Export as an administrator, or as a user who may read everything", err)
			}
		}
	}
	return nil
}

// fewObjects is how many objects may be gone at once from a small server.
const fewObjects = 5

// checkGone returns an error if it is likely that this is another server: none of the objects in the code is left,
// or more than a third of them are gone, and more than fewObjects. With the option -gone, it checks nothing.
func checkGone(m *exportmerge.Matching, objects []*exportmerge.Object, r *record, o options) error {
	if r == nil || o.gone != "" {
		return nil
	}
	all, lost, option := len(r.Objects), len(r.Objects), "-gone "+goneRemoved
	for _, x := range objects {
		if x.Before != nil {
			lost--
		}
	}
	if len(m.Untold) > 0 {
		option += " -identify-by " + identifyByName
	}
	if lost > fewObjects && 3*lost > all || lost > 0 && lost == all {
		return fmt.Errorf("the server no longer has %d of the %d objects in %s: is ENMS_BASE_URL right? With %s, they are taken out of the code", lost, all, o.directory, option)
	}
	return nil
}

// finishInto adds the files about the export that differ from those in the directory: the report, README.md
// unless somebody has edited or deleted it, and the record. If there was no record, .gitattributes as well.
func (e *exporter) finishInto(m *exportmerge.Matching, merged *exportmerge.Result, r *record) error {
	read := e.options.root.ReadFile
	put := func(name string, content []byte) {
		if have, err := read(name); err != nil || !bytes.Equal(have, content) {
			merged.Files[name] = content
		}
	}
	document, err := e.report.document()
	if err != nil {
		return err
	}
	put(fileReport, document)
	next, err := e.record(r)
	if err != nil {
		return err
	}
	readme := e.files[fileReadme]
	have, err := read(fileReadme)
	isNew := r == nil && errors.Is(err, fs.ErrNotExist)
	isAsWritten := r != nil && err == nil && exportmerge.Digest(r.Salt, string(have)) == r.Readme
	switch {
	case isNew, isAsWritten:
		put(fileReadme, readme)
	case bytes.Equal(have, readme):
	case r == nil:
		next.Readme = ""
	default: // the next export still knows that somebody has edited or deleted it
		next.Readme = r.Readme
	}
	if _, err := read(fileGit); errors.Is(err, fs.ErrNotExist) && r == nil {
		put(fileGit, e.files[fileGit])
	}
	m.Carry(next, merged)
	if r != nil { // an earlier mark of the same record is as good, and other changes of eNMS change no file
		now := next.Mark
		next.Mark = cmp.Or(r.Mark, now)
		if document, err = next.Document(); err != nil || bytes.Equal(document, r.file) {
			return err
		}
		next.Mark = now
	}
	if document, err = next.Document(); err == nil {
		put(fileRecord, document)
	}
	return err
}
