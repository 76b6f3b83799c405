// This file deletes instances. Before, Deletable finds out, in requests that callers share, which
// instances have the expected id and nothing that eNMS deletes with them. Whatever is unclear is decided by
// the caller, which also refuses deletions (resources/instance/delete.go). If one page holds the whole
// type, its answer also serves the deletions of the next seconds (cache.DeletionAge).

package enms

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// MostDeletions is how many deletions are under way at the same time: as many as Terraform begins by
// default. Further callers of Delete wait. On SQLite, each deletion locks the database, and with 25 at a
// time, eNMS answered some with 500 (enms-rest.md 7).
const MostDeletions = 10

// Delete deletes an instance and returns it as it was, with its relations as objects, or nil if the answer was lost.
// The error is ErrNotFound if there was no such instance, ErrForbidden if the user cannot delete it, and a
// *RefusedError if eNMS aborts the deletion (enms-rest.md 3). The request is repeated if eNMS does not find an instance
// that this client has written, or answers 403 or 500 although the instance exists: the snapshot of a worker might not
// have the instance, or may have relations that are gone, or somebody else deletes the instance at the same time
// (enms-rest.md 10).
func (c *Client) Delete(ctx context.Context, typ, name string) (deleted Object, err error) {
	c.store.Deleting()
	wasLost := false
	untilConsistent(ctx, func() bool {
		var lost bool
		deleted, lost, err = deleteOnce(ctx, c, typ, name)
		wasLost = wasLost || lost
		return !errors.Is(err, ErrForbidden) && !InternalServerError(err) && !c.missesOwnWrite(name, err)
	})
	isAbsent := errors.Is(err, ErrNotFound)
	if err != nil && !isAbsent {
		c.Forget() // it may have changed anything
		return deleted, err
	}
	c.written.remove(name)
	c.removed.add(name)
	c.store.Deleted(typ, name)
	if isAbsent && wasLost {
		return nil, nil // an attempt whose answer was lost deleted it
	}
	return deleted, err
}

// deleteOnce sends one deletion, with its retries, as soon as fewer than MostDeletions are under way. If
// Terraform is interrupted before, the deletion is not sent; if it is interrupted afterwards, the deletion
// has the grace period. If the answer does not show whether the instance is gone, deleteOnce asks for it.
// lost reports whether an answer was lost.
func deleteOnce(ctx context.Context, c *Client, typ, name string) (deleted Object, lost bool, err error) {
	if err := c.deleting.Acquire(ctx); err != nil {
		return nil, false, &unsentError{err}
	}
	defer c.deleting.Release()
	if err := ctx.Err(); err != nil { // Acquire might not have noticed it
		return nil, false, &unsentError{err}
	}
	ctx, done := c.WithGrace(ctx)
	defer done()
	deleted, lost, err = c.endpoint.Delete(ctx, typ, name)
	switch {
	case errors.Is(err, ErrForbidden):
		err = absentOr(ctx, c.endpoint, typ, name, err)
	case endpoint.Lost(err), InternalServerError(err):
		if gone := absentOr(ctx, c.endpoint, typ, name, err); errors.Is(gone, ErrNotFound) {
			err = gone
		}
	}
	return deleted, lost, err
}

// Deletable reports whether a deletion by name deletes the instance of typ with the id, and nothing
// else: answers that are not older than cache.DeletionAge show that exactly this name has the id, and
// that the instance has no dependents in any of the ways of along. If it returns false, the caller must
// make its own requests (FindNow, Related, RelatedByID), because something speaks against the deletion, or
// nothing is known.
func (c *Client) Deletable(ctx context.Context, typ, name, id string, along []Dependents) (bool, error) {
	if id == "" {
		return false, nil
	}
	d := deletion{name: name, id: id, along: along}
	if len(d.openQuestions(c.store.Current().Deletions, typ)) > 0 {
		if _, err := c.questions.deletable.Ask(ctx, typ, d); err != nil {
			return false, err
		}
	}
	// A write of this client may have dropped the answers meanwhile.
	deletions := c.store.Current().Deletions
	names, known := deletions.Referring(cache.Question{Type: typ, Field: "id"}, id)
	if !known || !slices.Equal(names, []string{name}) {
		return false, nil
	}
	for _, of := range along {
		names, known := deletions.Referring(cache.Question{Type: of.Type, Field: of.Field()}, of.Key(name, id))
		stays := func(name string) bool { return of.Except != "" && strings.HasPrefix(name, of.Except) }
		if !known || len(slices.DeleteFunc(names, stays)) > 0 {
			return false, nil
		}
	}
	return true, nil
}

func newDeletable(c *Client) *deletable {
	return batch.NewQuestions(c.lanes, endpoint.MaxNames, laneOfType, func(ctx context.Context, typ string, asked []deletion) []batch.Answer[struct{}] {
		err := learnDeletable(ctx, c, c.store.Current().Deletions, typ, asked)
		return batch.Answers(len(asked), err, func(int) (none struct{}) { return none })
	})
}

