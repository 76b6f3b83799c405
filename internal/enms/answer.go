// Decoding of what eNMS answers. Nothing is believed: size and depth are
// bounded, numbers keep their digits, and a value of the wrong type is an error
// that names the field instead of a zero in somebody's state.

package enms

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Object is an instance as eNMS answers it, or a payload as it is sent. Numbers
// in answers are json.Number.
type Object map[string]any

const (
	// maxAnswer bounds an answer in bytes. The largest honest one is the
	// deletion of something with very many relations, which eNMS expands
	// (enms-rest.md 3).
	maxAnswer = 256 << 20
	// maxDepth bounds how deep an answer nests; eNMS itself needs about five.
	maxDepth = 200
	// maxReason bounds a line taken over from an answer, in bytes.
	maxReason = 500
)

// decode reads exactly one JSON value. The error is one short line.
func decode(body []byte, into any) error {
	if len(bytes.TrimSpace(body)) == 0 {
		return errors.New("it is empty")
	}
	if depth(body) > maxDepth {
		return fmt.Errorf("it nests deeper than %d levels", maxDepth)
	}
	if !legible(body) {
		return errors.New("it holds a text that is not Unicode")
	}
	decoder := json.NewDecoder(bytes.NewReader(body))
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

// legible tells whether every text in body is Unicode. The decoder would put a
// replacement for what is not, and so into somebody's state.
func legible(body []byte) bool {
	if !utf8.Valid(body) {
		return false
	}
	for i := 0; i < len(body); i++ {
		if body[i] != '\\' {
			continue
		}
		i++
		first := escaped(body[min(i, len(body)):])
		if !utf16.IsSurrogate(first) {
			continue
		}
		next := min(i+len("uXXXX\\"), len(body))
		if body[next-1] != '\\' || utf16.DecodeRune(first, escaped(body[next:])) == unicode.ReplacementChar {
			return false
		}
		i = next + len("uXXXX") - 1
	}
	return true
}

// escaped is the code of an escape like uXXXX, 0 when there is none.
func escaped(body []byte) rune {
	if len(body) < len("uXXXX") || body[0] != 'u' {
		return 0
	}
	code, err := strconv.ParseUint(string(body[1:len("uXXXX")]), 16, 16)
	if err != nil {
		return 0
	}
	return rune(code)
}

// decodeObject reads one instance. Its id, name and type have the right JSON
// type where it has them.
func decodeObject(typ string, a *answer) (Object, error) {
	value, err := a.value()
	if err != nil {
		return nil, err
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, &FieldError{Type: typ, Field: "answer", Reason: "is " + jsonType(value) + " where an object belongs"}
	}
	likeVersion4(object)
	return object, checkIdentity(typ, object)
}

// decodeRows reads a list of instances without looking into them.
func decodeRows(typ string, a *answer) ([]Object, error) {
	value, err := a.value()
	if err != nil {
		return nil, err
	}
	list, ok := value.([]any)
	if !ok {
		return nil, &FieldError{Type: typ, Field: "answer", Reason: "is " + jsonType(value) + " where a list belongs"}
	}
	rows := make([]Object, len(list))
	for i, element := range list {
		row, ok := element.(map[string]any)
		if !ok {
			return nil, &FieldError{Type: typ, Field: "answer[" + strconv.Itoa(i) + "]",
				Reason: "is " + jsonType(element) + " where an object belongs"}
		}
		likeVersion4(row)
		rows[i] = row
	}
	return rows, nil
}

// checkIdentity tells whether id, name and type are of the right JSON type,
// where the row has them.
func checkIdentity(typ string, row Object) error {
	name, _ := row["name"].(string)
	for _, field := range []string{"name", "type"} {
		value, has := row[field]
		if _, ok := value.(string); has && !ok {
			return &FieldError{Type: typ, Name: name, Field: field, Reason: "is " + jsonType(value) + " where a string belongs"}
		}
	}
	if value, has := row["id"]; has {
		if _, err := strconv.ParseInt(idText(value), 10, 64); err != nil {
			return &FieldError{Type: typ, Name: name, Field: "id", Reason: "is " + jsonType(value) + " where a whole number of 64 bits belongs"}
		}
	}
	return nil
}

// checkNamed is checkIdentity for rows that must have a name.
func checkNamed(typ string, row Object) error {
	if _, has := row["name"]; !has {
		return &FieldError{Type: typ, Field: "name", Reason: "is missing in the answer"}
	}
	return checkIdentity(typ, row)
}

// idText is the id of a row as text, "" when it is no number.
func idText(value any) string {
	number, _ := value.(json.Number)
	return number.String()
}

// text is a field of a row that is a string, "" when it is not.
func text(row Object, field string) string {
	value, _ := row[field].(string)
	return value
}

// jsonType names the type of a decoded value for an error.
func jsonType(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case json.Number:
		return "the number " + shorten(value.String(), 40)
	case []any:
		return "a list"
	}
	return "an object"
}

