// Lists: all instances of a type that meet criteria, in one search.

package enms

import (
	"context"
	"encoding/json"
	"slices"
)

// List is Search for instances that are not deleted, each of which has an id. It asks
// again when what this client has deleted is among them.
func (c *Client) List(ctx context.Context, typ string, columns []string, criteria map[string]any) (rows []Object, err error) {
	UntilConsistent(ctx, func() bool {
		rows, err = c.Search(ctx, typ, columns, criteria)
		return err != nil || !slices.ContainsFunc(rows, func(row Object) bool { return c.removed.has(text(row, "name")) })
	})
	if err == nil {
		err = checkListed(typ, rows)
	}
	if err != nil {
		return nil, err
	}
	return undeleted(rows), nil
}

// Ignores tells whether eNMS takes no notice of criteria that no instance meets, which
// it does when it does not know what they are about (enms-rest.md 5.2). Nothing is asked
// for criteria that are known to count.
func (c *Client) Ignores(ctx context.Context, typ string, criteria map[string]any) (bool, error) {
	asked, err := json.Marshal([]any{typ, criteria})
	if err != nil || c.heeded.has(string(asked)) {
		return false, err
	}
	rows, err := c.search(ctx, search{typ: typ, criteria: criteria, limit: 1})
	if err == nil && len(rows) == 0 {
		c.heeded.add(string(asked))
	}
	return len(rows) > 0, err
}
