// This file updates and renames. An update may be sent twice. A rename may not: if its answer is
// lost, reads tell whether it happened.

package enms

import (
	"context"
	"errors"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// Upsert updates the instance that payload names, or adopts it, or creates it if there is none
// (enms-rest.md 0.1). new_name in the payload renames. It must be set whenever the name will
// change, even if eNMS computes the new name (enms-rest.md 1.5), because a request without it may
// be sent twice. The error is a *RenamedError if the final name is neither of the two; the other
// errors are those of Create.
func (c *Client) Upsert(ctx context.Context, typ Type, payload Object) error {
	action := actUpsert
	if endpoint.String(payload, "new_name") != "" {
		action = actRename
	}
	sent, err := c.write(ctx, batchKey{action: action, typ: typ}, &operation{payload: payload})
	if err == nil && action == actRename && sent.newName != sent.name {
		c.renames.add(typ.Name, sent.name, sent.newName)
	}
	return err
}

// Renames returns the renames that this client has made of instances of a type, oldest first.
func (c *Client) Renames(typ string) []Rename { return c.renames.of(typ) }

// sendUpserts sends one list of updates or renames.
func (c *Client) sendUpserts(ctx context.Context, key batchKey, operations []*operation) {
	if operations = batch.Pending(operations); len(operations) == 0 {
		return
	}
	answered, err := c.post(ctx, key, operations)
	if err == nil {
		left := c.finishAnswered(key, operations, answered)
		for _, o := range left.conflicts {
			c.upsertRefusedAlone(ctx, key, o, o.refusal)
		}
		if key.action == actUpsert { // again, without the entry that made eNMS undo the others
			c.sendUpserts(ctx, key, left.undone)
			left.undone = nil
		}
		if operations = slices.Concat(left.undone, left.unaccounted); len(operations) == 0 {
			return
		}
		err = errUnaccounted
	}
	switch half := len(operations) / 2; {
	case InternalServerError(err) && half > 0:
		// eNMS has kept nothing of the list, unless the type is CommittedOneByOne. Then nothing
		// tells which updates were made; repeating them changes nothing.
		c.sendUpserts(ctx, key, operations[:half])
		c.sendUpserts(ctx, key, operations[half:])
	case InternalServerError(err):
		c.upsertRefusedAlone(ctx, key, operations[0], err)
	case key.action == actRename && endpoint.Lost(err):
		c.renamesLost(ctx, key, operations, err)
	default:
		batch.FinishAll(operations, err)
	}
}

// upsertRefusedAlone resolves an update or a rename that was refused by itself. Another run of
// Terraform may have been in the way (a deadlock, a failure to serialise), or the worker did not
// know the instance yet and tried to create it, so it is sent once more. eNMS has kept nothing of
// it.
func (c *Client) upsertRefusedAlone(ctx context.Context, key batchKey, o *operation, refusal error) {
	if key.action == actRename {
		if resolved, err := c.renameRefused(ctx, key, o, refusal); resolved || o.resent {
			o.Finish(err)
			return
		}
	}
	if o.resent {
		o.Finish(refusal)
		return
	}
	o.resent = true
	c.sendUpserts(ctx, key, []*operation{o})
}

// renameRefused finds out whether a rename was refused because the name is taken, which is nearly
// always the reason for a 500 (enms-rest.md 0.2). resolved is false if that is not the reason.
func (c *Client) renameRefused(ctx context.Context, key batchKey, o *operation, refusal error) (resolved bool, err error) {
	if o.newName == o.name {
		return false, refusal
	}
	row, err := c.queryOwner(ctx, c.endpoint.KnownType(key.typ.Namespace), o.newName)
	if err != nil || endpoint.String(row, "name") == o.name {
		return false, refusal
	}
	switch _, err := c.queryOne(ctx, key.typ.Name, "name", o.name); {
	case err == nil:
		return true, existsError(key.typ.Name, o.newName, row)
	case o.lost > 0 && errors.Is(err, ErrNotFound):
		return true, nil // an earlier attempt renamed it
	}
	return true, &AmbiguousError{Type: key.typ.Name, Name: o.name, cause: refusal}
}

// renamesLost finds out what became of renames whose answer was lost. A rename happened if the
// new name exists and the old one does not; it did not happen if it is the other way round, and
// is then sent again.
func (c *Client) renamesLost(ctx context.Context, key batchKey, operations []*operation, cause error) {
	var names []string
	for _, o := range operations {
		names = append(names, o.name, o.newName)
	}
	rows, err := c.searchNames(ctx, key.typ.Name, names, nil)
	if err != nil {
		finishUnread(key, operations, cause, err)
		return
	}
	var remaining []*operation
	for _, o := range operations {
		o.lost++
		_, hasOld := rows[o.name]
		_, hasNew := rows[o.newName]
		switch {
		case hasNew && !hasOld:
			o.Finish(c.checkName(key, o, o.newName))
		case hasOld && (!hasNew || o.name == o.newName):
			remaining = append(remaining, o)
		default:
			o.Finish(&AmbiguousError{Type: key.typ.Name, Name: o.name, cause: cause})
		}
	}
	if c.mayResend(ctx, remaining, cause) {
		c.sendUpserts(ctx, key, remaining)
	}
}
