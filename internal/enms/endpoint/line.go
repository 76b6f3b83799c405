// This file tells callers in what this line of eNMS differs, and decides whether a payload has to be
// translated. If no answer has shown the line yet (words.go), it asks eNMS.

package endpoint

import (
	"context"
	"errors"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// Line returns the line of eNMS, object.Line4 or object.Line5. If no answer has shown the line yet, Line
// reads the row of the user, once. If eNMS does not return that row, Line returns object.Line4. An
// error means that the request failed.
func (c *Client) Line(ctx context.Context) (int, error) {
	if c.line.number.Load() == 0 {
		if _, err := c.Self(ctx); err != nil {
			return 0, err
		}
	}
	if c.line.number.Load() == object.Line5 {
		return object.Line5, nil
	}
	return object.Line4, nil
}

// is5 reports whether this is eNMS 5. With an error, it is false.
func (c *Client) is5(ctx context.Context) (bool, error) {
	line, err := c.Line(ctx)
	return line == object.Line5, err
}

// Self returns the user that makes the requests, or nil if eNMS does not show it. It asks eNMS once. It
// returns an error if eNMS could not be asked, for example because of an interrupt or a gateway.
func (c *Client) Self(ctx context.Context) (Object, error) {
	c.line.asking.Lock()
	defer c.line.asking.Unlock()
	if c.line.asked {
		return c.line.self, nil
	}
	rows, err := c.query(ctx, "user", map[string]string{"name": c.username})
	if err != nil && !errors.Is(err, rest.ErrForbidden) && !rest.InternalServerError(err) {
		return nil, err
	}
	c.line.asked = true
	if err == nil && len(rows) == 1 {
		c.line.self = rows[0]
	}
	return c.line.self, nil
}

// realType returns a type as this eNMS has it: deviceType in place of nodeType if eNMS hides nodes
// (HidesNodes), and any other type as it is.
func (c *Client) realType(ctx context.Context, typ string) (string, error) {
	if typ != nodeType {
		return typ, nil
	}
	hides, err := c.HidesNodes(ctx)
	if hides {
		return deviceType, err
	}
	return typ, err
}

// HidesNodes reports whether eNMS shows a user only those devices and networks that the user may read.
// It does so if it has no type "node".
func (c *Client) HidesNodes(ctx context.Context) (bool, error) { return c.is5(ctx) }

// Payload returns a payload for a type as this eNMS takes it. It asks for the line only if that matters.
func (c *Client) Payload(ctx context.Context, typ string, payload Object) (Object, error) {
	if !c.line.differs(typ, payload) {
		return payload, nil
	}
	is5, err := c.is5(ctx)
	if !is5 {
		return payload, err
	}
	keepsObjects := false
	if c.line.holdsText(typ, payload) {
		if keepsObjects, err = c.keepsObjects(ctx); err != nil {
			return nil, err
		}
	}
	return c.line.like5(typ, payload, keepsObjects), nil
}

// fieldOf53 is a field that services have since 5.3.
const fieldOf53 = "high_performance"

// keepsObjects reports whether this is 5.2, which stores as objects some fields that 5.3 stores as text.
// It looks at a service that every eNMS has, once. If the user cannot read that service, it counts as one of
// 5.3.
func (c *Client) keepsObjects(ctx context.Context) (bool, error) {
	c.line.asking.Lock()
	defer c.line.asking.Unlock()
	if c.line.service == nil {
		start, err := c.Get(ctx, "service", "[Shared] Start")
		switch {
		case errors.Is(err, rest.ErrForbidden) || errors.Is(err, ErrNotFound):
			start = Object{fieldOf53: nil}
		case err != nil:
			return false, err
		}
		c.line.service = start
	}
	_, has := c.line.service[fieldOf53]
	return !has, nil
}

// Reference returns the type of the instances that a field of a namespace may refer to on eNMS 5, or "" if
// the field is no reference. For devices it is nodeType, because networks are devices there.
func (c *Client) Reference(namespace, field string) string {
	if of := c.line.words.References[namespace][field]; of != deviceType {
		return of
	}
	return nodeType
}

// LosesNames reports whether eNMS leaves out, without an error, names in lists that it does not have
// or that the user cannot read.
func (c *Client) LosesNames(ctx context.Context) (bool, error) { return c.is5(ctx) }

// StoresFirst reports whether eNMS stores the values in a write before it computes what follows from
// them, so that everything may be stored although it answers 500.
func (c *Client) StoresFirst(ctx context.Context) bool {
	is5, _ := c.is5(ctx)
	return is5
}

// ResultName returns the name by which eNMS returns the results of a service: its full name or its scoped name.
func (c *Client) ResultName(ctx context.Context, full, scoped string) (string, error) {
	is5, err := c.is5(ctx)
	if is5 {
		return full, err
	}
	return scoped, err
}
