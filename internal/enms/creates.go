// Lists of creations: what a refusal of the whole list means for each entry,
// and how it is found out what became of a list whose answer was lost.

package enms

import (
	"context"
	"errors"
	"net/http"
	"slices"
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
	case refusedWhole(err):
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
//
// That nothing was kept is believed: what has the name then is another's, even
// when it is equal in everything and of this moment, because another run of
// Terraform may create the same at the same time.
func (c *Client) creationRefused(ctx context.Context, l lane, calls []*call, refusal error) {
	rest := calls
	if l.typ == task || len(calls) == 1 || !calls[0].absent {
		rows, err := c.lookUp(ctx, l, calls)
		if err != nil {
			failAll(calls, refusal)
			return
		}
		rest = c.taken(ctx, l, calls, rows)
	}
	for _, k := range rest {
		k.absent = true
	}
	switch {
	case len(rest) == 1 && len(calls) == 1:
		c.creationRefusedAlone(ctx, l, rest[0], refusal)
	case len(rest) < len(calls):
		c.createList(ctx, l, rest, 0)
	default:
		first, second := halves(rest)
		c.createList(ctx, l, first, 0)
		c.createList(ctx, l, second, 0)
	}
}

// taken finishes the calls whose name is there after their list was refused, and
// returns the others. Of tasks, eNMS has kept those before the one that it refused
// (enms-rest.md 0.1), which is the first that is not there, if it is refused again
// by itself. If it is not, a name was taken meanwhile, and nothing tells which of
// those that are there are of this list: they count as another's, and the others
// are sent one by one, so that it is known of them.
func (c *Client) taken(ctx context.Context, l lane, calls []*call, rows map[string]Object) []*call {
	absent := func(k *call) bool { return rows[k.name] == nil }
	first, kept := slices.IndexFunc(calls, absent), 0
	if l.typ == task && first > 0 {
		c.createList(ctx, l, calls[first:first+1], 0)
		if culprit := calls[first].ticket; culprit.settled && refusedWhole(culprit.err) {
			kept = first
		}
	}
	for i, k := range calls {
		k.free = k.free && (absent(k) || k.lost || i < kept)
	}
	rest := live(c.settle(l, calls, rows))
	if l.typ != task || first == 0 || kept > 0 {
		return rest
	}
	for _, k := range rest {
		c.createList(ctx, l, []*call{k}, 0)
	}
	return nil
}

// creationRefusedAlone settles a creation that was refused by itself although
// nothing has exactly its name. The database may take another spelling for the
// same name; or another run of Terraform was in the way (a deadlock, a failure to
// serialise), so it is sent once more.
func (c *Client) creationRefusedAlone(ctx context.Context, l lane, k *call, refusal error) {
	_, err := c.queryOne(ctx, c.knownType(l.detail), "name", k.name)
	if other, ok := as[*NotFoundError](err); ok && other.Spelling != "" {
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
	var rest []*call
	for _, k := range calls {
		if _, has := rows[k.name]; has {
			k.finish(c.named(l, k, k.name))
		} else {
			rest = append(rest, k)
		}
	}
	c.createList(ctx, l, rest, 0)
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
	rest := c.settle(l, calls, rows)
	if len(rest) == 0 {
		return
	}
	switch {
	case c.exhausted(rest, attempt, cause) && pending(cause):
		failAmbiguous(l, rest, cause)
		return
	case c.exhausted(rest, attempt, cause), meant(cause):
		failAll(rest, cause) // they are not there: the cause says it all
		return
	}
	if err := c.waitBefore(ctx, attempt, cause); err != nil {
		failAll(rest, err)
		return
	}
	c.createList(ctx, l, rest, attempt+1)
}

// settle finishes the calls whose name is there, as created or as taken, and
// returns the others.
func (c *Client) settle(l lane, calls []*call, rows map[string]Object) []*call {
	var rest []*call
	for _, k := range calls {
		if row, has := rows[k.name]; !has {
			rest = append(rest, k)
		} else if c.ours(l, k, row) {
			k.finish(c.named(l, k, k.name))
		} else {
			k.finish(exists(l, k, row))
		}
	}
	return rest
}

// meant tells an answer that is not eNMS's own and yet an error on purpose,
// such as a 500 in HTML: it would come again.
func meant(err error) bool {
	page, ok := as[*NotJSONError](err)
	return ok && page.Status >= http.StatusBadRequest
}

// pending tells a lost answer after which eNMS may still be at work: what is not
// there yet may come.
func pending(err error) bool {
	if status, ok := as[*StatusError](err); ok {
		return status.Status == http.StatusGatewayTimeout
	}
	_, ok := as[*timeoutError](err)
	return ok
}

// ambiguous ends calls of which it is not known whether they happened. When
// whoever answered does not even let reads through, nothing did: the base URL is
// wrong, or a gateway turns this client away.
func ambiguous(l lane, calls []*call, cause, reading error) {
	_, redirected := as[*RedirectError](cause)
	if redirected && errors.As(reading, new(*RedirectError)) || turnedAway(cause) && turnedAway(reading) {
		failAll(calls, cause)
		return
	}
	failAmbiguous(l, calls, cause)
}

// turnedAway tells that a request went over somebody's limit.
func turnedAway(err error) bool {
	status, ok := as[*StatusError](err)
	return ok && status.Status == http.StatusTooManyRequests
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
			columns[key] = columns[key] || isScalar(value) && !secretField(key) && key != "new_name" && key != "must_be_new"
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
	return k.free || k.lost && !undated[l.typ] && c.asSent(l, k, row)
}

// asSent tells whether an instance was written since a call was sent, and is what
// its caller says that it makes.
func (c *Client) asSent(l lane, k *call, row Object) bool {
	return text(row, "type") == l.typ && k.made != nil && k.made(row) && c.Wrote(row, c.Since(k.sent))
}