// openQuestions returns what Deletable needs to know and has no recent answer to: which name has the id, which is
// asked for as a dependent by the column id; and for each of along, which dependents the instance has.
func (d deletion) openQuestions(deletions *cache.Deletions, typ string) []Dependents {
	all := append([]Dependents{{Type: typ, Column: "id"}}, d.along...)
	return slices.DeleteFunc(all, func(of Dependents) bool {
		_, known := deletions.Referring(cache.Question{Type: of.Type, Field: of.Field()}, of.Key(d.name, d.id))
		return known
	})
}

// learnDeletable asks eNMS what is not yet known about deletions, in requests at the same time. If eNMS cannot answer a
// question, it stays unknown.
func learnDeletable(ctx context.Context, c *Client, deletions *cache.Deletions, typ string, asked []deletion) error {
	idsOf := map[string]map[string][]string{}  // the ids to ask for, by type and column
	relations := map[cache.Question][]string{} // the names to ask for
	for _, d := range asked {
		for _, dependents := range d.openQuestions(deletions, typ) {
			if dependents.Property != "" {
				q := cache.Question{Type: dependents.Type, Field: dependents.Property}
				relations[q] = append(relations[q], d.name)
				continue
			}
			columns := idsOf[dependents.Type]
			if columns == nil {
				columns = map[string][]string{}
				idsOf[dependents.Type] = columns
			}
			columns[dependents.Column] = append(columns[dependents.Column], d.id)
		}
	}
	var questions []func() error
	for inType, columns := range idsOf {
		questions = append(questions, func() error { return learnColumns(ctx, c, deletions, inType, columns) })
	}
	for q, names := range relations {
		questions = append(questions, func() error { return learnRelated(ctx, c, deletions, q, names) })
	}
	return together(questions)
}

// learnColumns learns which instances of a type contain which ids in which columns. It reads a page, and
// if that is not the whole type, it searches for the ids.
func learnColumns(ctx context.Context, c *Client, deletions *cache.Deletions, typ string, columns map[string][]string) error {
	asked := time.Now()
	rows, whole, err := wholeType(ctx, c, typ, slices.Collect(maps.Keys(columns)))
	if err != nil {
		return err
	}
	var searches []func() error
	for column, ids := range columns {
		q := cache.Question{Type: typ, Field: column}
		if whole {
			recordIDs(deletions, q, asked, nil, rows)
			continue
		}
		for _, part := range endpoint.Chunks(ids) {
			searches = append(searches, func() error {
				asked := time.Now()
				rows, err := searchByID(ctx, c.endpoint, typ, column, part)
				if err == nil {
					recordIDs(deletions, q, asked, part, rows)
				}
				return unlessOpen(err)
			})
		}
	}
	return together(searches)
}

// recordIDs records which rows have which ids in the column of a question. ids are those that were asked for, nil
// if the rows are the whole type. It records nothing if a row does not have the column: eNMS omits columns
// that it does not know, and ignores criteria for them (enms-rest.md 5.2).
func recordIDs(deletions *cache.Deletions, q cache.Question, asked time.Time, ids []string, rows []Object) {
	if q.Field == "id" { // without names that occur twice
		rows = slices.Collect(maps.Values(endpoint.RowsBy("name", rows, nil)))
	}
	names := map[string][]string{}
	for _, row := range rows {
		if _, has := row[q.Field]; !has {
			return
		}
		if q.Field != "id" || !endpoint.Deleted(row) {
			id := endpoint.IDText(row[q.Field])
			names[id] = append(names[id], endpoint.String(row, "name"))
		}
	}
	deletions.Learn(q, asked, ids, names)
}

// learnRelated learns which instances have any of the names in a relation to many. The rows do not show
// which of the names an instance has, so each row counts for all names.
func learnRelated(ctx context.Context, c *Client, deletions *cache.Deletions, q cache.Question, names []string) error {
	asked := time.Now()
	rows, err := c.endpoint.SearchAll(ctx, endpoint.Search{Type: q.Type, Names: len(names), Criteria: anyOf(q.Field, names)})
	if err == nil {
		referring := map[string][]string{}
		for _, name := range names {
			referring[name] = namesOf(rows)
		}
		deletions.Learn(q, asked, names, referring)
	}
	return unlessOpen(err)
}

// unlessOpen returns err, unless it only leaves a question open: a 500 of eNMS, or a row without a name.
func unlessOpen(err error) error {
	if InternalServerError(err) || rest.Is[*FieldError](err) {
		return nil
	}
	return err
}

// together makes calls at the same time, and returns the error of the first of them that has failed: with the same cause,
// such as a missing right, each says the same.
func together(calls []func() error) error {
	errs := make([]error, len(calls))
	var all sync.WaitGroup
	for i, call := range calls {
		all.Go(func() { errs[i] = call() })
	}
	all.Wait()
	return cmp.Or(errs...)
}

// wholeType returns all instances of a type if one page contains them. Otherwise, and if the request fails,
// whole is false, which is remembered, so that no page of the type is read again.
func wholeType(ctx context.Context, c *Client, typ string, columns []string) (rows []Object, whole bool, err error) {
	if c.large.has(typ) {
		return nil, false, nil
	}
	rows, err = c.endpoint.SearchNamed(ctx, endpoint.Search{Type: typ, Columns: columns, Limit: cache.PageRows})
	whole = err == nil && len(rows) < cache.PageRows
	if !whole {
		c.large.add(typ)
	}
	return rows, whole, unlessOpen(err)
}
