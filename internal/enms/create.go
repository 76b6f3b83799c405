// This file creates instances. It finds out what the refusal of a whole list means for each entry,
// and what happened to a list whose answer was lost.

package enms

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// Create creates an instance that must not exist yet. payload needs a name. matches is called if an
// instance with the name exists after the answer to the creation was lost, or was a 500. It reports whether
// that instance is the one that the payload creates; row contains at least the scalars of the payload. If
// matches is nil, the instance counts as somebody else's, unless the name was known to be free before. The
// error is an *ExistsError if the name is taken, a *RenamedError if eNMS chose another name, a *RefusedError
// if eNMS refused the creation, a *StoredError if eNMS stored the instance and failed afterwards, and an
// *AmbiguousError if the outcome is unknown.
func (c *Client) Create(ctx context.Context, typ Type, payload Object, matches func(row Object) bool) error {
	sent, err := c.write(ctx, writeKey{action: actCreate, typ: typ}, &write{payload: payload, matches: matches})
	if sent.Interrupted() {
		return &AmbiguousError{Type: typ.Name, Name: sent.name, cause: err} // eNMS may still do it
	}
	return err
}

// createBatch creates the instances of a batch. If their type has no last_modified, it first makes sure that
// the names are free: then what has one of these names afterwards was created by this list.
func (w writing) createBatch(ctx context.Context, operations []*write) {
	if w.key.typ.NoTimestamps {
		rows, err := w.lookUpNames(ctx, operations)
		if err != nil {
			batch.FinishAll(operations, &unsentError{err})
			return
		}
		for _, o := range w.finishExisting(operations, rows) {
			o.absentBefore = true
		}
	}
	w.sendCreations(ctx, operations)
}

// sendCreations sends one list of creations, and finishes each: by the answer; by sending again what a 500 refused or
// undid; or by looking up what exists if the answer was lost.
func (w writing) sendCreations(ctx context.Context, operations []*write) {
	if operations = batch.Pending(operations); len(operations) == 0 {
		return
	}
	answered, err := w.post(ctx, operations)
	if err == nil {
		left := w.finishAnswered(operations, answered) // never ambiguous, see write.names
		w.creationsUndone(ctx, left.undone)
		if operations = left.unaccounted; len(operations) == 0 {
			return
		}
		err = errUnaccounted // it counts as lost, see endpoint.Lost
	}
	switch {
	case InternalServerError(err):
		w.creationsRefused(ctx, operations, err)
	case endpoint.Lost(err):
		w.creationsLost(ctx, operations, err)
	default:
		batch.FinishAll(operations, err)
	}
}

// creationsRefused finds out which entry of a list caused a 500. Nearly always a name is taken:
// such entries end with an error, and the others are sent again. If no name is taken, halves of
// the list are sent until the entries at fault are alone.
//
// finishStored finds out what eNMS 5 has stored of a refused list, and finishTaken what eNMS has kept of
// one that is CommittedOneByOne. Otherwise eNMS has kept nothing, and an instance that has one of the names
// is somebody else's, even if its content is the same and it is new: another run of Terraform may create the
// same instance at the same time.
func (w writing) creationsRefused(ctx context.Context, operations []*write, refusal error) {
	rows, err := w.lookUpNames(ctx, operations)
	if err != nil {
		batch.FinishAll(operations, refusal)
		return
	}
	if operations = w.finishStored(ctx, operations, rows, refusal); len(operations) == 0 {
		return
	}
	remaining := w.finishTaken(ctx, operations, rows)
	half := len(remaining) / 2
	switch {
	case len(remaining) < len(operations):
		w.sendCreations(ctx, remaining)
	case half == 0:
		w.creationRefusedAlone(ctx, remaining[0], refusal)
	default:
		w.sendCreations(ctx, remaining[:half])
		w.sendCreations(ctx, remaining[half:])
	}
}

