// This file finds the instances of a batch, by searches for exactly their names or ids, or by pages of
// their type.

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

// findBatch answers finds: first from the known rows of the type, then from further pages of it
// as long as those are due, then by searches.
func findBatch(ctx context.Context, c *Client, rows *cache.Rows, typ string, operations []*operation) {
	for {
		for _, o := range operations {
			if row, err := rows.LookUp(typ, o.name, o.columns); row != nil || err != nil {
				o.row = row
				o.Finish(err)
			}
		}
		if operations = batch.Pending(operations); len(operations) == 0 {
			return
		}
		next, _, due := rows.Next(typ)
		if !due {
			break
		}
		if err := fetchPage(ctx, c, rows, typ, next); err != nil {
			batch.FinishAll(operations, err)
			return
		}
	}
	findBySearch(ctx, c, rows, typ, operations)
}

// fetchPage reads a page. One damaged row makes eNMS answer 500 to every request that includes it
// (enms-rest.md 5.1): then the type is no longer read by pages.
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

// findBySearch answers finds by searches for their names or ids. It counts the searches in rows,
// and keeps what they find there if these rows keep the results of searches.
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

// searchFor searches for instances by their exact names or ids, as column says, and by further
// criteria, in as many searches as necessary. If eNMS refuses a search, because of a name that
// the database cannot compare or of a damaged row, it is split in halves until the value at fault
// is alone.
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

// searchNames finds instances by their exact names. Rows whose identity is
// malformed count as absent.
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

// slackRows is how many rows a search may return beyond two for each name: databases that
// ignore case match more than was asked for.
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
