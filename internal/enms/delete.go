// This file deletes instances.

package enms

import (
	"context"
	"errors"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// MostDeletions is how many deletions are under way at the same time: as many as Terraform begins by
// default. Further callers of Delete wait. On SQLite, each deletion locks the database, and with 25 at a
// time, eNMS answered some with 500 (enms-rest.md 7).
const MostDeletions = 10

// Delete deletes an instance and returns it as it was, with its relations as objects, or nil if the
// answer was lost. The error is ErrNotFound if there was no such instance, ErrForbidden if the user may
// not delete it, and a *RefusedError if eNMS aborts the deletion (enms-rest.md 3). The request is
// repeated if eNMS answers 403 or 500 although the instance exists: the snapshot of a worker may not
// have the instance, or may have relations that are gone, or somebody else deletes the instance at the
// same time (enms-rest.md 10).
func (c *Client) Delete(ctx context.Context, typ, name string) (deleted Object, err error) {
	c.store.Deleting()
	wasLost := false
	untilConsistent(ctx, func() bool {
		var lost bool
		deleted, lost, err = deleteOnce(ctx, c, typ, name)
		wasLost = wasLost || lost
		return !errors.Is(err, ErrForbidden) && !InternalServerError(err) && !c.misses(name, err)
	})
	if err != nil && !errors.Is(err, ErrNotFound) {
		c.Forget() // it may have changed anything
		return deleted, err
	}
	c.written.remove(name)
	c.removed.add(name)
	c.store.Deleted(typ, name)
	if wasLost && err != nil {
		return nil, nil // an attempt whose answer was lost deleted it
	}
	return deleted, err
}

// deleteOnce sends one deletion, with its retries, as soon as fewer than MostDeletions are under way. If
// Terraform is interrupted before, it is not sent; if it is interrupted afterwards, the deletion has the
// grace period. If the answer does not show whether the instance is gone, deleteOnce looks for it. lost
// reports whether an answer was lost.
func deleteOnce(ctx context.Context, c *Client, typ, name string) (deleted Object, lost bool, err error) {
	if err := c.deleting.Acquire(ctx); err != nil {
		return nil, false, &unsentError{err}
	}
	defer c.deleting.Release()
	if err := ctx.Err(); err != nil {
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
