// This file distinguishes instances that do not exist from those that eNMS hides from this user. eNMS
// answers the same for both (enms-rest.md 6.2).

package enms

import (
	"context"
	"errors"
	"fmt"
)

// MaybeHiddenError means that eNMS shows this user no instance with a name, which does not prove that there is none.
type MaybeHiddenError struct{ Type, Name string }

func (e *MaybeHiddenError) Error() string {
	return fmt.Sprintf("eNMS shows this user no %s %q: it was deleted, or this user cannot read it", e.Type, e.Name)
}

// ProveGone returns nil if an instance that was not found is gone, and *MaybeHiddenError if eNMS may hide it from
// this user. namespace is the type within which its name is unique; id may be empty. Every user sees all nodes by
// their names (enms-rest.md 6.2), except on eNMS 5 (HidesNodes). Of other instances, only a user who sees
// everything can know whether they exist.
func (c *Client) ProveGone(ctx context.Context, typ, namespace, name, id string) error {
	all, err := c.seesAllOf(ctx, typ)
	if all || err != nil {
		return err
	}
	hides, err := c.endpoint.HidesNodes(ctx)
	if err != nil {
		return err
	}
	if namespace != "node" || hides {
		return &MaybeHiddenError{Type: typ, Name: name}
	}
	hidden, err := exists(c.FindByName(ctx, namespace, name))
	if !hidden && err == nil && id != "" {
		hidden, err = c.hiddenByID(ctx, typ, namespace, id)
	}
	if hidden {
		return &MaybeHiddenError{Type: typ, Name: name}
	}
	return err
}

// hiddenByID reports whether the namespace has an instance with an id that this user does not see as an
// instance of its type: somebody has renamed the instance.
func (c *Client) hiddenByID(ctx context.Context, typ, namespace, id string) (bool, error) {
	if has, err := exists(c.FindByID(ctx, namespace, id)); !has {
		return false, err
	}
	visible, err := exists(c.FindByID(ctx, typ, id))
	return !visible && err == nil, err
}

// exists returns false if a read has found no instance, and passes on its other errors.
func exists(_ Object, err error) (bool, error) {
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}
