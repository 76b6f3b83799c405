// Deletions: one request each, and a look whether the instance is gone where the
// answer does not tell.

package enms

import (
	"context"
	"errors"
	"net/http"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// deletionTries is how often a deletion is sent that eNMS answers with 500 although
// the instance is there. Such an answer makes its worker fresh again, so this is
// about how many workers may be stale at a time.
const deletionTries = 4

// Delete deletes an instance. ErrNotFound when there was none, ErrForbidden
// when the user may not, *RefusedError when eNMS aborts (enms-rest.md 3). When
// an answer was lost, the client looks whether the instance is gone.
func (c *Client) Delete(ctx context.Context, typ, name string) error {
	c.pages.invalidate()
	defer c.pages.invalidate()
	var err error
	c.untilPermitted(ctx, name, func() error {
		err = c.deleteUnlessGone(ctx, typ, name)
		return err
	})
	if err == nil || errors.Is(err, ErrNotFound) {
		c.written.remove(name)
		c.removed.add(name)
	}
	return err
}

// deleteUnlessGone sends a deletion again that eNMS answered with 500, as it does
// on a worker whose snapshot holds relations that are gone, or when somebody else
// deletes the instance at the same time (enms-rest.md 10).
func (c *Client) deleteUnlessGone(ctx context.Context, typ, name string) (err error) {
	for range deletionTries {
		if err = c.deleteOnce(ctx, typ, name); !InternalServerError(err) {
			return err
		}
		switch _, queried := c.queryOne(ctx, typ, "name", name); {
		case errors.Is(queried, ErrNotFound):
			return queried
		case queried != nil:
			return err
		}
	}
	return err
}

// deleteOnce sends one deletion, with its retries.
func (c *Client) deleteOnce(ctx context.Context, typ, name string) error {
	a, err := c.rest.Do(ctx, rest.Request{Method: http.MethodDelete, Path: rest.Path("instance", typ, name)})
	var object Object
	if err == nil {
		object, err = decodeDeletion(typ, name, a)
	}
	switch {
	case err == nil && object["delete_aborted"] == true:
		return newRefusedError("delete", typ, name, rest.OneLine(c.rest.Redact(text(object, "log"), nil)))
	case err == nil:
		return nil
	case lost(err):
		if _, queried := c.queryOne(ctx, typ, "name", name); errors.Is(queried, ErrNotFound) {
			return nil
		}
		return err
	}
	err = c.absentOr(ctx, typ, name, err)
	if a.Lost && errors.Is(err, ErrNotFound) {
		return nil // it was this deletion whose answer was lost
	}
	return err
}

// decodeDeletion reads the answer to a deletion: the instance as it was, or
// that it was aborted. Anything else does not tell that the instance is gone.
func decodeDeletion(typ, name string, a *rest.Answer) (Object, error) {
	object, err := decodeObject(typ, a)
	if err != nil {
		return nil, err
	}
	wrong := func(field, reason string) error {
		return &FieldError{Type: typ, Name: name, Field: field, Reason: reason}
	}
	if aborted, has := object["delete_aborted"]; has {
		if _, ok := aborted.(bool); !ok {
			return nil, wrong("delete_aborted", "of the answer is "+rest.JSONType(aborted)+" where a boolean belongs")
		}
		return object, nil
	}
	if text(object, "name") != name {
		return nil, wrong("name", "is missing or another's in the answer")
	}
	return object, nil
}
