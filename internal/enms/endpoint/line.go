// This file finds out whether this is eNMS 5, and writes in its words: callers use those of 4.7.

package endpoint

import (
	"context"
	"errors"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// Line returns the line of eNMS. If no answer has shown it yet, it asks for the user, once. If that
// fails, it returns Line4.
func (c *Client) Line(ctx context.Context) int {
	if c.line.number.Load() == 0 {
		_, _ = c.Self(ctx)
	}
	if c.line.number.Load() == Line5 {
		return Line5
	}
	return Line4
}

// Self returns the user that makes the requests, or nil if eNMS does not show it. It asks once. An
// error, such as that of an interrupt or of a gateway, says nothing of the user.
func (c *Client) Self(ctx context.Context) (Object, error) {
	c.line.asking.Lock()
	defer c.line.asking.Unlock()
	if c.line.asked {
		return c.line.self, nil
	}
	rows, err := c.Query(ctx, "user", map[string]string{"name": c.username})
	if err != nil && !errors.Is(err, rest.ErrForbidden) && !rest.InternalServerError(err) {
		return nil, err
	}
	c.line.asked = true
	if err == nil && len(rows) == 1 {
		c.line.self = rows[0]
	}
	return c.line.self, nil
}

// Payload returns a payload for a type as this eNMS takes it.
func (c *Client) Payload(ctx context.Context, typ string, payload Object) Object {
	if !c.line.differs(typ, payload) || c.Line(ctx) != Line5 {
		return payload
	}
	return c.line.like5(typ, payload)
}

// Reference returns the type of the instances that a field of a namespace refers to, or "".
func (c *Client) Reference(namespace, field string) string {
	return c.line.words.References[namespace][field]
}

// LosesNames reports whether eNMS leaves out, without an error, names in lists that it does not have
// or that the user may not read.
func (c *Client) LosesNames(ctx context.Context) bool { return c.Line(ctx) == Line5 }

// StoresFirst reports whether eNMS stores what a write says before it computes what follows from it,
// so that everything may be stored after a 500.
func (c *Client) StoresFirst(ctx context.Context) bool { return c.Line(ctx) == Line5 }

// ResultName returns the name by which eNMS returns the results of a service, of its full name and
// its scoped name.
func (c *Client) ResultName(ctx context.Context, full, scoped string) string {
	if c.Line(ctx) == Line5 {
		return full
	}
	return scoped
}
