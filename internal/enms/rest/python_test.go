// Tests of what Python's json writes besides JSON.

package rest

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// Python prints NaN, Infinity and half surrogate pairs. An answer that held one was no JSON,
// so that a run that was over counted as not understood, and the service ran again.
func TestAnswersOfPython(t *testing.T) {
	t.Parallel()
	nan, infinity, half := json.Number("NaN"), json.Number("Infinity"), json.RawMessage(`"a\ud800"`)
	for body, want := range map[string]any{
		`NaN`:                           nan,
		` [Infinity, -Infinity ,1]`:     []any{infinity, json.Number("-Infinity"), json.Number("1")},
		`{"a":{"b":[NaN]},"c":"NaN"}`:   map[string]any{"a": map[string]any{"b": []any{nan}}, "c": "NaN"},
		`"a\ud800"`:                     half,
		`"\uD83D\uDE00"`:                "😀",
		`"\ud83d\ude00 \\ud83d"`:        `😀 \ud83d`,
		`"\ude00\ud83d"`:                json.RawMessage(`"\ude00\ud83d"`),
		`"\ud83d\ud83d\ude00"`:          json.RawMessage(`"\ud83d\ud83d\ude00"`),
		`{"k\ud800" : "\"NaN\\","x":1}`: map[string]any{"k\ufffd": `"NaN\`, "x": json.Number("1")},
		`["\ud83d\\ude00",NaN,"é\\\""]`: []any{json.RawMessage(`"\ud83d\\ude00"`), nan, `é\"`},
		`{"a\ud800":"a\ud800","b":NaN}`: map[string]any{"a\ufffd": half, "b": nan},
	} {
		if got, err := (&Answer{Body: []byte(body)}).Value(); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %#v, %v, want %#v", body, got, err, want)
		}
	}
	for _, body := range []string{`nan`, `+Infinity`, `-NaN`, `1NaN`, `NaN1`, `Inf`, `[NaN`, `{NaN:1}`, `"\ud800`, "\"\xff\"", `NaN NaN`, `{"a":Infinity"}`} {
		if got, err := (&Answer{Body: []byte(body)}).Value(); err == nil {
			t.Errorf("%s is %#v", body, got)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	if text, is := Text(json.RawMessage(`"a\ud800\n"`)); !is || text != "a\ufffd\n" {
		t.Errorf("%q", text)
	}
	if text, is := Text("a"); !is || text != "a" {
		t.Errorf("%q", text)
	}
	if text, is := Text(json.Number("NaN")); is {
		t.Errorf("%q", text)
	}
}

// FuzzAnswersOfPython looks for answers that the rewriting changes: what the decoder of the
// standard library takes is what it makes of it, apart from half surrogate pairs.
func FuzzAnswersOfPython(f *testing.F) {
	for _, body := range []string{`{"a":[NaN,"\ud800"]}`, `"\ud83d\ude00"`, `[1,-Infinity]`} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		strict, marked := strictJSON(body)
		if json.Valid(body) && !json.Valid(strict) {
			t.Errorf("%q became %q", body, strict)
		}
		if !marked && !bytes.Equal(strict, body) {
			t.Errorf("%q was changed to %q", body, strict)
		}
		_, _ = (&Answer{Body: body}).Value()
	})
}
