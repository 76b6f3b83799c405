// This file converts between dates and instants in a time zone, whose clocks are set forward and back.

package schedule

import (
	"fmt"
	"sort"
	"time"
	_ "time/tzdata" // for machines without time zones
)

// LoadZone returns the zone with an IANA name. It refuses "Local", the zone of this machine, and "", which is UTC in Go.
func LoadZone(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, fmt.Errorf("zone %q: no such time zone; write a name of the IANA list, such as \"Europe/Berlin\" or \"UTC\"", name)
	}
	return zone, nil
}

// StartDate returns an instant as a date of a server in the zone, without fractions of a second. The error is a
// *DateError.
func StartDate(t time.Time, zone *time.Location) (string, error) {
	local := clock(t.In(zone))
	if year := local.Year(); year < firstYear || year > lastYear {
		return "", &DateError{Text: t.Format(time.RFC3339),
			Reason: fmt.Sprintf("eNMS schedules from the year %d to %d", firstYear, lastYear)}
	}
	return FormatDate(local), nil
}

// Instant returns the instant of a date on a server in the zone. If a date occurs twice, because the clocks are
// set back, it is the earlier instant. A date that is skipped, because they are set forward, is an error. The
// error is a *DateError.
func Instant(date string, zone *time.Location) (time.Time, error) {
	local, err := ParseDate(date)
	if err != nil {
		return time.Time{}, err
	}
	t, exists := resolve(local, zone)
	if !exists {
		from, to := change(t)
		return time.Time{}, &DateError{Text: date,
			Reason: fmt.Sprintf("this time does not exist in %s, where the clocks go forward from %s to %s",
				zone, FormatDate(from), FormatDate(to))}
	}
	return t, nil
}

// Timestamp returns an instant in RFC 3339, with the offset of its zone.
func Timestamp(t time.Time) string {
	if _, offset := t.Zone(); offset%60 != 0 {
		// Before there were time zones, offsets had seconds, which RFC 3339 does not have.
		t = t.UTC()
	}
	return t.Format(time.RFC3339)
}

// clock returns the local time in the time's zone, as a time in UTC.
func clock(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// reach is longer than any offset from UTC, and shorter than the time between two changes of the clocks.
const reach = 25 * time.Hour

// resolve returns the first instant at which the clocks of a zone show a local time, which is given as a time
// in UTC. If the local time is skipped, exists is false, and t is the instant at which it would have been without the
// change of the clocks.
//
// It does not use Time.ZoneBounds, which is wrong on the last day of leap years.
func resolve(local time.Time, zone *time.Location) (t time.Time, exists bool) {
	withOffsetOf := func(other time.Time) time.Time {
		_, offset := other.In(zone).Zone()
		return local.Add(-time.Duration(offset) * time.Second).In(zone)
	}
	before, after := withOffsetOf(local.Add(-reach)), withOffsetOf(local.Add(reach)) // a change of the clocks
	if clock(before).Equal(local) {                                                  // if the clocks are set back, the earlier instant
		return before, true
	}
	if clock(after).Equal(local) {
		return after, true
	}
	return before, false
}

// change finds where the clocks were set forward, at most reach before t: from one local time to another.
func change(t time.Time) (from, to time.Time) {
	start := t.Add(-reach)
	_, before := start.Zone()
	seconds := sort.Search(int(reach/time.Second), func(n int) bool {
		_, offset := start.Add(time.Duration(n) * time.Second).Zone()
		return offset != before
	})
	at := start.Add(time.Duration(seconds) * time.Second)
	return clock(at.Add(-time.Second)).Add(time.Second), clock(at)
}
