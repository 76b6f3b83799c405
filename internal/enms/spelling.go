// Spellings: whether the names of related instances are spelled as eNMS has them.

package enms

import (
	"context"
	"errors"
)

// Spelled makes sure that names of instances of typ, such as the members of a
// relation, are spelled as eNMS has them: where its database takes several
// spellings for the same name, eNMS resolves them all and answers its own
// (enms-rest.md 10). The error is then a *NotFoundError with the spelling. Names
// that are not found at all are left to eNMS to refuse. Nothing is asked for
// names that this client has written, or has asked for before.
func (c *Client) Spelled(ctx context.Context, typ string, names []string) error {
	errs := make(chan error, len(names))
	asked := 0
	for _, name := range names {
		if known, _ := c.spellings.lookUp(typ, name, nil); known != nil || c.written.has(name) {
			continue
		}
		asked++
		go func() {
			_, err := c.find(ctx, actFindSpelling, typ, name, nil)
			errs <- err
		}()
	}
	var misspelled error
	for range asked {
		if other, ok := errors.AsType[*NotFoundError](<-errs); ok && other.Spelling != "" {
			misspelled = other
		}
	}
	return misspelled
}
