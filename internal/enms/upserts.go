// Lists of updates and of renames. An update may be sent twice; a rename may
// not, and is settled by reading when its answer is lost.

package enms

import (
	"context"
	"errors"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
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
		left := c.match(l, calls, answered)
		c.upsertsLeft(ctx, l, left, attempt)
		if calls = left.unaccounted; len(calls) == 0 {
			return
		}
		err = errUnaccounted
	}
	switch {
	case Refused(err) && len(calls) > 1:
		// Nothing of the list was kept, except of tasks, where nothing tells
		// which updates landed; sending those again changes nothing more.
		first, second := halves(calls)
		c.upsertList(ctx, l, first, attempt)
		c.upsertList(ctx, l, second, attempt)
	case Refused(err):
		c.upsertRefusedAlone(ctx, l, calls[0], err)
	case l.op == opRename && lost(err):
		c.renameLost(ctx, l, calls, attempt, err)
	default:
		failAll(calls, err)
	}
}

// upsertsLeft goes on with what an answer with failures does not settle: updates
// that eNMS may have undone are sent again without the entry that made it do so.
func (c *Client) upsertsLeft(ctx context.Context, l lane, left unsettled, attempt int) {
	for _, k := range left.conflicts {
		c.upsertRefusedAlone(ctx, l, k, k.refusal)
	}
	switch {
	case len(left.undone) == 0:
	case l.op == opRename:
		c.renameLost(ctx, l, left.undone, attempt, errUnaccounted)
	default:
		c.upsertList(ctx, l, left.undone, attempt)
	}
}

// upsertRefusedAlone settles an update or a rename that was refused by itself.
// Another run of Terraform may have been in the way (a deadlock, a failure to
// serialise), or the worker did not know the instance yet and tried to create it,
// so it is sent once more: nothing of it was kept.
func (c *Client) upsertRefusedAlone(ctx context.Context, l lane, k *call, refusal error) {
	if l.op == opRename {
		if settled, err := c.renameRefused(ctx, l, k, refusal); settled || k.again {
			k.finish(err)
			return
		}
	}
	if k.again {
		k.finish(refusal)
		return
	}
	k.again = true
	c.upsertList(ctx, l, []*call{k}, 0)
}

// renameRefused looks whether a rename was refused because the name is taken,
// which is what a 500 to one nearly always means (enms-rest.md 0.2). It is not
// settled when no such reason shows.
func (c *Client) renameRefused(ctx context.Context, l lane, k *call, refusal error) (settled bool, err error) {
	if k.newName == k.name {
		return false, refusal
	}
	row, err := c.takerOf(ctx, l.typ, k)
	if err != nil {
		return false, refusal
	}
	switch _, err := c.queryOne(ctx, l.typ, "name", k.name); {
	case err == nil:
	case k.lost && errors.Is(err, ErrNotFound):
		return true, nil // an attempt before this one did it
	default:
		return true, &AmbiguousError{Type: l.typ, Name: k.name, cause: refusal}
	}
	taken := &ExistsError{Type: l.typ, Name: k.newName, ID: idText(row["id"]), FoundType: text(row, "type"), SoftDeleted: deleted(row)}
	if name := text(row, "name"); name != k.newName {
		taken.FoundName = name
	}
	return true, taken
}

// takerOf finds the instance that has the new name of a rename, or one that the
// database takes for the same and that is not the renamed instance itself.
func (c *Client) takerOf(ctx context.Context, typ string, k *call) (Object, error) {
	row, err := c.queryOne(ctx, typ, "name", k.newName)
	if other, ok := errors.AsType[*NotFoundError](err); ok && other.Spelling != "" && other.Spelling != k.name {
		return c.queryOne(ctx, typ, "name", other.Spelling)
	}
	return row, err
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
	var remaining []*call
	for _, k := range calls {
		k.lost = true
		_, hasOld := rows[k.name]
		_, hasNew := rows[k.newName]
		switch {
		case hasNew && !hasOld:
			k.finish(c.named(l, k, k.newName))
		case hasOld && (!hasNew || k.name == k.newName):
			remaining = append(remaining, k)
		default:
			k.finish(&AmbiguousError{Type: l.typ, Name: k.name, cause: cause})
		}
	}
	if len(remaining) == 0 {
		return
	}
	if c.rest.Exhausted(attempt, remaining[0].sent, cause) || rest.Permanent(cause) {
		failAll(remaining, cause) // they still have their old names: the cause says it all
		return
	}
	if err := c.rest.Wait(ctx, attempt, cause); err != nil {
		failAll(remaining, err)
		return
	}
	c.upsertList(ctx, l, remaining, attempt+1)
}
