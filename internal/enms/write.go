// This file sends writes: from payloads to the list that is posted, and from its answer to the
// result of each operation. For creations it finds out what the refusal of a whole list means for
// each entry, and what happened to a list whose answer was lost. Updates are in change.go.

package enms

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// Create creates an instance that must not exist yet. payload needs a name. matches is called if
// the answer to the creation was lost. It reports whether an instance is the one that the payload
// creates; row contains at least the scalars of the payload. If matches is nil, an instance with
// the name then counts as somebody else's, unless the name was known to be free before. The error
// is an *ExistsError if the name is taken, a *RenamedError if eNMS chose another one, a
// *RefusedError if it refused, and an *AmbiguousError if the outcome is unknown.
func (c *Client) Create(ctx context.Context, typ Type, payload Object, matches func(row Object) bool) error {
	sent, err := c.write(ctx, batchKey{action: actCreate, typ: typ}, &operation{payload: payload, matches: matches})
	if sent.Interrupted() {
		return &AmbiguousError{Type: typ.Name, Name: sent.name, cause: err} // eNMS may still do it
	}
	return err
}

func (c *Client) createBatch(ctx context.Context, key batchKey, operations []*operation) {
	if key.typ.NoTimestamps {
		// An instance that was missing before and exists afterwards was created by this list.
		rows, err := c.lookUpNames(ctx, key, operations)
		if err != nil {
			batch.FinishAll(operations, &unsentError{err})
			return
		}
		for _, o := range c.finishExisting(key, operations, rows) {
			o.absentBefore = true
		}
	}
	c.sendCreations(ctx, key, operations, 0)
}

// sendCreations sends one list of creations, for the attempt-th time after an
// answer was lost.
func (c *Client) sendCreations(ctx context.Context, key batchKey, operations []*operation, attempt int) {
	if operations = batch.Pending(operations); len(operations) == 0 {
		return
	}
	answered, err := c.post(ctx, key, operations)
	if err == nil {
		left := c.finishAnswered(key, operations, answered)
		for _, o := range left.conflicts {
			c.creationsRefused(ctx, key, []*operation{o}, o.refusal)
		}
		c.creationsUndone(ctx, key, left.undone)
		if operations = left.unaccounted; len(operations) == 0 {
			return
		}
		err = errUnaccounted
	}
	switch {
	case InternalServerError(err):
		c.creationsRefused(ctx, key, operations, err)
	case endpoint.Lost(err):
		c.creationsLost(ctx, key, operations, attempt, err)
	default:
		batch.FinishAll(operations, err)
	}
}

// creationsRefused finds out which entry of a list caused a 500. Nearly always a name is taken:
// such entries end with an error, and the others are sent again. If no name is taken, halves of
// the list are sent until the entries at fault are alone.
//
// eNMS has kept nothing of a refused list. So an instance that has one of the names is somebody
// else's, even if its content is the same and it is new: another run of Terraform may create the
// same at the same time.
func (c *Client) creationsRefused(ctx context.Context, key batchKey, operations []*operation, refusal error) {
	remaining := operations
	if key.typ.CommittedOneByOne || len(operations) == 1 || !operations[0].absentAfterRefusal {
		rows, err := c.lookUpNames(ctx, key, operations)
		if err != nil {
			batch.FinishAll(operations, refusal)
			return
		}
		remaining = c.finishTaken(ctx, key, operations, rows)
	}
	for _, o := range remaining {
		o.absentAfterRefusal = true
	}
	switch half := len(remaining) / 2; {
	case len(remaining) == 0:
	case len(remaining) == 1 && len(operations) == 1:
		c.creationRefusedAlone(ctx, key, remaining[0], refusal)
	case len(remaining) < len(operations):
		c.sendCreations(ctx, key, remaining, 0)
	default:
		c.sendCreations(ctx, key, remaining[:half], 0)
		c.sendCreations(ctx, key, remaining[half:], 0)
	}
}

