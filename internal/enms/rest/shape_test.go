// This file tests the bounds of answers.

package rest

import (
	"bytes"
	"strings"
	"testing"
)

// An answer of many small values is refused before it takes forty times its size in memory.
func TestDecode_bounds(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		body []byte
		want string
	}{
		"many objects":      {[]byte("[" + strings.Repeat("{},", maxValues) + "{}]"), "more than"},
		"many numbers":      {[]byte("[" + strings.Repeat("1,", maxValues+1) + "1]"), "more than"},
		"deep":              {bytes.Repeat([]byte("["), maxDepth+1), "nests deeper"},
		"commas in strings": {[]byte(`["` + strings.Repeat(",", maxValues+1) + `"]`), ""},
	} {
		var into any
		err := decode(test.body, &into)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", name, err, test.want)
		}
	}
}

// A search for half a surrogate pair takes hardly any memory, however many escapes an answer has. Under
// the race detector, more of what it reads is allocated.
func TestLoneSurrogate_memory(t *testing.T) {
	const escapes = 100_000
	for escape, want := range map[string]bool{`\ud800`: true, `\ud83d\ude00`: false, `\u0041`: false, `\\ud800`: false} {
		body := []byte(`["\ud83d\ude00` + strings.Repeat(escape, escapes) + `"]`)
		if got := loneSurrogate(body); got != want {
			t.Errorf("%s: %v", escape, got)
		}
		if count := testing.AllocsPerRun(1, func() { loneSurrogate(body) }); count >= escapes {
			t.Errorf("%s: %.0f allocations", escape, count)
		}
	}
}
