package enms

import (
	"errors"
	"net/http"
	"testing"
	"time"
)

func TestWindowHolds(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 3, 1, 23, 59, 58, 0, time.UTC)
	window := Window{From: from, Until: from.Add(3 * time.Second)}
	for stamp, want := range map[string]bool{
		"2026-03-01 23:59:58.000000": true,
		"2026-03-02 00:00:01.000000": true,
		"2026-03-02 00:00:01":        true, // Python leaves out a fraction of nothing
		"2026-03-02 00:00:01.000001": false,
		"2026-03-01 23:59:57.999999": false,
		"2026-03-02 05:44:59.500000": true,  // Kathmandu, +05:45
		"2026-03-01 20:29:59.500000": true,  // Newfoundland, -03:30
		"2026-03-02 05:40:59.500000": false, // no zone is at +05:41
		"2026-03-02 13:59:59.500000": true,  // Kiritimati, +14
		"2026-03-02 14:14:59.500000": false,
		"2026-03-01 11:59:59.500000": true, // Baker Island, -12
		"2026-03-01 11:44:59.500000": false,
		"2025-03-01 23:59:59.500000": false,
		"":                           false,
		"yesterday":                  false,
	} {
		if got := window.holds(stamp); got != want {
			t.Errorf("%q: %t, want %t", stamp, got, want)
		}
	}
	if (Window{}).holds("0001-01-01 00:00:00") {
		t.Error("an unknown window holds something")
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	var c clock
	now := time.Now()
	if w := c.window(now, now); w.Until.Sub(w.From) != 2*clocksDiffer {
		t.Errorf("of an unknown clock: %v", w)
	}
	// A server that is an hour ahead.
	hear := func(ahead time.Duration) {
		answer := &http.Response{Header: http.Header{"Date": {time.Now().Add(ahead).UTC().Format(http.TimeFormat)}}}
		c.heard(answer, time.Now())
	}
	hear(time.Hour)
	within := func(ahead time.Duration) {
		t.Helper()
		at := time.Now()
		w := c.window(at, at)
		if there := at.Add(ahead); there.Before(w.From) || there.After(w.Until) || w.Until.Sub(w.From) > 1100*time.Millisecond {
			t.Errorf("%v is %v, want about %v", at, w, there)
		}
	}
	within(time.Hour)
	hear(time.Hour)
	within(time.Hour)
	hear(-time.Hour) // another server behind the same address
	within(-time.Hour)
	c.heard(&http.Response{Header: http.Header{}}, time.Now())
	within(-time.Hour)
}

// TestLostAnswerAndEqualInstance: whoever loses the answer to a creation does
// not take an instance for its own that was there before, however equal.
func TestLostAnswerAndEqualInstance(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"reset", "502", "429", "empty"} {
		for _, typ := range []string{"device", "python_snippet_service", "task"} {
			for _, theirs := range []Object{
				{"last_modified": "2026-01-01 00:00:00.000000", "last_modified_by": "admin"},
				{"last_modified": time.Now().Format(stampLayout), "last_modified_by": "somebody"},
			} {
				f := newFake(t)
				theirs["name"] = "a"
				if typ == "task" {
					delete(theirs, "last_modified")
					delete(theirs, "last_modified_by")
				}
				f.add(typ, theirs)
				f.fault = once(what, "POST", "/rest/instance/")
				err := create(t.Context(), f.client(t), typ, spaceOf(typ), Object{"name": "a"})
				if _, exists := errors.AsType[*ExistsError](err); !exists {
					t.Errorf("%s of %s after %s: %v", typ, theirs, what, err)
				}
			}
		}
	}
}
