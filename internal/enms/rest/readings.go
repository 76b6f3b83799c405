// Readings of a text: as it stands, and with the escapes of JSON, Python, URLs and HTML
// decoded, several times over, because one may quote another.

package rest

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxQuoted is the number of nested quotations that are decoded.
const maxQuoted = 4

// span is a part of a text, in bytes.
type span struct{ from, to int }

// reading is a text, and of each of its bytes the part of the original text that it
// stands for.
type reading struct {
	text string
	of   []span
}

// readings returns the readings of a text. Python writes the same `\xfc` for a character of a
// string and for a byte of bytes, so there are readings of both.
func readings(text string) []reading {
	whole := reading{text, make([]span, len(text))}
	for i := range len(text) {
		whole.of[i] = span{i, i + 1}
	}
	all := []reading{whole}
	for _, hexIsByte := range []bool{false, true} {
		r := whole
		for range maxQuoted {
			decoded := r.decoded(hexIsByte)
			if decoded.text == r.text {
				break
			}
			r = decoded
			all = append(all, r)
		}
	}
	return all
}

// decoded returns a reading with its escapes decoded once.
func (r reading) decoded(hexIsByte bool) reading {
	var text strings.Builder
	var of []span
	for i := 0; i < len(r.text); {
		meant, length := unescape(r.text[i:], hexIsByte)
		text.WriteString(meant)
		part := span{r.of[i].from, r.of[i+length-1].to}
		for range len(meant) {
			of = append(of, part)
		}
		i += length
	}
	return reading{text.String(), of}
}

// unescape returns what a text, which is not empty, begins with, and how long that is in the
// text: an escape, or one byte.
func unescape(text string, hexIsByte bool) (meant string, length int) {
	switch text[0] {
	case '\\':
		meant, length = backslash(text, hexIsByte)
	case '%':
		if b, ok := hex(text, 1, 2); ok {
			return string([]byte{byte(b)}), 3
		}
	case '&':
		if end := strings.IndexByte(text[:min(len(text), 10)], ';'); end > 0 {
			if character := html.UnescapeString(text[:end+1]); character != text[:end+1] {
				return character, end + 1
			}
		}
	}
	if length == 0 {
		return text[:1], 1
	}
	return meant, length
}

// escaped are the characters that a backslash and a letter stand for.
var escaped = map[byte]string{'a': "\a", 'v': "\v", 'n': "\n", 't': "\t", 'r': "\r", 'b': "\b", 'f': "\f", '\\': `\`, '/': "/", '"': `"`, '\'': "'"}

// backslash returns what the escape at the beginning of a text stands for, and its length, 0
// when it is none.
func backslash(text string, hexIsByte bool) (meant string, length int) {
	if len(text) < 2 {
		return "", 0
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[text[1]]
	if digits == 0 {
		if meant = escaped[text[1]]; meant == "" {
			return "", 0
		}
		return meant, 2
	}
	code, ok := hex(text, 2, digits)
	if !ok {
		return "", 0
	}
	length = 2 + digits
	if digits == 2 && hexIsByte {
		return string([]byte{byte(code)}), length
	}
	if rest := text[length:]; utf16.IsSurrogate(rune(code)) && strings.HasPrefix(rest, `\u`) {
		if second, ok := hex(rest, 2, 4); ok {
			if r := utf16.DecodeRune(rune(code), rune(second)); r != utf8.RuneError {
				return string(r), length + 6
			}
		}
	}
	return string(rune(code)), length
}

// hex reads hexadecimal digits of a text.
func hex(text string, from, digits int) (n uint64, ok bool) {
	if from+digits > len(text) {
		return 0, false
	}
	n, err := strconv.ParseUint(text[from:from+digits], 16, 32)
	return n, err == nil
}
