// Tests of decoding, with fuzz tests for whatever a server may answer.

package endpoint

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

func TestReason(t *testing.T) {
	t.Parallel()
	trace := "Traceback (most recent call last):\n  File \"rest_api.py\", line 1, in f\n    raise X\n"
	for message, want := range map[string]string{
		"Name is missing": "Name is missing",
		trace + "eNMS.database.RbacError: There is no device in the database with the following characteristics: {'name': 'x'}\n": "There is no device in the database with the following characteristics: {'name': 'x'}",
		trace + "Exception: Names cannot contain a slash or a quote.":                                                             "Names cannot contain a slash or a quote.",
		trace + "KeyError: 'nosuchtype'":  "KeyError: 'nosuchtype'",
		trace + "eNMS.database.RbacError": "the user is not allowed to do this (RbacError)",
		trace + "ValueError":              "ValueError",
		trace + "sqlalchemy.exc.DataError: (x) bad value\n[parameters: ('hidden',)]\n(Background on this error)": "(x) bad value",
		"":                   "",
		"a\r\nb\x1b[31m\x00": "b [31m",
	} {
		if got := Reason(message); got != want {
			t.Errorf("%q: %q, not %q", message, got, want)
		}
	}
	if got := Reason(strings.Repeat("é", 1000)); len(got) > rest.MaxLine+5 || !utf8.ValidString(got) {
		t.Errorf("%d bytes", len(got))
	}
}

// An error shows only the beginning of a long name; Missing has all of it.
func TestMissingReference_longName(t *testing.T) {
	t.Parallel()
	c, err := New(rest.Config{BaseURL: "http://enms.example.com"}, object.Words{})
	if err != nil {
		t.Fatal(err)
	}
	to := Reference{Type: "device", Name: strings.Repeat("x", 2*rest.MaxLine)}
	refused := c.MissingReference("create", "link", "l", to)
	if refused.Missing == nil || *refused.Missing != to || len(refused.Reason) > rest.MaxLine+5 {
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
			err = CheckIdentity("device", rows[i])
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
			if id, has := row["id"]; has && IDText(id) == "" {
				t.Errorf("the id %v", id)
			}
		}
		_, _ = decodeMembers("device", &rest.Answer{Status: 200, Body: body})
	})
}
