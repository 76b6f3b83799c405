// This file checks the status of answers and decodes them. It does not trust the server: depth is
// bounded, numbers keep all their digits, and what is not valid Unicode does not become a string.
// It also reads what Python's json writes in addition to JSON (enms-rest.md 1.1): the numbers
// NaN, Infinity and -Infinity, and strings with half a surrogate pair.

package rest

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds the nesting of an answer. eNMS itself needs about five levels.
const maxDepth = 200

// maxValues bounds the values of an answer: a decoded value takes some 40 times the memory of the two bytes
// that it may have in the answer. A page of 1,000 instances with all of their relations has some 100,000.
const maxValues = 4_000_000

// Answer is an answer with a status of success.
type Answer struct {
	Status      int
	ContentType string
	Title       string // of an HTML page, without secrets; "" for others
	Body        []byte
	Lost        bool // an earlier attempt may have been executed as well

	basePath string // that of the address of eNMS; usually ""
}

// checkStatus turns the status of an answer into an error. Package endpoint finds the failures that
// eNMS reports with a status of success (Envelope).
func (c *Client) checkStatus(method, path string, header http.Header, a *Answer) error {
	status := &StatusError{Method: method, Path: path, Status: a.Status, retryAfter: retryAfter(header), basePath: a.basePath}
	switch {
	case a.Status < 300:
		return nil
	case a.Status < 400:
		to, err := url.Parse(header.Get("Location"))
		if err != nil {
			to = &url.URL{}
		}
		return &RedirectError{Location: OneLine(c.Redact(location(*to))), HTTPS: c.asHTTPS(to), basePath: a.basePath}
	case a.Status == http.StatusForbidden:
		if value, err := a.Value(); err == nil { // eNMS 5 names the instance that it does not find (enms-rest.md 11)
			status.Alert = c.alert(value)
		}
		return status
	case a.Status == http.StatusUnauthorized, gatewayFailed(a.Status):
		return status // a gateway's answer need not be JSON
	}
	if err := c.requiresHTTPS(a.Status, a.Body, a.Title); err != nil {
		return err
	}
	value, err := a.Value()
	if err != nil {
		return err
	}
	status.Alert = c.alert(value)
	return status
}

// alert returns the message in an answer, or "".
func (c *Client) alert(value any) string {
	object, _ := value.(map[string]any)
	alert, _ := Text(object["alert"])
	return OneLine(c.Redact(alert))
}

// location returns the target of a redirect, without the parts that may be secret.
func location(to url.URL) string {
	to.User, to.RawQuery, to.Fragment = nil, "", ""
	return to.String()
}

// asHTTPS returns the base URL with https://, if that is where the server redirects to, or "".
func (c *Client) asHTTPS(to *url.URL) string {
	base := *c.base
	if base.Scheme != "http" || to.Scheme != "https" || to.Hostname() != base.Hostname() {
		return ""
	}
	base.Scheme, base.Host = to.Scheme, to.Host
	return base.String()
}

// basePath returns the path of the address of eNMS, "" if it has none.
func (c *Client) basePath() string { return OneLine(c.Redact(c.base.Path)) }

// Value decodes the answer. Numbers are json.Number, including "NaN", "Infinity" and "-Infinity", which Python
// writes. A string with half a surrogate pair, which Go cannot represent, is a json.RawMessage (strictJSON).
func (a *Answer) Value() (any, error) {
	var value any
	err := decode(a.Body, &value)
	if err != nil {
		return nil, &NotJSONError{Status: a.Status, ContentType: shorten(mediaType(a.ContentType), 80), Title: a.Title, Problem: err.Error(), basePath: a.basePath}
	}
	return value, nil
}

// mediaType returns a media type without its parameters, "" when it is malformed.
func mediaType(contentType string) string {
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return mediaType
}

// decode decodes exactly one JSON value, as Python writes it. The error is one short line.
func decode(body []byte, into *any) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return errors.New("it is empty")
	}
	switch depth, values := measure(body); {
	case depth > maxDepth:
		return fmt.Errorf("it nests deeper than %d levels", maxDepth)
	case values > maxValues:
		return fmt.Errorf("it has more than %d values", maxValues)
	}
	if !utf8.Valid(body) {
		return errors.New("it holds a text that is not Unicode")
	}
	strict, marked := strictJSON(body)
	decoder := json.NewDecoder(bytes.NewReader(strict))
	decoder.UseNumber()
	if err := decoder.Decode(into); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
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

