// Writing JSON as eNMS does, and halves of surrogate pairs (1.1), which a string of Python can
// hold and one of Go holds in the three bytes that UTF-8 would have for them.

package python

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Encode writes an answer as eNMS does (7, Response encoding): compact, keys
// sorted, everything outside ASCII escaped, a line end.
func Encode(v any) []byte { return append(AppendJSON(nil, v), '\n') }

// AppendJSON appends the JSON of a value to b, without a line end.
func AppendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case int:
		return strconv.AppendInt(b, int64(v), 10)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		return append(b, FloatJSON(v)...)
	case json.Number:
		return append(b, v.String()...)
	case string:
		return appendString(b, v)
	case []string:
		return appendList(b, v)
	case []any:
		return appendList(b, v)
	case []Record:
		return appendList(b, v)
	case Record:
		return appendRecord(b, v)
	case *Dict:
		return appendRecord(b, v.record())
	default:
		panic("simulator: no JSON form for a value of an answer")
	}
}

func appendList[T any](b []byte, list []T) []byte {
	b = append(b, '[')
	for i, v := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = AppendJSON(b, v)
	}
	return append(b, ']')
}

func appendRecord(b []byte, r Record) []byte {
	byKey := func(a, b Member) int { return strings.Compare(a.Key, b.Key) }
	if !slices.IsSortedFunc(r, byKey) {
		r = slices.Clone(r) // a kept result is written by several requests
		slices.SortFunc(r, byKey)
	}
	b = append(b, '{')
	for i, m := range r {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, m.Key), ':')
		b = AppendJSON(b, m.Value)
	}
	return append(b, '}')
}

func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for i, r := range s {
		half := halfAt(s[i:])
		switch {
		case half != 0:
			b = appendEscape(b, half)
		case r == utf8.RuneError && !utf8.ValidString(s[i:min(i+3, len(s))]): // the rest of a half
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\r':
			b = append(b, `\r`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < ' ' || r >= 0x7f && r <= 0xffff:
			b = appendEscape(b, r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			b = appendEscape(appendEscape(b, high), low)
		default:
			b = append(b, byte(r))
		}
	}
	return append(b, '"')
}

func appendEscape(b []byte, r rune) []byte {
	const hex = "0123456789abcdef"
	return append(b, '\\', 'u', hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15])
}

// Finite reports whether a float is a number that JSON has.
func Finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

// FloatRepr returns Python's repr of a float: always with a fraction or an exponent.
func FloatRepr(f float64) string {
	switch {
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)), "+")
	}
	if abs := math.Abs(f); f != 0 && (abs < 1e-4 || abs >= 1e16) {
		return strconv.FormatFloat(f, 'e', -1, 64)
	}
	text := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(text, ".") {
		text += ".0"
	}
	return text
}

// FloatJSON returns how Python's json writes a number.
func FloatJSON(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return FloatRepr(f)
}

// halfAt returns the half of a surrogate pair at the beginning of a string of Go, 0 when there is
// none.
func halfAt(text string) rune {
	if len(text) < 3 || text[0] != 0xed || text[1] < 0xa0 || text[1] > 0xbf {
		return 0
	}
	return rune(text[0]&0xf)<<12 | rune(text[1]&0x3f)<<6 | rune(text[2]&0x3f)
}

// CheckEncodable refuses a string that Python cannot encode for a database.
func CheckEncodable(text string) error {
	for i := range len(text) {
		if half := halfAt(text[i:]); half != 0 {
			return Raise("UnicodeEncodeError", "'utf-8' codec can't encode character '\\u%04x' in position %d: surrogates not allowed", half, utf8.RuneCountInString(text[:i]))
		}
	}
	return nil
}
