// This file sends writes: it makes the list that is posted from payloads, and takes the result of each
// operation from the answer. What a lost answer or a refused list means is in create.go and change.go.

package enms

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math/big"
	"slices"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// writesOnly reports whether an update writes nothing but these fields.
func (o *write) writesOnly(fields ...string) bool {
	for field := range o.payload {
		if field != "name" && !slices.Contains(fields, field) {
			return false
		}
	}
	return len(o.payload) > 1
}

// draws reports whether an update only says how eNMS's builders draw an instance: it renames nothing, and
// relates nothing.
func draws(o *write) bool { return o.writesOnly("id", "positions", "labels") }

// names returns the names that a write concerns. Two writes with a name in common never share a list: eNMS would take the
// second for a new instance (enms-rest.md 0.1). Updates that only add positions may: they are about members that exist,
// such as [Shared] End, which stands in all workflows.
func (o *write) names(key writeKey) []string {
	switch {
	case key.action == actUpsert && o.writesOnly("id", "positions"):
		return nil
	case o.newName == "":
		return []string{o.name}
	}
	return []string{o.name, o.newName}
}

// write sends the payload of an operation. If eNMS does not find an instance that the payload refers to
// although this client has written that instance, or does not find the id in the payload, the payload is sent again: a
// worker might not know the instance yet. eNMS looks for both before it changes anything. Each attempt is an operation;
// sent is that of the last one.
func (c *Client) write(ctx context.Context, key writeKey, o *write) (sent *write, err error) {
	o.name = endpoint.String(o.payload, "name")
	if o.name == "" {
		return o, &PayloadError{Type: key.typ.Name, Reason: "needs a name: a string that is not empty"}
	}
	if err := c.checkReferences(ctx, key, o); err != nil {
		return o, err
	}
	payload, err := c.endpoint.Payload(ctx, key.typ.Name, o.payload)
	if err != nil {
		return o, &unsentError{err}
	}
	if o.body, err = encode(payload, key.action == actCreate); err != nil {
		return o, &PayloadError{Type: key.typ.Name, Name: o.name, Reason: "cannot be written as JSON"}
	}
	if err := c.checkNumbers(ctx, key.typ.Name, o.name, payload); err != nil {
		return o, err
	}
	c.endpoint.AddSecretFields(o.payload)
	o.newName = endpoint.String(o.payload, "new_name")
	sent = o
	tries := 0
	untilConsistent(ctx, func() bool {
		// The batch of an earlier try may still be running, so each try is a new operation.
		sent = &write{name: o.name, newName: o.newName, payload: o.payload, body: o.body, matches: o.matches, lost: sent.lost, resent: sent.resent}
		err = c.writes.Do(ctx, key, sent)
		if err != nil && errors.Is(err, ctx.Err()) && !sent.Interrupted() { // ctx ended before its batch began
			err = &unsentError{err}
		}
		tries++
		refused, is := errors.AsType[*RefusedError](err)
		switch {
		case is && refused.Missing != nil:
			return !c.written.has(refused.Missing.Name)
		case is && refused.UnknownID: // once more in any case, as after a 500 (upsertRefusedAlone)
			return tries > 1 && !c.written.has(o.name)
		}
		return true
	})
	return sent, err
}

// checkReferences returns an error if a list in the payload has a name that eNMS does not have. eNMS 4.7
// refuses such a payload itself; eNMS 5 leaves the name out without an error. Names that this client has
// written or found take no request.
func (c *Client) checkReferences(ctx context.Context, key writeKey, o *write) error {
	for field, value := range o.payload {
		of := c.endpoint.Reference(key.typ.Namespace, field)
		names, _ := object.Names(value)
		if of == "" || len(names) == 0 {
			continue
		}
		loses, err := c.endpoint.LosesNames(ctx)
		if err != nil {
			return &unsentError{err}
		}
		if !loses {
			return nil
		}
		missing, err := c.Missing(ctx, of, names)
		if err != nil {
			return &unsentError{err}
		}
		if len(missing) > 0 {
			return c.endpoint.MissingReference(key.action.verb(), key.typ.Name, o.name, Reference{Type: of, Name: missing[0]})
		}
	}
	return nil
}

// checkNumbers returns an error if a payload has a whole number beyond 64 bits. eNMS 5 would store it, and then
// answer 500 to each request that reads or deletes the instance (enms-rest.md 11.1). The error names the field
// and not the number, which may be a secret.
func (c *Client) checkNumbers(ctx context.Context, typ, name string, payload Object) error {
	for _, field := range slices.Sorted(maps.Keys(payload)) {
		if !hasNumberBeyond64Bits(payload[field]) {
			continue
		}
		switch line, err := c.Line(ctx); {
		case err != nil:
			return &unsentError{err}
		case line == object.Line5:
			return &PayloadError{Type: typ, Name: name, Reason: "contains a whole number beyond 64 bits in `" + field + "`: eNMS 5 could never return the instance again. Write it as a string"}
		}
		return nil
	}
	return nil
}

