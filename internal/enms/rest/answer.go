// Answers: what the status of one means, and its decoding. Nothing is believed: depth
// is bounded, numbers keep their digits, and what is not Unicode is no string.

package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"unicode/utf8"
)

// maxDepth bounds how deep an answer nests; eNMS itself needs about five.
const maxDepth = 200

// Answer is what came back with a status of success.
type Answer struct {
	Status      int
	ContentType string
	Title       string // of an HTML page, without secrets; "" for others
	Body        []byte
	Lost        bool // an earlier attempt may have been acted on as well
}

// checkStatus turns the status of an answer into an error. That an answer of success
// reports failures is for package enms to see (envelope.go there).
func (c *Client) checkStatus(method, path string, resp *http.Response, a *Answer) error {
	status := &StatusError{Method: method, Path: path, Status: a.Status, retryAfter: retryAfter(resp)}
	switch {
	case a.Status >= 200 && a.Status < 300:
		return nil
	case a.Status >= 300 && a.Status < 400:
		return &RedirectError{Location: OneLine(c.Redact(location(resp)))}
	case a.Status == http.StatusUnauthorized, a.Status == http.StatusForbidden, gatewayFailed(a.Status):
		return status // whoever answered, the status says it all
	}
	if err := c.answeredOverTLS(a.Status, a.Body, a.Title); err != nil {
		return err
	}
	value, err := a.Value()
	if err != nil {
		return err
	}
	object, _ := value.(map[string]any)
	alert, _ := Text(object["alert"])
	status.Alert = OneLine(c.Redact(alert))
	return status
}

// location is where a redirect leads to, without what may be secret in it.
func location(resp *http.Response) string {
	to, err := url.Parse(resp.Header.Get("Location"))
	if err != nil {
		return ""
	}
	to.User, to.RawQuery, to.Fragment = nil, "", ""
	return to.String()
}

// Value decodes the answer. Numbers are json.Number: also "NaN", "Infinity" and
// "-Infinity", which Python writes. A text with half a surrogate pair, of which no string
// can be made, is a json.RawMessage (python.go).
func (a *Answer) Value() (any, error) {
	var value any
	err := decode(a.Body, &value)
	if err != nil {
		return nil, &NotJSONError{Status: a.Status, ContentType: shorten(mediaType(a.ContentType), 80), Title: a.Title, Problem: err.Error()}
	}
	return value, nil
}

// mediaType returns a media type without its parameters, "" when it is malformed.
func mediaType(contentType string) string {
	kind, _, malformed := mime.ParseMediaType(contentType)
	if malformed != nil {
		return ""
	}
	return kind
}

// jsonType reports whether a media type is that of eNMS's own answers, which have no title.
func jsonType(contentType string) bool { return mediaType(contentType) == "application/json" }

// decode reads exactly one value of what Python takes for JSON. The error is one short
// line.
func decode(body []byte, into *any) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return errors.New("it is empty")
	}
	if depth(body) > maxDepth {
		return fmt.Errorf("it nests deeper than %d levels", maxDepth)
	}
	if !utf8.Valid(body) {
		return errors.New("it holds a text that is not Unicode")
	}
	strict, marked := strictJSON(body)
	decoder := json.NewDecoder(bytes.NewReader(strict))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return errors.New("it is cut off")
		}
		return errors.New("it is not JSON")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something follows the JSON")
	}
	if marked {
		*into = unmarked(*into)
	}
	return nil
}

// depth counts how deep body nests, stopping soon after the bound.
func depth(body []byte) int {
	level, deepest, quoted := 0, 0, false
	for i := 0; i < len(body) && deepest <= maxDepth; i++ {
		switch b := body[i]; {
		case quoted && b == '\\':
			i++
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '{' || b == '[':
			level++
			deepest = max(deepest, level)
		case b == '}' || b == ']':
			level--
		}
	}
	return deepest
}