// failure is an entry of "failure": the name that eNMS echoes, and its message.
// The rest of the echo may hold secrets and is dropped (enms-rest.md 0.1).
type failure struct {
	name, message string
}

// envelope is the answer to POST /rest/instance (enms-rest.md 0.1).
type envelope struct {
	success  []string
	failures []failure
}

// decodeEnvelope reads the answer to an upsert of instances of typ.
func decodeEnvelope(typ string, a *answer) (*envelope, error) {
	value, err := a.value()
	if err != nil {
		return nil, err
	}
	wrong := func(field string, value any, belongs string) error {
		return &FieldError{Type: typ, Field: field, Reason: "of the answer is " + jsonType(value) + " where " + belongs + " belongs"}
	}
	object, ok := value.(map[string]any)
	if !ok {
		return nil, wrong("answer", value, "an object")
	}
	result := &envelope{}
	for _, field := range []string{"success", "failure"} {
		value, has := object[field]
		if !has {
			continue
		}
		list, ok := value.([]any)
		if !ok {
			return nil, wrong(field, value, "a list")
		}
		for _, element := range list {
			if !result.add(field, element) {
				return nil, wrong(field, element, "an entry of an upsert")
			}
		}
	}
	return result, nil
}

// add takes one element of "success" or "failure"; false when it is malformed.
func (e *envelope) add(field string, element any) bool {
	if field == "success" {
		name, ok := element.(string)
		if ok {
			e.success = append(e.success, name)
		}
		return ok
	}
	pair, ok := element.([]any)
	if !ok || len(pair) != 2 {
		return false
	}
	echo, isObject := pair[0].(map[string]any)
	message, isText := pair[1].(string)
	if !isObject || !isText {
		return false
	}
	e.failures = append(e.failures, failure{name: text(echo, "name"), message: message})
	return true
}

// exception matches the line of a Python traceback that tells the error.
var exception = regexp.MustCompile(`^((?:\w+\.)*)(\w*(?:Error|Exception|Warning|Exists|Interrupt))(?:: (.*))?$`)

// reason takes from the message of a failure the one line that helps: the last
// that tells an exception, or else the last. The lines around it can hold SQL
// with the values of the payload.
func reason(message string) string {
	lines := strings.FieldsFunc(message, func(r rune) bool { return r == '\n' || r == '\r' })
	last := ""
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			last = line
		}
	}
	for i := len(lines) - 1; i >= 0; i-- {
		if found := exception.FindStringSubmatch(lines[i]); found != nil {
			return oneLine(withoutClass(found[1], found[2], found[3]))
		}
	}
	return oneLine(last)
}

// withoutClass drops the class of an exception where its text speaks for
// itself. Python's own classes stay: "KeyError: 'x'" without them says nothing.
func withoutClass(path, class, text string) string {
	switch {
	case text == "" && class == "RbacError":
		return "the user may not do this (RbacError)"
	case text == "":
		return class
	case path != "" || class == "Exception":
		return text
	}
	return class + ": " + text
}

// oneLine makes foreign text fit for an error: one line, printable, bounded.
func oneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return shorten(strings.TrimSpace(s), maxReason)
}

// shorten cuts s to about limit bytes at the border of a character.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return s[:limit] + "…"
}
