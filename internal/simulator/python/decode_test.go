// Tests of what Python's json reads.

package python

import (
	"strings"
	"testing"
)

// What is read is written again as Python would.
func TestPythonJSON(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`NaN`: `NaN`, `[NaN,-Infinity, Infinity]`: `[NaN,-Infinity,Infinity]`, `1e400`: `Infinity`, `{"NaN":"NaN"}`: `{"NaN":"NaN"}`,
		`"\ud800"`: `"\ud800"`, `{"k\udfff":["\uDBFFx","\ud83d\ude00","\ude00\ud83d"]}`: `{"k\udfff":["\udbffx","\ud83d\ude00","\ude00\ud83d"]}`,
		`"\\ud800 \"\\"`: `"\\ud800 \"\\"`, `"é�"`: `"\u00e9\ufffd"`,
	} {
		v, err := Decode([]byte(sent))
		if err != nil {
			t.Errorf("%s: %v", sent, err)
			continue
		}
		if got := strings.TrimSpace(string(Encode(v))); got != want {
			t.Errorf("%s became %s", sent, got)
		}
	}
	for _, sent := range []string{`nan`, `{NaN:1}`, `1NaN`, `NaN,`, `"\ud800`} {
		if v, err := Decode([]byte(sent)); err == nil {
			t.Errorf("%s is %v", sent, v)
		}
	}
}
