// This file reads many instances as 4.7 would return them, whatever the line: nodes, networks and positions.

package endpoint

import (
	"context"
	"slices"
)

// Search returns the rows that match, in the order of their ids: ascending, or descending with s.Latest.
// It does not check that they have names and ids, see CheckListed.
func (c *Client) Search(ctx context.Context, s Search) ([]Object, error) {
	rows, err := c.search(ctx, s)
	if err != nil || len(rows) == 0 || !slices.Contains(s.Columns, positionsField) {
		return rows, err
	}
	is5, err := c.is5(ctx)
	if is5 {
		err = c.addPositions(ctx, s, rows)
	}
	return rows, err
}

// Query returns the instances of typ whose properties equal those in the filter, without their relations
// (enms-rest.md 5.1). An empty filter matches the whole type. Booleans are "1" and "0". If there is no
// match, it returns an empty list and no error.
func (c *Client) Query(ctx context.Context, typ string, filter map[string]string) ([]Object, error) {
	asked, err := c.realType(ctx, typ)
	if err != nil {
		return nil, err
	}
	rows, err := c.query(ctx, asked, filter)
	if typ == deviceType { // on eNMS 5, networks are devices
		rows = slices.DeleteFunc(rows, isNetwork)
	}
	return rows, err
}

// SearchNamed is Search for rows of which each must have a name (CheckNamed).
func (c *Client) SearchNamed(ctx context.Context, s Search) ([]Object, error) {
	rows, err := c.Search(ctx, s)
	if err == nil {
		err = CheckNamed(s.Type, rows)
	}
	return rows, err
}

// SearchAll is SearchNamed without a limit.
func (c *Client) SearchAll(ctx context.Context, s Search) ([]Object, error) {
	s.Limit = allRows
	return c.SearchNamed(ctx, s)
}
