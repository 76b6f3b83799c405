// What Python's json writes besides JSON (enms-rest.md 1.1): the numbers NaN, Infinity and
// -Infinity, and texts with half a surrogate pair.

package rest

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// mark begins the strings that stand for what is no JSON. No server knows it.
var mark = rand.Text()

// constants are the numbers that JSON does not have.
var constants = []string{"NaN", "Infinity", "-Infinity"}

// strictJSON returns an answer in which strings that begin with mark stand for what is no JSON.
// Most answers are JSON, and returned as they are.
func strictJSON(body []byte) (strict []byte, marked bool) {
	if !bytes.Contains(body, []byte("NaN")) && !bytes.Contains(body, []byte("Infinity")) && !loneSurrogate(body) {
		return body, false
	}
	var out bytes.Buffer
	for i := 0; i < len(body); {
		token := body[i : i+tokenLength(body[i:])]
		i += len(token)
		half := token[0] == '"' && loneSurrogate(token) && json.Valid(token)
		if (half || slices.Contains(constants, string(token))) && !isKey(body[i:]) {
			token = quoted(token)
		}
		out.Write(token)
	}
	return out.Bytes(), true
}

// tokenLength returns the length of the string or the constant with which a text begins, 1 when
// it begins with neither.
func tokenLength(text []byte) int {
	if text[0] == '"' {
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(text)
	}
	for _, constant := range constants {
		if bytes.HasPrefix(text, []byte(constant)) {
			return len(constant)
		}
	}
	return 1
}

// quoted returns a string that stands for a token.
func quoted(token []byte) []byte {
	document, _ := json.Marshal(mark + string(token)) // It is a string.
	return document
}

// isKey reports whether what follows a token makes it the key of an object, which is
// always a string: of half a surrogate pair the decoder makes a replacement character.
func isKey(after []byte) bool { return bytes.HasPrefix(bytes.TrimLeft(after, " \t\r\n"), []byte(":")) }

// unmarked returns a decoded value with what the marked strings stand for.
func unmarked(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for name, member := range value {
			value[name] = unmarked(member)
		}
	case []any:
		for i, member := range value {
			value[i] = unmarked(member)
		}
	case string:
		token, is := strings.CutPrefix(value, mark)
		switch {
		case !is:
		case slices.Contains(constants, token):
			return json.Number(token)
		default:
			return json.RawMessage(token)
		}
	}
	return value
}

var (
	// escapes matches the escapes in JSON, that of a pair of surrogates as one.
	escapes = regexp.MustCompile(`(?is)\\(?:ud[89ab]..\\ud[c-f]..|u.{4}|.)`)
	// halfPair matches the escape of half a character.
	halfPair = regexp.MustCompile(`(?is)^\\ud[89a-f]..$`)
)

// loneSurrogate reports whether a text in body holds half a surrogate pair. The decoder
// would put a replacement for it, and so into somebody's state.
func loneSurrogate(body []byte) bool {
	may := bytes.Contains(body, []byte(`\ud`)) || bytes.Contains(body, []byte(`\uD`))
	return may && slices.ContainsFunc(escapes.FindAll(body, -1), halfPair.Match)
}

// Text returns a value as a text for people: half a surrogate pair is a replacement character.
func Text(value any) (text string, is bool) {
	switch value := value.(type) {
	case string:
		return value, true
	case json.RawMessage:
		return text, json.Unmarshal(value, &text) == nil
	}
	return "", false
}
