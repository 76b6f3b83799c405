// What Python's json reads besides JSON (1.1): NaN, infinite numbers, and escapes of halves
// of surrogate pairs. They are given to Go's decoder as texts that stand for them.

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
