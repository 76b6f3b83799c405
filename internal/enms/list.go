// Lists: all instances of a type that meet criteria, in one search.

package enms

import (
	"context"
	"slices"
)

// List is Search without instances that are deleted. It asks again when what this
// client has deleted is among them.
func (c *Client) List(ctx context.Context, typ string, columns []string, criteria map[string]any) (rows []Object, err error) {
	UntilConsistent(ctx, func() bool {
		rows, err = c.Search(ctx, typ, columns, criteria)
		return err != nil || !slices.ContainsFunc(rows, func(row Object) bool { return c.removed.has(text(row, "name")) })
	})
	return slices.DeleteFunc(slices.Clone(rows), func(row Object) bool { return deleted(row) }), err
}

// Ignores tells whether eNMS takes no notice of criteria that no instance meets, which
// it does when it does not know what they are about (enms-rest.md 5.2).
func (c *Client) Ignores(ctx context.Context, typ string, criteria map[string]any) (bool, error) {
	rows, err := c.search(ctx, search{typ: typ, criteria: criteria, limit: 1})
	return len(rows) > 0, err
}
