// This file looks up names for others: whether referenced instances exist and are spelled so, and
// whether the names of new instances are free.

package enms

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
)

// Spelled returns a *NotFoundError with eNMS's spelling if one of the names of instances of typ, such as the
// members of a relation, is spelled differently in eNMS. A database may treat several spellings as the
// same: eNMS then accepts each of them, and returns its own (enms-rest.md 10). Names that do not exist
// are no error here, because eNMS refuses them when they are written. Names that this client has
// written, or has looked up before, take no request.
func (c *Client) Spelled(ctx context.Context, typ string, names []string) error {
	var misspelled error
	for _, found := range findSpellings(ctx, c, typ, names) {
		if other, ok := errors.AsType[*NotFoundError](found.err); ok && other.Spelling != "" {
			misspelled = other
		}
	}
	return misspelled
}

// Missing returns the names that no instance of typ has. As in Spelled, names that this client has written, or has
// looked up before, take no request. A name counts as existing if its search fails.
func (c *Client) Missing(ctx context.Context, typ string, names []string) (missing []string, err error) {
	for _, found := range findSpellings(ctx, c, typ, names) {
		if errors.Is(found.err, ErrNotFound) {
			missing = append(missing, found.name)
		}
	}
	slices.Sort(missing)
	return missing, ctx.Err()
}

// foundSpelling is the result of a search for a name.
type foundSpelling struct {
	name string
	err  error
}

// findSpellings looks up, at the same time, the names that this client has neither written nor found before.
func findSpellings(ctx context.Context, c *Client, typ string, names []string) []foundSpelling {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		known, _ := c.store.Current().Spellings.LookUp(typ, name, nil)
		return known != nil || c.written.has(name)
	})
	found := make([]foundSpelling, len(names))
	var finding sync.WaitGroup
	for i, name := range names {
		finding.Go(func() {
			_, err := c.FindOnce(ctx, typ, name)
			found[i] = foundSpelling{name, err}
		})
	}
	finding.Wait()
	return found
}

// Lacks reports whether eNMS has no instance of typ with a name, as far as this user may read. It is for
// plans: callers with the same typ share searches with each other and with Find, and a name that was
// read before takes no request. If the request fails, the name counts as existing.
func (c *Client) Lacks(ctx context.Context, typ, name string) bool {
	_, err := c.findTogether(ctx, findKey{typ: typ}, find{value: name})
	return errors.Is(err, cache.ErrUnconfirmed) || errors.Is(err, ErrNotFound)
}

// Taken returns the instance of typ that has a name, as the error that a creation with that name would return, or
// nil if the name is free. It is for plans, in which most names are free: callers with the same typ share searches
// with each other and with Find, and a name that is missing in an answer about many counts as free, without a
// request of its own. A name also counts as free if eNMS answers 500, which it does for an unknown type.
func (c *Client) Taken(ctx context.Context, typ, name string) (*ExistsError, error) {
	row, err := c.findTogether(ctx, findKey{typ: typ}, find{value: name})
	switch {
	case errors.Is(err, cache.ErrUnconfirmed), errors.Is(err, ErrNotFound), InternalServerError(err):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return existsError(typ, name, row), nil
}
