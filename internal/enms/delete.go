// This file deletes, and finds out which instances can be deleted at once: those that have the
// expected id, and with which eNMS deletes nothing else. Deletions that are under way at the same
// time share these questions. If one page holds the whole type, its answer also serves the
// deletions of the next seconds (knowledge.DeletionAge).

package enms

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

// Deletable reports whether a deletion by name deletes the instance of typ with the id, and nothing
// else: answers that are not older than knowledge.DeletionAge show that exactly this name has the
// id, and that the instance has none of the dependents. If it returns false, the caller must ask
// by itself (FindNow, Related, RelatedByID): something speaks against the deletion, or nothing is
// known.
func (c *Client) Deletable(ctx context.Context, typ, name, id string, along []Dependents) (bool, error) {
	deletions := c.known.Present().Deletions
	deletable, known := deletions.Deletable(typ, name, id, along, time.Now())
	if known {
		return deletable, nil
	}
	if err := c.batcher.Do(ctx, batchKey{action: actDeletable, typ: Type{Name: typ}}, &operation{name: name, id: id, along: along}); err != nil {
		return false, err
	}
	// A write of this client may have dropped the answer meanwhile.
	deletable, known = c.known.Present().Deletions.Deletable(typ, name, id, along, time.Now())
	return deletable && known, nil
}

// deletableBatch asks for what is not known of the instances, in requests at the same time. What
// eNMS answers with 500 stays unknown.
func (c *Client) deletableBatch(ctx context.Context, deletions *knowledge.Deletions, typ string, operations []*operation) {
	now := time.Now()
	look := &clearance{deletions: deletions, asked: deletions.Now(now)}
	var names []string
	keys, columns := map[Dependents][]string{}, map[string][]string{} // columns by type
	for _, o := range operations {
		if !deletions.KnowsID(typ, o.name, now) {
			names = append(names, o.name)
		}
		for _, of := range o.along {
			if deletions.KnowsDependents(of, o.name, o.id, now) {
				continue
			}
			if keys[of] = append(keys[of], of.Key(o.name, o.id)); of.Column != "" && !slices.Contains(columns[of.Type], of.Column) {
				columns[of.Type] = append(columns[of.Type], of.Column)
			}
		}
	}
	var asking questions
	if len(names) > 0 {
		asking.ask(func() error { return c.learnIDs(ctx, look, typ, names) })
	}
	for of, columns := range columns {
		asking.ask(func() error { return c.learnDependents(ctx, look, of, columns, keys) })
	}
	for of, names := range keys {
		if of.Property != "" {
			asking.ask(func() error { return c.learnMembers(ctx, look, of, names) })
		}
	}
	batch.FinishAll(operations, asking.wait())
}

// questions are requests at the same time. The zero value is ready for use.
type questions struct {
	mu      sync.Mutex
	asking  sync.WaitGroup
	refused error
}

func (q *questions) ask(question func() error) {
	q.asking.Go(func() {
		if err := question(); err != nil {
			q.mu.Lock()
			defer q.mu.Unlock()
			q.refused = err
		}
	})
}

// wait returns an error if a question ended with one.
func (q *questions) wait() error {
	q.asking.Wait()
	return q.refused
}

// clearance is when a batch asks, and what keeps the answers.
type clearance struct {
	deletions *knowledge.Deletions
	asked     knowledge.Moment
}

// learnIDs learns which ids the names have, from one page if that holds the whole type.
func (c *Client) learnIDs(ctx context.Context, look *clearance, typ string, names []string) error {
	rows, whole, err := c.wholeType(ctx, typ, nil)
	if err != nil {
		return err
	}
	look.deletions.LearnIDs(typ, look.asked, rows, whole, nil)
	if whole {
		return nil
	}
	for part := range c.searchFor(ctx, typ, "name", names, nil, nil) {
		switch {
		case part.err == nil:
			look.deletions.LearnIDs(typ, look.asked, slices.Collect(maps.Values(part.rows)), false, part.values)
		case !InternalServerError(part.err):
			return part.err
		}
	}
	return nil
}

// wholeType returns all instances of a type if one page holds them. Otherwise whole is false, and
// rows may be some of them; that is remembered, and no page is asked for again.
func (c *Client) wholeType(ctx context.Context, typ string, columns []string) (rows []Object, whole bool, err error) {
	if c.large.has(typ) {
		return nil, false, nil
	}
	rows, err = c.endpoint.Search(ctx, endpoint.Search{Type: typ, Columns: columns, Criteria: map[string]any{}, Limit: knowledge.PageRows})
	if err != nil && !InternalServerError(err) {
		return nil, false, err
	}
	if whole = err == nil && len(rows) < knowledge.PageRows; !whole {
		c.large.add(typ)
	}
	return rows, whole, nil
}

