// This file makes the requests that write and delete: lists of instances, which of them were written, why eNMS refused
// others, and positions, which eNMS 5 stores elsewhere (layout.go).

package endpoint

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// The values of once, which [rest.Request] explains.
const (
	AtMostOnce = true
	Repeatable = false
)

// Write creates or updates instances in one request. bodies are their payloads as JSON; once is AtMostOnce or Repeatable.
// On eNMS 5, positions belong to the containers (layout.go): Write first updates the containers, and then sends the
// payloads without positions.
func (c *Client) Write(ctx context.Context, typ string, bodies [][]byte, once bool) (*Envelope, error) {
	if !movesMembers(bodies) {
		return c.post(ctx, typ, bodies, once)
	}
	if is5, err := c.is5(ctx); err != nil {
		return nil, err
	} else if !is5 {
		return c.post(ctx, typ, bodies, once)
	}
	moves := splitPositions(bodies)
	refused, err := c.move(ctx, containerOf(typ).typ, moves)
	if err != nil {
		return nil, err
	}
	return c.writeOthers(ctx, typ, moves, refused, once)
}

// move writes the positions of payloads to the containers that store them, along with the positions that other members
// have there. It returns why eNMS refused containers, by their names. It sends the ids of the containers, because eNMS
// would otherwise make another instance for a user who may not edit the container (enms-rest.md 11.3).
func (c *Client) move(ctx context.Context, container string, payloads []placed) (refused map[string]string, err error) {
	moved := map[string]map[string]any{} // by the names of the containers and of the members
	for _, p := range payloads {
		for name, position := range p.positions {
			if moved[name] == nil {
				moved[name] = map[string]any{}
			}
			moved[name][p.name] = position
		}
	}
	if len(moved) == 0 {
		return nil, nil
	}
	rows, err := c.containers(ctx, container, slices.Sorted(maps.Keys(moved)))
	if len(rows) == 0 || err != nil {
		return nil, err
	}
	var bodies [][]byte
	for _, row := range rows {
		name := String(row, "name")
		all := map[string]any{}
		maps.Copy(all, membersIn(row))
		maps.Copy(all, moved[name])
		body, _ := json.Marshal(c.line.like5(container, Object{"id": row["id"], "name": name, positionsField: all}, false)) // decoded numbers and lists
		bodies = append(bodies, body)
	}
	written, err := c.post(ctx, container, bodies, Repeatable)
	if err != nil {
		return nil, err
	}
	if len(written.Success)+len(written.Failures) != len(bodies) {
		return nil, &AnswerError{Type: container, Reason: "does not account for each entry"}
	}
	refused = map[string]string{}
	for _, f := range written.Failures {
		refused[f.Name] = f.Message
	}
	return refused, nil
}

// writeOthers writes what payloads have besides positions, unless they were to be moved in containers that eNMS refused:
// these have failed.
func (c *Client) writeOthers(ctx context.Context, typ string, payloads []placed, refused map[string]string, once bool) (*Envelope, error) {
	var failed []Failure
	var names []string
	var bodies [][]byte
	more := false
	for _, p := range payloads {
		if message, is := p.refusedIn(refused); is {
			failed = append(failed, Failure{Name: p.name, Message: message})
			continue
		}
		names, bodies, more = append(names, p.name), append(bodies, p.body), more || p.more
	}
	if !more {
		return &Envelope{Success: names, Failures: failed}, nil
	}
	written, err := c.post(ctx, typ, bodies, once)
	if err != nil {
		return nil, err
	}
	written.Failures = append(written.Failures, failed...)
	return written, nil
}

// refusedIn returns why eNMS refused a container of the payload, the first by name.
func (p placed) refusedIn(refused map[string]string) (message string, is bool) {
	for _, name := range slices.Sorted(maps.Keys(p.positions)) {
		if message, is = refused[name]; is {
			return message, true
		}
	}
	return "", false
}

// post makes the request of Write, for payloads that need no other request.
func (c *Client) post(ctx context.Context, typ string, bodies [][]byte, once bool) (*Envelope, error) {
	body := bodies[0]
	if len(bodies) > 1 {
		body = slices.Concat([]byte("["), bytes.Join(bodies, []byte(",")), []byte("]"))
	}
	a, err := c.Do(ctx, rest.Request{
		Method: http.MethodPost, Path: rest.Path("instance", typ), Body: body, Entries: len(bodies), Once: once,
	})
	if err != nil {
		return nil, err
	}
	return DecodeEnvelope(typ, a)
}

// Envelope is the answer to POST /rest/instance (enms-rest.md 0.1). It has one item for each payload.
type Envelope struct {
	Success  []string // the names that the entries have now
	Failures []Failure
}

// Failure is an entry of "failure": the name in it, and the message. eNMS returns the whole payload with
// them, which may contain secrets and is dropped (enms-rest.md 0.1).
type Failure struct {
	Name, Message string
}

// Undoes reports whether the database caused the failure: eNMS has then undone what it did
// for the earlier entries of the list, although it answers success for them (enms-rest.md 10).
func (f Failure) Undoes() bool { return databaseError.MatchString(f.Message) }

// DecodeEnvelope decodes the answer to an upsert of instances of typ.
func DecodeEnvelope(typ string, a *rest.Answer) (*Envelope, error) {
	members, err := decodeMembers(typ, a)
	if err != nil {
		return nil, err
	}
	result := &Envelope{}
	for _, field := range []string{"success", "failure"} {
		value, has := members[field]
		list, ok := value.([]any)
		if has && !ok {
			return nil, WrongType(typ, value, "a list of "+field)
		}
		for _, element := range list {
			if !result.add(field, element) {
				return nil, WrongType(typ, element, "an entry of "+field)
			}
		}
	}
	return result, nil
}

