// This file writes the result of a run as JSON of bounded length.

package operations

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

const (
	// maxResult is the largest size of the attribute result, in bytes. A state is stored, sent and shown
	// as a whole, so it must not become too large.
	maxResult = 64 << 10
	// longText is the length to which strings are cut first. It is halved until the result fits, but not
	// below shortText.
	longText  = 16 << 10
	shortText = 64
	// truncatedField is a member of a result from which something was removed.
	truncatedField = "truncated"
)

// bounded returns content as JSON of at most maxResult bytes. If it is longer, long strings are cut. If it
// is still too long, whole members are left out. The result is valid JSON in any case.
func bounded(content map[string]any) string {
	content, _ = value.Plain(content).(map[string]any)
	text := toJSON(content)
	for length := longText; len(text) > maxResult && length >= shortText; length /= 2 {
		cut, _ := shortened(content, length).(map[string]any)
		cut[truncatedField] = true
		text = toJSON(cut)
	}
	if len(text) <= maxResult {
		return text
	}
	rest := map[string]any{truncatedField: true}
	for name, member := range content {
		if text := toJSON(member); len(text) <= shortText {
			rest[name] = member
		}
	}
	if text = toJSON(rest); len(text) <= maxResult {
		return text
	}
	return toJSON(map[string]any{truncatedField: true})
}

// toJSON encodes a decoded value.
func toJSON(x any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(x) // an answer that was decoded can be encoded
	return string(bytes.TrimSpace(text.Bytes()))
}

// shortened returns a value whose strings are cut to a length.
func shortened(x any, length int) any {
	switch x := x.(type) {
	case map[string]any:
		cut := make(map[string]any, len(x))
		for name, member := range x {
			cut[name] = shortened(member, length)
		}
		return cut
	case []any:
		cut := make([]any, len(x))
		for i, member := range x {
			cut[i] = shortened(member, length)
		}
		return cut
	case string:
		if len(x) <= length {
			return x
		}
		for !utf8.RuneStart(x[length]) { // at most three times: JSON has decoded valid UTF-8
			length--
		}
		return x[:length] + "…"
	}
	return x
}
