// Tests of decoding, with fuzz tests for whatever a server may answer.

package enms

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
)

func TestErrorsAreOneLine(t *testing.T) {
	t.Parallel()
	for _, err := range []error{
		&RefusedError{Op: "create", Type: "task", Name: "a", Reason: "no"},
		&ExistsError{FoundType: "device", Name: "a", ID: "1"}, &RenamedError{Asked: "a", Got: "b"},
		&AmbiguousError{Type: "device", Name: "a", cause: io.EOF}, &FieldError{Type: "device", Field: "id", Reason: "is null"},
		&PayloadError{Type: "device", Reason: "needs a name"}, &AnswerError{Type: "device", Reason: "holds null where a list belongs"}, errUnaccounted,
		&NotFoundError{Type: "device", Name: "a"},
	} {
		if line := err.Error(); line == "" || strings.Contains(line, "\n") || strings.Contains(line, "%!") {
			t.Errorf("%T: %q", err, line)
		}
	}
}

// A name that the database takes for another one is told with both.
func TestExistsError_foundName(t *testing.T) {
	t.Parallel()
	err := existsError("device", "a", Object{"id": json.Number("1"), "name": "A", "type": "device"})
	if got, want := err.Error(), `eNMS already has a device named "A" (id 1), which its database takes for the same name as "a"`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func FuzzEnvelope(f *testing.F) {
	f.Add([]byte(`{"success":["a"],"failure":[[{"name":"b"},"Exception: no"]]}`))
	f.Add([]byte(`{"failure":[[null,"x"]]}`))
	f.Add([]byte(`{"success":null}`))
	f.Add([]byte(`[`))
	c, err := New(Config{BaseURL: "http://h"}, Words{})
	testserver.Must(f, err)
	f.Fuzz(func(t *testing.T, body []byte) {
		answered, err := endpoint.DecodeEnvelope("device", &rest.Answer{Status: 200, Body: body})
		if err != nil {
			if !endpoint.Lost(err) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%T %v", err, err)
			}
			return
		}
		operations := []*write{{name: "a"}, {name: "b"}}
		left := writing{c, writeKey{action: actCreate, typ: typeOf("device")}}.finishAnswered(operations, answered)
		open := slices.Concat(left.undone, left.unaccounted)
		if n := len(batch.Pending(operations)); n != len(open) {
			t.Errorf("%d have no result, %d are known to have none", n, len(open)) // nobody is forgotten
		}
		for _, o := range operations {
			if err := o.Err(); err != nil && strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("%q", err)
			}
		}
	})
}

// Reasons that callers have to tell apart are typed.
func TestReasonsOfRefusals(t *testing.T) {
	t.Parallel()
	c := newTestClient(t, "http://enms.invalid", func(*Config) {})
	refused := c.endpoint.Refusal("create", "task", "t", endpoint.Failure{Message: "eNMS.database.RbacError: There is no device in the database with the following characteristics: {'name': 'it's'}"})
	if refused.Missing == nil || *refused.Missing != (Reference{Type: "device", Name: "it's"}) || refused.UnknownType != "" || !Unacted(refused) {
		t.Errorf("%+v", refused)
	}
	refused = c.endpoint.Refusal("create", "nosuch_service", "s", endpoint.Failure{Message: "KeyError: 'nosuch_service'"})
	if refused.Missing != nil || refused.UnknownType != "nosuch_service" || !Unacted(refused) {
		t.Errorf("%+v", refused)
	}
	if rejected := (&StatusError{Status: 400}); !Unacted(rejected) || Unacted(&AmbiguousError{Type: "task", Name: "t", cause: rejected}) {
		t.Error("a list of which a request was rejected may have been written before")
	}
	refused = c.endpoint.Refusal("create", "task", "t", endpoint.Failure{Message: "ValueError: no"})
	if refused.Missing != nil || refused.UnknownType != "" || Unacted(refused) {
		t.Errorf("%+v", refused)
	}
}
