// This file judges answers: what the status of one means, and its decoding. Nothing is believed:
// depth is bounded, numbers keep their digits, and what is not Unicode is no string. It reads
// what Python's json writes besides JSON (enms-rest.md 1.1): the numbers NaN, Infinity and
// -Infinity, and texts with half a surrogate pair.

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
// reports failures is for package endpoint to see (Envelope there).
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
// can be made, is a json.RawMessage (strictJSON).
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

// mark begins the strings that stand for what is no JSON. No server knows it.
var mark = rand.Text()

// constants are the numbers that JSON does not have.
var constants = []string{"NaN", "Infinity", "-Infinity"}

// strictJSON returns an answer in which strings that begin with mark stand for what is no JSON.
// Most answers are JSON, and returned as they are.
func strictJSON(body []byte) (strict []byte, marked bool) {
	if !bytes.Contains(body, []byte("NaN")) && !bytes.Contains(body, []byte("Infinity")) && !loneSurrogate(body) {
		return body, false
	}
	var out bytes.Buffer
	for i := 0; i < len(body); {
		token := body[i : i+tokenLength(body[i:])]
		i += len(token)
		half := token[0] == '"' && loneSurrogate(token) && json.Valid(token)
		if (half || slices.Contains(constants, string(token))) && !isKey(body[i:]) {
			token = quoted(token)
		}
		out.Write(token)
	}
	return out.Bytes(), true
}

// tokenLength returns the length of the string or the constant with which a text begins, 1 when
// it begins with neither.
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

// quoted returns a string that stands for a token.
func quoted(token []byte) []byte {
	document, _ := json.Marshal(mark + string(token)) // It is a string.
	return document
}

// isKey reports whether what follows a token makes it the key of an object, which is
// always a string: of half a surrogate pair the decoder makes a replacement character.
func isKey(after []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(after, " \t\r\n"), []byte(":")) }

// unmarked returns a decoded value with what the marked strings stand for.
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
		token, is := strings.CutPrefix(value, mark)
		switch {
		case !is:
		case slices.Contains(constants, token):
			return json.Number(token)
		default:
			return json.RawMessage(token)
		}
	}
	return value
}

var (
	// escapes matches the escapes in JSON, that of a pair of surrogates as one.
	escapes = regexp.MustCompile(`(?is)\\(?:ud[89ab]..\\ud[c-f]..|u.{4}|.)`)
	// halfPair matches the escape of half a character.
	halfPair = regexp.MustCompile(`(?is)^\\ud[89a-f]..$`)
)

// loneSurrogate reports whether a text in body holds half a surrogate pair. The decoder
// would put a replacement for it, and so into somebody's state.
func loneSurrogate(body []byte) bool {
	may := bytes.Contains(body, []byte(`\ud`)) || bytes.Contains(body, []byte(`\uD`))
	return may && slices.ContainsFunc(escapes.FindAll(body, -1), halfPair.Match)
}

// Text returns a value as a text for people: half a surrogate pair is a replacement character.
func Text(value any) (text string, is bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case json.RawMessage:
		return text, json.Unmarshal(value, &text) == nil
	}
	return "", false
}
