// Find: reads of single instances that are under way at the same time become one search
// for exactly their names, or for a page of their type.

package enms

import (
	"context"
	"errors"
	"iter"
	"maps"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

// slackRows is what a search may answer beyond two rows a name: databases that
// ignore case match more than was asked for.
const slackRows = 1000

// Find reads one instance by its exact name, with at least the columns id, type,
// name and those given, as far as a search returns them (enms-rest.md 5.2). typ
// is best the base type, such as "service". ErrNotFound only after it was asked
// for alone. The values in the answer must not be changed: others may share them.
func (c *Client) Find(ctx context.Context, typ, name string, columns []string) (Object, error) {
	return c.find(ctx, actFind, typ, name, columns)
}

// FindNow is Find for what changes by itself: nothing that was read before is
// given as the answer.
func (c *Client) FindNow(ctx context.Context, typ, name string, columns []string) (Object, error) {
	return c.find(ctx, actFindNow, typ, name, columns)
}

// FindUntil is Find, repeated while agrees reports that the answer contradicts what this
// client has written: another process of the same eNMS may not know of it yet (enms-rest.md
// 10). The last answer is returned, whether it agrees or not.
func (c *Client) FindUntil(ctx context.Context, typ, name string, columns []string, agrees func(Object) bool) (Object, error) {
	find := c.Find
	return repeatRead(ctx, func() (Object, error) {
		defer func() { find = c.FindNow }()
		return find(ctx, typ, name, columns)
	}, agrees)
}

// FindNowUntil is FindUntil for FindNow.
func (c *Client) FindNowUntil(ctx context.Context, typ, name string, columns []string, agrees func(Object) bool) (Object, error) {
	return repeatRead(ctx, func() (Object, error) { return c.FindNow(ctx, typ, name, columns) }, agrees)
}

// NameOf returns the name of the instance of typ that has an id, or ErrNotFound. Callers
// with the same typ share a search, and what is found is kept until a write that may
// change it.
func (c *Client) NameOf(ctx context.Context, typ, id string) (string, error) {
	row, err := c.find(ctx, actFindByID, typ, id, nil)
	return endpoint.String(row, "name"), err
}

// find finds one instance by its name or id, as the action's pages have it.
func (c *Client) find(ctx context.Context, action action, typ, value string, columns []string) (row Object, err error) {
	row, err = c.findTogether(ctx, action, typ, value, columns)
	if errors.Is(err, knowledge.ErrUnconfirmed) {
		column := c.rowsFor(c.known.Present(), batchKey{action: action}).Column
		row, err = c.queryOne(ctx, typ, column, value)
		if column == "id" && InternalServerError(err) {
			return nil, &NotFoundError{Type: typ, Name: value} // PostgreSQL cannot hold such an id
		}
	}
	return row, err
}

// findTogether is find without the request for the instance alone: the error of one that an
// answer about many lacks is knowledge.ErrUnconfirmed.
func (c *Client) findTogether(ctx context.Context, action action, typ, value string, columns []string) (row Object, err error) {
	key := batchKey{action: action, typ: Type{Name: typ}}
	rows := c.rowsFor(c.known.Present(), key)
	if c.uncoalesced {
		return c.queryOne(ctx, typ, rows.Column, value)
	}
	if action != actFindNow {
		row, err = rows.Find(typ, value, columns)
	}
	if row == nil && err == nil {
		o := &operation{name: value, columns: columns}
		if err = c.batcher.Do(ctx, key, o); err == nil {
			row = o.row // who leaves early must not look at it
		}
	}
	return row, err
}

// rowsFor returns the rows by which finds of a key are answered.
func (c *Client) rowsFor(known *knowledge.Knowledge, key batchKey) *knowledge.Rows {
	switch key.action {
	case actFindSpelling:
		return known.Spellings
	case actFindByID:
		return known.IDs
	case actFindUnrelated:
		return known.Unrelated(key.detail)
	default:
		return known.Names
	}
}

// findBatch answers finds, first from the rows of the type that are known, then from further
// pages of it as far as those are due, then by searches.
func (c *Client) findBatch(ctx context.Context, rows *knowledge.Rows, typ string, operations []*operation) {
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
		if err := c.fetchPage(ctx, rows, typ, next); err != nil {
			batch.FinishAll(operations, err)
			return
		}
	}
	c.findBySearch(ctx, rows, typ, operations)
}

// fetchPage fetches a page. One damaged row makes eNMS answer 500 to whatever
// includes it (enms-rest.md 5.1): then the type is not paged any longer.
func (c *Client) fetchPage(ctx context.Context, into *knowledge.Rows, typ string, next knowledge.Page) error {
	rows, err := c.endpoint.Search(ctx, endpoint.Search{
		Type: typ, Columns: next.Columns(), Criteria: withCriteria(nil, into.Criteria), Start: next.Start, Limit: knowledge.PageRows,
	})
	switch {
	case err == nil:
		into.Add(typ, next, rows)
	case InternalServerError(err):
		into.Disable(typ)
		return nil
	}
	return err
}

// findBySearch answers finds by searches for their names or ids, which are counted in
// rows, and kept there where those keep what was found.
func (c *Client) findBySearch(ctx context.Context, rows *knowledge.Rows, typ string, operations []*operation) {
	var columns []string
	for _, o := range operations {
		columns = append(columns, o.columns...)
	}
	same, values := groupByName(operations)
	for part := range c.searchFor(ctx, typ, rows.Column, values, columns, rows.Criteria) {
		rows.Searched(typ)
		rows.Keep(typ, part.rows)
		for _, value := range part.values {
			row, err := part.rows[value], part.err
			switch {
			case err != nil:
			case row == nil || endpoint.Deleted(row):
				err = knowledge.ErrUnconfirmed
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

// rowsOfValues is the answer to a search for names or ids.
type rowsOfValues struct {
	values []string
	rows   map[string]Object
	err    error
}

// searchFor searches for instances by their exact names or ids, as column says, in as
// many searches as it takes, and by further criteria. One that is refused, because of a name
// that the database cannot compare or of a damaged row, is made in halves until that stands
// alone.
func (c *Client) searchFor(ctx context.Context, typ, column string, values, columns []string, criteria map[string]any) iter.Seq[rowsOfValues] {
	return func(yield func(rowsOfValues) bool) {
		for parts := endpoint.Chunks(values); len(parts) > 0; {
			part := rowsOfValues{values: parts[0]}
			parts = parts[1:]
			part.rows, part.err = c.searchChunk(ctx, typ, column, part.values, columns, criteria)
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
func (c *Client) searchNames(ctx context.Context, typ string, names, columns []string) (map[string]Object, error) {
	found := map[string]Object{}
	for part := range c.searchFor(ctx, typ, "name", names, columns, nil) {
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

// searchChunk makes one search for names or ids.
func (c *Client) searchChunk(ctx context.Context, typ, column string, values, columns []string, criteria map[string]any) (map[string]Object, error) {
	rows, err := c.endpoint.Search(ctx, endpoint.Search{
		Type: c.endpoint.KnownType(typ), Columns: columns, Limit: 2*len(values) + slackRows, Names: len(values),
		Criteria: withCriteria(map[string]any{column: endpoint.Pattern(values), column + "_filter": "regex"}, criteria),
	})
	if InternalServerError(err) && c.endpoint.LacksNode(ctx, typ) {
		return c.searchChunk(ctx, typ, column, values, columns, criteria)
	}
	return endpoint.RowsBy(column, rows, values), err
}