// finishStored finishes the operations if eNMS has stored their instances before it failed, and otherwise
// returns them. eNMS 5 stores all of a list or nothing, and then may fail to compute what follows from an
// entry. It fails once more if that entry is written with its name alone, which changes nothing. If that
// write does not fail, the reason was another one: a name was taken.
func (w writing) finishStored(ctx context.Context, operations []*write, rows map[string]Object, refusal error) (unfinished []*write) {
	mine := func(o *write) bool {
		row := rows[o.name]
		return endpoint.String(row, "type") == w.key.typ.Name && (o.absentBefore || w.wrote(o, row))
	}
	if !All(operations, mine) || !w.c.endpoint.StoresFirst(ctx) {
		return operations
	}
	failed := w.failAgain(ctx, operations)
	if len(failed) == 0 {
		return operations
	}
	for _, o := range operations {
		if slices.Contains(failed, o) {
			o.Finish(&StoredError{Type: w.key.typ.Name, Name: o.name, cause: refusal})
		} else {
			o.Finish(w.checkName(o, o.name))
		}
	}
	return nil
}

// failAgain returns the operations whose instances eNMS fails to write even without a change. It writes halves
// of a list that fails, until the instances at fault are alone.
func (w writing) failAgain(ctx context.Context, operations []*write) []*write {
	bodies := make([][]byte, len(operations))
	for i, o := range operations {
		bodies[i], _ = json.Marshal(map[string]string{"name": o.name}) // a string
	}
	_, err := w.c.endpoint.Write(ctx, w.key.typ.Name, bodies, endpoint.AtMostOnce)
	half := len(operations) / 2
	switch {
	case !InternalServerError(err):
		return nil
	case half == 0:
		return operations
	}
	return slices.Concat(w.failAgain(ctx, operations[:half]), w.failAgain(ctx, operations[half:]))
}

// finishTaken finishes the operations whose names exist after their list was refused: their instances are somebody else's,
// unless eNMS has kept them of this list (entriesKept). It returns the others, unless it is not certain what eNMS has
// kept: then it sends them one by one, so that their results are certain.
func (w writing) finishTaken(ctx context.Context, operations []*write, rows map[string]Object) []*write {
	kept, isCertain := w.entriesKept(ctx, operations, rows)
	for i, o := range operations {
		o.mayBeOwn = !isCertain && i < kept && o.absentBefore
		isOwn := isCertain && i < kept || o.lost > 0
		o.absentBefore = o.absentBefore && (isOwn || rows[o.name] == nil)
	}
	remaining := batch.Pending(w.finishExisting(operations, rows))
	if isCertain {
		return remaining
	}
	for _, o := range remaining {
		w.sendCreations(ctx, []*write{o})
	}
	return nil
}

// entriesKept returns how many of the first entries of a refused list eNMS has kept: none, unless the type is
// CommittedOneByOne. Then they are the entries before the one at fault, which is the first whose name does not exist,
// provided that eNMS refuses it again when it is sent alone. If eNMS does not refuse it, or if all names exist, somebody
// else took a name meanwhile: isCertain is false, and eNMS has kept up to that many.
func (w writing) entriesKept(ctx context.Context, operations []*write, rows map[string]Object) (kept int, isCertain bool) {
	if !w.key.typ.CommittedOneByOne {
		return 0, true
	}
	switch absent := slices.IndexFunc(operations, func(o *write) bool { return rows[o.name] == nil }); absent {
	case -1:
		return len(operations), false
	case 0:
		return 0, true
	default:
		atFault := operations[absent]
		w.sendCreations(ctx, []*write{atFault})
		return absent, InternalServerError(atFault.Err())
	}
}

