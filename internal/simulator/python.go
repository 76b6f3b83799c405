// What Python's json reads and writes besides JSON (1.1): NaN and infinite numbers, which
// are floats here, too; and halves of surrogate pairs, which a string of Go holds in the
// three bytes that UTF-8 would have for them.

package simulator

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// notJSON are the words that Python's json takes for numbers.
var notJSON = map[string]float64{"NaN": math.NaN(), "Infinity": math.Inf(1), "-Infinity": math.Inf(-1)}

// jsonFloat is how Python's json writes a number.
func jsonFloat(f float64) string {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	}
	return pythonFloat(f)
}

// finite says whether a float is a number that JSON has.
func finite(f float64) bool { return !math.IsNaN(f) && !math.IsInf(f, 0) }

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

// surrogate reads the escape of half a pair at the beginning of a text.
func surrogate(text []byte) (half rune, is bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil && utf16.IsSurrogate(rune(n))
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

// halfAt is the half of a surrogate pair at the beginning of a text of Go, 0 when there is
// none.
func halfAt(text string) rune {
	if len(text) < 3 || text[0] != 0xed || text[1] < 0xa0 || text[1] > 0xbf {
		return 0
	}
	return rune(text[0]&0xf)<<12 | rune(text[1]&0x3f)<<6 | rune(text[2]&0x3f)
}

// encodable refuses a text that Python cannot encode for a database.
func encodable(text string) error {
	for i := range len(text) {
		if half := halfAt(text[i:]); half != 0 {
			return raise("UnicodeEncodeError", "'utf-8' codec can't encode character '\\u%04x' in position %d: surrogates not allowed", half, utf8.RuneCountInString(text[:i]))
		}
	}
	return nil
}

// pythonFloat is repr of a Python float: always with a fraction or an exponent.
func pythonFloat(f float64) string {
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
