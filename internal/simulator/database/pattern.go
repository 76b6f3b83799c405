// The regular expressions of the databases (2.4, 10.6): those of Python and PostgreSQL are translated to the
// notation of Go. A pattern that they do not compile becomes one that Go does not compile.

package database

import (
	"cmp"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// neverCompiles is a pattern that no library compiles.
const neverCompiles = "("

// What Python takes for a character of a word, a space and the end of a word is Unicode; what Go does, ASCII.
const (
	wordCharacters = `\p{L}\p{N}_`
	spaces         = `\t-\r\x1c-\x1f\x{85}\p{Z}`
	endOfWord      = `(?<=[` + wordCharacters + `])(?![` + wordCharacters + `])|(?<![` + wordCharacters + `])(?=[` + wordCharacters + `])`
)

// pythonEscapes are the letters that may follow a backslash in Python, with their translation, or "" if the escape is the
// same in Go.
var pythonEscapes = map[byte]string{'A': "", 'B': `(?!` + endOfWord + `)`, 'b': `(?:` + endOfWord + `)`, 'D': `\P{Nd}`, 'd': `\p{Nd}`,
	'S': `[^` + spaces + `]`, 's': `[` + spaces + `]`, 'W': `[^` + wordCharacters + `]`, 'w': `[` + wordCharacters + `]`, 'Z': `\z`,
	'a': "", 'f': "", 'n': "", 'r': "", 't': "", 'v': "", 'x': ""}

// pythonClassEscapes are pythonEscapes for the inside of a character class, as far as they differ in Go. \W and \S have no
// translation there: they stay those of Go.
var pythonClassEscapes = map[byte]string{'D': `\P{Nd}`, 'd': `\p{Nd}`, 's': spaces, 'w': wordCharacters}

// codePoint matches the escapes of code points that Go does not have, and pairs of backslashes, which begin none.
var codePoint = regexp.MustCompile(`\\\\|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8}`)

// notInPython matches what Python does not compile: named groups in another notation, and options that are
// not at the beginning.
var notInPython = regexp.MustCompile(`\(\?<[^=!]|.\(\?[a-zA-Z]+\)|\(\?-[a-z]+\)`)

// fromPython translates a pattern of Python.
func fromPython(pattern string) string {
	if notInPython.MatchString(pattern) {
		return neverCompiles
	}
	return translate(pattern, pythonEscapes, fromClass)
}

// translate translates a pattern: the escapes of code points, other escapes outside of character classes by letters, and
// the classes by class.
func translate(pattern string, letters map[byte]string, class func(string) string) string {
	pattern = codePoint.ReplaceAllStringFunc(pattern, func(escape string) string {
		if escape == `\\` {
			return escape
		}
		return `\x{` + escape[2:] + `}`
	})
	var out strings.Builder
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case c == '\\' && i+1 < len(pattern):
			i++
			translated := escaped(pattern[i], letters)
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

// escaped translates a backslash and c. letters has the letters that may follow a backslash. "" means that the
// escape does not compile.
func escaped(c byte, letters map[byte]string) string {
	if c >= utf8.RuneSelf { // the first byte of a character that needs no escape
		return string([]byte{c})
	}
	isLetter := 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	translated, known := letters[c]
	switch {
	case isLetter && !known:
		return ""
	case translated == "": // the same in Go
		return `\` + string(rune(c))
	}
	return translated
}

// classEnd returns the end of the character class that begins at start, or -1. A closing bracket at the
// beginning of the class is one of its characters.
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

// fromClass translates a character class of Python. It escapes opening brackets, which could begin a named class in Go.
func fromClass(class string) string {
	inside := strings.TrimSuffix(class[1:], "]")
	var out strings.Builder
	out.WriteByte('[')
	for i := 0; i < len(inside); i++ {
		switch {
		case inside[i] == '\\' && i+1 < len(inside):
			i++
			out.WriteString(cmp.Or(pythonClassEscapes[inside[i]], inside[i-1:i+1]))
		case inside[i] == '[':
			out.WriteString(`\[`)
		default:
			out.WriteByte(inside[i])
		}
	}
	out.WriteByte(']')
	return out.String()
}

// postgreSQLEscapes are pythonEscapes for PostgreSQL, which has its own escapes for the ends of words: its \b is a
// backspace, and its \B a backslash.
var postgreSQLEscapes = map[byte]string{'A': "", 'B': `\\`, 'D': "", 'M': `\b(?<=\w)`, 'S': "", 'W': "", 'Y': `\B`, 'Z': `\z`,
	'a': "", 'b': `\x08`, 'c': "", 'd': "", 'e': `\x1b`, 'f': "", 'm': `\b(?=\w)`, 'n': "", 'r': "", 's': "", 't': "", 'v': "", 'w': "", 'x': "", 'y': `\b`}

// notInPostgreSQL finds what PostgreSQL does not compile: named and atomic groups, options that are not
// at the beginning or switch something off, and a brace before a digit that begins no repetition.
var notInPostgreSQL = regexp.MustCompile(`\(\?(P|>|<[^=!])|.\(\?[a-z-]+\)|^\(\?[a-z]*-|\{\d+(,\d*)?([^\d,}]|$)`)

// repetition matches the bounds of repetitions, for which PostgreSQL allows up to 255.
var repetition = regexp.MustCompile(`\{(\d+)(?:,(\d*))?\}`)

// fromPostgreSQL translates a pattern of PostgreSQL.
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
	return translate(pattern, postgreSQLEscapes, unchanged)
}

// Compile compiles a pattern in the notation of Go. If Go does not support it, regexp2 does, which has
// lookaround and references to groups, as all databases do, and is much slower.
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
