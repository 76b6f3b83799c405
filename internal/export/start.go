// This file runs an export from beginning to end.

package export

import (
	"context"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/lifecycle"
)

// run makes the export that the options describe.
func run(ctx context.Context, p *lifecycle.Provider, o options, tell func(string)) (*result, error) {
	if err := o.selection.check(p.Kinds); err != nil {
		return nil, err
	}
	code, err := holdsCode(o.directory)
	if err != nil {
		return nil, err
	}
	found, err := read(ctx, p, o.selection.reads(p.Kinds), tell)
	if err != nil {
		return nil, err
	}
	selected, err := o.selection.of(found)
	if err != nil {
		return nil, err
	}
	if code {
		return intoCode(found, selected, o, tell)
	}
	e := newExporter(found, o, tell)
	if err := e.write(selected); err != nil {
		return nil, err
	}
	r := e.record()
	r.readme = digest(string(e.files[fileReadme]))
	e.files[fileRecord], err = r.document()
	return &result{files: e.files, report: e.report}, err
}