// finishTaken finishes the operations whose names exist after their list was refused, and returns
// the others. If the type is CommittedOneByOne, eNMS has kept the entries before the one at
// fault. That is the first whose name does not exist, if it is refused again when it is sent
// alone. If it is not refused, somebody else took a name meanwhile, and nothing tells which of
// the existing instances this list created: all count as somebody else's, and the rest are sent
// one by one, so that their results are certain.
func (c *Client) finishTaken(ctx context.Context, key batchKey, operations []*operation, rows map[string]Object) []*operation {
	absent := func(o *operation) bool { return rows[o.name] == nil }
	first, kept := slices.IndexFunc(operations, absent), 0
	if key.typ.CommittedOneByOne && first > 0 {
		cause := operations[first]
		c.sendCreations(ctx, key, []*operation{cause}, 0)
		if InternalServerError(cause.Err()) {
			kept = first
		}
	}
	for i, o := range operations {
		o.absentBefore = o.absentBefore && (absent(o) || o.answerLost || i < kept)
	}
	remaining := batch.Pending(c.finishExisting(key, operations, rows))
	if !key.typ.CommittedOneByOne || first == 0 || kept > 0 {
		return remaining
	}
	for _, o := range remaining {
		c.sendCreations(ctx, key, []*operation{o}, 0)
	}
	return nil
}

// creationRefusedAlone resolves a creation that was refused by itself although nothing has
// exactly its name. The database may treat another spelling as the same name. Otherwise another
// run of Terraform may have been in the way (a deadlock, a failure to serialise), so it is sent
// once more.
func (c *Client) creationRefusedAlone(ctx context.Context, key batchKey, o *operation, refusal error) {
	row, err := c.queryOwner(ctx, c.endpoint.KnownType(key.typ.Namespace), o.name)
	switch {
	case err == nil && endpoint.String(row, "name") != o.name:
		o.Finish(existsError(key.typ.Name, o.name, row))
		return
	case o.retried:
		o.Finish(refusal)
		return
	}
	o.retried = true
	c.sendCreations(ctx, key, []*operation{o}, 0)
}

// creationsUndone finds out which of the creations that eNMS reported as successful exist, and
// sends the others again, without the entry that made eNMS undo them.
func (c *Client) creationsUndone(ctx context.Context, key batchKey, operations []*operation) {
	if len(operations) == 0 {
		return
	}
	rows, err := c.lookUpNames(ctx, key, operations)
	if err != nil {
		finishAmbiguous(key, operations, err)
		return
	}
	for _, o := range operations {
		if rows[o.name] != nil {
			o.Finish(c.checkName(key, o, o.name))
		}
	}
	c.sendCreations(ctx, key, operations, 0)
}

// creationsLost finds out which instances exist after the answer to a list was lost, and sends
// the others again.
func (c *Client) creationsLost(ctx context.Context, key batchKey, operations []*operation, attempt int, cause error) {
	rows, err := c.lookUpNames(ctx, key, operations)
	if err != nil {
		finishUnread(key, operations, cause, err)
		return
	}
	for _, o := range operations {
		o.answerLost = true
	}
	operations = c.finishExisting(key, operations, rows)
	if len(operations) > 0 && rest.InProgress(cause) && c.endpoint.Exhausted(attempt, operations[0].sent, cause) {
		finishAmbiguous(key, operations, cause)
		return
	}
	if c.mayResend(ctx, operations, attempt, cause) {
		c.sendCreations(ctx, key, operations, attempt+1)
	}
}

// finishExisting finishes the operations whose name exists, as created or as taken, and returns
// the others.
func (c *Client) finishExisting(key batchKey, operations []*operation, rows map[string]Object) []*operation {
	var remaining []*operation
	for _, o := range operations {
		if row, has := rows[o.name]; !has {
			remaining = append(remaining, o)
		} else if c.created(key, o, row) {
			o.Finish(c.checkName(key, o, o.name))
		} else {
			o.Finish(existsError(key.typ.Name, o.name, row))
		}
	}
	return remaining
}

