// Lists of updates and of renames. An update may be sent twice; a rename may
// not, and is settled by reading when its answer is lost.

package enms

import (
	"context"
	"errors"
)

// upsertList sends one list of updates or renames, for the attempt-th time
// after an answer was lost.
func (c *Client) upsertList(ctx context.Context, l lane, calls []*call, attempt int) {
	calls = live(calls)
	if len(calls) == 0 {
		return
	}
	answered, err := c.post(ctx, l, calls)
	if err == nil {
		if calls = c.match(l, calls, answered); len(calls) == 0 {
			return
		}
		err = errUnaccounted
	}
	switch {
	case refusedWhole(err) && len(calls) > 1:
		// Nothing of the list was kept, except of tasks, where nothing tells
		// which updates landed; sending those again changes nothing more.
		first, second := halves(calls)
		c.upsertList(ctx, l, first, attempt)
		c.upsertList(ctx, l, second, attempt)
	case refusedWhole(err) && l.op == opRename:
		calls[0].finish(c.renameRefused(ctx, l, calls[0], err))
	case l.op == opRename && lost(err):
		c.renameLost(ctx, l, calls, attempt, err)
	default:
		failAll(calls, err)
	}
}

// renameRefused looks whether a rename was refused because the name is taken,
// which is what a 500 to one nearly always means (enms-rest.md 0.2).
func (c *Client) renameRefused(ctx context.Context, l lane, k *call, refusal error) error {
	if k.newName == k.name {
		return refusal
	}
	row, err := c.queryOne(ctx, l.typ, "name", k.newName)
	if err != nil {
		return refusal
	}
	switch _, err := c.queryOne(ctx, l.typ, "name", k.name); {
	case err == nil:
	case k.lost && errors.Is(err, ErrNotFound):
		return nil // an attempt before this one did it
	default:
		return &AmbiguousError{Type: l.typ, Name: k.name, cause: refusal}
	}
	return &ExistsError{Type: l.typ, Name: k.newName, ID: idText(row["id"]), FoundType: text(row, "type")}
}

// renameLost reads what became of renames whose answer was lost. One happened
// when the new name is there and the old is gone; it did not when it is the
// other way round, and is then sent again.
func (c *Client) renameLost(ctx context.Context, l lane, calls []*call, attempt int, cause error) {
	var names []string
	for _, k := range calls {
		names = append(names, k.name, k.newName)
	}
	rows, err := c.searchNames(ctx, l.typ, names, nil)
	if err != nil {
		ambiguous(l, calls, cause, err)
		return
	}
	var rest []*call
	for _, k := range calls {
		k.lost = true
		_, hasOld := rows[k.name]
		_, hasNew := rows[k.newName]
		switch {
		case hasNew && !hasOld:
			k.finish(nil)
		case hasOld && (!hasNew || k.name == k.newName):
			rest = append(rest, k)
		default:
			k.finish(&AmbiguousError{Type: l.typ, Name: k.name, cause: cause})
		}
	}
	if len(rest) == 0 {
		return
	}
	if attempt >= c.cfg.MaxRetries || meant(cause) {
		failAll(rest, cause) // they still have their old names: the cause says it all
		return
	}
	if err := c.waitBefore(ctx, attempt, cause); err != nil {
		failAll(rest, err)
		return
	}
	c.upsertList(ctx, l, rest, attempt+1)
}
