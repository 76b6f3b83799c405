// Writes as their callers see them, and the way from a payload to the list that
// is posted and back to each caller's result.

package enms

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// errUnaccounted is the error of calls that an answer does not account for.
var errUnaccounted = &FieldError{Type: "the answer", Field: "success", Reason: "does not account for every instance that was sent"}

// Create creates an instance that must not exist yet. payload needs a name;
// namespace is the type whose names must differ, such as "node" for devices
// (enms-rest.md 0.3). made tells whether an instance that eNMS answers, with the
// scalars of the payload at least, is what the payload makes: it is asked when the
// answer to the creation was lost. Without it, nothing is.
//
// *ExistsError when the name is taken, *RenamedError when eNMS chose another
// one, *RefusedError when it refused, *AmbiguousError when it is unknown.
func (c *Client) Create(ctx context.Context, typ, namespace string, payload Object, made func(row Object) bool) error {
	if namespace == "" {
		namespace = typ
	}
	return c.write(lane{op: opCreate, typ: typ, detail: namespace}, &call{ctx: ctx, payload: payload, made: made})
}

// Upsert updates the instance that payload names, or adopts it, or creates it
// when there is none (enms-rest.md 0.1). new_name in the payload renames; it
// must be there whenever the name will be another one afterwards, also when
// eNMS computes it (1.5), because a request without it may be sent twice.
//
// *RenamedError when the final name is neither; the other errors as Create.
func (c *Client) Upsert(ctx context.Context, typ string, payload Object) error {
	op := opUpsert
	if text(payload, "new_name") != "" {
		op = opRename
	}
	return c.write(lane{op: op, typ: typ}, &call{ctx: ctx, payload: payload})
}

// write sends the payload of a call.
func (c *Client) write(l lane, k *call) (err error) {
	if k.name = text(k.payload, "name"); k.name == "" {
		return &FieldError{Type: l.typ, Field: "name", Reason: "of the payload must be a string that is not empty"}
	}
	if k.body, err = encode(k.payload, l.op == opCreate); err != nil {
		return &FieldError{Type: l.typ, Name: k.name, Field: "payload", Reason: "cannot be written as JSON"}
	}
	k.newName = text(k.payload, "new_name")
	return c.travel(l, k)
}

// travel sends a call through the gate, or alone.
func (c *Client) travel(l lane, k *call) error {
	if err := k.ctx.Err(); err != nil {
		return err
	}
	k.ticket = &ticket{done: make(chan struct{})}
	if c.cfg.Uncoalesced {
		c.run(k.ctx, l, []*call{k})
		k.finish(errUnaccounted)
		return k.ticket.err
	}
	return c.gate.submit(l, k)
}

// run does what the calls of one batch want. Each call is finished as soon as
// its result is known.
func (c *Client) run(ctx context.Context, l lane, calls []*call) {
	if l.op.write() {
		c.views.drop()
		defer c.views.drop()
	}
	switch l.op {
	case opCreate:
		c.createAll(ctx, l, calls)
	case opUpsert, opRename:
		c.upsertList(ctx, l, calls, 0)
	case opFind:
		c.findAll(ctx, l.typ, calls)
	case opFindNow:
		c.findThese(ctx, l.typ, calls)
	case opRelated:
		c.relatedAll(ctx, l, calls)
	case opRelatedByID:
		c.relatedByIDs(ctx, l, calls)
	}
}