// lookUpNames finds the instances that have the names of a list of creations, in the namespace of
// their type, with the columns by which created compares them with what was sent.
func (c *Client) lookUpNames(ctx context.Context, key batchKey, operations []*operation) (map[string]Object, error) {
	var columns []string
	if !key.typ.NoTimestamps {
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
	return c.searchNames(ctx, key.typ.Namespace, names, columns)
}

// created reports whether the operation created the instance that has its name: either the name
// was known to be free before; or the answer to an earlier attempt was lost, the instance is
// what was sent, and by its last_modified this client wrote it since.
func (c *Client) created(key batchKey, o *operation, row Object) bool {
	if endpoint.String(row, "type") != key.typ.Name {
		return false
	}
	return o.absentBefore || o.answerLost && !key.typ.NoTimestamps && o.matches != nil && o.matches(row) && c.Wrote(row, c.Since(o.sent))
}

// write sends the payload of an operation. It is sent again if eNMS does not find an instance
// that the payload refers to although this client has written it: a worker may not know it yet.
// eNMS looks for it before it changes anything. sent is the operation of the last attempt.
func (c *Client) write(ctx context.Context, key batchKey, o *operation) (sent *operation, err error) {
	if o.name = endpoint.String(o.payload, "name"); o.name == "" {
		return o, &PayloadError{Type: key.typ.Name, Reason: "needs a name: a string that is not empty"}
	}
	if o.body, err = encode(o.payload, key.action == actCreate); err != nil {
		return o, &PayloadError{Type: key.typ.Name, Name: o.name, Reason: "cannot be written as JSON"}
	}
	c.endpoint.AddSecrets(o.payload, false)
	o.newName = endpoint.String(o.payload, "new_name")
	untilConsistent(ctx, consistentTries, func() bool {
		// The batch of an earlier try may still be running, so each try is a new operation.
		sent = &operation{name: o.name, newName: o.newName, payload: o.payload, body: o.body, matches: o.matches}
		if err = c.batcher.Do(ctx, key, sent); err != nil && errors.Is(err, ctx.Err()) && !sent.Interrupted() {
			err = &unsentError{err}
		}
		refused, is := errors.AsType[*RefusedError](err)
		return !is || refused.Missing == nil || !c.written.has(refused.Missing.Name)
	})
	return sent, err
}

// encode writes a payload as JSON with the name first and lists and objects last. eNMS assigns in
// the order of the keys and keeps what came before an error (enms-rest.md 0.1): in this order,
// whatever a failed write leaves has its name and as little else as possible.
func encode(payload Object, mustBeNew bool) ([]byte, error) {
	keys := slices.SortedFunc(maps.Keys(payload), func(a, b string) int {
		return cmp.Or(rank(a, payload[a])-rank(b, payload[b]), cmp.Compare(a, b))
	})
	keys = slices.DeleteFunc(keys, func(key string) bool { return key == "must_be_new" })
	members := make([][]byte, 0, len(keys)+1)
	for _, key := range keys {
		member, err := json.Marshal(map[string]any{key: payload[key]})
		if err != nil {
			return nil, err
		}
		members = append(members, member[1:len(member)-1])
	}
	if mustBeNew {
		members = append(members, []byte(`"must_be_new":true`))
	}
	return slices.Concat([]byte("{"), bytes.Join(members, []byte(",")), []byte("}")), nil
}

// rank orders the keys of a payload.
func rank(key string, value any) int {
	switch {
	case key == "name":
		return 0
	case isScalar(value):
		return 1
	}
	return 2
}

// isScalar reports whether a value is neither null nor a list nor an object.
func isScalar(value any) bool {
	switch value.(type) {
	case bool, string, json.Number, int, int64, float64:
		return true
	}
	return false
}

func (c *Client) post(ctx context.Context, key batchKey, operations []*operation) (*endpoint.Envelope, error) {
	bodies := make([][]byte, len(operations))
	for i, o := range operations {
		bodies[i] = o.body
		if o.sent.IsZero() {
			o.sent = time.Now()
		}
	}
	return c.endpoint.Write(ctx, key.typ.Name, bodies, key.action != actUpsert)
}

// unresolved are the operations of a list whose results the answer leaves open.
type unresolved struct {
	// conflicts were refused because their name is taken. Only eNMS 5 says so.
	conflicts []*operation
	// undone were answered with success, and eNMS may have undone them when a
	// later entry of the list failed (enms-rest.md 10).
	undone []*operation
	// unaccounted are those that the answer does not mention.
	unaccounted []*operation
}

// finishAnswered sets the result of each operation from its part of the answer: failures by the
// name that eNMS echoes, the others in their order.
func (c *Client) finishAnswered(key batchKey, operations []*operation, answered *endpoint.Envelope) (left unresolved) {
	op, named := "update", map[string]*operation{}
	if key.action == actCreate {
		op = "create"
	}
	for _, o := range operations {
		named[o.name] = o
	}
	failed, undone := map[*operation]bool{}, false
	for _, f := range answered.Failures {
		o := named[f.Name]
		if len(operations) == 1 {
			o = operations[0]
		}
		if o == nil || failed[o] {
			continue
		}
		failed[o] = true
		undone = undone || f.Undoes()
		o.refusal = c.endpoint.Refusal(op, key.typ.Name, o.name, f)
		if f.NameTaken() {
			left.conflicts = append(left.conflicts, o)
		} else {
			o.Finish(o.refusal)
		}
	}
	others := slices.DeleteFunc(slices.Clone(operations), func(o *operation) bool { return failed[o] })
	switch {
	case len(others) != len(answered.Success) || len(failed) != len(answered.Failures):
		left.unaccounted = others
	case undone && !key.typ.CommittedOneByOne:
		left.undone = others
	default:
		for i, o := range others {
			o.Finish(c.checkName(key, o, answered.Success[i]))
		}
	}
	return left
}

// checkName compares the final name with the requested one, and records that it exists.
func (c *Client) checkName(key batchKey, o *operation, got string) error {
	c.written.add(got)
	c.removed.remove(got)
	asked := cmp.Or(o.newName, o.name)
	switch {
	case got == asked:
		return nil
	case key.action == actRename && got == o.name:
		return &IgnoredRenameError{Type: key.typ.Name, Name: o.name, NewName: o.newName}
	}
	return &RenamedError{Asked: asked, Got: got, shown: c.endpoint.Redact(got)}
}

// finishUnread ends operations whose outcome is unknown because reading failed as well. If
// redirects or 429s met the read, too, no write can have happened: the base URL is wrong, or a
// gateway rejects this client.
func finishUnread(key batchKey, operations []*operation, cause, reading error) {
	if rest.Redirected(cause) && rest.Redirected(reading) || rest.RateLimited(cause) && rest.RateLimited(reading) {
		batch.FinishAll(operations, cause)
		return
	}
	finishAmbiguous(key, operations, cause)
}

func finishAmbiguous(key batchKey, operations []*operation, cause error) {
	for _, o := range operations {
		o.Finish(&AmbiguousError{Type: key.typ.Name, Name: o.name, cause: cause})
	}
}

// mayResend reports whether to send operations again that did not happen because of cause, and
// pauses before it returns true. Otherwise the operations end with an error.
func (c *Client) mayResend(ctx context.Context, operations []*operation, attempt int, cause error) bool {
	if len(operations) == 0 {
		return false
	}
	err := cause
	if !c.endpoint.Exhausted(attempt, operations[0].sent, cause) && !rest.Permanent(cause) {
		if err = c.endpoint.Wait(ctx, attempt, cause); err == nil {
			return true
		}
	}
	batch.FinishAll(operations, err)
	return false
}
