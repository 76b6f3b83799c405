// The next times at which an expression fires.

package schedule

import (
	"slices"
	"time"
)

// Next returns the next times after an instant, at most count of them and none beyond the year
// 9999, in the zone of the server.
//
// The scheduler goes by the clock. A time that the clocks show twice fires the first time
// only. One that they skip is given as the instant at which it would have come had they not
// been set forward, if that is not the time of another: APScheduler fires it then or leaves it
// out, depending on the zone and on the versions of its libraries, and promises neither.
func (c *Crontab) Next(after time.Time, count int, zone *time.Location) []time.Time {
	// Where the clocks change, local times do not follow each other as the
	// instants do: a day more on either side puts them in order.
	const margin = 2
	var times []time.Time
	local := clock(after.In(zone)).Truncate(day).Add(-day)
	for left := margin; left > 0 && local.Year() <= lastYear; local = local.Add(day) {
		for _, t := range c.on(local, zone) {
			if t.After(after) {
				times = append(times, t)
			}
		}
		if len(times) >= count {
			if times = ordered(times); len(times) >= count {
				left--
			}
		}
	}
	times = ordered(times)
	return times[:min(count, len(times))]
}

// ordered puts times in order, each once.
func ordered(times []time.Time) []time.Time {
	slices.SortFunc(times, time.Time.Compare)
	return slices.CompactFunc(times, time.Time.Equal)
}

const day = 24 * time.Hour

// on returns the instants of one day, whose first moment by the clock is told as a time in
// UTC.
func (c *Crontab) on(local time.Time, zone *time.Location) []time.Time {
	if !c.months.has(int(local.Month())) || !c.weekdays.has(int(local.Weekday())) || !c.onDay(local) {
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
