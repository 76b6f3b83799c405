// Lists of creations: what a refusal of the whole list means for each entry,
// and how it is found out what became of a list whose answer was lost.

package enms

import (
	"context"
	"errors"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// task is the type that eNMS commits one by one even in a list (enms-rest.md
// 0.1), so that a list of tasks that ends in 500 may have landed in part.
const task = "task"

// createAll creates the instances of a batch.
func (c *Client) createAll(ctx context.Context, l lane, calls []*call) {
	if undated[l.typ] {
		// What was not there before and is there afterwards, is of this list.
		rows, err := c.lookUp(ctx, l, calls)
		if err != nil {
			failAll(calls, &unsentError{err})
			return
		}
		for _, k := range c.settle(l, calls, rows) {
			k.free = true
		}
	}
	c.createList(ctx, l, calls, 0)
}

// createList sends one list of creations, for the attempt-th time after an
// answer was lost.
func (c *Client) createList(ctx context.Context, l lane, calls []*call, attempt int) {
	calls = live(calls)
	if len(calls) == 0 {
		return
	}
	answered, err := c.post(ctx, l, calls)
	if err == nil {
		left := c.match(l, calls, answered)
		for _, k := range left.conflicts {
			c.creationRefused(ctx, l, []*call{k}, k.refusal)
		}
		c.creationsUndone(ctx, l, left.undone)
		if calls = left.unaccounted; len(calls) == 0 {
			return
		}
		err = errUnaccounted
	}
	switch {
	case Refused(err):
		c.creationRefused(ctx, l, calls, err)
	case lost(err):
		c.creationLost(ctx, l, calls, attempt, err)
	default:
		failAll(calls, err)
	}
}

// creationRefused finds out who is to blame for a 500. Nearly always a name is
// taken: those are told, and the others sent again without them. When no name
// is, halves of the list are sent until the culprits stand alone.
func (c *Client) creationRefused(ctx context.Context, l lane, calls []*call, refusal error) {
	remaining := calls
	if l.typ == task || len(calls) == 1 || !calls[0].absent {
		rows, err := c.lookUp(ctx, l, calls)
		if err != nil {
			failAll(calls, refusal)
			return
		}
		remaining = c.settle(l, calls, rows)
	}
	for _, k := range remaining {
		k.absent = true
	}
	switch {
	case len(remaining) == 1 && len(calls) == 1:
		c.creationRefusedAlone(ctx, l, remaining[0], refusal)
	case len(remaining) < len(calls):
		c.createList(ctx, l, remaining, 0)
	default:
		first, second := halves(remaining)
		c.createList(ctx, l, first, 0)
		c.createList(ctx, l, second, 0)
	}
}

// creationRefusedAlone settles a creation that was refused by itself although
// nothing has exactly its name. The database may take another spelling for the
// same name; or another run of Terraform was in the way (a deadlock, a failure to
// serialise), so it is sent once more.
func (c *Client) creationRefusedAlone(ctx context.Context, l lane, k *call, refusal error) {
	_, err := c.queryOne(ctx, c.knownType(l.detail), "name", k.name)
	if other, ok := errors.AsType[*NotFoundError](err); ok && other.Spelling != "" {
		if row, err := c.queryOne(ctx, c.knownType(l.detail), "name", other.Spelling); err == nil {
			k.finish(exists(l, k, row))
			return
		}
	}
	if k.again {
		k.finish(refusal)
		return
	}
	k.again = true
	c.createList(ctx, l, []*call{k}, 0)
}

// creationsUndone finds out which creations that were answered with success are
// there, and sends the others again, without the entry that made eNMS undo them.
func (c *Client) creationsUndone(ctx context.Context, l lane, calls []*call) {
	if len(calls) == 0 {
		return
	}
	rows, err := c.lookUp(ctx, l, calls)
	if err != nil {
		failAmbiguous(l, calls, err)
		return
	}
	var remaining []*call
	for _, k := range calls {
		if _, has := rows[k.name]; has {
			k.finish(c.named(l, k, k.name))
		} else {
			remaining = append(remaining, k)
		}
	}
	c.createList(ctx, l, remaining, 0)
}

// creationLost reads what became of a list whose answer was lost, and sends
// again what is not there.
func (c *Client) creationLost(ctx context.Context, l lane, calls []*call, attempt int, cause error) {
	rows, err := c.lookUp(ctx, l, calls)
	if err != nil {
		ambiguous(l, calls, cause, err)
		return
	}
	for _, k := range calls {
		k.lost = true
	}
	remaining := c.settle(l, calls, rows)
	if len(remaining) == 0 {
		return
	}
	switch {
	case c.rest.Exhausted(attempt, remaining[0].sent, cause) && rest.InProgress(cause):
		failAmbiguous(l, remaining, cause)
		return
	case c.rest.Exhausted(attempt, remaining[0].sent, cause), rest.Permanent(cause):
		failAll(remaining, cause) // they are not there: the cause says it all
		return
	}
	if err := c.rest.Wait(ctx, attempt, cause); err != nil {
		failAll(remaining, err)
		return
	}
	c.createList(ctx, l, remaining, attempt+1)
}

// settle finishes the calls whose name is there, as created or as taken, and
// returns the others.
func (c *Client) settle(l lane, calls []*call, rows map[string]Object) []*call {
	var remaining []*call
	for _, k := range calls {
		if row, has := rows[k.name]; !has {
			remaining = append(remaining, k)
		} else if c.ours(l, k, row) {
			k.finish(c.named(l, k, k.name))
		} else {
			k.finish(exists(l, k, row))
		}
	}
	return remaining
}

// ambiguous ends calls of which it is not known whether they happened. When
// whoever answered does not even let reads through, nothing did: the base URL is
// wrong, or a gateway turns this client away.
func ambiguous(l lane, calls []*call, cause, reading error) {
	_, redirected := errors.AsType[*RedirectError](cause)
	if redirected && errors.As(reading, new(*RedirectError)) || rest.RateLimited(cause) && rest.RateLimited(reading) {
		failAll(calls, cause)
		return
	}
	failAmbiguous(l, calls, cause)
}

func failAmbiguous(l lane, calls []*call, cause error) {
	for _, k := range calls {
		k.finish(&AmbiguousError{Type: l.typ, Name: k.name, cause: cause})
	}
}

// lookUp finds, in the name space of a list of creations, what has the names of
// the list, with the columns that tell whether it is what was sent.
func (c *Client) lookUp(ctx context.Context, l lane, calls []*call) (map[string]Object, error) {
	columns := map[string]bool{"last_modified": !undated[l.typ], "last_modified_by": !undated[l.typ]}
	names := make([]string, len(calls))
	for i, k := range calls {
		names[i] = k.name
		for key, value := range k.payload {
			columns[key] = columns[key] || isScalar(value) && !rest.SecretField(key) && key != "new_name" && key != "must_be_new"
		}
	}
	return c.searchNames(ctx, l.detail, names, columns)
}

// exists tells the caller of k who has its name.
func exists(l lane, k *call, row Object) error {
	taken := &ExistsError{Type: l.typ, Name: k.name, ID: idText(row["id"]), FoundType: text(row, "type"), SoftDeleted: deleted(row)}
	if name := text(row, "name"); name != k.name {
		taken.FoundName = name
	}
	return taken
}

// ours tells whether the instance that has the name of k is the one that k
// asked for: the name was seen to be free before, or the answer to an earlier
// attempt was lost and every field that can be compared is as it was sent, and
// then.
func (c *Client) ours(l lane, k *call, row Object) bool {
	if text(row, "type") != l.typ {
		return false
	}
	return k.free || k.lost && !undated[l.typ] && k.made != nil && k.made(row) && c.Wrote(row, c.Since(k.sent))
}
