// Tests of decoding, with fuzz tests for whatever a server may answer.

package enms

import (
	"io"
	"log"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
)

// discard is where servers of tests complain about clients that hang up.
var discard = log.New(io.Discard, "", 0)

func TestReason(t *testing.T) {
	t.Parallel()
	trace := "Traceback (most recent call last):\n  File \"rest_api.py\", line 1, in f\n    raise X\n"
	for message, want := range map[string]string{
		"Name is missing": "Name is missing",
		trace + "eNMS.database.RbacError: There is no device in the database with the following characteristics: {'name': 'x'}\n": "There is no device in the database with the following characteristics: {'name': 'x'}",
		trace + "Exception: Names cannot contain a slash or a quote.":                                                             "Names cannot contain a slash or a quote.",
		trace + "KeyError: 'nosuchtype'":  "KeyError: 'nosuchtype'",
		trace + "eNMS.database.RbacError": "the user may not do this (RbacError)",
		trace + "ValueError":              "ValueError",
		trace + "sqlalchemy.exc.DataError: (x) bad value\n[parameters: ('hidden',)]\n(Background on this error)": "(x) bad value",
		"":                   "",
		"a\r\nb\x1b[31m\x00": "b [31m",
	} {
		if got := reason(message); got != want {
			t.Errorf("%q: %q, not %q", message, got, want)
		}
	}
	if got := reason(strings.Repeat("é", 1000)); len(got) > rest.MaxLine+5 || !utf8.ValidString(got) {
		t.Errorf("%d bytes", len(got))
	}
}

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

func FuzzEnvelope(f *testing.F) {
	f.Add([]byte(`{"success":["a"],"failure":[[{"name":"b"},"Exception: no"]]}`))
	f.Add([]byte(`{"failure":[[null,"x"]]}`))
	f.Add([]byte(`{"success":null}`))
	f.Add([]byte(`[`))
	c, err := New(Config{BaseURL: "http://h"})
	must(f, err)
	f.Fuzz(func(t *testing.T, body []byte) {
		answered, err := decodeEnvelope("device", &rest.Answer{Status: 200, Body: body})
		if err != nil {
			if !lost(err) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%T %v", err, err)
			}
			return
		}
		operations := []*operation{{name: "a"}, {name: "b"}}
		for _, err := range batch.Together(t.Context(), operations, errUnaccounted, func(operations []*operation) {
			left := c.finishAnswered(batchKey{action: actCreate, typ: typeOf("device")}, operations, answered)
			open := slices.Concat(left.conflicts, left.undone, left.unaccounted)
			if n := len(batch.Pending(operations)); n != len(open) {
				t.Errorf("%d have no result, %d are known to have none", n, len(open)) // nobody is forgotten
			}
		}) {
			if err != nil && strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("%q", err)
			}
		}
	})
}

// Reasons that callers have to tell apart are typed.
func TestReasonsOfRefusals(t *testing.T) {
	t.Parallel()
	c := newTestClient(t, "http://enms.invalid", func(*Config) {})
	refused := c.newRefusedError("create", "task", "t", "eNMS.database.RbacError: There is no device in the database with the following characteristics: {'name': 'it's'}", reason)
	if refused.Missing == nil || *refused.Missing != (Reference{Type: "device", Name: "it's"}) || refused.UnknownType != "" || !Unacted(refused) {
		t.Errorf("%+v", refused)
	}
	refused = c.newRefusedError("create", "nosuch_service", "s", "KeyError: 'nosuch_service'", reason)
	if refused.Missing != nil || refused.UnknownType != "nosuch_service" || !Unacted(refused) {
		t.Errorf("%+v", refused)
	}
	refused = c.newRefusedError("create", "task", "t", "ValueError: no", reason)
	if refused.Missing != nil || refused.UnknownType != "" || Unacted(refused) {
		t.Errorf("%+v", refused)
	}
}

func FuzzRows(f *testing.F) {
	f.Add([]byte(`[{"id":1,"name":"a","type":"device","port":22}]`))
	f.Add([]byte(`[{"id":1e3,"name":"a"}]`))
	f.Add([]byte(`[[[[]]]]`))
	f.Add([]byte(`[{"id":-0}]`))
	f.Fuzz(func(t *testing.T, body []byte) {
		rows, err := decodeRows("device", &rest.Answer{Status: 200, Body: body})
		for i := 0; err == nil && i < len(rows); i++ {
			err = checkIdentity("device", rows[i])
		}
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q", err)
			}
			return
		}
		for _, row := range rows {
			if _, has := row["name"]; has && !strings.Contains(string(body), `"`) {
				t.Errorf("a name out of nothing: %v", row)
			}
			if id, has := row["id"]; has && idText(id) == "" {
				t.Errorf("the id %v", id)
			}
		}
		_, _ = decodeObject("device", &rest.Answer{Status: 200, Body: body})
	})
}
