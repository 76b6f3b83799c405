// Tests of what errors say, and of what follows from them.

package rest

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// What an error says about the request decides whether it is sent again, and whether a write is looked for.
func TestErrors_whatTheyMean(t *testing.T) {
	t.Parallel()
	sent := func(cause error) error { return &UnreachableError{Sent: true, cause: cause, message: cause.Error()} }
	unsent := func(cause error) error { return &UnreachableError{cause: cause, message: cause.Error()} }
	for _, test := range []struct {
		err     error
		means   string
		retried string // of a plain, a long and a once request: those that are sent again
	}{
		{io.EOF, "", ""},
		{&StatusError{Status: 400}, "unacted", ""},
		{&StatusError{Status: 401}, "unacted unauthorized", ""},
		{&StatusError{Status: 403}, "unacted forbidden", ""},
		{&StatusError{Status: 429}, "lost limited", "plain long"},
		{&StatusError{Status: 499}, "unacted", ""},
		{&StatusError{Status: 500}, "internal", ""},
		{&StatusError{Status: 502}, "lost", "plain long"},
		{&StatusError{Status: 503}, "lost", "plain long"},
		{&StatusError{Status: 504}, "lost running", "plain"},
		{&NotJSONError{Status: 200}, "lost", ""},
		{&NotJSONError{Status: 399}, "lost", ""},
		{&NotJSONError{Status: 400}, "unacted final", ""},
		{&NotJSONError{Status: 429}, "lost final", ""},
		{&NotJSONError{Status: 500}, "lost final", ""},
		{&RedirectError{}, "unacted lost redirected", ""},
		{sent(io.EOF), "lost", "plain long"},
		{unsent(io.EOF), "unacted", "plain long once"},
		{sent(&timeoutError{time.Second}), "lost running", "plain"},
		{unsent(&net.DNSError{IsNotFound: true}), "unacted", ""},
		{unsent(&net.DNSError{IsTemporary: true}), "unacted", "plain long once"},
		{unsent(fmt.Errorf("%w: far", errSize)), "unacted", ""},
		{unsent(&tls.CertificateVerificationError{Err: io.EOF}), "unacted", ""},
		{unsent(tls.RecordHeaderError{}), "unacted", ""},
		{unsent(&net.OpError{Op: "remote error", Err: io.EOF}), "unacted", ""},
		{unsent(&net.OpError{Op: "dial", Err: io.EOF}), "unacted", "plain long once"},
		{unsent(&SchemeError{}), "unacted", ""},
	} {
		var means, retried []string
		for _, m := range []struct {
			word string
			is   bool
		}{
			{"unacted", Unacted(test.err)}, {"unauthorized", errors.Is(test.err, ErrUnauthorized)}, {"forbidden", errors.Is(test.err, ErrForbidden)},
			{"lost", Lost(test.err)}, {"running", InProgress(test.err)}, {"limited", RateLimited(test.err)},
			{"internal", InternalServerError(test.err)}, {"final", Permanent(test.err)}, {"redirected", Redirected(test.err)},
		} {
			if m.is {
				means = append(means, m.word)
			}
		}
		for _, word := range []string{"plain", "long", "once"} {
			if retryable(test.err, Request{Long: word == "long", Once: word == "once"}) {
				retried = append(retried, word)
			}
		}
		if got := strings.Join(means, " "); got != test.means {
			t.Errorf("%#v means %q, want %q", test.err, got, test.means)
		}
		if got := strings.Join(retried, " "); got != test.retried {
			t.Errorf("%#v: sent again: %q, want %q", test.err, got, test.retried)
		}
		if line := test.err.Error(); line == "" || strings.Contains(line, "\n") || strings.Contains(line, "%!") {
			t.Errorf("%#v says %q", test.err, line)
		}
	}
}

