// This file computes the next times at which an expression fires.

package schedule

import (
	"slices"
	"time"
)

// Next returns up to count next times after an instant, until the year 9999, in the zone of the server.
//
// A local time that occurs twice, because the clocks are set back, fires only the first time. A local time
// that is skipped, because the clocks are set forward, fires as if they had not been set forward, or not at
// all, depending on the zone and the version of APScheduler. Next returns it, unless it is the time of
// another run.
func (c *Crontab) Next(after time.Time, count int, zone *time.Location) []time.Time {
	// Around a change of the clocks, local times are not in the order of the instants. So the search begins a day
	// earlier, and ends a day after the one at which there are enough times.
	var times []time.Time
	local := clock(after.In(zone)).Truncate(day).Add(-day)
	for enoughDays := 0; enoughDays < 2 && local.Year() <= lastYear; local = local.Add(day) {
		for _, t := range c.on(local, zone) {
			if t.After(after) {
				times = append(times, t)
			}
		}
		if len(times) >= count { // with duplicates
			times = ordered(times)
		}
		if len(times) >= count {
			enoughDays++
		}
	}
	times = ordered(times)
	return times[:min(count, len(times))]
}

// ordered sorts times, and removes duplicates.
func ordered(times []time.Time) []time.Time {
	slices.SortFunc(times, time.Time.Compare)
	return slices.CompactFunc(times, time.Time.Equal)
}

const day = 24 * time.Hour

// clockChanges are by how much the times of a schedule may be off after the clocks of a zone were changed.
var clockChanges = []time.Duration{0, time.Hour, -time.Hour, time.Hour / 2, -time.Hour / 2}

// orOff reports whether is is true for a local time, or for one that is off by a change of the clocks. Without a zone, that
// may be on any Friday, Saturday or Sunday: on no other day are clocks changed.
func orOff(local time.Time, is func(time.Time) bool) bool {
	return is(local) || (local.Weekday() >= time.Friday || local.Weekday() == time.Sunday) &&
		slices.ContainsFunc(clockChanges, func(change time.Duration) bool { return is(local.Add(change)) })
}

// MayFire reports whether the expression may fire at a local time of a server whose zone is unknown.
func (c *Crontab) MayFire(local time.Time) bool {
	return orOff(local, func(t time.Time) bool {
		return t.Second() == 0 && c.minutes.has(t.Minute()) && c.hours.has(t.Hour()) && c.weekdays.has(int(t.Weekday())) && c.hasDate(t)
	})
}

// MayBe reports whether a run at a date may be at a local time of a server whose zone is unknown.
func MayBe(date, local time.Time) bool { return orOff(local, date.Equal) }

// MayRepeat reports whether a run that is repeated at an interval from a start may be at a local time of a server whose zone
// is unknown. The interval is one of true time, so that any number of changes of the clocks may lie in between.
func MayRepeat(start time.Time, interval time.Duration, local time.Time) bool {
	return interval <= 0 || slices.ContainsFunc(clockChanges, func(change time.Duration) bool {
		since := local.Add(change).Sub(start)
		return since >= 0 && since%interval == 0
	})
}

// on returns the times of one day. local is its midnight by the clock of the zone, as a time in UTC.
func (c *Crontab) on(local time.Time, zone *time.Location) []time.Time {
	if !c.weekdays.has(int(local.Weekday())) || !c.hasDate(local) {
		return nil
	}
	var times []time.Time
	for hour := range 24 {
		for minute := range 60 {
			if c.hours.has(hour) && c.minutes.has(minute) {
				t, _ := resolve(local.Add(time.Duration(hour)*time.Hour+time.Duration(minute)*time.Minute), zone)
				if t.Year() <= lastYear {
					times = append(times, t)
				}
			}
		}
	}
	return times
}
