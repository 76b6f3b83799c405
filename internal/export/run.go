// This file runs an export from beginning to end.

package export

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/exportmerge"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
)

// run makes the export that the options describe. hasCode says whether the directory has configuration.
func run(ctx context.Context, p *resources.Provider, o options, hasCode bool, log func(string)) (*result, error) {
	r, err := readRecord(o.root)
	if err != nil {
		return nil, err
	}
	if o, err = o.withRecorded(r); err != nil {
		return nil, err
	}
	if hasCode && (o.inventory == inventoryYAML || r.hasYAML()) {
		return nil, errors.New("-inventory yaml writes a directory of its own, and does not change it later: " + o.directory + " holds code already. Export into a new directory, and compare the two")
	}
	o.server = p.Client.Host()
	if err := o.selection.check(p.Kinds); err != nil {
		return nil, err
	}
	if err := r.checkServer(o); err != nil {
		return nil, err
	}
	mark := p.Client.TakeMark(ctx) // before the objects are read: it shows what is renamed meanwhile
	found, err := read(ctx, p, o.selection, r.kinds(), log)
	if err != nil {
		return nil, err
	}
	found.mark = (*exportmerge.Mark)(mark)
	objects := found.describe()
	if found.mayHide = !p.Client.IsAdministrator(ctx); found.mayHide {
		log("This user is not an administrator: what it cannot read is not exported.")
	}
	if err := r.checkUnread(found.unread, o.directory); err != nil {
		return nil, err
	}
	selected := o.selection.selected(found)
	if hasCode && r == nil && o.selection.modules {
		return nil, errors.New("-modules writes a directory of its own: " + o.directory + " holds code already")
	}
	if hasCode {
		return intoCode(ctx, p.Client, found, objects, selected, o, r, log)
	}
	e := newExporter(found, o, nil, log)
	if err := e.write(selected); err != nil {
		return nil, err
	}
	e.keepExisting()
	next, err := e.record(nil)
	if err != nil {
		return nil, err
	}
	e.files[fileRecord], err = next.Document()
	return &result{files: e.files, report: e.report}, err
}

// hasYAML reports whether the last export into the directory has written YAML.
func (r *record) hasYAML() bool {
	return r != nil && slices.Contains(r.Options, "-inventory="+inventoryYAML)
}

// keepExisting keeps the README.md and the .gitattributes that the directory of a new export already has, such as a new
// repository: it removes them from the export. The root is nil if there is no directory yet.
func (e *exporter) keepExisting() {
	if e.options.root == nil {
		return
	}
	for _, name := range []string{fileReadme, fileGit} {
		if _, err := e.options.root.Lstat(name); !errors.Is(err, fs.ErrNotExist) {
			e.log(name + " exists and is left alone.")
			delete(e.files, name)
		}
	}
}

// checkUnread returns an error if an object of the record could not be read: the merge would take it for gone.
func (r *record) checkUnread(all []unread, directory string) error {
	if r == nil {
		return nil
	}
	for _, u := range all {
		isSame := func(o *exportmerge.Object) bool {
			return o.Kind == u.object.kind.Name && (o.Name == u.object.name || o.ID != "" && o.ID == u.object.id)
		}
		if slices.ContainsFunc(r.Objects, isSame) {
			return fmt.Errorf("%s is in the code of %s. %s", u.object, directory, u.why)
		}
	}
	return nil
}

// withRecorded returns the options of the last export into the directory, unless the arguments have
// some that the record stores.
func (o options) withRecorded(r *record) (options, error) {
	if r == nil {
		return o, nil
	}
	last, err := parse(append(slices.Clone(r.Options), o.directory), io.Discard)
	if err != nil {
		return o, fmt.Errorf("the options in %s are not valid: %w", fileRecord, err)
	}
	o.identifyBy = cmp.Or(o.identifyBy, last.identifyBy)
	if len(o.recorded) == 0 {
		o.selection, o.inventory = last.selection, last.inventory
	}
	if o.selection.modules != slices.Contains(r.Options, "-modules") {
		return o, fmt.Errorf("-modules writes a directory of its own: %s was exported %s", o.directory, map[bool]string{true: "without it", false: "with it"}[o.selection.modules])
	}
	return o, nil
}
