// Reading JSON as Python's json does.

package simulator

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

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