// What a server says is told in one line: of a 403 only the reason of eNMS 5, of what is not found also that
// the path of the base URL may be wrong.
func TestErrors_whatTheySay(t *testing.T) {
	t.Parallel()
	const (
		missing = "There is no server in the database with the following characteristics: {'name': 'Localhost'}"
		path    = `; base_url has the path "/enms", which is right only if a proxy serves eNMS under it`
		pages   = "the base URL points at web pages instead of the REST interface of eNMS"
	)
	for want, err := range map[string]error{
		"the user is not allowed to do this in eNMS (GET /x answered 403)":                  &StatusError{Status: 403, Alert: "Error 403 - Operation not allowed."},
		"the user is not allowed to do this in eNMS (GET /x answered 403: " + missing + ")": &StatusError{Status: 403, Alert: "Error 403 - " + missing + ". Either the record does not exist or the user does not have access"},
		ErrUnauthorized.Error():                                  &StatusError{Status: 401, Alert: "no"},
		`GET /x: eNMS answered "no"` + path:                      &StatusError{Status: 404, Alert: "no", basePath: "/enms"},
		`GET /x: eNMS answered "no"`:                             &StatusError{Status: 404, Alert: "no"},
		`GET /x: eNMS answered "wrong"`:                          &StatusError{Status: 400, Alert: "wrong", basePath: "/enms"},
		"GET /x answered 404 Not Found":                          &StatusError{Status: 404},
		"cannot reach eNMS at h: a b":                            &UnreachableError{Host: "h", message: "a\nb"},
		"the server redirects http:// to https://, at https://h": &RedirectError{HTTPS: "https://h", Location: "https://h/x"},
		pages + path:                        &RedirectError{basePath: "/enms"},
		pages + " (it redirects to /login)": &RedirectError{Location: "/login"},
		"the server gave an answer with status 0 that is not from the REST interface of eNMS: it is empty":                                &NotJSONError{Problem: "it is empty"},
		`the server gave an answer of type text/html, titled "No", with status 200 that is not from the REST interface of eNMS: x` + path: &NotJSONError{Status: 200, ContentType: "text/html", Title: "No", Problem: "x", basePath: "/enms"},
		"it speaks plain HTTP, and base_url begins with https://":                                                                         &SchemeError{Speaks: "http", Said: "x"},
		"it speaks HTTPS, and base_url begins with http://":                                                                               &SchemeError{Speaks: "https"},
		`it speaks HTTPS, and base_url begins with http://: it says "No"`:                                                                 &SchemeError{Speaks: "https", Said: "No."},
	} {
		if status, is := errors.AsType[*StatusError](err); is {
			status.Method, status.Path = "GET", "/x"
		}
		if err.Error() != want {
			t.Errorf("%q, want %q", err, want)
		}
	}
}

// The page of a proxy about plain HTTP at its port for HTTPS tells the base URL to write.
func TestRequiresHTTPS(t *testing.T) {
	t.Parallel()
	const nginx = "400 The plain HTTP request was sent to HTTPS port"
	for name, test := range map[string]struct {
		base, body, title string
		status            int
		said              string // "": no such error
	}{
		"with a title":    {"http://h/enms", "<p>" + nginx, "No", 400, "No"},
		"without a title": {"http://h/enms", "Client sent an HTTP request to an HTTPS server.\nx", "", 400, "Client sent an HTTP request to an HTTPS server."},
		"another status":  {"http://h/enms", nginx, "", 404, ""},
		"another page":    {"http://h/enms", "400 Bad Request", "", 400, ""},
		"behind HTTPS":    {"https://h/enms", nginx, "", 400, ""},
		"far below":       {"http://h/enms", strings.Repeat(" ", maxSearched) + nginx, "", 400, ""},
	} {
		err := newClient(t, Config{BaseURL: test.base}).requiresHTTPS(test.status, []byte(test.body), test.title)
		scheme, is := errors.AsType[*SchemeError](err)
		if is != (test.said != "") || is && (*scheme != SchemeError{Speaks: "https", Use: "https://h/enms", Said: test.said} || !Unacted(err)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		"<TITLE lang=en>\n502 &amp;\n  so on </Title><title>x</title>": "502 & so on",
		"<p>no title</p>": "",
		strings.Repeat(" ", maxSearched) + "<title>x</title>": "",
	} {
		if got := title([]byte(body)); got != want {
			t.Errorf("%.20q: %q, want %q", body, got, want)
		}
	}
}
