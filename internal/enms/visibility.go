// This file tells instances that are gone from those that eNMS hides from this user: it answers
// alike for both (enms-rest.md 6.2).

package enms

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// MaybeHiddenError means that eNMS shows this user no instance with a name, which does not prove
// that there is none.
type MaybeHiddenError struct{ Type, Name string }

func (e *MaybeHiddenError) Error() string {
	return fmt.Sprintf("eNMS shows this user no %s %q: it was deleted, or this user may not read it", e.Type, e.Name)
}

// hiddenFromNobody are the types whose instances every user sees (enms-rest.md 6.1): eNMS checks no
// rights on edges.
var hiddenFromNobody = []string{"user", "group", "workflow_edge"}

// ProveGone returns nil if an instance that was not found is gone, and *MaybeHiddenError if eNMS may
// hide it from this user. namespace is the type within which its name is unique; id may be empty.
// Every user sees all nodes under their names (enms-rest.md 6.2). Other types prove something only
// to a user who sees everything.
func (c *Client) ProveGone(ctx context.Context, typ, namespace, name, id string) error {
	if all, err := c.seesAllOf(ctx, typ); all || err != nil {
		return err
	}
	if namespace != "node" || c.endpoint.KnownType(namespace) != namespace { // without nodes, eNMS hides devices
		return &MaybeHiddenError{Type: typ, Name: name}
	}
	for _, find := range []func() (Object, error){
		func() (Object, error) { return c.FindByName(ctx, namespace, name) },
		func() (Object, error) { return c.hiddenByID(ctx, typ, namespace, id) },
	} {
		switch _, err := find(); {
		case err == nil, InternalServerError(err) && c.endpoint.LacksNode(ctx, namespace):
			return &MaybeHiddenError{Type: typ, Name: name}
		case !errors.Is(err, ErrNotFound):
			return err
		}
	}
	return nil
}

// hiddenByID finds an instance by its id if this user does not see it as an instance of its type.
func (c *Client) hiddenByID(ctx context.Context, typ, namespace, id string) (Object, error) {
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

// older is a service that every eNMS has had since before its groups.
const older = "[Shared] Placeholder"

// seesAllOf reports whether eNMS hides no instance of a type from this user: an administrator, or
// a member of a group with force_read_access. eNMS adds such a group only to the rights of what is
// written after it, so the user must see older, too. It asks eNMS once.
func (c *Client) seesAllOf(ctx context.Context, typ string) (bool, error) {
	if slices.Contains(hiddenFromNobody, typ) || c.seesEverything(ctx) {
		return true, nil
	}
	if forced := c.forcedRead.Load(); forced != nil {
		return *forced, nil
	}
	groups, err := c.Search(ctx, "group", []string{"force_read_access"}, map[string]any{"users": []string{c.username}})
	if err != nil {
		return false, err
	}
	forced := slices.ContainsFunc(groups, func(group Object) bool { return group["force_read_access"] == true })
	if forced {
		if _, err := c.FindByName(ctx, "service", older); err != nil && !errors.Is(err, ErrNotFound) {
			return false, err
		} else if err != nil {
			forced = false
		}
	}
	c.forcedRead.Store(&forced)
	return forced, nil
}
