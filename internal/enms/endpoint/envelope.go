// This file sends lists of instances, and reads which entries were written, and why others were not.

package endpoint

import (
	"bytes"
	"context"
	"net/http"
	"regexp"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// Envelope is the answer to POST /rest/instance (enms-rest.md 0.1).
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
