// Tests of the status of answers and of the bounds of their content.

package rest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"
)

// An answer of many small values is refused before it takes forty times its size in memory.
func TestDecode_bounds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body []byte
		want string
	}{
		"many objects":      {[]byte("[" + strings.Repeat("{},", maxValues) + "{}]"), "more than"},
		"many numbers":      {[]byte("[" + strings.Repeat("1,", maxValues+1) + "1]"), "more than"},
		"deep":              {bytes.Repeat([]byte("["), maxDepth+1), "nests deeper"},
		"deep enough":       {[]byte(strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth)), ""},
		"empty":             {[]byte(" \n"), "empty"},
		"short":             {[]byte("1"), ""},
		"cut off":           {[]byte(`{"a":`), "cut off"},
		"no JSON":           {[]byte("<"), "not JSON"},
		"two values":        {[]byte("[] []"), "follows"},
		"no Unicode":        {[]byte("\"\xff\""), "not Unicode"},
		"commas in strings": {[]byte(`["` + strings.Repeat(",", maxValues+1) + `"]`), ""},
	} {
		var into any
		err := decode(test.body, &into)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

func TestMeasure(t *testing.T) {
	t.Parallel()
	for body, want := range map[string][2]int{
		`1`: {0, 0}, `[1, 2]`: {1, 2}, `{"a": [1], "b": [{}]}`: {3, 5}, `["[{,\"[{,", "\\"]`: {1, 2}, `[[[]],[[]]]`: {3, 6}, `{"a":{}}{"a":{}}`: {2, 4},
	} {
		if depth, values := measure([]byte(body)); depth != want[0] || values != want[1] {
			t.Errorf("%s: %d levels, %d values", body, depth, values)
		}
	}
}

// The status, and what the server says, decide the error of an answer.
func TestCheckStatus(t *testing.T) {
	t.Parallel()
	const said = `{"alert": "no\n\ud800 hidden-password"}`
	status := func(status int, alert string) error {
		return &StatusError{Method: "GET", Path: "/x", Status: status, Alert: alert, basePath: "/at", retryAfter: 7 * time.Second}
	}
	to := func(location, https string) error {
		return &RedirectError{Location: location, HTTPS: https, basePath: "/at"}
	}
	for _, test := range []struct {
		status         int
		location, body string
		want           error
	}{
		{status: 200}, {status: 299},
		{300, "/login?next=a#b", "", to("/login", "")}, {399, "", "", to("", "")}, {302, "%zz", "", to("", "")},
		{301, "https://u:p@h:8443/at/rest", "", to("https://h:8443/at/rest", "https://h:8443/at")},
		{301, "https://other/at", "", to("https://other/at", "")}, {301, "http://h/login", "", to("http://h/login", "")},
		{400, "", said, status(400, "no \ufffd ***")}, {401, "", said, status(401, "")}, {403, "", said, status(403, "no \ufffd ***")},
		{403, "", "<p>", status(403, "")}, {404, "", "[]", status(404, "")}, {500, "", `{"alert": 1}`, status(500, "")}, {503, "", "<p>", status(503, "")},
		{500, "", "<p>", &NotJSONError{Status: 500, ContentType: "text/html", Title: "No", Problem: "it is not JSON", basePath: "/at"}},
	} {
		c := newClient(t, Config{BaseURL: "http://h/at/", Password: "hidden-password"})
		a := &Answer{Status: test.status, ContentType: "text/html; charset=utf-8", Title: "No", Body: []byte(test.body), basePath: c.basePath()}
		header := http.Header{"Location": {test.location}, "Retry-After": {"7"}}
		if err := c.checkStatus("GET", "/x", header, a); !reflect.DeepEqual(err, test.want) {
			t.Errorf("%d %s %s: %#v, want %#v", test.status, test.location, test.body, err, test.want)
		}
	}
	c := newClient(t, Config{BaseURL: "https://h"})
	if https := c.asHTTPS(&url.URL{Scheme: "https", Host: "h"}); https != "" {
		t.Error(https)
	}
	if err := newClient(t, Config{BaseURL: "http://h"}).checkStatus("GET", "/x", nil, &Answer{Status: 400, Body: []byte("plain HTTP request was sent to HTTPS port")}); !Is[*SchemeError](err) {
		t.Error(err)
	}
	if got := mediaType("text/"); got != "" {
		t.Error(got)
	}
}

func TestJSONType(t *testing.T) {
	t.Parallel()
	for want, value := range map[string]any{
		"null": nil, "a boolean": true, "a string": "", "a string that is not Unicode": json.RawMessage(`"\ud800"`), "a list": []any{}, "an object": map[string]any{},
		"the number 1": json.Number("1"), "the number " + strings.Repeat("1", 40) + "…": json.Number(strings.Repeat("1", 41)),
	} {
		if got := JSONType(value); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// A search for half a surrogate pair takes hardly any memory, however many escapes an answer has. Under
// the race detector, more of what it reads is allocated.
func TestLoneSurrogate_memory(t *testing.T) {
	const escapes = 100_000
	for escape, want := range map[string]bool{`\ud800`: true, `\ud83d\ude00`: false, `\u0041`: false, `\\ud800`: false} {
		body := []byte(`["\ud83d\ude00` + strings.Repeat(escape, escapes) + `"]`)
		if got := loneSurrogate(body); got != want {
			t.Errorf("%s: %v", escape, got)
		}
		if count := testing.AllocsPerRun(1, func() { loneSurrogate(body) }); count >= escapes {
			t.Errorf("%s: %.0f allocations", escape, count)
		}
	}
}