// add adds one element of "success" or "failure". It reports whether the element is well-formed.
func (e *Envelope) add(field string, element any) bool {
	if field == "success" {
		name, ok := element.(string)
		e.Success = append(e.Success, name)
		return ok
	}
	pair, ok := element.([]any)
	if !ok || len(pair) != 2 {
		return false
	}
	echo, isObject := pair[0].(map[string]any)
	message, isText := rest.Text(pair[1])
	e.Failures = append(e.Failures, Failure{Name: String(echo, "name"), Message: message})
	return isObject && isText
}

// databaseError matches the messages of failures of the database.
var databaseError = regexp.MustCompile(`sqlalchemy|psycopg|MySQLdb|pymysql|NUL \(0x00\)`)

var (
	// exception matches the line of a Python traceback that names the exception.
	exception = regexp.MustCompile(`^((?:\w+\.)*)(\w*(?:Error|Exception|Warning|Exists|Interrupt))(?:: (.*))?$`)
	// These match the reasons that have a field in RefusedError.
	missing     = regexp.MustCompile(`^There is no (\w+) in the database with the following characteristics: \{'name': '(.*)'\}`)
	unknownType = regexp.MustCompile(`^KeyError: '([a-z0-9_]+)'$`)
	unknownID   = regexp.MustCompile(`^There is no \w+ in the database with the following characteristics: \{'id': \d+\}`)
)

// Refusal returns the error of a failure to write an instance; op is as in RefusedError.
func (c *Client) Refusal(op, typ, name string, f Failure) *RefusedError {
	return c.newRefusedError(op, typ, name, f.Message, Reason)
}

// newRefusedError makes the error for a message. pick chooses the line of the message that explains the
// refusal. Reason is that line without secrets; the other fields are read from the original line.
func (c *Client) newRefusedError(op, typ, name, message string, pick func(string) string) *RefusedError {
	refused := &RefusedError{Op: op, Type: typ, Name: name, Reason: pick(c.Redact(message))}
	line := pick(message)
	if match := missing.FindStringSubmatch(line); match != nil {
		refused.Missing = &Reference{Type: match[1], Name: match[2]}
	}
	if match := unknownType.FindStringSubmatch(line); match != nil {
		refused.UnknownType = match[1]
	}
	refused.UnknownID = unknownID.MatchString(line)
	return refused
}

// MissingReference returns the error of a payload that refers to an instance that eNMS does not have. It
// is for an eNMS that would not refuse the payload itself.
func (c *Client) MissingReference(op, typ, name string, to Reference) *RefusedError {
	reason := fmt.Sprintf("There is no %s in the database with the following characteristics: {'name': '%s'}", to.Type, to.Name) // as 4.7 says it
	return &RefusedError{Op: op, Type: typ, Name: name, Reason: rest.OneLine(c.Redact(reason)), Missing: &to}
}

// Reason returns the line of a failure's message that explains it: the last line that names an
// exception, or else the last line. Other lines may contain SQL with values of the payload.
func Reason(message string) string {
	lines := strings.FieldsFunc(message, func(r rune) bool { return r == '\n' || r == '\r' })
	last := ""
	for _, line := range slices.Backward(lines) {
		if found := exception.FindStringSubmatch(line); found != nil {
			return rest.OneLine(withoutClass(found[1], found[2], found[3]))
		}
		last = cmp.Or(last, strings.TrimSpace(line))
	}
	return rest.OneLine(last)
}

// withoutClass returns the text of an exception, with its class if the text is not clear without it: Python's
// own classes remain, because "KeyError: 'x'" means nothing without them.
func withoutClass(path, class, text string) string {
	switch {
	case text == "" && class == "RbacError":
		return "the user is not allowed to do this (RbacError)"
	case text == "":
		return class
	case path != "" || class == "Exception":
		return text
	}
	return class + ": " + text
}

// Delete deletes an instance and returns it as it was; on eNMS 5, a GET before finds its relations, which the
// answer to the deletion lacks. lost reports whether the answer to an attempt was lost, so that this attempt
// may have deleted the instance. The error is a *RefusedError if eNMS aborts the deletion (enms-rest.md 3).
func (c *Client) Delete(ctx context.Context, typ, name string) (deleted Object, lost bool, err error) {
	var before Object
	if c.line.number.Load() == object.Line5 && !c.line.words.Unreferred[typ] {
		before, _ = c.Get(ctx, typ, name) // without it, only the references to the instance are unknown
	}
	a, err := c.Do(ctx, rest.Request{Method: http.MethodDelete, Path: rest.Path("instance", typ, name)})
	if err == nil {
		deleted, err = c.decodeDeletion(typ, name, a)
	}
	if err == nil && before != nil {
		addRelations(deleted, before)
	}
	return deleted, a.Lost || Lost(err), err
}

// decodeDeletion returns the instance as it was, or an error if the answer does not say that it was deleted.
func (c *Client) decodeDeletion(typ, name string, a *rest.Answer) (deleted Object, err error) {
	removed, err := decodeMembers(typ, a)
	if err == nil {
		c.line.translate(typ, removed)
		err = CheckIdentity(typ, removed)
	}
	switch aborted, has := removed["delete_aborted"]; {
	case err != nil:
		return nil, err
	case aborted == true:
		return nil, c.newRefusedError("delete", typ, name, Text(removed["log"]), rest.OneLine)
	case has && aborted != false:
		return nil, WrongType(typ, aborted, "a boolean")
	case String(removed, "name") != name:
		return nil, &AnswerError{Type: typ, Reason: fmt.Sprintf("does not say that %q was deleted", name)}
	}
	return removed, nil
}
