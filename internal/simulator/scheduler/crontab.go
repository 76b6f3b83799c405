// Crontab expressions, and when they are due.

package scheduler

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// crontab has the values that each field allows; the day -1 is the last one of the month. eNMS itself reads the last
// field, and APScheduler the others (1.8). Day and weekday must both match.
type crontab struct{ minutes, hours, days, months, weekdays map[int]bool }

// cronField is the range of a field, and the names of its values.
type cronField struct {
	low, high int
	names     []string // in the order of the values from low
}

var (
	minuteField = cronField{low: 0, high: 59}
	hourField   = cronField{low: 0, high: 23}
	dayField    = cronField{low: 1, high: 31}
	monthField  = cronField{low: 1, high: 12, names: []string{"jan", "feb", "mar", "apr", "may", "jun",
		"jul", "aug", "sep", "oct", "nov", "dec"}}
)

var cronPart = regexp.MustCompile(`^(?:\*|(\w+)(?:-(\w+))?)(?:/(\d+))?$`)

// parseCrontab reads an expression. It reads the weekdays first, as eNMS does, whose error comes before the others.
func parseCrontab(expression string, weekdayRanges bool) (*crontab, error) {
	fields := strings.Fields(expression)
	if len(fields) == 0 {
		return nil, python.Raise("IndexError", "list index out of range")
	}
	parse := parseWeekdays
	if weekdayRanges {
		parse = parseWeekdayRanges
	}
	weekdays, err := parse(fields[len(fields)-1])
	if err != nil {
		return nil, err
	}
	if len(fields) != 5 {
		return nil, python.Raise("ValueError", "Wrong number of fields; got %d, expected 5", len(fields))
	}
	c := &crontab{weekdays: weekdays}
	for i, f := range []struct {
		field  cronField
		values *map[int]bool
	}{{minuteField, &c.minutes}, {hourField, &c.hours}, {dayField, &c.days}, {monthField, &c.months}} {
		if *f.values, err = f.field.parse(fields[i]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// parseWeekdays reads `*`, or single digits separated by commas, of which 0 and 7 are Sunday.
func parseWeekdays(text string) (map[int]bool, error) {
	days := map[int]bool{}
	for _, part := range strings.Split(text, ",") {
		switch {
		case part == "*":
			for day := range 7 {
				days[day] = true
			}
		case len(part) == 1 && part >= "0" && part <= "7":
			days[int(part[0]-'0')%7] = true
		default:
			return nil, python.Raise("KeyError", "'%s'", part)
		}
	}
	return days, nil
}

var weekdayRange = regexp.MustCompile(`^([a-z]{3})(?:-([a-z]{3}))?`)

// parseWeekdayRanges reads the weekdays as eNMS 5 does: each digit stands for the name of a day, and APScheduler
// reads names, ranges from Monday to Sunday, and the star.
func parseWeekdayRanges(text string) (map[int]bool, error) {
	names := []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat", "sun"}
	for digit, name := range names {
		text = strings.ReplaceAll(text, strconv.Itoa(digit), name)
	}
	names = names[1:] // from Monday, as APScheduler counts
	days := map[int]bool{}
	for _, part := range strings.Split(strings.ToLower(text), ",") {
		parts := weekdayRange.FindStringSubmatch(part)
		if part == "*" {
			parts = []string{"", "mon", "sun"}
		} else if parts == nil {
			return nil, python.Raise("ValueError", "Unrecognized expression %q for field %q", part, "day_of_week")
		}
		first := slices.Index(names, parts[1])
		last := first
		if parts[2] != "" {
			last = slices.Index(names, parts[2])
		}
		if first < 0 || last < first {
			return nil, python.Raise("ValueError", "Invalid weekdays %q", part)
		}
		for day := first; day <= last; day++ {
			days[(day+1)%7] = true
		}
	}
	return days, nil
}

// parse returns the values that a field of an expression allows.
func (f cronField) parse(text string) (map[int]bool, error) {
	values := map[int]bool{}
	for _, part := range strings.Split(text, ",") {
		first, last, step, err := f.span(part)
		if err != nil {
			return nil, err
		}
		for v := first; v <= last; v += step {
			values[v] = true
		}
	}
	return values, nil
}

// span reads a part of a field: `*`, a value, or a range, each with a step or without. A value with a step is the
// beginning of a range up to the highest value.
func (f cronField) span(part string) (first, last, step int, err error) {
	if part == "last" && f.high == 31 { // of days only
		return -1, -1, 1, nil
	}
	wrong := python.Raise("ValueError", "Unrecognized expression %q", part)
	parts := cronPart.FindStringSubmatch(part)
	if parts == nil {
		return 0, 0, 0, wrong
	}
	from, to, every := parts[1], parts[2], parts[3]
	first, last, step = f.low, f.high, 1
	if from != "" {
		first = f.value(from)
	}
	if to != "" {
		last = f.value(to)
	} else if from != "" && every == "" {
		last = first
	}
	if every != "" {
		step, err = strconv.Atoi(every)
		if err != nil || step == 0 || step > last-first {
			return 0, 0, 0, wrong
		}
	}
	if first < f.low || last > f.high || first > last {
		return 0, 0, 0, wrong
	}
	return first, last, step, nil
}

// value returns a value of the field, which text has as a number or by its name, or -1.
func (f cronField) value(text string) int {
	if at := slices.Index(f.names, strings.ToLower(text)); at >= 0 {
		return f.low + at
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}

// next returns the first matching minute that is not before now. It is zero if there is none within a century,
// as for 31 February.
func (c *crontab) next(now time.Time) time.Time {
	year, month, day := now.Date()
	for i := range 36600 {
		midnight := time.Date(year, month, day+i, 0, 0, 0, 0, now.Location())
		lastDay := midnight.AddDate(0, 0, 1).Day() == 1
		if !c.months[int(midnight.Month())] || !c.weekdays[int(midnight.Weekday())] ||
			!c.days[midnight.Day()] && !(c.days[-1] && lastDay) {
			continue
		}
		for minute := range 24 * 60 {
			if !c.hours[minute/60] || !c.minutes[minute%60] {
				continue
			}
			at := time.Date(year, month, day+i, minute/60, minute%60, 0, 0, now.Location())
			if !at.Before(now) {
				return at
			}
		}
	}
	return time.Time{}
}
