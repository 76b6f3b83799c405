// This file distinguishes instances that do not exist from those that eNMS hides from this user. eNMS
// answers the same for both (enms-rest.md 6.2).

package enms

import (
	"context"
	"errors"
	"fmt"
)

// MaybeHiddenError means that eNMS shows this user no instance with a name, which does not prove
// that there is none.
type MaybeHiddenError struct{ Type, Name string }

func (e *MaybeHiddenError) Error() string {
	return fmt.Sprintf("eNMS shows this user no %s %q: it was deleted, or this user may not read it", e.Type, e.Name)
}

// ProveGone returns nil if an instance that was not found is gone, and *MaybeHiddenError if eNMS may
// hide it from this user. namespace is the type within which its name is unique; id may be empty. Every
// user sees all nodes by their names (enms-rest.md 6.2). For instances of other types, only a user who
// sees everything can know.
func (c *Client) ProveGone(ctx context.Context, typ, namespace, name, id string) error {
	if all, err := c.user.seesAllOf(ctx, c.endpoint, typ); all || err != nil {
		return err
	}
	hides, err := c.endpoint.HidesNodes(ctx)
	if err != nil {
		return err
	}
	if namespace != "node" || hides {
		return &MaybeHiddenError{Type: typ, Name: name}
	}
	for _, find := range []func() (Object, error){
		func() (Object, error) { return c.FindByName(ctx, namespace, name) },
		func() (Object, error) { return hiddenByID(ctx, c, typ, namespace, id) },
	} {
		switch _, err := find(); {
		case err == nil:
			return &MaybeHiddenError{Type: typ, Name: name}
		case !errors.Is(err, ErrNotFound):
			return err
		}
	}
	return nil
}

// hiddenByID finds an instance by its id if this user does not see it as an instance of its type.
func hiddenByID(ctx context.Context, c *Client, typ, namespace, id string) (Object, error) {
	if id == "" {
		return nil, ErrNotFound
	}
	found, err := c.FindByID(ctx, namespace, id)
	if err != nil {
		return nil, err
	}
	if _, err := c.FindByID(ctx, typ, id); !errors.Is(err, ErrNotFound) {
		return nil, errors.Join(ErrNotFound, err)
	}
	return found, nil
}

// IsAdministrator reports whether the user is an administrator. It asks eNMS once.
func (c *Client) IsAdministrator(ctx context.Context) bool {
	return c.user.seesEverything(ctx, c.endpoint)
}
