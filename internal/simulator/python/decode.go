// Reading JSON as Python's json does, and what that reads besides (1.1): NaN, infinite
// numbers, and escapes of halves of surrogate pairs. Those are given to Go's decoder as
// texts that stand for them.

package python

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

var errMalformed = errors.New("malformed JSON")

// Decode reads one JSON text. Objects become *dict, numbers int64 or float64,
// or json.Number where an integer does not fit 64 bits.
func Decode(data []byte) (any, error) {
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
	d := NewDict()
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
		d.Set(text, v)
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

// notJSON are the words that Python's json takes for numbers.
var notJSON = map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)}

// standIn begins what stands for what is no JSON, while it is decoded. Nobody sends these
// characters, of which Unicode says that they are none.
const standIn = "\ufdd0stand-in\ufdd1"

// asJSON is a text that Python's json reads with stand-ins for what is no JSON.
func asJSON(data []byte) []byte {
	isPlain := true
	for _, sign := range []string{"NaN", "Infinity", `\ud`, `\uD`} {
		isPlain = isPlain && !bytes.Contains(data, []byte(sign))
	}
	if isPlain { // as most are
		return data
	}
	var out bytes.Buffer
	for i := 0; i < len(data); {
		if data[i] == '"' {
			end := endOfText(data, i)
			out.Write(textAsJSON(data[i:end]))
			i = end
			continue
		}
		word := ""
		for w := range notJSON {
			if bytes.HasPrefix(data[i:], []byte(w)) {
				word = w
			}
		}
		if word == "" {
			out.WriteByte(data[i])
			i++
			continue
		}
		out.WriteString(`"` + standIn + word + `"`)
		i += len(word)
	}
	return out.Bytes()
}

// endOfText is where a text that begins with a quote ends.
func endOfText(data []byte, begin int) int {
	for i := begin + 1; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(data)
}

// textAsJSON is a text in quotes in which stand-ins are in place of the escapes of halves
// of surrogate pairs.
func textAsJSON(text []byte) []byte {
	var out bytes.Buffer
	for i := 0; i < len(text); {
		half, isHalf := surrogate(text[i:])
		other, paired := surrogate(text[min(i+6, len(text)):])
		switch {
		case isHalf && paired && utf16.DecodeRune(half, other) != utf8.RuneError:
			out.Write(text[i : i+12])
			i += 12
		case isHalf:
			out.WriteString(standIn + strconv.FormatInt(int64(half), 16))
			i += 6
		case text[i] == '\\' && i+1 < len(text):
			out.Write(text[i : i+2])
			i += 2
		default:
			out.WriteByte(text[i])
			i++
		}
	}
	return out.Bytes()
}

// meant is what a decoded text stands for.
func meant(text string) any {
	if !strings.Contains(text, standIn) {
		return text
	}
	if f, is := notJSON[strings.TrimPrefix(text, standIn)]; is && strings.HasPrefix(text, standIn) {
		return f
	}
	for {
		before, after, found := strings.Cut(text, standIn)
		if !found || len(after) < 4 {
			return text
		}
		n, _ := strconv.ParseUint(after[:4], 16, 16)
		text = before + string([]byte{0xe0 | byte(n>>12), 0x80 | byte(n>>6)&0xbf, 0x80 | byte(n)&0xbf}) + after[4:]
	}
}