// creationRefusedAlone resolves a creation that was refused although it was alone in its list and
// nothing has exactly its name. The database may treat another spelling as the same name. Otherwise
// another run of Terraform may have been in the way (a deadlock, a failure to serialise), so the
// creation is sent once more, and only then ends with the refusal.
func (w writing) creationRefusedAlone(ctx context.Context, o *write, refusal error) {
	row, err := w.c.queryOwner(ctx, w.key.typ.Namespace, o.name)
	switch {
	case err == nil && endpoint.String(row, "name") != o.name:
		o.Finish(existsError(w.key.typ.Name, o.name, row))
		return
	case o.resent:
		o.Finish(refusal)
		return
	}
	o.resent = true
	w.sendCreations(ctx, []*write{o})
}

// creationsUndone handles creations that eNMS reported as successful, but may have undone because another entry of
// the list failed. It finds out which of them exist, and sends the others again, without the entry that failed.
func (w writing) creationsUndone(ctx context.Context, operations []*write) {
	if len(operations) == 0 {
		return
	}
	rows, err := w.lookUpNames(ctx, operations)
	if err != nil {
		w.finishAmbiguous(operations, err)
		return
	}
	for _, o := range operations {
		if rows[o.name] != nil {
			o.Finish(w.checkName(o, o.name))
		}
	}
	w.sendCreations(ctx, operations) // those that are not finished
}

// creationsLost finds out which instances exist after the answer to a list was lost, and sends
// the others again. If they must not be sent again, and eNMS may still create them, their outcome is unknown.
func (w writing) creationsLost(ctx context.Context, operations []*write, cause error) {
	rows, err := w.lookUpNames(ctx, operations)
	if err != nil {
		w.finishUnread(operations, cause, err)
		return
	}
	for _, o := range operations {
		o.lost++
	}
	operations = w.finishExisting(operations, rows)
	if len(operations) > 0 && rest.InProgress(cause) && w.exhausted(operations, cause) {
		w.finishAmbiguous(operations, cause)
		return
	}
	if w.mayResend(ctx, operations, cause) {
		w.sendCreations(ctx, operations)
	}
}

// finishExisting finishes the operations whose names exist: as created if created says so, and otherwise
// with an *ExistsError. It returns the others.
func (w writing) finishExisting(operations []*write, rows map[string]Object) []*write {
	var remaining []*write
	for _, o := range operations {
		if row, has := rows[o.name]; !has {
			remaining = append(remaining, o)
		} else if w.created(o, row) {
			o.Finish(w.checkName(o, o.name))
		} else {
			taken := existsError(w.key.typ.Name, o.name, row)
			taken.MayBeOwn = o.mayBeOwn
			o.Finish(taken)
		}
	}
	return remaining
}

// lookUpNames finds the instances that have the names of a list of creations, in the namespace of
// their type, with the columns by which created compares them with what was sent.
func (w writing) lookUpNames(ctx context.Context, operations []*write) (map[string]Object, error) {
	var columns []string
	if !w.key.typ.NoTimestamps {
		columns = []string{"last_modified", "last_modified_by"}
	}
	names := make([]string, len(operations))
	for i, o := range operations {
		names[i] = o.name
		for field, value := range o.payload {
			if isScalar(value) && !rest.SecretField(field) && field != "new_name" && field != "must_be_new" {
				columns = append(columns, field)
			}
		}
	}
	return searchNames(ctx, w.c.endpoint, w.key.typ.Namespace, names, columns)
}

// created reports whether an operation has created the instance in row, which has its name. The instance must have
// its type. In addition, either the name was free before the operation was sent; or the answer to an attempt was
// lost, and the instance has the content that was sent and a last_modified at which this client may have written it.
func (w writing) created(o *write, row Object) bool {
	if endpoint.String(row, "type") != w.key.typ.Name {
		return false
	}
	return o.absentBefore || o.lost > 0 && !w.key.typ.NoTimestamps && w.wrote(o, row)
}

// wrote reports whether the instance in row has the content of an operation, and may have been written by this
// client since the operation was first sent.
func (w writing) wrote(o *write, row Object) bool {
	return o.matches != nil && o.matches(row) && w.c.Wrote(row, w.c.Since(o.sent))
}
