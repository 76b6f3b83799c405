// Which names the database of an eNMS holds for the same (enms-rest.md 10.3). No endpoint
// tells which database that is; how it compares shows with a service that every eNMS has.

package enms

import (
	"context"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// Comparison is what a database ignores when it compares names.
type Comparison struct {
	Case, Accents, TrailingBlanks bool
}

// comparisonCache is a Comparison that has been asked for.
type comparisonCache struct {
	mu    sync.Mutex
	known bool
	found Comparison
}

// alwaysThere is a service that every eNMS has, which nobody can delete.
const alwaysThere = "[Shared] Start"

// Comparison returns what the database ignores when it compares names. A user who may not
// see the service that it is tried with learns of nothing.
func (c *Client) Comparison(ctx context.Context) (Comparison, error) {
	c.comparison.mu.Lock()
	defer c.comparison.mu.Unlock()
	if c.comparison.known {
		return c.comparison.found, nil
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
			*ignored = *ignored || endpoint.String(row, "name") == alwaysThere
		}
	}
	c.comparison.known, c.comparison.found = true, found
	return found, nil
}
