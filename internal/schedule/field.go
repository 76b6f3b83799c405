// This file reads one field of a crontab expression.

package schedule

import (
	"fmt"
	"strconv"
	"strings"
)

// The names of the fields in CrontabError.
const (
	FieldMinute     = "minute"
	FieldHour       = "hour"
	FieldDayOfMonth = "day of month"
	FieldMonth      = "month"
	FieldDayOfWeek  = "day of week"
)

// field describes the values that one of the five positions may have.
type field struct {
	name     string
	min, max int
	// names are the full names of min, min+1 and so on, which have abbreviations of three letters. eNMS
	// understands only those of months.
	names []string
}

// The positions of fields in an expression. eNMS itself reads the day of the week, and APScheduler the others.
const (
	dayOfMonth  = 2
	monthOfYear = 3
	dayOfWeek   = 4
)

var fields = [...]field{
	{name: FieldMinute, min: 0, max: 59},
	{name: FieldHour, min: 0, max: 23},
	{name: FieldDayOfMonth, min: 1, max: 31},
	{name: FieldMonth, min: 1, max: 12, names: strings.Fields(
		"january february march april may june july august september october november december")},
	dayOfWeek: {name: FieldDayOfWeek, min: 0, max: 6, names: strings.Fields(
		"sunday monday tuesday wednesday thursday friday saturday")},
}

// The last day of the month.
const (
	lastDay     = "last" // in an expression, in any case
	lastDayMark = 0      // in a set of days
)

// read returns the numbers of one item of the field, a string without commas. reason says why the scheduler refuses the
// item, or is "".
func (f field) read(item string) (numbers set, reason string) {
	switch {
	case f.name == FieldDayOfWeek:
		return f.readDigit(item)
	case f.name == FieldDayOfMonth && strings.EqualFold(item, lastDay):
		return set(0).with(lastDayMark), ""
	}
	base, stepText, stepped := strings.Cut(item, "/")
	firstText, lastText, ranged := strings.Cut(base, "-")
	if first, isName := f.abbreviation(firstText); isName && !stepped { // eNMS reads names alone or as a range
		last, isToo := f.abbreviation(lastText)
		switch {
		case !ranged:
			return set(0).with(first), ""
		case !isToo:
			return 0, f.explain(item)
		case first > last:
			return 0, backwards(item)
		}
		return steps(first, last, 1), ""
	}
	step, first, last := 1, f.min, f.max
	ok := !stepped || number(stepText, &step)
	if base != "*" {
		ok = ok && number(firstText, &first) && (!ranged || number(lastText, &last))
	}
	if !ok {
		return 0, f.explain(item)
	}
	if !ranged && !stepped && base != "*" {
		last = first
	}
	return f.readRange(item, first, last, step, stepped)
}

// readDigit reads an item of the day of the week. eNMS has a table with only the digits 0 to 7 and the star.
func (f field) readDigit(item string) (numbers set, reason string) {
	switch {
	case item == "*":
		return steps(f.min, f.max, 1), ""
	case len(item) == 1 && item >= "0" && item <= "7":
		return set(0).with(int(item[0]-'0') % 7), ""
	}
	return 0, f.explain(item)
}

// readWeekdays reads a name of three letters, or a range of names or digits, as eNMS 5 does in the day of the
// week. A range does not run past Sunday, nor begin there: "0-7" would be Sunday alone. ok is false for anything else.
func (f field) readWeekdays(item string) (numbers set, ok bool) {
	firstText, lastText, isRange := strings.Cut(item, "-")
	first, ok := f.weekday(firstText)
	if !isRange {
		return set(0).with(first % 7), ok
	}
	last, lastOK := f.weekday(lastText)
	for weekday := first; weekday <= last; weekday++ {
		numbers = numbers.with(weekday % 7)
	}
	return numbers, ok && lastOK && first <= last && first < 7
}

// weekday reads a digit or a name of three letters, as a number from 1 for Monday to 7 for Sunday.
func (f field) weekday(text string) (int, bool) {
	n, ok := f.abbreviation(text)
	if !ok {
		ok = len(text) == 1 && number(text, &n) && n <= 7
	}
	if n == 0 {
		n = 7
	}
	return n, ok
}

