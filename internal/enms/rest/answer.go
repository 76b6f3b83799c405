package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	// maxDepth bounds how deep an answer nests; eNMS itself needs about five.
	maxDepth = 200
	// MaxLine bounds a line taken over from an answer, in bytes.
	MaxLine = 500
)

// Answer is what came back with a status of success.
type Answer struct {
	Status      int
	ContentType string
	Body        []byte
	Lost        bool // an earlier attempt may have been acted on as well
}

// Value decodes the answer. Numbers are json.Number.
func (a *Answer) Value() (any, error) {
	var value any
	if err := decode(a.Body, &value); err != nil {
		kind, _, malformed := mime.ParseMediaType(a.ContentType)
		if malformed != nil {
			kind = ""
		}
		return nil, &NotJSONError{Status: a.Status, ContentType: shorten(kind, 80), Problem: err.Error()}
	}
	return value, nil
}

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

// JSONType names the type of a decoded value for an error.
func JSONType(value any) string {
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

// OneLine makes foreign text fit for an error: one line, printable, bounded.
func OneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return shorten(strings.TrimSpace(s), MaxLine)
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
