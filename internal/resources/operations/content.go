// This file writes what a run came to as bounded JSON.

package operations

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/value"
)

const (
	// maxResult bounds the attribute result, in bytes, because a state is kept, sent
	// and shown as a whole.
	maxResult = 64 << 10
	// longText and shortText are the lengths between which texts are cut for a result
	// to fit.
	longText  = 16 << 10
	shortText = 64
	// truncatedField says in a result that something was taken out of it.
	truncatedField = "truncated"
)

// bounded is content as JSON of at most maxResult bytes, which is JSON all the same: long
// texts are cut, and if that does not do, whole members are left out.
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

// toJSON writes a decoded value as it would be read.
func toJSON(x any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(x); err != nil { // an answer that was decoded can be encoded
		return fmt.Sprintf("{%q:true}", truncatedField)
	}
	return string(bytes.TrimSpace(text.Bytes()))
}

// shortened returns a value whose texts are cut to a length.
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
		for length > 0 && !utf8.RuneStart(x[length]) {
			length--
		}
		return x[:length] + "…"
	}
	return x
}
