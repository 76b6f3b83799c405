// What must hold for any text whatever. The seeds are in testdata/fuzz.

package schedule

import (
	"errors"
	"testing"
	"time"
)

func FuzzParseCrontab(f *testing.F) {
	f.Fuzz(func(t *testing.T, expr string) {
		c, err := ParseCrontab(expr)
		if err == nil {
			if fires := next(c, recordedFrom); !fires.After(recordedFrom) || fires.Second() != 0 {
				t.Fatalf("%q is accepted, but fires next at %v", expr, fires)
			}
			return
		}
		var bad *CrontabError
		if !errors.As(err, &bad) || bad.Reason == "" || bad.Expression != expr {
			t.Fatalf("%q: got %#v", expr, err)
		}
		if bad.Suggestion != "" {
			if _, err := ParseCrontab(bad.Suggestion); err != nil {
				t.Fatalf("%q: suggestion refused: %v", expr, err)
			}
		}
	})
}

func FuzzParseDate(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string) {
		at, err := ParseDate(s)
		if err != nil {
			var bad *DateError
			if !errors.As(err, &bad) || bad.Reason == "" || bad.Text != s {
				t.Fatalf("%q: got %#v", s, err)
			}
			if s = bad.Suggestion; s == "" {
				return
			}
			if at, err = ParseDate(s); err != nil {
				t.Fatalf("suggestion refused: %v", err)
			}
		}
		if at.Location() != time.UTC {
			t.Fatalf("%q is not in UTC", s)
		}
		if again, err := ParseDate(FormatDate(at)); err != nil || !again.Equal(at) {
			t.Fatalf("%q: %v is read back as %v (%v)", s, at, again, err)
		}
	})
}
