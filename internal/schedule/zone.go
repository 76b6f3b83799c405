// Zones: which instant a date means on a clock that is set forward and back.

package schedule

import (
	"fmt"
	"sort"
	"time"
	_ "time/tzdata" // The zones, for machines that have no list of their own.
)

// ZoneError says that there is no zone of some name.
type ZoneError struct {
	// Name is the zone as it was written.
	Name string
}

// Error names the zone and says how zones are called.
func (e *ZoneError) Error() string {
	return fmt.Sprintf("zone %q: no such time zone; write a name of the IANA list, such as \"Europe/Berlin\" or \"UTC\"", e.Name)
}

// LoadZone finds a zone by its IANA name. "Local", which Go takes for that of
// the machine, is none. The error is a *ZoneError.
func LoadZone(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" || name == "Local" {
		return nil, &ZoneError{name}
	}
	return zone, nil
}

// StartDate writes an instant as the date that a server in the zone reads.
// Fractions of a second are cut off. When the clocks are set back, two instants
// have one date; Instant reads it as the earlier. The error is a *DateError.
func StartDate(t time.Time, zone *time.Location) (string, error) {
	local := clock(t.In(zone))
	if year := local.Year(); year < firstYear || year > lastYear {
		return "", &DateError{Text: t.Format(time.RFC3339),
			Reason: fmt.Sprintf("eNMS schedules from the year %d to %d", firstYear, lastYear)}
	}
	return FormatDate(local), nil
}

// Instant reads a date as a server in the zone does. A date that the clocks
// show twice is the earlier of the two; one that they skip is an error. The
// error is a *DateError.
func Instant(date string, zone *time.Location) (time.Time, error) {
	local, err := ParseDate(date)
	if err != nil {
		return time.Time{}, err
	}
	t, exists := resolve(local, zone)
	if !exists {
		last, first := change(t)
		return time.Time{}, &DateError{Text: date,
			Reason: fmt.Sprintf("this time does not exist in %s, where the clocks go forward from %s to %s",
				zone, FormatDate(last), FormatDate(first))}
	}
	return t, nil
}

// Timestamp writes an instant in RFC 3339, with the offset of its zone.
func Timestamp(t time.Time) string {
	if _, offset := t.Zone(); offset%60 != 0 {
		// Before zones were introduced, clocks followed the sun, to the second,
		// which the notation cannot tell.
		t = t.UTC()
	}
	return t.Format(time.RFC3339)
}

// clock returns the local time in the time's zone, as a time in UTC.
func clock(t time.Time) time.Time {
	_, offset := t.Zone()
	return t.UTC().Add(time.Duration(offset) * time.Second)
}

// reach is more than any zone is from UTC, and less than lies between two
// changes of its clocks.
const reach = 25 * time.Hour

// resolve returns the first instant at which the clocks of a zone show a local time, told as a
// time in UTC. If they never do, because they are set forward past it, it is the instant at
// which they would if they were not.
//
// It does without Time.ZoneBounds, which is wrong on the last day of leap years.
func resolve(local time.Time, zone *time.Location) (t time.Time, exists bool) {
	// With the offset before a change first: when the clocks are set back, that
	// is the earlier one.
	for _, near := range []time.Duration{-reach, reach} {
		_, offset := local.Add(near).In(zone).Zone()
		at := local.Add(-time.Duration(offset) * time.Second).In(zone)
		if clock(at).Equal(local) {
			return at, true
		}
		if near < 0 {
			t = at
		}
	}
	return t, false
}

// change finds the change of the clocks within reach before t by which they are set forward. from is
// what they would show at that moment without the change, and to is what they show.
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