// hasNumberBeyond64Bits reports whether a JSON value contains a whole number that neither a signed nor an
// unsigned number of 64 bits holds.
func hasNumberBeyond64Bits(x any) bool {
	switch x := x.(type) {
	case json.Number:
		const alwaysFits = 18 // digits
		if len(x) <= alwaysFits {
			return false
		}
		n, whole := new(big.Int).SetString(x.String(), 10)
		return whole && !n.IsInt64() && !n.IsUint64()
	case map[string]any:
		for _, member := range x {
			if hasNumberBeyond64Bits(member) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(x, hasNumberBeyond64Bits)
	}
	return false
}

// encode writes a payload as JSON with the name first, and lists, objects and null last. eNMS assigns the
// values in the order of the keys, and keeps those before an error (enms-rest.md 0.1). In this order, an
// instance that a failed write leaves behind has its name and as little else as possible. A
// must_be_new in the payload is not sent: mustBeNew alone decides.
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

// rank orders the keys of a payload, as encode says.
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

// writing is a batch of writes with the same key.
type writing struct {
	c   *Client
	key writeKey
}

// post sends the payloads of operations as one list. Only updates may be executed twice.
func (w writing) post(ctx context.Context, operations []*write) (*endpoint.Envelope, error) {
	bodies := make([][]byte, len(operations))
	for i, o := range operations {
		bodies[i] = o.body
		if o.sent.IsZero() {
			o.sent = time.Now()
		}
	}
	return w.c.endpoint.Write(ctx, w.key.typ.Name, bodies, w.key.action != actUpsert)
}

// groupByName groups writes by their names.
func groupByName(writes []*write) map[string][]*write {
	same := map[string][]*write{}
	for _, o := range writes {
		same[o.name] = append(same[o.name], o)
	}
	return same
}

// unresolved are the operations of a list whose results the answer leaves open.
type unresolved struct {
	// undone were answered with success, and eNMS may have undone them when a
	// later entry of the list failed (enms-rest.md 10).
	undone []*write
	// unaccounted are those that the answer does not mention.
	unaccounted []*write
	// ambiguous are all operations of a list, if eNMS reports a failure of a name that several of them write.
	ambiguous []*write
}

// finishAnswered sets the result of each operation from its part of the answer. Failures belong to
// operations by the names that eNMS returns, successes in the order of the operations.
func (w writing) finishAnswered(operations []*write, answered *endpoint.Envelope) (left unresolved) {
	named := groupByName(operations)
	if slices.ContainsFunc(answered.Failures, func(f endpoint.Failure) bool { return len(named[f.Name]) > 1 }) {
		return unresolved{ambiguous: operations}
	}
	failed := map[*write]bool{}
	mayBeUndone := false
	for _, f := range answered.Failures {
		same := named[f.Name]
		if len(operations) == 1 {
			same = operations // whatever name eNMS returns
		}
		if len(same) == 0 || failed[same[0]] {
			continue
		}
		o := same[0]
		failed[o] = true
		mayBeUndone = mayBeUndone || f.Undoes()
		o.Finish(w.c.endpoint.Refusal(w.key.action.verb(), w.key.typ.Name, o.name, f))
	}
	others := slices.DeleteFunc(slices.Clone(operations), func(o *write) bool { return failed[o] })
	switch {
	case len(others) != len(answered.Success) || len(failed) != len(answered.Failures):
		left.unaccounted = others
	case mayBeUndone && !w.key.typ.CommittedOneByOne:
		left.undone = others
	default:
		for i, o := range others {
			o.Finish(w.checkName(o, answered.Success[i]))
		}
	}
	return left
}

// checkName records that an instance with the name that eNMS returns was written. It returns a *RenamedError
// if that is not the requested name.
func (w writing) checkName(o *write, got string) error {
	w.c.written.add(got)
	w.c.removed.remove(got)
	asked := cmp.Or(o.newName, o.name)
	if got == asked {
		return nil
	}
	w.c.Forget() // in particular cache.Cache.IDs, which a creation has kept because it should rename nothing
	return &RenamedError{Asked: asked, Got: got, shown: w.c.endpoint.Redact(got)}
}

// finishUnread ends operations whose outcome is unknown because the read that should find it out has
// failed as well. If the read met redirects or 429s, too, no write can have happened: the base URL is
// wrong, or a gateway rejects this client.
func (w writing) finishUnread(operations []*write, cause, reading error) {
	if rest.Redirected(cause) && rest.Redirected(reading) || rest.RateLimited(cause) && rest.RateLimited(reading) {
		batch.FinishAll(operations, cause)
		return
	}
	w.finishAmbiguous(operations, cause)
}

// finishAmbiguous ends operations of which it is unknown whether they happened.
func (w writing) finishAmbiguous(operations []*write, cause error) {
	for _, o := range operations {
		o.Finish(&AmbiguousError{Type: w.key.typ.Name, Name: o.name, cause: cause})
	}
}

// exhausted reports whether operations have used up their attempts, so that they are not sent again
// after their answer was lost. The first operation of the list counts for all.
func (w writing) exhausted(operations []*write, cause error) bool {
	return w.c.endpoint.Exhausted(operations[0].lost-1, operations[0].sent, cause)
}

// mayResend reports whether operations that did not happen because of cause are to be sent again, and
// pauses before it returns true. Otherwise it ends them with an error.
func (w writing) mayResend(ctx context.Context, operations []*write, cause error) bool {
	if len(operations) == 0 {
		return false
	}
	err := cause
	if !w.exhausted(operations, cause) && !rest.Permanent(cause) {
		if err = w.c.endpoint.Wait(ctx, operations[0].lost-1, cause); err == nil {
			return true
		}
	}
	batch.FinishAll(operations, err)
	return false
}
