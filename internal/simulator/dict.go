// JSON as Python sees it (python.go): objects keep the order of their keys on the way in,
// because eNMS assigns fields in that order (0.1), and lose it on the way out.

package simulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// dict is a JSON object that remembers the order of its keys.
type dict struct {
	keys   []string
	values map[string]any
}

func newDict() *dict { return &dict{values: map[string]any{}} }

// pairs builds a dict from alternating keys and values.
func pairs(keysAndValues ...any) *dict {
	d := newDict()
	for i := 0; i < len(keysAndValues); i += 2 {
		d.set(keysAndValues[i].(string), keysAndValues[i+1])
	}
	return d
}

// get is the value of key; a nil dict has none.
func (d *dict) get(key string) (any, bool) {
	if d == nil {
		return nil, false
	}
	v, ok := d.values[key]
	return v, ok
}

// set keeps the place of a key that is already there, as Python does.
func (d *dict) set(key string, value any) {
	if _, ok := d.values[key]; !ok {
		d.keys = append(d.keys, key)
	}
	d.values[key] = value
}

// pop takes key out.
func (d *dict) pop(key string) (any, bool) {
	v, ok := d.values[key]
	if ok {
		delete(d.values, key)
		d.keys = slices.DeleteFunc(d.keys, func(k string) bool { return k == key })
	}
	return v, ok
}

// merged is a new dict: d with over's keys on top.
func (d *dict) merged(over *dict) *dict {
	out := newDict()
	for _, from := range []*dict{d, over} {
		if from == nil {
			continue
		}
		for _, key := range from.keys {
			out.set(key, from.values[key])
		}
	}
	return out
}

var errMalformed = errors.New("malformed JSON")

// decodeJSON reads one JSON text. Objects become *dict, numbers int64 or float64,
// or json.Number where an integer does not fit 64 bits.
func decodeJSON(data []byte) (any, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !utf8.Valid(data) {
		return nil, errMalformed
	}
	dec := json.NewDecoder(bytes.NewReader(asJSON(data)))
	dec.UseNumber()
	v, err := decodeValue(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errMalformed
	}
	return v, nil
}

func decodeValue(dec *json.Decoder) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '[' {
			return decodeList(dec)
		}
		return decodeDict(dec)
	case json.Number:
		return number(token), nil
	case string:
		return meant(token), nil
	default:
		return token, nil
	}
}

func decodeList(dec *json.Decoder) (any, error) {
	list := []any{}
	for dec.More() {
		v, err := decodeValue(dec)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := dec.Token()
	return list, err
}

func decodeDict(dec *json.Decoder) (any, error) {
	d := newDict()
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		v, err := decodeValue(dec)
		if err != nil {
			return nil, err
		}
		text, ok := meant(key.(string)).(string)
		if !ok {
			return nil, errMalformed
		}
		d.set(text, v)
	}
	_, err := dec.Token()
	return d, err
}

func number(n json.Number) any {
	if i, err := n.Int64(); err == nil {
		return i
	}
	if !strings.ContainsAny(n.String(), ".eE") {
		return n
	}
	f, err := n.Float64()
	if err != nil && !math.IsInf(f, 0) {
		return n
	}
	return f
}

// member is one key of an answer, record a whole object of an answer.
type (
	member struct {
		key   string
		value any
	}
	record []member
)

// encodeJSON writes an answer as eNMS does (7, Response encoding): compact, keys
// sorted, everything outside ASCII escaped, a line end.
func encodeJSON(v any) []byte { return append(appendJSON(nil, v), '\n') }

func appendJSON(b []byte, v any) []byte {
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
		return append(b, jsonFloat(v)...)
	case json.Number:
		return append(b, v.String()...)
	case string:
		return appendString(b, v)
	case []string:
		return appendList(b, v)
	case []any:
		return appendList(b, v)
	case []record:
		return appendList(b, v)
	case record:
		return appendRecord(b, v)
	case *dict:
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
		b = appendJSON(b, v)
	}
	return append(b, ']')
}

func (d *dict) record() record {
	r := make(record, 0, len(d.keys))
	for _, key := range d.keys {
		r = append(r, member{key, d.values[key]})
	}
	return r
}

func appendRecord(b []byte, r record) []byte {
	byKey := func(a, b member) int { return strings.Compare(a.key, b.key) }
	if !slices.IsSortedFunc(r, byKey) {
		r = slices.Clone(r) // a kept result is written by several requests
		slices.SortFunc(r, byKey)
	}
	b = append(b, '{')
	for i, m := range r {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendString(b, m.key), ':')
		b = appendJSON(b, m.value)
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
