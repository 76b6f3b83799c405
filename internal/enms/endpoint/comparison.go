// Which names the database of an eNMS takes for the same (enms-rest.md 10.3). No endpoint
// tells which database that is; how it compares shows with a service that every eNMS has.

package endpoint

import "context"

// alwaysThere is a service that every eNMS has, which nobody can delete.
const alwaysThere = "[Shared] Start"

// Comparison returns what the database ignores when it compares names. A user who may not
// see the service that it is tried with learns of nothing.
func (c *Client) Comparison(ctx context.Context) (Comparison, error) {
	c.variant.comparing.Lock()
	defer c.variant.comparing.Unlock()
	if c.variant.comparison != nil {
		return *c.variant.comparison, nil
	}
	var found Comparison
	for spelling, ignored := range map[string]*bool{
		"[shared] START": &found.Case, "[Shared] Stärt": &found.Accents, alwaysThere + " ": &found.TrailingBlanks,
	} {
		rows, err := c.Query(ctx, "service", map[string]string{"name": spelling})
		if err != nil {
			return Comparison{}, err
		}
		for _, row := range rows {
			*ignored = *ignored || String(row, "name") == alwaysThere
		}
	}
	c.variant.comparison = &found
	return found, nil
}
