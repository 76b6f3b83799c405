// Halves of surrogate pairs (1.1), which a string of Python can hold and one of Go holds in
// the three bytes that UTF-8 would have for them.

package python

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// surrogate reads the escape of half a pair at the beginning of a text.
func surrogate(text []byte) (half rune, is bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return rune(n), err == nil && utf16.IsSurrogate(rune(n))
}

// halfAt is the half of a surrogate pair at the beginning of a text of Go, 0 when there is
// none.
func halfAt(text string) rune {
	if len(text) < 3 || text[0] != 0xed || text[1] < 0xa0 || text[1] > 0xbf {
		return 0
	}
	return rune(text[0]&0xf)<<12 | rune(text[1]&0x3f)<<6 | rune(text[2]&0x3f)
}

// CheckEncodable refuses a text that Python cannot encode for a database.
func CheckEncodable(text string) error {
	for i := range len(text) {
		if half := halfAt(text[i:]); half != 0 {
			return Raise("UnicodeEncodeError", "'utf-8' codec can't encode character '\\u%04x' in position %d: surrogates not allowed", half, utf8.RuneCountInString(text[:i]))
		}
	}
	return nil
}