// readRange returns the numbers of a range with a step, or why APScheduler refuses them. It refuses a step that leaves
// only the first number.
func (f field) readRange(item string, first, last, step int, stepped bool) (numbers set, reason string) {
	end := last
	if last == 0 { // for the check of the step, APScheduler treats an end of 0 as the maximum, and so accepts "0-0/5"
		end = f.max
	}
	switch {
	case first < f.min || first > f.max || last > f.max:
		return 0, fmt.Sprintf("%q is outside %d to %d", item, f.min, f.max)
	case first > last:
		return 0, backwards(item)
	case step == 0:
		return 0, "a step must be at least 1"
	case stepped && step > end-first:
		return 0, fmt.Sprintf("eNMS refuses a step that leaves only the first value (%d)", first)
	}
	return steps(first, last, step), ""
}

// abbreviation reads a name of three letters in any case, as eNMS does.
func (f field) abbreviation(text string) (int, bool) {
	n, ok := f.word(text)
	return n, ok && len(text) == 3
}

// word reads a name, of which three letters or more are enough.
func (f field) word(text string) (int, bool) {
	for i, name := range f.names {
		if len(text) >= 3 && strings.HasPrefix(name, strings.ToLower(text)) {
			return f.min + i, true
		}
	}
	return 0, false
}

// write returns the shortest text for numbers of this field.
func (f field) write(numbers set) string {
	if numbers == steps(f.min, f.max, 1) {
		return "*"
	}
	text := numbers.list(f.name != FieldDayOfWeek)
	if f.name == FieldDayOfMonth && numbers.has(lastDayMark) {
		days := numbers &^ set(0).with(lastDayMark)
		text = strings.TrimSuffix(lastDay+","+days.list(true), ",")
	}
	return text
}

// explain returns why an item that is neither a number nor a range nor a step is not understood in this field.
func (f field) explain(item string) string {
	takes := fmt.Sprintf("eNMS takes here *, numbers from %d to %d, ranges (a-b), steps (*/n, a-b/n) and lists of these", f.min, f.max)
	switch f.name {
	case FieldDayOfMonth:
		takes += `, and "last" for the last day of the month`
	case FieldMonth:
		takes += ", and the names jan to dec, alone or as a range"
	case FieldDayOfWeek:
		takes = "eNMS takes here only * or single digits from 0 to 7 (0 and 7 are Sunday), separated by commas"
	}
	if sign := foreign(item); sign != "" {
		return sign + "; " + takes
	}
	return takes
}

// foreign returns what is wrong with an item that is empty or in the notation of Quartz or Jenkins, otherwise
// "".
func foreign(item string) string {
	switch upper := strings.ToUpper(item); {
	case item == "":
		return "nothing stands beside a comma"
	case item == "?":
		return "? (any) is a sign of Quartz, for which eNMS has *"
	case strings.Contains(item, "#"):
		return "# (the n-th weekday of a month) is a sign of Quartz that eNMS does not have"
	case upper == "L" || strings.HasPrefix(upper, "L-") || strings.Trim(upper, "0123456789") == "L":
		return "L (last) is a sign of Quartz that eNMS does not have"
	case strings.Trim(upper, "0123456789L") == "W":
		return "W (the nearest working day) is a sign of Quartz that eNMS does not have"
	case upper == "H" || strings.HasPrefix(upper, "H/") || strings.HasPrefix(upper, "H("):
		return "H (any value) is a sign of Jenkins that eNMS does not have"
	}
	return ""
}

// backwards returns the reason for a range whose end is before its start.
func backwards(item string) string {
	return fmt.Sprintf("eNMS refuses a range that runs past its end, as %q does", item)
}

// number reports whether a string is an unsigned number in ASCII digits, and reads it into an int. A number
// that is too large for an int becomes one that no field accepts.
func number(text string, into *int) bool {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return false
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		n = 1 << 30
	}
	*into = n
	return true
}
