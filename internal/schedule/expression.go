// This file reads a crontab expression, and explains why it is invalid.

package schedule

import (
	"fmt"
	"strings"
	"time"
)

// Crontab is a valid expression. Unlike cron, the scheduler runs a task only on days that match both the day of
// the month and the day of the week.
type Crontab struct {
	// Digits is the expression with single digits for the days of the week, if they are written as ranges or names,
	// which only eNMS 5 reads (enms-rest.md 11.5); otherwise "".
	Digits string

	minutes, hours, days, months, weekdays set
}

// CrontabError says why an expression would never run a task.
type CrontabError struct {
	Field      string // the invalid field, one of the Field constants, or "" for the whole expression
	Text       string // the invalid part of the field, or the whole expression
	Reason     string // what is wrong
	Suggestion string // a valid expression that was probably meant, or ""
}

// Error returns the field, the invalid text, the reason and the suggestion.
func (e *CrontabError) Error() string {
	where := "crontab expression"
	if e.Field != "" {
		where = e.Field
	}
	return withSuggestion(fmt.Sprintf("%s %q: %s", where, e.Text, e.Reason), e.Suggestion)
}

// parse is ParseCrontab without suggestions.
func parse(expr string) (*Crontab, *CrontabError) {
	texts := strings.FieldsFunc(expr, isSpace)
	if len(texts) != len(fields) {
		return nil, &CrontabError{Text: expr, Reason: wrongCount(texts)}
	}
	var sets [len(fields)]set
	onlyLine5 := false
	for i, f := range fields {
		for _, item := range strings.Split(texts[i], ",") {
			numbers, reason := f.read(item)
			if reason != "" && i == dayOfWeek {
				if weekdays, ok := f.readWeekdays(item); ok {
					numbers, reason, onlyLine5 = weekdays, "", true
				}
			}
			if reason != "" {
				if item == "" {
					item = texts[i]
				}
				return nil, &CrontabError{Field: f.name, Text: item, Reason: reason}
			}
			sets[i] |= numbers
		}
	}
	c := &Crontab{minutes: sets[0], hours: sets[1], days: sets[2], months: sets[3], weekdays: sets[4]}
	if onlyLine5 {
		c.Digits = strings.Join(append(texts[:dayOfWeek:dayOfWeek], fields[dayOfWeek].write(c.weekdays)), " ")
	}
	if !c.canFire() {
		return nil, &CrontabError{Field: FieldDayOfMonth, Text: texts[dayOfMonth],
			Reason: fmt.Sprintf("no such day exists in month %s, so the task would never run", texts[monthOfYear])}
	}
	return c, nil
}

// wrongCount explains a number of fields other than five.
func wrongCount(texts []string) string {
	const want = "eNMS reads five fields (minute, hour, day of month, month, day of week)"
	switch n := len(texts); {
	case n == 0:
		return want + ", and this has none"
	case strings.HasPrefix(texts[0], "@"):
		return want + ", and does not know the short forms that begin with @"
	case n == 6 && !endsWithYear(texts):
		return want + ", and this has 6: it knows no seconds, which are probably the first"
	case n == 6:
		return want + ", and this has 6: it knows no years, which are probably the last"
	case n == 7:
		return want + ", and this has 7: it knows neither seconds nor years, probably the first and the last"
	default:
		return fmt.Sprintf("%s, and this has %d", want, n)
	}
}

// endsWithYear reports whether six fields end with a year, and do not begin with the seconds. A year
// has four digits. A question mark, which stands for a day, is only where the days are if no seconds precede them.
func endsWithYear(texts []string) bool {
	var year int
	isYear := number(texts[5], &year) && year >= firstYear
	hasDayMark := texts[dayOfMonth] == "?" || texts[dayOfWeek] == "?"
	return isYear || hasDayMark
}

// canFire reports whether any month of the expression has any of its days. The weekday does not matter,
// because every date is on each weekday in some year.
func (c *Crontab) canFire() bool {
	const leapYear = 2000
	for date := time.Date(leapYear, 1, 1, 0, 0, 0, 0, time.UTC); date.Year() == leapYear; date = date.AddDate(0, 0, 1) {
		if c.hasDate(date) {
			return true
		}
	}
	return false
}

// hasDate reports whether the month and the day of the month match.
func (c *Crontab) hasDate(t time.Time) bool {
	isLast := t.AddDate(0, 0, 1).Day() == 1
	return c.months.has(int(t.Month())) && (c.days.has(t.Day()) || c.days.has(lastDayMark) && isLast)
}
