// This file searches for the instances of a list.

package listing

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"golang.org/x/sync/errgroup"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/lists"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/failures"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/resources/reading"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

// pages yields the rows of a search, page by page. It ends after an error.
type pages = iter.Seq2[[]value.Object, error]

// lister lists the instances of a kind that meet the conditions of a list.
type lister struct {
	*reading.Reader
	list *lists.Listing
}

// newLister returns the lister for a configuration. It returns errors if the provider is not configured, or if a
// condition is invalid.
func newLister(k *kind.Kind, p *resources.Provider, config kind.Values) (*lister, diag.Diagnostics) {
	if diags := p.Readable("Cannot read " + k.Several()); diags.HasError() {
		return nil, diags
	}
	reader := reading.New(k, p).Of(config)
	list, diags := lists.New(reader.Kind, config)
	return &lister{reader, list}, diags
}

// found yields the rows of a search that keep accepts, page by page, and at last the diagnostics of a search that
// failed, or that eNMS would misunderstand. It checks the properties of conditions with the first page, and the names
// in conditions before it yields the first rows.
func (r *lister) found(ctx context.Context, search pages, keep func(row value.Object) bool) iter.Seq2[[]value.Object, diag.Diagnostics] {
	return func(yield func([]value.Object, diag.Diagnostics) bool) {
		diags, err := r.unsearchable(ctx)
		diags.Append(r.listError(ctx, err)...)
		if diags.HasError() {
			yield(nil, diags)
			return
		}
		isFirst, checkNames := true, sync.OnceValue(func() error { return r.checkNames(ctx) })
		for rows, err := range search {
			if err == nil && isFirst {
				diags, err = r.unknownProperties(ctx, rows)
			}
			isFirst = false
			rows = slices.DeleteFunc(rows, func(row value.Object) bool { return !keep(row) })
			if err == nil && !diags.HasError() && len(rows) > 0 {
				err = checkNames()
			}
			diags.Append(r.listError(ctx, err)...)
			if !yield(rows, diags) {
				return
			}
		}
	}
}

// listHint is the advice for a search that eNMS answers with 500.
const listHint = "eNMS returns no reason. Common causes of a failed search: an unknown type, a regular expression that the database cannot parse, a value that cannot be compared with the property, or a damaged instance in the database. See the log of eNMS."

// listError returns the diagnostics of an error of a list, or nil if there is none. After a 500, it asks eNMS
// whether the type exists.
func (r *lister) listError(ctx context.Context, err error) diag.Diagnostics {
	summary := "Cannot read " + r.Kind.Several()
	switch other, misspelled := errors.AsType[*enms.NotFoundError](err); {
	case err == nil:
		return nil
	case misspelled: // the error of checkNames
		return diag.Diagnostics{diag.NewErrorDiagnostic(summary, checks.Sentence(err.Error())+fmt.Sprintf(" Use the spelling of eNMS: %q.", other.Spelling))}
	case enms.InternalServerError(err):
		if unknown := r.CheckType(ctx, r.list.Type); unknown.HasError() {
			return unknown
		}
		return diag.Diagnostics{diag.NewErrorDiagnostic(summary, checks.Sentence(err.Error())+" "+listHint)}
	}
	return diag.Diagnostics{failures.Diagnostic(summary, err)}
}

// unsearchable finds attributes by which this eNMS cannot search, and returns errors for them, because a search would
// return too many rows, or none. For each doubtful attribute it searches with criteria that no instance meets:
// eNMS ignores them if it returns rows, and cannot search by them if it answers 500.
func (r *lister) unsearchable(ctx context.Context) (diags diag.Diagnostics, err error) {
	unmet := r.list.Unmet()
	for _, attribute := range slices.Sorted(maps.Keys(unmet)) {
		ignored, err := r.Provider.Client.Ignores(ctx, r.list.Type, unmet[attribute])
		switch {
		case err != nil && !enms.InternalServerError(err):
			return nil, err
		case err != nil || ignored:
			diags.Append(r.list.Unsearchable(attribute))
		}
	}
	return diags, nil
}

// relationCriteria returns the criteria of the relations with one name, and separately the relations
// with several names. none is true if a relation has no names, so that nothing can be found. Only a
// search by one name of a relation works, and is fast, on every database (enms-rest.md 10.6). So each
// name of a relation with several names needs a search of its own.
func (r *lister) relationCriteria() (criteria map[string]any, several []lists.Matching, none bool) {
	criteria = map[string]any{}
	for _, m := range r.list.Relations {
		switch len(m.Names) {
		case 0:
			return nil, nil, true
		case 1:
			criteria[m.Attribute] = m.Names
		default:
			several = append(several, m)
		}
	}
	return criteria, several, false
}

// hits has the rows that the searches by one relation have found: a list for each name.
type hits [][]value.Object

