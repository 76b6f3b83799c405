// Deletions: one request each, and a look whether the instance is gone where the
// answer does not tell.

package enms

import (
	"context"
	"errors"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// Delete deletes an instance and returns it as it was, with its relations as objects; nil
// when the answer was lost. ErrNotFound when there was none, ErrForbidden
// when the user may not, *RefusedError when eNMS aborts (enms-rest.md 3). It is
// sent again when eNMS answers 403 or 500 although the instance is there, as it
// does on a worker whose snapshot does not hold the instance, or holds relations
// that are gone, or when somebody else deletes it at the same time (enms-rest.md
// 10).
func (c *Client) Delete(ctx context.Context, typ, name string) (deleted Object, err error) {
	c.Forget()
	defer c.Forget()
	untilConsistent(ctx, c.triesFor(name), func() bool {
		deleted, err = c.deleteOnce(ctx, typ, name)
		return !errors.Is(err, ErrForbidden) && !InternalServerError(err)
	})
	if err == nil || errors.Is(err, ErrNotFound) {
		c.written.remove(name)
		c.removed.add(name)
	}
	return deleted, err
}

// deleteOnce sends one deletion, with its retries, and looks whether the instance
// is gone when the answer does not tell.
func (c *Client) deleteOnce(ctx context.Context, typ, name string) (deleted Object, err error) {
	deleted, wasLost, err := c.endpoint.Delete(ctx, typ, name)
	switch {
	case errors.Is(err, ErrForbidden):
		err = c.absentOr(ctx, typ, name, err)
	case endpoint.Lost(err), InternalServerError(err):
		if gone := c.absentOr(ctx, typ, name, err); errors.Is(gone, ErrNotFound) {
			err = gone
		}
	}
	if wasLost && errors.Is(err, ErrNotFound) {
		return nil, nil // it was this deletion whose answer was lost
	}
	return deleted, err
}
