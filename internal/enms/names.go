// Looks for names: whether those of related instances are spelled as eNMS has them, and whether
// those that plans would give are free.

package enms

import (
	"context"
	"errors"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/knowledge"
)

// Spelled makes sure that names of instances of typ, such as the members of a
// relation, are spelled as eNMS has them: where its database takes several
// spellings for the same name, eNMS resolves them all and answers its own
// (enms-rest.md 10). The error is then a *NotFoundError with the spelling. Names
// that are not found at all are left to eNMS to refuse. Nothing is asked for
// names that this client has written, or has asked for before.
func (c *Client) Spelled(ctx context.Context, typ string, names []string) error {
	var misspelled error
	for _, found := range c.findSpellings(ctx, typ, names) {
		if other, ok := errors.AsType[*NotFoundError](found.err); ok && other.Spelling != "" {
			misspelled = other
		}
	}
	return misspelled
}

// Missing returns those of the names that no instance of typ has, asking as little as
// Spelled does. What eNMS does not tell counts as there.
func (c *Client) Missing(ctx context.Context, typ string, names []string) (missing []string, err error) {
	for _, found := range c.findSpellings(ctx, typ, names) {
		if errors.Is(found.err, ErrNotFound) {
			missing = append(missing, found.name)
		}
	}
	slices.Sort(missing)
	return missing, ctx.Err()
}

// foundSpelling is the result of a find of a name.
type foundSpelling struct {
	name string
	err  error
}

// findSpellings looks for those of the names that this client has neither written nor
// found before.
func (c *Client) findSpellings(ctx context.Context, typ string, names []string) []foundSpelling {
	results := make(chan foundSpelling, len(names))
	asked := 0
	for _, name := range names {
		if known, _ := c.known.Present().Spellings.LookUp(typ, name, nil); known != nil || c.written.has(name) {
			continue
		}
		asked++
		go func() {
			_, err := c.find(ctx, actFindSpelling, typ, name, nil)
			results <- foundSpelling{name, err}
		}()
	}
	found := make([]foundSpelling, asked)
	for i := range found {
		found[i] = <-results
	}
	return found
}

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