// encode writes a payload as JSON with the name first and lists and objects
// last. eNMS assigns in the order of the keys and keeps what came before an
// error (enms-rest.md 0.1): in this order the remains have their name, and are
// the fewest.
func encode(payload Object, mustBeNew bool) ([]byte, error) {
	keys := make([]string, 0, len(payload))
	for key := range payload {
		if key != "must_be_new" {
			keys = append(keys, key)
		}
	}
	slices.SortFunc(keys, func(a, b string) int {
		if byRank := rank(a, payload[a]) - rank(b, payload[b]); byRank != 0 {
			return byRank
		}
		return bytes.Compare([]byte(a), []byte(b))
	})
	var out bytes.Buffer
	for i, key := range keys {
		label, err := json.Marshal(key)
		if err != nil {
			return nil, err
		}
		value, err := json.Marshal(payload[key])
		if err != nil {
			return nil, err
		}
		out.WriteByte("{,"[min(i, 1)])
		fmt.Fprintf(&out, "%s:%s", label, value)
	}
	if mustBeNew {
		out.WriteString(`,"must_be_new":true`)
	}
	out.WriteByte('}')
	return out.Bytes(), nil
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

// isScalar tells a value that is neither null nor a list nor an object.
func isScalar(value any) bool {
	switch value.(type) {
	case bool, string, json.Number, int, int64, float64:
		return true
	}
	return false
}

// post sends calls as one upsert.
func (c *Client) post(ctx context.Context, l lane, calls []*call) (*envelope, error) {
	body := calls[0].body
	if len(calls) > 1 {
		parts := make([][]byte, len(calls))
		for i, k := range calls {
			parts[i] = k.body
		}
		body = slices.Concat([]byte("["), bytes.Join(parts, []byte(",")), []byte("]"))
	}
	for _, k := range calls {
		if k.sent.IsZero() {
			k.sent = time.Now()
		}
	}
	a, err := c.rest.Do(ctx, rest.Request{
		Method: http.MethodPost, Path: rest.Path("instance", l.typ), Body: body,
		Entries: len(calls), Once: l.op != opUpsert,
	})
	if err != nil {
		return nil, err
	}
	return decodeEnvelope(l.typ, a)
}

// unsettled are the calls of a list that its answer does not settle.
type unsettled struct {
	// conflicts were refused because their name is taken, as eNMS 5 tells it.
	conflicts []*call
	// undone were answered with success, and eNMS may have undone them when a
	// later entry of the list failed (enms-rest.md 10).
	undone []*call
	// unaccounted are those that the answer does not account for.
	unaccounted []*call
}

// match gives each call its part of the answer: failures by the name that eNMS
// echoes, the others in their order. What it does not settle is returned.
func (c *Client) match(l lane, calls []*call, answered *envelope) (left unsettled) {
	byName := make(map[string]*call, len(calls))
	for _, k := range calls {
		byName[k.name] = k
	}
	failed, undone := map[*call]bool{}, false
	for _, f := range answered.failures {
		k := byName[f.name]
		if len(calls) == 1 {
			k = calls[0]
		}
		if k == nil || failed[k] {
			continue
		}
		failed[k] = true
		undone = undone || databaseError.MatchString(f.message)
		if k.refusal = c.refusal(l, k, f.message); uniqueViolation.MatchString(f.message) {
			left.conflicts = append(left.conflicts, k)
		} else {
			k.finish(k.refusal)
		}
	}
	others := slices.DeleteFunc(slices.Clone(calls), func(k *call) bool { return failed[k] })
	switch {
	case len(others) != len(answered.success) || len(failed) != len(answered.failures):
		left.unaccounted = others
	case undone && l.typ != task: // tasks are committed one by one
		left.undone = others
	default:
		for i, k := range others {
			k.finish(c.named(l, k, answered.success[i]))
		}
	}
	return left
}

// refusal is the error of an entry of "failure".
func (c *Client) refusal(l lane, k *call, message string) error {
	op := "update"
	if l.op == opCreate {
		op = "create"
	}
	return &RefusedError{Op: op, Type: l.typ, Name: k.name, Reason: c.rest.Redact(reason(message), map[string]any(k.payload))}
}

// named compares the final name with the one that was asked for, and notes that
// it exists.
func (c *Client) named(l lane, k *call, got string) error {
	c.written.add(got)
	asked := k.name
	if k.newName != "" {
		asked = k.newName
	}
	switch {
	case got == asked:
		return nil
	case l.op == opRename && got == k.name:
		return &IgnoredRenameError{Type: l.typ, Name: k.name, NewName: k.newName}
	}
	return &RenamedError{Asked: asked, Got: got}
}

// halves splits calls in two.
func halves(calls []*call) ([]*call, []*call) {
	return calls[:len(calls)/2], calls[len(calls)/2:]
}
