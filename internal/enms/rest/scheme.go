// The scheme of the base URL that does not fit the port: HTTPS spoken to one that speaks
// plain HTTP, and the reverse.

package rest

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"strings"
)

// SchemeError means that the base URL has the wrong scheme for its port. Nothing was acted
// on.
type SchemeError struct {
	Speaks string // the scheme that the server speaks, "http" or "https"
	Use    string // the base URL with that scheme
	Said   string // what the server said to it, in one line; may be empty

	cause error // of the transport; nil for an answer
}

func (e *SchemeError) Error() string {
	if e.Speaks == "http" {
		return "it speaks plain HTTP, and base_url begins with https://"
	}
	said := ""
	if e.Said != "" {
		said = fmt.Sprintf(": it says %q", strings.TrimSuffix(e.Said, "."))
	}
	return "it speaks HTTPS, and base_url begins with http://" + said
}

// Unwrap returns the error of the transport.
func (e *SchemeError) Unwrap() error { return e.cause }

// schemeError returns the *SchemeError of an error of the transport that shows that the server
// speaks another scheme; nil for other errors.
func (c *Client) schemeError(err error) error {
	record, ok := errors.AsType[tls.RecordHeaderError](err)
	switch {
	case ok && speaksHTTP(record.RecordHeader):
		return &SchemeError{Speaks: "http", Use: c.with("http"), cause: err}
	case !strings.HasPrefix(c.base, "http:") || !tlsAlertAnswered(err):
		return nil
	}
	return &SchemeError{Speaks: "https", Use: c.with("https"), cause: err}
}

// speaksHTTP reports whether an answer that begins with these bytes is plain HTTP. eNMS's own
// server answers what it cannot read with a page that has no headers.
func speaksHTTP(header [5]byte) bool {
	return string(header[:]) == "HTTP/" || string(header[:2]) == "<!"
}

// tlsAlertAnswered reports whether the transport has found a TLS alert in place of an answer.
// That error has no type of its own.
func tlsAlertAnswered(err error) bool {
	return strings.Contains(err.Error(), `malformed HTTP response "\x15\x03`)
}

// with returns the base URL with another scheme.
func (c *Client) with(scheme string) string {
	_, rest, _ := strings.Cut(c.base, ":")
	return scheme + ":" + rest
}

// plainToTLS finds what servers and proxies say to a request in plain HTTP at a port for
// HTTPS: nginx, Go's own, Apache.
var plainToTLS = regexp.MustCompile(`(?i)plain HTTP request was sent to (the )?(HTTPS|TLS) port|sent an HTTP request to an HTTPS server|speaking plain HTTP to an SSL-enabled`)

// aboutScheme is how much of an answer is searched for that.
const aboutScheme = 4096

// answeredOverTLS returns the error of an answer that says that its port wants HTTPS; nil for
// others.
func (c *Client) answeredOverTLS(status int, body []byte, title string) error {
	begin := body[:min(len(body), aboutScheme)]
	said := plainToTLS.Find(begin)
	if status != http.StatusBadRequest || said == nil || !strings.HasPrefix(c.base, "http:") {
		return nil
	}
	err := &SchemeError{Speaks: "https", Use: c.with("https"), Said: title}
	if err.Said == "" {
		line, _, _ := bytes.Cut(begin, []byte("\n"))
		err.Said = shorten(OneLine(c.Redact(string(line))), longestTitle)
	}
	return &UnreachableError{Host: c.host, cause: err, message: err.Error()}
}

// longestTitle bounds the title of a page, in bytes.
const longestTitle = 120

var (
	titleOfPage = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	blanks      = regexp.MustCompile(`\s+`)
)

// title returns the title of an HTML page, "" for anything else.
func title(body []byte) string {
	found := titleOfPage.FindSubmatch(body[:min(len(body), aboutScheme)])
	if found == nil {
		return ""
	}
	return OneLine(blanks.ReplaceAllString(html.UnescapeString(string(found[1])), " "))
}
