// Regular expressions of Python in the notation of Go, as far as the two know the
// same. What Python does not compile comes out as what Go does not compile either.

package simulator

import (
	"strings"
	"unicode/utf8"
)

// neverCompiles is a pattern that is wrong everywhere.
const neverCompiles = "("

// pythonEscapes are the letters that may follow a backslash in Python, and what
// stands for them in Go where that is something else.
var pythonEscapes = map[byte]string{'A': "", 'B': "", 'b': "", 'D': `\P{Nd}`, 'd': `\p{Nd}`, 'S': "", 's': "",
	'W': `[^\p{L}\p{N}_]`, 'w': `[\p{L}\p{N}_]`, 'Z': `\z`, 'a': "", 'f': "", 'n': "", 'r': "", 't': "", 'v': "", 'x': "", 'u': "", 'U': ""}

// fromPython translates a pattern. Lookaround, references to groups and code points
// by number, which Go does not have, do not compile.
func fromPython(pattern string) string {
	var out strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			i++
			translated := fromEscape(pattern[i])
			if translated == "" {
				return neverCompiles
			}
			out.WriteString(translated)
		case c == '[':
			end := classEnd(pattern, i)
			if end < 0 {
				return neverCompiles
			}
			out.WriteString(fromClass(pattern[i:end]))
			i = end - 1
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

// fromEscape is what a backslash and a character mean, "" for nothing.
func fromEscape(c byte) string {
	switch {
	case c >= utf8.RuneSelf: // the first byte of a character that needs no escape
		return string([]byte{c})
	case c < 'A' || 'z' < c || 'Z' < c && c < 'a':
		return `\` + string(rune(c))
	}
	translated, known := pythonEscapes[c]
	switch {
	case !known:
		return ""
	case translated == "":
		return `\` + string(rune(c))
	default:
		return translated
	}
}

// classEnd is where a class that begins at a bracket ends, negative when nowhere.
// A closing bracket that comes first is one of its characters.
func classEnd(pattern string, start int) int {
	i := start + 1
	if i < len(pattern) && pattern[i] == '^' {
		i++
	}
	for first := i; i < len(pattern); i++ {
		switch {
		case pattern[i] == '\\':
			i++
		case pattern[i] == ']' && i > first:
			return i + 1
		}
	}
	return -1
}

// fromClass keeps an opening bracket in a class from beginning one of Go's named
// classes, which Python does not have.
func fromClass(class string) string {
	inside := strings.TrimSuffix(class[1:], "]")
	var out strings.Builder
	out.WriteByte('[')
	for i := 0; i < len(inside); i++ {
		switch {
		case inside[i] == '\\' && i+1 < len(inside):
			out.WriteString(inside[i : i+2])
			i++
		case inside[i] == '[':
			out.WriteString(`\[`)
		default:
			out.WriteByte(inside[i])
		}
	}
	out.WriteByte(']')
	return out.String()
}
