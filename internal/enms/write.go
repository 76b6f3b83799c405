// What creations, updates and renames share: from a payload to the list that is
// posted, and back to each operation's result.

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

// write sends the payload of an operation. It is sent again when eNMS misses what
// the payload refers to although this client has written it: eNMS looks for that
// before it changes anything. sent is the operation as it was sent last.
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
		// Its batch may still be under way with others, so each try is a new one.
		sent = &operation{name: o.name, newName: o.newName, payload: o.payload, body: o.body, matches: o.matches}
		err = c.batcher.Do(ctx, key, sent)
		refused, is := errors.AsType[*RefusedError](err)
		return !is || refused.Missing == nil || !c.written.has(refused.Missing.Name)
	})
	return sent, err
}

// encode writes a payload as JSON with the name first and lists and objects
// last. eNMS assigns in the order of the keys and keeps what came before an
// error (enms-rest.md 0.1): in this order the remains have their name, and are
// the fewest.
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

// post sends operations as one upsert.
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

// unresolved are the operations of a list whose result its answer does not tell.
type unresolved struct {
	// conflicts were refused because their name is taken, as eNMS 5 tells it.
	conflicts []*operation
	// undone were answered with success, and eNMS may have undone them when a
	// later entry of the list failed (enms-rest.md 10).
	undone []*operation
	// unaccounted are those that the answer does not account for.
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

// checkName compares the final name with the one that was asked for, and notes
// that it exists.
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

// existsError returns the error of an operation whose name a row has.
func existsError(typ, name string, row Object) error {
	taken := &ExistsError{Type: typ, Name: name, ID: endpoint.IDText(row["id"]), FoundType: endpoint.String(row, "type"), SoftDeleted: endpoint.Deleted(row)}
	if found := endpoint.String(row, "name"); found != name {
		taken.FoundName = found
	}
	return taken
}

// finishUnread ends operations of which it is not known whether they happened,
// because reading failed, too. When whoever answered does not even let reads
// through, nothing did: the base URL is wrong, or a gateway turns this client
// away.
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

// mayResend reports whether operations that did not happen, because of cause, are
// to be sent again, and waits before. Otherwise they get their error.
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
