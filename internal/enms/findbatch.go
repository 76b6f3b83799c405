// This file finds the instances of a batch: by searches for their names or ids, or in pages of their
// type.

package enms

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// findBatch answers finds: first from the known rows of the type, then from further pages of the type as
// long as a page is worth its request, then by searches. A find that may use nothing that was read
// before is answered by a search.
func findBatch(ctx context.Context, c *Client, rows *cache.Rows, typ string, operations []*operation) {
	isNow := func(o *operation) bool { return o.now }
	for !All(operations, isNow) {
		for _, o := range operations {
			if row, err := rows.LookUp(typ, o.name, o.columns); !o.now && (row != nil || err != nil) {
				o.row = row
				o.Finish(err)
			}
		}
		operations = batch.Pending(operations)
		next, _, due := rows.Next(typ)
		if !due || All(operations, isNow) {
			break
		}
		if err := fetchPage(ctx, c, rows, typ, next); err != nil {
			batch.FinishAll(operations, err)
			return
		}
	}
	findBySearch(ctx, c, rows, typ, operations)
}

// fetchPage reads a page of a type. If eNMS answers 500, because it does so to every request that
// includes a damaged row (enms-rest.md 5.1), the type is no longer read by pages.
func fetchPage(ctx context.Context, c *Client, into *cache.Rows, typ string, next cache.Page) error {
	ids := c.store.Current().IDs
	rows, err := c.endpoint.Search(ctx, endpoint.Search{
		Type: typ, Columns: next.Columns(), Criteria: withCriteria(nil, into.Criteria), Start: next.Start, Limit: cache.PageRows,
	})
	switch {
	case err == nil:
		into.Add(typ, next, rows)
		ids.LearnNames(typ, rows)
	case InternalServerError(err):
		into.Disable(typ)
		return nil
	}
	return err
}

// findBySearch answers finds by searches for their names or ids. It counts the searches in rows, and
// adds what they find to rows if rows keeps the results of searches.
func findBySearch(ctx context.Context, c *Client, rows *cache.Rows, typ string, operations []*operation) {
	var columns []string
	for _, o := range operations {
		columns = append(columns, o.columns...)
	}
	ids := c.store.Current().IDs
	same, values := groupByName(operations)
	for part := range searchFor(ctx, c.endpoint, typ, rows.Column, values, columns, rows.Criteria) {
		ids.LearnNames(typ, slices.Collect(maps.Values(part.rows)))
		rows.Searched(typ)
		rows.Keep(typ, part.rows)
		for _, value := range part.values {
			row, err := part.rows[value], part.err
			switch {
			case err != nil:
			case row == nil || endpoint.Deleted(row):
				err = cache.ErrUnconfirmed
			default:
				err = endpoint.CheckIdentity(typ, row)
			}
			for _, o := range same[value] {
				o.row = maps.Clone(row)
				o.Finish(err)
			}
		}
	}
}

// rowsOfValues is the result of one search: the names or ids that were searched for, and their
// rows.
type rowsOfValues struct {
	values []string
	rows   map[string]Object
	err    error
}

// searchFor searches for instances by their exact names or ids, as column says, and by further criteria,
// in as many searches as necessary. eNMS refuses a search if the database cannot compare one of the
// names, or if it meets a damaged row. Then searchFor splits the search in halves, until the name or id
// at fault is alone.
func searchFor(ctx context.Context, e *endpoint.Client, typ, column string, values, columns []string, criteria map[string]any) iter.Seq[rowsOfValues] {
	return func(yield func(rowsOfValues) bool) {
		for parts := endpoint.Chunks(values); len(parts) > 0; {
			part := rowsOfValues{values: parts[0]}
			parts = parts[1:]
			part.rows, part.err = searchChunk(ctx, e, typ, column, part.values, columns, criteria)
			if half := len(part.values) / 2; InternalServerError(part.err) && half > 0 {
				parts = append([][]string{part.values[:half], part.values[half:]}, parts...)
			} else if !yield(part) {
				return
			}
		}
	}
}

// searchNames finds instances by their exact names. It leaves out rows without a valid id, name and
// type.
func searchNames(ctx context.Context, e *endpoint.Client, typ string, names, columns []string) (map[string]Object, error) {
	found := map[string]Object{}
	for part := range searchFor(ctx, e, typ, "name", names, columns, nil) {
		if part.err != nil {
			return nil, part.err
		}
		for name, row := range part.rows {
			if endpoint.CheckIdentity(typ, row) == nil {
				found[name] = row
			}
		}
	}
	return found, nil
}

// slackRows is how many rows a search may return beyond two for each name. Databases that ignore case
// find more than was searched for.
const slackRows = 1000

func searchChunk(ctx context.Context, e *endpoint.Client, typ, column string, values, columns []string, criteria map[string]any) (map[string]Object, error) {
	rows, err := e.Search(ctx, endpoint.Search{
		Type: typ, Columns: columns, Limit: 2*len(values) + slackRows, Names: len(values),
		Criteria: withCriteria(map[string]any{column: endpoint.Pattern(values), column + "_filter": "regex"}, criteria),
	})
	return endpoint.RowsBy(column, rows, values), err
}

func withCriteria(criteria, further map[string]any) map[string]any {
	all := map[string]any{}
	maps.Copy(all, criteria)
	maps.Copy(all, further)
	return all
}
