// Looks for names that plans would give to new instances.

package enms

import (
	"context"
	"errors"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

// Taken returns the instance of typ that has a name, as the error of a creation that finds
// it, or nil. It is for plans, in which most names are free: callers with the same typ share
// searches with each other and with Find, and a name that an answer about many lacks counts
// as free, without a request of its own. What eNMS answers with 500, as for a type that it
// does not have, tells nothing and counts as free.
func (c *Client) Taken(ctx context.Context, typ, name string) (*ExistsError, error) {
	row, err := c.findTogether(ctx, actFind, typ, name, nil)
	switch {
	case errors.Is(err, knowledge.ErrUnconfirmed), errors.Is(err, ErrNotFound), InternalServerError(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	taken, _ := errors.AsType[*ExistsError](existsError(typ, name, row))
	return taken, nil
}
