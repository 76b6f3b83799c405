// This file reads instances by name or id. Reads that are under way at the same time share searches
// for their names or ids, or pages of their type; an instance that is missing in an answer about many is
// asked for alone (single.go).

package enms

import (
	"context"
	"errors"
	"iter"
	"maps"
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

func newFinds(c *Client) *finds {
	lane := func(key findKey) string { return key.typ }
	return batch.NewQuestions(c.lanes, endpoint.MaxNames, lane, func(ctx context.Context, key findKey, asked []find) []batch.Answer[Object] {
		return answerFinds(ctx, c, rowsFor(c.store.Current(), key), key.typ, asked)
	})
}

// Find reads one instance by its exact name, with at least the columns id, type, name and those given, as far as a
// search returns them (enms-rest.md 5.2). typ should be the base type, such as "service". It returns ErrNotFound
// only after eNMS was asked for this instance alone. Callers share the values of the row and must not change them.
func (c *Client) Find(ctx context.Context, typ, name string, columns []string) (Object, error) {
	return c.find(ctx, findKey{typ: typ}, find{value: name, columns: columns})
}

// FindNow is Find for an instance that changes by itself: it does not use what was read before.
func (c *Client) FindNow(ctx context.Context, typ, name string, columns []string) (Object, error) {
	return c.find(ctx, findKey{typ: typ}, find{value: name, columns: columns, now: true})
}

// FindOnce is Find for an instance that a process needs to read only once: it also uses what was read
// before writes of this client. The row has the columns id, type and name.
func (c *Client) FindOnce(ctx context.Context, typ, name string) (Object, error) {
	return c.find(ctx, findKey{typ: typ, by: bySpelling}, find{value: name})
}

// FindTogetherByID is FindByID for callers that share searches. The row has the columns id, type, name and creation_time.
func (c *Client) FindTogetherByID(ctx context.Context, typ, id string) (Object, error) {
	return c.find(ctx, findKey{typ: typ, by: byID}, find{value: id, columns: []string{object.LineField}})
}

// NameOf returns the name of the instance of typ with an id, or ErrNotFound. Callers with the same typ
// share a search. The results are kept until a write that may change them.
func (c *Client) NameOf(ctx context.Context, typ, id string) (string, error) {
	row, err := c.find(ctx, findKey{typ: typ, by: byID}, find{value: id})
	return endpoint.String(row, "name"), err
}

// Known returns id, name and type of an instance of typ, or nil, without a request: as it was read since
// this client last wrote anything that may rename or delete.
func (c *Client) Known(typ, name string) Object { return c.store.Current().IDs.Named(typ, name) }

// find reads one instance: together with those of other callers, or alone if their common answer does not have it.
func (c *Client) find(ctx context.Context, key findKey, asked find) (row Object, err error) {
	row, err = c.findTogether(ctx, key, asked)
	if errors.Is(err, cache.ErrUnconfirmed) {
		column := rowsFor(c.store.Current(), key).Column
		row, err = c.questions.confirmations.Ask(ctx, confirmKey{key.typ, column}, asked.value)
		if column == "id" && InternalServerError(err) {
			return nil, &NotFoundError{Type: key.typ, Name: asked.value} // PostgreSQL cannot hold such an id
		}
	}
	return row, err
}

func newConfirmations(c *Client) *confirmations {
	lane := func(key confirmKey) string { return key.typ + " alone" } // beside the searches of other callers
	return batch.NewQuestions(c.lanes, endpoint.MaxNames, lane, func(ctx context.Context, key confirmKey, asked []string) []batch.Answer[Object] {
		values := sortedSet(asked)
		rows, errs := make([]Object, len(values)), make([]error, len(values))
		var asking sync.WaitGroup
		for i, value := range values {
			asking.Go(func() { rows[i], errs[i] = c.queryOne(ctx, key.typ, key.column, value) })
		}
		asking.Wait()
		found := map[string]batch.Answer[Object]{}
		for i, value := range values {
			found[value] = batch.Answer[Object]{Value: rows[i], Err: errs[i]}
		}
		return batch.AnswersOf(asked, found, maps.Clone)
	})
}

// findTogether is find without a query for the instance alone. If the instance is missing in an answer
// about many instances, the error is cache.ErrUnconfirmed.
func (c *Client) findTogether(ctx context.Context, key findKey, asked find) (row Object, err error) {
	if !asked.now {
		row, err = rowsFor(c.store.Current(), key).Find(key.typ, asked.value, asked.columns)
	}
	if row == nil && err == nil { // otherwise, the rows tell that it is missing, without waiting for other questions
		row, err = c.questions.finds.Ask(ctx, key, asked)
	}
	return row, err
}

// rowsFor returns the known rows in which finds with a key look first.
func rowsFor(known *cache.Cache, key findKey) *cache.Rows {
	switch key.by {
	case bySpelling:
		return known.Spellings
	case byID:
		return known.IDs
	case byUnrelated:
		return known.Unrelated(key.relations)
	default:
		return known.Names
	}
}

// answerFinds answers finds: first from the known rows of the type, then from further pages of the type as
// long as a page is worth its request, then by searches. A find that may use nothing that was read
// before is answered by a search.
func answerFinds(ctx context.Context, c *Client, rows *cache.Rows, typ string, asked []find) []batch.Answer[Object] {
	answers := make([]batch.Answer[Object], len(asked))
	var open []int // the finds without an answer
	for i := range asked {
		open = append(open, i)
	}
	for {
		open = slices.DeleteFunc(open, func(i int) bool {
			if asked[i].now {
				return false
			}
			a := &answers[i]
			a.Value, a.Err = rows.LookUp(typ, asked[i].value, asked[i].columns)
			return a.Value != nil || a.Err != nil
		})
		next, _, due := rows.Next(typ)
		if !due || All(open, func(i int) bool { return asked[i].now }) {
			break
		}
		if err := fetchPage(ctx, c, rows, typ, next); err != nil {
			for _, i := range open {
				answers[i].Err = err
			}
			return answers
		}
	}
	findBySearch(ctx, c, rows, typ, asked, open, answers)
	return answers
}

// fetchPage reads a page of a type. If eNMS answers 500, because it does so to every request that
// includes a damaged row (enms-rest.md 5.1), the type is no longer read by pages.
func fetchPage(ctx context.Context, c *Client, into *cache.Rows, typ string, next cache.Page) error {
	ids := c.store.Current().IDs
	rows, err := c.endpoint.Search(ctx, endpoint.Search{
		Type: typ, Columns: slices.Collect(maps.Keys(next.Columns)), Criteria: into.Criteria, Start: next.Start, Limit: cache.PageRows,
		Once: true,
	})
	if InternalServerError(err) {
		into.Disable(typ)
		return nil
	}
	if err == nil {
		into.Add(typ, next, rows)
		ids.LearnNames(typ, rows)
	}
	return err
}

// findBySearch searches for the names or ids in asked whose indexes are in open, and sets their answers. It tells rows
// about each search (Searched), and lets rows keep what was found (Keep).
func findBySearch(ctx context.Context, c *Client, rows *cache.Rows, typ string, asked []find, open []int, answers []batch.Answer[Object]) {
	var values, columns []string
	for _, i := range open {
		values = append(values, asked[i].value)
		columns = append(columns, asked[i].columns...)
	}
	ids := c.store.Current().IDs
	found := map[string]batch.Answer[Object]{}
	for part := range searchFor(ctx, c.endpoint, typ, rows.Column, sortedSet(values), columns, rows.Criteria) {
		ids.LearnNames(typ, slices.Collect(maps.Values(part.rows)))
		rows.Searched(typ)
		rows.Keep(typ, part.rows)
		for _, value := range part.values {
			row, err := part.rows[value], part.err
			if err == nil && (row == nil || endpoint.Deleted(row)) {
				err = cache.ErrUnconfirmed
			} else if err == nil {
				err = endpoint.CheckIdentity(typ, row)
			}
			found[value] = batch.Answer[Object]{Value: row, Err: err}
		}
	}
	for _, i := range open {
		of := found[asked[i].value]
		answers[i] = batch.Answer[Object]{Value: maps.Clone(of.Value), Err: of.Err}
	}
}

// rowsOfValues is the result of one search: the names or ids that were searched for, and their rows.
type rowsOfValues struct {
	values []string
	rows   map[string]Object
	err    error
}

// searchFor searches for instances by their exact names or ids, as column says, and by additional criteria,
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

// searchNames finds instances by their exact names. It leaves out rows without a valid id, name and type.
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

// searchChunk makes one search of searchFor. more are additional criteria.
func searchChunk(ctx context.Context, e *endpoint.Client, typ, column string, values, columns []string, more map[string]any) (map[string]Object, error) {
	criteria := map[string]any{column: endpoint.Pattern(values), column + "_filter": "regex"}
	maps.Copy(criteria, more)
	rows, err := e.Search(ctx, endpoint.Search{
		Type: typ, Columns: columns, Limit: 2*len(values) + slackRows, Names: len(values),
		Criteria: criteria, Once: len(values) > 1, // searchFor then searches for each half
	})
	return endpoint.RowsBy(column, rows, values), err
}
