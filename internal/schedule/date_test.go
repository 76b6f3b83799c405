// Dates against what Python's strptime was seen to do, and what is said about
// those it refuses.

package schedule

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// testdata/date.json holds what Python 3.11 makes of a date and hands on to
// APScheduler; nothing if either of them refuses it.
func TestParseDateAsPython(t *testing.T) {
	t.Parallel()
	var cases []struct{ Date, Means string }
	load(t, "date.json", &cases)
	if len(cases) < 30 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, test := range cases {
		t.Run(test.Date, func(t *testing.T) {
			t.Parallel()
			got, err := ParseDate(test.Date)
			if test.Means == "" {
				if err == nil {
					t.Fatalf("accepted as %v, but the scheduler refuses it", got)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if got.Format(recorded) != test.Means || got.Location() != time.UTC {
				t.Errorf("got %v, want %s", got, test.Means)
			}
		})
	}
}

func TestDateError(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ date, reason, suggestion string }{
		{"", "DD/MM/YYYY HH:MM:SS", ""},
		{"tomorrow", "DD/MM/YYYY HH:MM:SS", ""},
		{"2029-12-31 06:30:00", "DD/MM/YYYY HH:MM:SS", "31/12/2029 06:30:00"},
		{"2029-12-31T06:30:00", "DD/MM/YYYY HH:MM:SS", "31/12/2029 06:30:00"},
		{"2029-12-31T06:30:00Z", "DD/MM/YYYY HH:MM:SS", ""},
		{"2029-12-31", "DD/MM/YYYY HH:MM:SS", "31/12/2029 00:00:00"},
		{"31/12/2029", "DD/MM/YYYY HH:MM:SS", "31/12/2029 00:00:00"},
		{"31/12/2029 6:30", "DD/MM/YYYY HH:MM:SS", "31/12/2029 06:30:00"},
		{"12/31/2029 06:30:00", "DD/MM/YYYY HH:MM:SS", "31/12/2029 06:30:00"},
		{"31.12.2029 06:30:00", "DD/MM/YYYY HH:MM:SS", "31/12/2029 06:30:00"},
		{" 31/12/2029 06:30:00 ", "DD/MM/YYYY HH:MM:SS", "31/12/2029 06:30:00"},
		{"٣1/12/2029 06:30:00", "DD/MM/YYYY HH:MM:SS", ""},
		{"31/12/29 06:30:00", "DD/MM/YYYY HH:MM:SS", ""},
		{"30/02/2029 00:00:00", "February 2029 has only 28 days", ""},
		{"31/12/0999 00:00:00", "before the year 1000", ""},
		{"0999-12-31", "DD/MM/YYYY HH:MM:SS", ""},
	} {
		t.Run(test.date, func(t *testing.T) {
			t.Parallel()
			_, err := ParseDate(test.date)
			var bad *DateError
			if !errors.As(err, &bad) {
				t.Fatalf("got %v, want a *DateError", err)
			}
			if bad.Text != test.date || bad.Suggestion != test.suggestion || !strings.Contains(bad.Reason, test.reason) {
				t.Errorf("got %+v", *bad)
			}
			if text := err.Error(); !strings.HasSuffix(text, quoted(test.suggestion)) {
				t.Errorf("error reads %q", text)
			}
		})
	}
}

func TestFormatDate(t *testing.T) {
	t.Parallel()
	at := time.Date(2029, time.February, 3, 4, 5, 6, 789, time.FixedZone("", 3600))
	if got, want := FormatDate(at), "03/02/2029 03:05:06"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
