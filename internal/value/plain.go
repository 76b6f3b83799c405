// This file makes JSON of what Python writes besides it (enms-rest.md 1.1).

package value

import (
	"encoding/json"
	"slices"
)

// constants are the numbers that JSON does not have, and Python's json writes.
var constants = []json.Number{"NaN", "Infinity", "-Infinity"}

// Plain returns a value of an answer as JSON can hold it: the numbers NaN, Infinity and
// -Infinity are texts, and so are texts that are not Unicode, with a replacement character
// (U+FFFD) for each half of a surrogate pair.
func Plain(x any) any {
	switch x := x.(type) {
	case []any:
		plain := make([]any, len(x))
		for i, member := range x {
			plain[i] = Plain(member)
		}
		return plain
	case map[string]any:
		plain := make(map[string]any, len(x))
		for name, member := range x {
			plain[name] = Plain(member)
		}
		return plain
	}
	return plainScalar(x)
}

func plainScalar(x any) any {
	switch x := x.(type) {
	case json.Number:
		if slices.Contains(constants, x) {
			return x.String()
		}
	case json.RawMessage: // a text that is not Unicode, as the answer has it
		var text string
		if json.Unmarshal(x, &text) == nil {
			return text
		}
	}
	return x
}
