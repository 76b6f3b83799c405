// This file deletes instances.

package enms

import (
	"context"
	"errors"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

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
	untilConsistent(ctx, func() bool {
		deleted, err = deleteOnce(ctx, c, typ, name)
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
func sendDeletion(ctx context.Context, c *Client, typ, name string) (deleted Object, wasLost bool, err error) {
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
func deleteOnce(ctx context.Context, c *Client, typ, name string) (deleted Object, err error) {
	deleted, wasLost, err := sendDeletion(ctx, c, typ, name)
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
