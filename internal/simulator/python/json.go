// Reading and writing JSON as Python's json does: with NaN, infinite numbers, and escapes of half a surrogate
// pair (1.1). Strings of Go have half a pair as the three bytes that UTF-8 would have for it.

package python

import (
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

var errMalformed = errors.New("malformed JSON")

// Decode reads one JSON text. Objects become *Dict, numbers int64 or float64, or json.Number for an integer
// of more than 64 bits.
func Decode(data []byte) (v any, err error) {
	if !utf8.Valid(data) {
		return nil, errMalformed
	}
	defer func() {
		switch r := recover().(type) {
		case nil:
		case malformed:
			err = errMalformed
		default:
			panic(r)
		}
	}()
	p := &parser{rest: strings.TrimPrefix(string(data), "\ufeff")}
	v = p.value()
	p.skip("")
	p.need(p.rest == "")
	return v, nil
}

// parser reads JSON. It panics with malformed, which Decode recovers, if the text is not JSON.
type parser struct{ rest string }

type malformed struct{}

// need panics unless a condition of valid JSON is met.
func (p *parser) need(met bool) {
	if !met {
		panic(malformed{})
	}
}

// skip reads white space, and a token if it comes next.
func (p *parser) skip(token string) (found bool) {
	p.rest, found = strings.CutPrefix(strings.TrimLeft(p.rest, " \t\r\n"), token)
	return found
}

// words are the values with a name. The last three are not JSON, but Python reads and writes them.
var words = map[string]any{"null": nil, "true": true, "false": false,
	"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)}

var numbers = regexp.MustCompile(`^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?`)

// value reads a value. list, dict and text each read the rest of one, after its first token.
func (p *parser) value() any {
	switch {
	case p.skip("{"):
		return p.dict()
	case p.skip("["):
		return p.list()
	case p.skip(`"`):
		return p.text()
	}
	for word, v := range words {
		if p.skip(word) {
			return v
		}
	}
	n := numbers.FindString(p.rest)
	p.need(n != "")
	p.rest = p.rest[len(n):]
	return number(json.Number(n))
}

func (p *parser) list() any {
	list := []any{}
	for !p.skip("]") {
		p.need(len(list) == 0 || p.skip(","))
		list = append(list, p.value())
	}
	return list
}

func (p *parser) dict() any {
	d := NewDict()
	for !p.skip("}") {
		p.need((d.Size() == 0 || p.skip(",")) && p.skip(`"`))
		key := p.text()
		p.need(p.skip(":"))
		d.Set(key, p.value())
	}
	return d
}

// text reads a string up to its closing quote.
func (p *parser) text() string {
	var out strings.Builder
	for {
		end := strings.IndexFunc(p.rest, func(r rune) bool { return r == '"' || r == '\\' || r < ' ' })
		p.need(end >= 0 && p.rest[end] >= ' ')
		out.WriteString(p.rest[:end])
		quote := p.rest[end] == '"'
		p.rest = p.rest[end+1:]
		if quote {
			return out.String()
		}
		out.WriteString(p.escape())
	}
}

var escapes = map[byte]string{'"': `"`, '\\': `\`, '/': "/", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t"}

// escape reads what follows a backslash. Half of a surrogate pair becomes the three bytes
// that UTF-8 would have for it.
func (p *parser) escape() string {
	p.need(p.rest != "")
	r, is := codeUnit(p.rest)
	if !is {
		text, known := escapes[p.rest[0]]
		p.need(known)
		p.rest = p.rest[1:]
		return text
	}
	p.rest = p.rest[5:]
	if !utf16.IsSurrogate(r) {
		return string(r)
	}
	if rest, follows := strings.CutPrefix(p.rest, `\`); follows {
		other, is := codeUnit(rest)
		if whole := utf16.DecodeRune(r, other); is && whole != utf8.RuneError {
			p.rest = rest[5:]
			return string(whole)
		}
	}
	return string([]byte{0xe0 | byte(r>>12), 0x80 | byte(r>>6)&0xbf, 0x80 | byte(r)&0xbf})
}

// codeUnit reads the u and the four digits of an escape.
func codeUnit(text string) (unit rune, is bool) {
	if len(text) < 5 || text[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:5], 16, 16)
	return rune(n), err == nil
}

// number returns the value of a number, as Decode describes it. Of a float that is too large, it is infinite.
func number(n json.Number) any {
	if i, err := n.Int64(); err == nil {
		return i
	}
	if !strings.ContainsAny(n.String(), ".eE") {
		return n
	}
	f, _ := n.Float64()
	return f
}

// Encode writes an answer as eNMS does (7, Response encoding): compact, with sorted keys, with escapes for all
// characters outside of ASCII, and with a line feed at the end.
func Encode(v any) []byte { return append(AppendJSON(nil, v), '\n') }

// AppendJSON appends the JSON of a value to b, without a line end.
func AppendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case int64:
		return strconv.AppendInt(b, v, 10)
	case float64:
		return append(b, FloatJSON(v)...)
	case json.Number:
		return append(b, v.String()...)
	case string:
		return appendString(b, v)
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

// appendString appends a string. Half a surrogate pair, three bytes of the string, becomes its escape.
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
