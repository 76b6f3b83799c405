// Regular expressions as the databases search by them (2.4, 10.6): those of Python and
// PostgreSQL, translated to the notation of Go. A pattern that they do not compile becomes one
// that Go does not compile either.

package database

import (
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// neverCompiles is a pattern that is wrong everywhere.
const neverCompiles = "("

// pythonEscapes are the letters that may follow a backslash in Python, and what
// stands for them in Go where that is something else.
var pythonEscapes = map[byte]string{'A': "", 'B': "", 'b': "", 'D': `\P{Nd}`, 'd': `\p{Nd}`, 'S': "", 's': "",
	'W': `[^\p{L}\p{N}_]`, 'w': `[\p{L}\p{N}_]`, 'Z': `\z`, 'a': "", 'f': "", 'n': "", 'r': "", 't': "", 'v': "", 'x': "", 'u': "", 'U': ""}

// notInPython finds what Python does not read: groups with names in another notation
// than its own, and options that do not stand first.
var notInPython = regexp.MustCompile(`\(\?<[^=!]|.\(\?[a-zA-Z]+\)|\(\?-[a-z]+\)`)

// fromPython translates a pattern. Code points by number do not compile.
func fromPython(pattern string) string {
	if notInPython.MatchString(pattern) {
		return neverCompiles
	}
	return translate(pattern, fromEscape, fromClass)
}

// translate translates the escapes outside of classes, and the classes.
func translate(pattern string, escape func(c byte) string, class func(string) string) string {
	var out strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			i++
			translated := escape(pattern[i])
			if translated == "" {
				return neverCompiles
			}
			out.WriteString(translated)
		case c == '[':
			end := classEnd(pattern, i)
			if end < 0 {
				return neverCompiles
			}
			out.WriteString(class(pattern[i:end]))
			i = end - 1
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

func fromEscape(c byte) string { return escaped(c, pythonEscapes) }

func escaped(c byte, known map[byte]string) string {
	switch {
	case c >= utf8.RuneSelf: // the first byte of a character that needs no escape
		return string([]byte{c})
	case c < 'A' || 'z' < c || 'Z' < c && c < 'a':
		return `\` + string(rune(c))
	}
	translated, has := known[c]
	switch {
	case !has:
		return ""
	case translated == "":
		return `\` + string(rune(c))
	default:
		return translated
	}
}

// classEnd returns where a class that begins at a bracket ends, negative when nowhere.
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

// postgreSQLEscapes is the same for PostgreSQL, which has its own words for the ends of
// words, and reads what they are elsewhere as a backspace and a backslash.
var postgreSQLEscapes = map[byte]string{'A': "", 'B': `\\`, 'D': "", 'M': `\b(?<=\w)`, 'S': "", 'U': "", 'W': "", 'Y': `\B`, 'Z': `\z`,
	'a': "", 'b': `\x08`, 'c': "", 'd': "", 'e': `\x1b`, 'f': "", 'm': `\b(?=\w)`, 'n': "", 'r': "", 's': "", 't': "", 'u': "", 'v': "", 'w': "", 'x': "", 'y': `\b`}

// notInPostgreSQL finds what PostgreSQL does not compile: named and atomic groups, options that are not
// at the beginning or switch something off, and a brace before a digit that begins no repetition.
var notInPostgreSQL = regexp.MustCompile(`\(\?(P|>|<[^=!])|.\(\?[a-z-]+\)|^\(\?[a-z]*-|\{\d+(,\d*)?([^\d,}]|$)`)

// repetition finds how often something may be repeated, of which PostgreSQL takes 255.
var repetition = regexp.MustCompile(`\{(\d+)(?:,(\d*))?\}`)

func fromPostgreSQL(pattern string) string {
	if notInPostgreSQL.MatchString(pattern) {
		return neverCompiles
	}
	for _, bounds := range repetition.FindAllStringSubmatch(pattern, -1) {
		for _, bound := range bounds[1:] {
			if n, err := strconv.Atoi(bound); err == nil && n > 255 {
				return neverCompiles
			}
		}
	}
	return translate(pattern, func(c byte) string { return escaped(c, postgreSQLEscapes) }, unchanged)
}

// Compile makes an expression of a pattern in the notation of Go. What Go does not
// know and every database does, such as lookaround and references to groups, is left
// to regexp2, which is much slower.
func Compile(pattern string) (matches func(text string) bool, err error) {
	if simple, err := regexp.Compile(pattern); err == nil {
		return simple.MatchString, nil
	}
	full, err := regexp2.Compile(strings.ReplaceAll(pattern, "(?P<", "(?<"), regexp2.None)
	if err != nil {
		return nil, err
	}
	return func(text string) bool {
		found, err := full.MatchString(text)
		return found && err == nil
	}, nil
}