// learnDependents learns the dependents of one type, which hold ids in columns: those of all
// instances if one page holds the whole type, and otherwise those of the ids in keys.
func (c *Client) learnDependents(ctx context.Context, look *clearance, typ string, columns []string, keys map[Dependents][]string) error {
	rows, whole, err := c.wholeType(ctx, typ, columns)
	if err != nil {
		return err
	}
	var asking questions
	for of, ids := range keys {
		switch {
		case of.Type != typ || of.Column == "":
		case whole:
			look.learn(of, rows, nil)
		default:
			asking.ask(func() error { return c.learnDependentsOf(ctx, look, of, ids) })
		}
	}
	return asking.wait()
}

// learnDependentsOf is learnDependents for some ids of one column.
func (c *Client) learnDependentsOf(ctx context.Context, look *clearance, of Dependents, ids []string) error {
	for _, ids := range endpoint.Chunks(ids) {
		rows, err := c.searchByID(ctx, of.Type, of.Column, ids)
		switch {
		case err == nil:
			look.learn(of, rows, ids)
		case !InternalServerError(err):
			return err
		}
	}
	return nil
}

// learn keeps the dependents of the instances with the ids, or of all instances if ids is nil. It
// keeps nothing if a row lacks the column: eNMS omits columns that it does not know, and ignores
// criteria for them (enms-rest.md 5.2).
func (l *clearance) learn(of Dependents, rows []Object, ids []string) {
	if endpoint.CheckNamed(of.Type, rows) != nil || slices.ContainsFunc(rows, func(row Object) bool { _, has := row[of.Column]; return !has }) {
		return
	}
	l.deletions.LearnDependents(of, l.asked, rows, ids == nil, ids, func(row Object) []string {
		return []string{endpoint.IDText(row[of.Column])}
	})
}

// learnMembers learns whether instances have dependents by a relation to many. The rows do not
// tell whose they are, so each row counts for all of the names.
func (c *Client) learnMembers(ctx context.Context, look *clearance, of Dependents, names []string) error {
	rows, err := c.endpoint.SearchAll(ctx, endpoint.Search{Type: of.Type, Names: len(names), Criteria: anyOf(of.Property, names)})
	switch {
	case err == nil:
		look.deletions.LearnDependents(of, look.asked, rows, false, names, func(Object) []string { return names })
	case !InternalServerError(err):
		return err
	}
	return nil
}

// MostDeletions is how many deletions are under way at the same time, as many as Terraform begins by
// default; further callers of Delete wait. On SQLite, each of them locks the database, and with 25 at
// a time, eNMS answered some with 500 (enms-rest.md 7).
const MostDeletions = 10

// Delete deletes an instance and returns it as it was, with its relations as objects, or nil if
// the answer was lost. The error is ErrNotFound if there was no such instance, ErrForbidden if
// the user may not delete it, and a *RefusedError if eNMS aborts the deletion (enms-rest.md 3).
// The request is repeated if eNMS answers 403 or 500 although the instance exists. It does so on
// a worker whose snapshot lacks the instance or contains relations that are gone, and when
// somebody else deletes the instance at the same time (enms-rest.md 10).
func (c *Client) Delete(ctx context.Context, typ, name string) (deleted Object, err error) {
	c.known.Deleting()
	untilConsistent(ctx, c.triesFor(name), func() bool {
		deleted, err = c.deleteOnce(ctx, typ, name)
		return !errors.Is(err, ErrForbidden) && !InternalServerError(err)
	})
	if err == nil || errors.Is(err, ErrNotFound) {
		c.written.remove(name)
		c.removed.add(name)
		c.known.Deleted(typ, name)
		return deleted, err
	}
	c.Forget() // it may have changed anything
	return deleted, err
}

// sendDeletion sends one deletion, with its retries, when it is its turn. An interrupt before that
// keeps it from being sent; afterwards, it has the grace period.
func (c *Client) sendDeletion(ctx context.Context, typ, name string) (deleted Object, wasLost bool, err error) {
	if err := c.deleting.Acquire(ctx); err != nil {
		return nil, false, &unsentError{err}
	}
	defer c.deleting.Release()
	if err := ctx.Err(); err != nil {
		return nil, false, &unsentError{err}
	}
	ctx, done := c.WithGrace(ctx)
	defer done()
	return c.endpoint.Delete(ctx, typ, name)
}

// deleteOnce sends one deletion, with its retries. If the answer does not tell whether the
// instance is gone, it looks for it.
func (c *Client) deleteOnce(ctx context.Context, typ, name string) (deleted Object, err error) {
	deleted, wasLost, err := c.sendDeletion(ctx, typ, name)
	ctx, done := c.WithGrace(ctx)
	defer done()
	switch {
	case errors.Is(err, ErrForbidden):
		err = c.absentOr(ctx, typ, name, err)
	case endpoint.Lost(err), InternalServerError(err):
		if gone := c.absentOr(ctx, typ, name, err); errors.Is(gone, ErrNotFound) {
			err = gone
		}
	}
	if wasLost && errors.Is(err, ErrNotFound) {
		return nil, nil // an earlier attempt, whose answer was lost, deleted it
	}
	return deleted, err
}
