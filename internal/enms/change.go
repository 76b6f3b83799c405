// This file updates and renames. An update may be sent twice. A rename must not: if its answer is
// lost, reads show whether it happened.

package enms

import (
	"context"
	"errors"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

// Upsert updates the instance that payload names, or adopts it, or creates it if there is none (enms-rest.md 0.1).
// new_name in the payload renames. It must be set whenever the name will change, even if eNMS computes the new name
// (enms-rest.md 1.5), because a request without it may be sent twice. The error is a *RenamedError if the final name
// is another one; the other errors are those of Create.
func (c *Client) Upsert(ctx context.Context, typ Type, payload Object) error {
	action := actUpsert
	if endpoint.String(payload, "new_name") != "" {
		action = actRename
	}
	sent, err := c.write(ctx, writeKey{action: action, typ: typ}, &write{payload: payload})
	if err == nil && action == actRename && sent.newName != sent.name {
		c.renames.add(typ.Name, sent.name, sent.newName)
	}
	return err
}

// Renames returns the renames that this client has made of instances of a type, oldest first.
func (c *Client) Renames(typ string) []Rename { return c.renames.of(typ) }

// sendUpserts sends one list of updates or renames. It finishes those whose result the answer shows, and sends
// again those that may be repeated. Renames whose answer was lost, or does not mention them, are looked for
// (renamesLost).
func (w writing) sendUpserts(ctx context.Context, operations []*write) {
	if operations = batch.Pending(operations); len(operations) == 0 {
		return
	}
	answered, err := w.post(ctx, operations)
	if err == nil {
		left := w.finishAnswered(operations, answered)
		if len(left.ambiguous) > 0 {
			w.sendHalves(ctx, left.ambiguous)
			return
		}
		operations = left.unaccounted
		if w.key.action == actUpsert { // again, without the entry that made eNMS undo the others
			w.sendUpserts(ctx, left.undone)
		} else { // a rename must not be sent twice
			operations = slices.Concat(left.undone, operations)
		}
		if len(operations) == 0 {
			return
		}
		err = errUnaccounted
	}
	switch {
	case InternalServerError(err) && len(operations) > 1:
		// Nothing shows which updates were made: eNMS 4 has kept nothing, unless the type is CommittedOneByOne, and
		// eNMS 5 may have stored all. An update can be sent again; a rename that was made cannot, so those are
		// finished first.
		if w.key.action == actRename {
			operations, _ = w.finishRenamed(ctx, operations, err)
		}
		w.sendHalves(ctx, operations)
	case InternalServerError(err):
		w.upsertRefusedAlone(ctx, operations[0], err)
	case w.key.action == actRename && endpoint.Lost(err):
		w.renamesLost(ctx, operations, err)
	default:
		batch.FinishAll(operations, err)
	}
}

// finishRenamed looks for the old and the new names of renames. It finishes those that eNMS has made, whose new name
// exists and whose old one does not, and returns the others, with the instances that have any of the names. Sent
// again, a rename that was made would create an instance with the old name (enms-rest.md 0.2). If the search fails, it
// finishes all.
func (w writing) finishRenamed(ctx context.Context, operations []*write, cause error) (left []*write, rows map[string]Object) {
	var names []string
	for _, o := range operations {
		names = append(names, o.name, o.newName)
	}
	rows, err := searchNames(ctx, w.c.endpoint, w.key.typ.Name, names, nil)
	if err != nil {
		w.finishUnread(operations, cause, err)
		return nil, nil
	}
	for _, o := range operations {
		_, hasOld := rows[o.name]
		_, hasNew := rows[o.newName]
		if hasNew && !hasOld {
			o.Finish(w.checkName(o, o.newName))
		} else {
			left = append(left, o)
		}
	}
	return left, rows
}

// sendHalves sends a list again as two, down to the operations that fail: repeating the others changes nothing.
func (w writing) sendHalves(ctx context.Context, operations []*write) {
	half := len(operations) / 2
	w.sendUpserts(ctx, operations[:half])
	w.sendUpserts(ctx, operations[half:])
}

// upsertRefusedAlone resolves an update or a rename that was refused although it was alone in its list. It is
// sent once more: another run of Terraform may have been in the way (a deadlock, a failure to serialise),
// or the worker did not know the instance yet and tried to create it. Repeating an update changes nothing,
// and renameRefused finds out whether a rename was made.
func (w writing) upsertRefusedAlone(ctx context.Context, o *write, refusal error) {
	if w.key.action == actRename {
		if resolved, err := w.renameRefused(ctx, o, refusal); resolved {
			o.Finish(err)
			return
		}
	}
	if o.resent {
		o.Finish(refusal)
		return
	}
	o.resent = true
	w.sendUpserts(ctx, []*write{o})
}

// renameRefused finds out what became of a rename that eNMS answered with 500. Nearly always, another
// instance has the new name (enms-rest.md 0.2): the old name exists as well, and err is an *ExistsError. If
// only the new name exists, err is nil if an attempt may have made the rename. Otherwise, and if the query for the
// old name fails, err is an *AmbiguousError. resolved is false if nothing else has the new name, or if that cannot
// be found out.
func (w writing) renameRefused(ctx context.Context, o *write, refusal error) (resolved bool, err error) {
	if o.newName == o.name {
		return false, nil
	}
	row, err := w.c.queryOwner(ctx, w.key.typ.Namespace, o.newName)
	if err != nil || endpoint.String(row, "name") == o.name {
		return false, err
	}
	_, err = w.c.queryOne(ctx, w.key.typ.Name, "name", o.name)
	switch {
	case err == nil:
		return true, existsError(w.key.typ.Name, o.newName, row)
	case errors.Is(err, ErrNotFound) && (o.lost > 0 || w.c.endpoint.StoresFirst(ctx)):
		return true, nil // an earlier attempt renamed it, or this one before it failed
	}
	return true, &AmbiguousError{Type: w.key.typ.Name, Name: o.name, cause: refusal}
}

// renamesLost finds out what became of renames whose answer was lost. finishRenamed finishes those that eNMS has
// made. Of the others, those whose old name exists and whose new one does not are sent again. The outcome of the
// rest is unknown.
func (w writing) renamesLost(ctx context.Context, operations []*write, cause error) {
	for _, o := range operations {
		o.lost++
	}
	left, rows := w.finishRenamed(ctx, operations, cause)
	var remaining []*write
	for _, o := range left {
		_, hasOld := rows[o.name]
		_, hasNew := rows[o.newName]
		if hasOld && (!hasNew || o.name == o.newName) {
			remaining = append(remaining, o)
		} else {
			o.Finish(&AmbiguousError{Type: w.key.typ.Name, Name: o.name, cause: cause})
		}
	}
	if w.mayResend(ctx, remaining, cause) {
		w.sendUpserts(ctx, remaining)
	}
}
