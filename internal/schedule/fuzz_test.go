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
			if fires := c.Next(recordedFrom, 1, time.UTC); len(fires) != 1 || !fires[0].After(recordedFrom) || fires[0].Second() != 0 {
				t.Fatalf("%q is accepted, but fires next at %v", expr, fires)
			}
			return
		}
		var bad *CrontabError
		if !errors.As(err, &bad) || bad.Reason == "" {
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

func FuzzTranslate(f *testing.F) {
	f.Fuzz(func(t *testing.T, expr string) {
		got, err := Translate(expr)
		if err != nil {
			var bad *CrontabError
			if !errors.As(err, &bad) || bad.Reason == "" {
				t.Fatalf("%q: got %#v", expr, err)
			}
			return
		}
		c, err := ParseCrontab(got)
		if err != nil {
			t.Fatalf("%q becomes %q: %v", expr, got, err)
		}
		// What the scheduler takes keeps its meaning, unless its days are
		// alternatives to cron of which one is any day.
		everyDay := *c
		everyDay.days, everyDay.weekdays = steps(1, 31, 1), steps(0, 6, 1)
		same, err := ParseCrontab(expr)
		if err == nil {
			same.Digits = ""
		}
		if err == nil && *same != *c && *c != everyDay {
			t.Fatalf("%q, which the scheduler takes, becomes %q", expr, got)
		}
	})
}

// fuzzZones are zones with changes of the clocks of every kind: by an hour, by
// half an hour, at midnight, by a day, twice a Ramadan, and none.
var fuzzZones = []string{"UTC", "Europe/Berlin", "Europe/Dublin", "America/New_York", "America/Santiago",
	"Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Antarctica/Troll", "Asia/Kolkata"}

func FuzzStartDate(f *testing.F) {
	f.Fuzz(func(t *testing.T, seconds int64, choice uint) {
		name := fuzzZones[choice%uint(len(fuzzZones))]
		zone := zoneOf(t, name)
		at := time.Unix(seconds, 0)
		date, err := StartDate(at, zone)
		if err != nil {
			if year := at.Year(); year > firstYear && year < lastYear {
				t.Fatal(err)
			}
			return
		}
		again, err := Instant(date, zone)
		if err != nil {
			t.Fatalf("%v in %s is %s: %v", at, name, date, err)
		}
		if local := FormatDate(clock(again)); local != date || again.After(at) || at.Sub(again) > 24*time.Hour {
			t.Fatalf("%v in %s is %s, which is %v", at, name, date, again)
		}
		if stamp, err := time.Parse(time.RFC3339, Timestamp(again)); err != nil || !stamp.Equal(again) {
			t.Fatalf("%v is written as %s", again, Timestamp(again))
		}
	})
}
