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
func intoCode(ctx context.Context, client *enms.Client, found *inventory, objects []*exportmerge.Object, selected []*object, o options, r *record, log func(string)) (*result, error) {
	made := &result{hasCode: true}
	var before *exportmerge.Record
	var ask exportmerge.Ask
	if r == nil {
		log("There is no " + fileRecord + " in " + o.directory + ": all attributes are compared, and none counts as removed from the code.")
	} else {
		made.record, before = r.file, &r.Record
		if o.identifyBy != identifyByName {
			ask = askChangelog(ctx, client, r.Mark)
		}
	}
	code, err := exportmerge.Read(o.root.FS())
	if err != nil {
		return nil, err
	}
	m, err := exportmerge.Match(code, before, objects, ask)
	if err != nil {
		return nil, err
	}
	if err := proveGone(ctx, client, found, m.Lost); err != nil {
		return nil, err
	}
	if err := checkGone(m, objects, r, o); err != nil {
		return nil, err
	}
	e := newExporter(found, o, m, log)
	isNew := func(x *object) bool { return !x.match.IsTakenOut() && !x.match.Unclear && slices.Contains(selected, x) }
	written := slices.DeleteFunc(slices.Clone(found.objects), func(x *object) bool { return x.match.At == "" && !isNew(x) })
	if err := e.write(written); err != nil {
		return nil, err
	}
	e.addLeft(m)
	if e.report.Unclear = untoldFindings(m); len(e.report.Unclear) > 0 {
		log("Warning: " + firstOf(e.report.Unclear))
	}
	merged, err := exportmerge.Apply(code, exportmerge.Input{
		Exported: e.files, Moves: m.Moves, TakenOut: found.takenOut(), Record: before, Secret: isSecret,
		Keep: o.gone == goneKeep, Removed: cmp.Or(o.gone, goneRemoved) == goneRemoved,
	})
	if err != nil {
		return nil, err
	}
	made.files, made.changes, made.report = merged.Files, merged.Changes, e.report
	e.report.NotUpdated, e.report.Ahead = merged.Left, merged.Ahead
	e.report.Lines = code.Lines()
	return made, e.finishInto(m, merged, r)
}

// addLeft adds to m.Gone the blocks of layouts that are empty now, and those of objects that this export writes in
// another module. To m.Elsewhere, for a `moved` block, it adds a task that moves to or from the tasks of a module.
func (e *exporter) addLeft(m *exportmerge.Matching) {
	for _, o := range e.objects {
		if o.layoutMatch != nil && o.layoutMatch.At != "" && e.layouts[o] != o.layoutMatch.At {
			m.Gone[o.layoutMatch.At] = true
		}
		oldModule, _ := splitModule(o.match.At)
		newModule, _ := splitModule(o.address())
		switch isMoved := o.match.At != "" && oldModule != newModule; {
		case isMoved && (o.passed || strings.Contains(o.match.At, `["`)): // without its entry, Terraform would delete it
			m.Elsewhere[o.match.At] = o.address()
		case isMoved && o.table == "":
			m.Gone[o.match.At] = true
		}
	}
}

// takenOut returns the objects that people have removed from the code, as exportmerge.Input.TakenOut describes them.
func (i *inventory) takenOut() map[string][]string {
	all := map[string][]string{}
	for _, o := range i.objects {
		if o.match.IsTakenOut() {
			_, inside := splitModule(o.match.Before.Address)
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
// or more than a third of them are gone, and more than fewObjects. With the option -gone, and without a record, it
// checks nothing.
func checkGone(matching *exportmerge.Matching, objects []*exportmerge.Object, recorded *record, o options) error {
	if recorded == nil || o.gone != "" {
		return nil
	}
	all := len(recorded.Objects)
	lost := all
	for _, x := range objects {
		if x.Before != nil { // it is in the record
			lost--
		}
	}
	if lost > fewObjects && 3*lost > all || lost > 0 && lost == all {
		option := "-gone " + goneRemoved
		if len(matching.Untold) > 0 { // by their ids, these do not count as gone, and stay in the code
			option += " -identify-by " + identifyByName
		}
		return fmt.Errorf("the server no longer has %d of the %d objects in %s: is ENMS_BASE_URL right? With %s, they are removed from the code", lost, all, o.directory, option)
	}
	return nil
}

// finishInto adds the files about the export that differ from those in the directory: the report, README.md, the record,
// and, if there was no record, .gitattributes.
func (e *exporter) finishInto(m *exportmerge.Matching, merged *exportmerge.Result, r *record) error {
	report, err := e.report.document()
	if err != nil {
		return err
	}
	next, err := e.record(r)
	if err != nil {
		return err
	}
	e.put(merged, fileReport, report)
	e.putReadme(merged, next, r)
	if _, err := e.options.root.ReadFile(fileGit); errors.Is(err, fs.ErrNotExist) && r == nil {
		e.put(merged, fileGit, e.files[fileGit])
	}
	m.Carry(next, merged)
	return e.putRecord(merged, next, r)
}

// put adds a file to the result of the merge unless the directory has it with this content.
func (e *exporter) put(merged *exportmerge.Result, name string, content []byte) {
	if have, _ := e.options.root.ReadFile(name); !bytes.Equal(have, content) { // none of them is empty
		merged.Files[name] = content
	}
}

// putReadme adds README.md, unless somebody has written, edited or deleted it. By the Readme of next, the next export
// still knows that.
func (e *exporter) putReadme(merged *exportmerge.Result, next *exportmerge.Record, r *record) {
	have, err := e.options.root.ReadFile(fileReadme)
	isNew := r == nil && errors.Is(err, fs.ErrNotExist)
	isAsWritten := r != nil && err == nil && exportmerge.Digest(r.Salt, string(have)) == r.Readme
	switch {
	case isNew, isAsWritten, bytes.Equal(have, e.files[fileReadme]):
		e.put(merged, fileReadme, e.files[fileReadme])
	case r == nil:
		next.Readme = ""
	default:
		next.Readme = r.Readme
	}
}

// putRecord adds the record. A file that differs only in its mark is not written again: the older mark still serves.
func (e *exporter) putRecord(merged *exportmerge.Result, next *exportmerge.Record, r *record) error {
	if r != nil {
		withOldMark := *next
		withOldMark.Mark = cmp.Or(r.Mark, next.Mark)
		if document, err := withOldMark.Document(); err != nil || bytes.Equal(document, r.file) {
			return err
		}
	}
	document, err := next.Document()
	if err == nil {
		e.put(merged, fileRecord, document)
	}
	return err
}