// measure returns how deep body is nested, and about how many values it has: it counts commas and opening
// brackets outside of strings.
func measure(body []byte) (depth, values int) {
	level, quoted := 0, false
	for i := 0; i < len(body); i++ {
		switch b := body[i]; {
		case b == '\\': // in a string; elsewhere, the body is no JSON
			i++
		case b == '"':
			quoted = !quoted
		case quoted: // what looks like a bracket or a comma is text
		case b == ',':
			values++
		case b == '{' || b == '[':
			values++
			level++
			depth = max(depth, level)
		case b == '}' || b == ']':
			level--
		}
	}
	return depth, values
}

// mark is the prefix of the strings that stand for tokens which are not JSON. It is random, so
// that no server can send it.
var mark = rand.Text()

// constants are the numbers that JSON does not have.
var constants = []string{"NaN", "Infinity", "-Infinity"}

// strictJSON replaces tokens that are not JSON by strings that begin with mark. marked reports whether
// there may be any: most answers are JSON, and are returned unchanged.
func strictJSON(body []byte) (strict []byte, marked bool) {
	mayHaveConstants := bytes.Contains(body, []byte("NaN")) || bytes.Contains(body, []byte("Infinity"))
	if !mayHaveConstants && !loneSurrogate(body) {
		return body, false
	}
	var out bytes.Buffer
	for i := 0; i < len(body); {
		token := body[i : i+tokenLength(body[i:])]
		i += len(token)
		if !isJSON(token) && !isKey(body[i:]) {
			token = substitute(token)
		}
		out.Write(token)
	}
	return out.Bytes(), true
}

// isJSON reports whether a token is neither a constant nor a string with half a surrogate pair.
func isJSON(token []byte) bool {
	if token[0] == '"' {
		return !loneSurrogate(token) || !json.Valid(token) // the decoder refuses what is invalid otherwise
	}
	return !slices.Contains(constants, string(token))
}

// tokenLength returns the length of the string or constant at the beginning of a text, or 1 if there is neither.
func tokenLength(text []byte) int {
	if text[0] == '"' {
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(text)
	}
	for _, constant := range constants {
		if bytes.HasPrefix(text, []byte(constant)) {
			return len(constant)
		}
	}
	return 1
}

// substitute returns the marked string that stands for a token, as JSON.
func substitute(token []byte) []byte {
	document, _ := json.Marshal(mark + string(token)) // a string has no error
	return document
}

// isKey reports whether a token is the key of an object, judged by what follows it. Keys are not
// replaced: in them, the decoder replaces half a surrogate pair by a replacement character.
func isKey(after []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(after, " \t\r\n"), []byte(":")) }

// unmarked replaces the marked strings in a decoded value by what they stand for: json.Number for constants,
// json.RawMessage for strings with half a surrogate pair.
func unmarked(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = unmarked(member)
		}
	case []any:
		for i, member := range value {
			value[i] = unmarked(member)
		}
	case string:
		token, marked := strings.CutPrefix(value, mark)
		if !marked {
			return value
		}
		if slices.Contains(constants, token) {
			return json.Number(token)
		}
		return json.RawMessage(token)
	}
	return value
}

var (
	// surrogatePair matches the escape of a surrogate pair at the beginning of a text.
	surrogatePair = regexp.MustCompile(`(?is)^\\ud[89ab]..\\ud[c-f]..`)
	// surrogate matches the escape of any surrogate at the beginning of a text, alone or in a pair.
	surrogate = regexp.MustCompile(`(?is)^\\ud[89a-f]..`)
)

// loneSurrogate reports whether a string in body contains half a surrogate pair. The decoder
// would replace it, and so change the value in the state.
func loneSurrogate(body []byte) bool {
	for {
		at := bytes.IndexByte(body, '\\')
		if at < 0 {
			return false
		}
		body = body[at:]
		switch {
		case !bytes.HasPrefix(body, []byte(`\u`)):
			body = body[min(2, len(body)):]
		case surrogatePair.Match(body):
			body = body[len(`\ud800\udc00`):]
		case surrogate.Match(body):
			return true
		default:
			body = body[2:]
		}
	}
}

// Text returns a decoded string for display, in which a replacement character stands for half a
// surrogate pair. ok is false for other values.
func Text(value any) (text string, ok bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case json.RawMessage:
		return text, json.Unmarshal(value, &text) == nil
	}
	return "", false
}
