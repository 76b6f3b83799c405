// This file shortens what eNMS answers to one line of an error or a log.

package rest

import (
	"encoding/json"
	"strings"
	"unicode"
)

// JSONType names the type of a decoded value for an error.
func JSONType(value any) string {
	switch value := value.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case json.RawMessage: // as strictJSON says
		return "a string that is not Unicode"
	case json.Number:
		return "the number " + shorten(value.String(), 40)
	case []any:
		return "a list"
	}
	return "an object"
}

// MaxLine bounds a line that is quoted from an answer, in bytes.
const MaxLine = 500

// OneLine makes a text of the server fit for an error: one line, bounded, and without control
// characters or marks that change the direction of what a terminal shows.
func OneLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
	return shorten(strings.TrimSpace(s), MaxLine)
}

// shorten cuts s to about limit bytes at the border of a character.
func shorten(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}