// listRows returns the rows that match the criteria. Of a relation with several names, a row must match
// at least one name.
func (r *lister) listRows(ctx context.Context) ([]value.Object, error) {
	related, several, none := r.relationCriteria()
	if none {
		return nil, nil
	}
	if len(several) == 0 {
		rows, err := r.searchList(ctx, related)
		return inAll([]hits{{rows}}), err // without duplicates
	}
	found := make([]hits, len(several))
	searches, searchCtx := errgroup.WithContext(ctx)
	for i, m := range several {
		found[i] = make(hits, len(m.Names))
		for j, name := range m.Names {
			searches.Go(func() (err error) {
				criteria := maps.Clone(related)
				criteria[m.Attribute] = []string{name}
				found[i][j], err = r.searchList(searchCtx, criteria)
				return err
			})
		}
	}
	if err := searches.Wait(); err != nil {
		return nil, err
	}
	return inAll(found), nil
}

// allRows returns the rows that match the criteria, as one page.
func (r *lister) allRows(ctx context.Context) pages {
	return func(yield func([]value.Object, error) bool) { yield(r.listRows(ctx)) }
}

// inAll returns the rows that every relation has found by at least one name. Rows with the same id are the same.
func inAll(relations []hits) []value.Object {
	var common []value.Object
	for i, list := range relations {
		before := map[any]bool{}
		for _, row := range common {
			before[row[kind.RowID]] = true
		}
		seen, now := map[any]bool{}, []value.Object{}
		for _, row := range slices.Concat(list...) {
			if id := row[kind.RowID]; !seen[id] && (i == 0 || before[id]) {
				seen[id], now = true, append(now, row)
			}
		}
		common = now
	}
	return common
}

// criteria returns the criteria of a list and of its relations (related). If eNMS answers 500 to a search by all of
// them, its database may be unable to compare a value with a property that the table does not have. The search is then
// repeated without such properties, which the provider compares itself; certain is nil if there are none.
func (r *lister) criteria(related map[string]any) (all, certain map[string]any) {
	all, certain = r.list.Criteria()
	isCertain := len(all) == len(certain)
	maps.Copy(all, related)
	maps.Copy(certain, related)
	if isCertain {
		return all, nil
	}
	return all, certain
}

// searchList returns all rows of one search.
func (r *lister) searchList(ctx context.Context, related map[string]any) ([]value.Object, error) {
	all, certain := r.criteria(related)
	rows, err := r.Provider.Client.List(ctx, r.list.Type, r.list.Columns(), all)
	if certain != nil && enms.InternalServerError(err) {
		return r.Provider.Client.List(ctx, r.list.Type, r.list.Columns(), certain)
	}
	return rows, err
}

// unknownProperties returns an error for each property of the conditions that eNMS does not have. For those
// that the rows of the search do not have, it lists all instances of the type with them. If there is no
// instance, it finds nothing wrong.
func (r *lister) unknownProperties(ctx context.Context, rows []value.Object) (diags diag.Diagnostics, err error) {
	unproven := r.list.Unproven(rows)
	if len(unproven) == 0 {
		return nil, nil
	}
	every, err := r.Provider.Client.List(ctx, r.list.Type, unproven, map[string]any{})
	if err != nil || len(every) == 0 {
		return nil, err
	}
	still := r.list.Unproven(every)
	for _, name := range unproven {
		if slices.Contains(still, name) {
			diags.Append(r.list.UnknownProperty(name))
		}
	}
	return diags, nil
}

// checkNames returns an error if a relation is searched by a name that differs only in its spelling from
// one that eNMS has: the database may treat the two as the same.
func (r *lister) checkNames(ctx context.Context) error {
	for _, m := range r.list.Relations {
		if m.Of == "" {
			continue
		}
		if err := r.Provider.Client.Spelled(ctx, m.Of, m.Names); err != nil {
			return err
		}
	}
	return nil
}

// rowsByPage returns the rows that match the criteria, page by page, with the columns of their identities.
// Relations with several names take several searches, which must be complete before the first row is returned.
func (r *lister) rowsByPage(ctx context.Context) pages {
	related, several, none := r.relationCriteria()
	if none || len(several) > 0 {
		return r.allRows(ctx)
	}
	all, certain := r.criteria(related)
	search := func(criteria map[string]any) pages {
		return r.Provider.Client.Pages(ctx, r.list.Type, r.list.IdentityColumns(), criteria)
	}
	return func(yield func([]value.Object, error) bool) {
		isFirst := true
		for rows, err := range search(all) {
			if isFirst && certain != nil && enms.InternalServerError(err) {
				search(certain)(yield)
				return
			}
			isFirst = false
			if !yield(rows, err) {
				return
			}
		}
	}
}
