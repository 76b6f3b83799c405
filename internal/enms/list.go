// This file searches for all instances of a type that meet criteria, at once or page by page. Equal searches at the
// same time share a request.

package enms

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// Search returns the instances of a type that match criteria, which are written as eNMS expects them. Rows have id,
// name, type and the columns. eNMS ignores criteria that it does not know (enms-rest.md 5.2). Equal searches at the same
// time share a request, so callers must not change the rows.
func (c *Client) Search(ctx context.Context, typ string, columns []string, criteria map[string]any) ([]Object, error) {
	return c.questions.searches.Ask(ctx, searchKey{typ, searchText(columns, criteria)}, endpoint.Search{Type: typ, Columns: columns, Criteria: criteria})
}

func newSearches(c *Client) *searches {
	lane := func(key searchKey) string { return key.typ }
	return batch.NewQuestions(c.lanes, endpoint.MaxNames, lane, func(ctx context.Context, _ searchKey, asked []endpoint.Search) []batch.Answer[[]Object] {
		rows, err := c.endpoint.SearchAll(ctx, asked[0]) // all are equal
		return batch.Answers(len(asked), err, func(int) []Object { return rows })
	})
}

// List is Search without the rows of instances that eNMS marks as deleted. Each row has an id. List searches
// again if the rows show an instance that this client has deleted: the answer may come from an old snapshot.
func (c *Client) List(ctx context.Context, typ string, columns []string, criteria map[string]any) (rows []Object, err error) {
	untilConsistent(ctx, func() bool {
		rows, err = c.Search(ctx, typ, columns, criteria)
		return err != nil || !c.showsRemoved(rows)
	})
	if err == nil {
		err = endpoint.CheckListed(typ, rows)
	}
	if err != nil {
		return nil, err
	}
	return undeleted(rows), nil
}

// showsRemoved reports whether a row has the name of an instance that this client has deleted. It does not compare
// types: after the device "x" was deleted, a list with the service "x" is searched again in vain.
func (c *Client) showsRemoved(rows []Object) bool {
	return slices.ContainsFunc(rows, func(row Object) bool { return c.removed.has(endpoint.String(row, "name")) })
}

// errSamePage is the error of Pages for a server that returns the same page each time.
var errSamePage = errors.New("eNMS answers the same instances to every page that it is asked for")

// mostListed is how many instances Pages yields at most.
const mostListed = 1_000_000

// errEndless is the error of Pages for a server that returns more than mostListed instances.
var errEndless = errors.New("eNMS returns page after page")

// Pages yields what List returns, in the order of the ids and page by page, without List's comparison with
// what this client has deleted. If instances are deleted meanwhile, later ones move into pages that were
// read before. Therefore each page begins with the last row of the page before it; if it does not, earlier
// pages are read again. An error is the last item.
func (c *Client) Pages(ctx context.Context, typ string, columns []string, criteria map[string]any) iter.Seq2[[]Object, error] {
	return c.pagesUpTo(ctx, mostListed, typ, columns, criteria)
}

// pagesUpTo is Pages for up to most instances. It also bounds how many pages it reads, again or not.
func (c *Client) pagesUpTo(ctx context.Context, most int, typ string, columns []string, criteria map[string]any) iter.Seq2[[]Object, error] {
	return func(yield func([]Object, error) bool) {
		seen := map[string]bool{} // by id
		start := 0
		back := false // the page was read before, so that it may show nothing new
		for pages := 1; ; pages++ {
			rows, err := c.page(ctx, endpoint.Search{Type: typ, Columns: columns, Criteria: criteria, Start: start, Limit: cache.PageRows})
			if err != nil {
				yield(nil, err)
				return
			}
			newRows := notIn(seen, rows)
			switch {
			case len(seen) > most || pages > 2*most/cache.PageRows:
				yield(nil, fmt.Errorf("%w: %d instances in %d pages", errEndless, len(seen), pages))
				return
			case start > 0 && len(newRows) == len(rows): // the pages do not overlap: an earlier instance was deleted
				start, back = max(0, start-cache.PageRows), true
				continue
			case len(newRows) == 0 && len(rows) >= cache.PageRows && !back:
				yield(nil, errSamePage)
				return
			}
			for _, row := range newRows {
				seen[endpoint.IDText(row["id"])] = true
			}
			if !yield(undeleted(newRows), nil) || len(rows) < cache.PageRows {
				return
			}
			start, back = start+len(rows)-1, false
		}
	}
}

// page makes one search of Pages. Each row has an id.
func (c *Client) page(ctx context.Context, s endpoint.Search) ([]Object, error) {
	rows, err := c.endpoint.Search(ctx, s)
	if err == nil {
		err = endpoint.CheckListed(s.Type, rows)
	}
	return rows, err
}

// notIn returns the rows whose ids were not seen, one for each id.
func notIn(seen map[string]bool, rows []Object) (newRows []Object) {
	here := map[string]bool{}
	for _, row := range rows {
		if id := endpoint.IDText(row["id"]); !seen[id] && !here[id] {
			here[id] = true
			newRows = append(newRows, row)
		}
	}
	return newRows
}

// undeleted returns the rows of instances that eNMS does not mark as deleted.
func undeleted(rows []Object) []Object {
	return slices.DeleteFunc(slices.Clone(rows), endpoint.Deleted)
}
