// This file reads and writes the start and end dates of tasks, in the notation of the scheduler.

package schedule

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// The years that can be scheduled: the scheduler writes years without padding, and reads four digits.
const (
	firstYear = 1000
	lastYear  = 9999
)

// dateLayout is the layout of DD/MM/YYYY HH:MM:SS.
const dateLayout = "02/01/2006 15:04:05"

// datePattern matches what Python's strptime accepts for %d/%m/%Y %H:%M:%S, with one blank between date and
// time: a blank before a day of one digit, and optional leading zeros except in the year.
var datePattern = regexp.MustCompile(
	`^(3[01]|[12][0-9]|0[1-9]| ?[1-9])/(1[0-2]|0?[1-9])/([0-9]{4}) ` +
		`(2[0-3]|[01]?[0-9]):([0-5]?[0-9]):([0-5]?[0-9])$`)

// DateError says why a date cannot be scheduled.
type DateError struct {
	Text       string // the date as it was written
	Reason     string // what is wrong
	Suggestion string // a valid date that was probably meant, or ""
}

// Error returns the date, the reason and the suggestion.
func (e *DateError) Error() string {
	return withSuggestion(fmt.Sprintf("date %q: %s", e.Text, e.Reason), e.Suggestion)
}

// ParseDate reads DD/MM/YYYY HH:MM:SS as the scheduler does (enms-rest.md 1.8): leading zeros are optional
// except in the year, any white space may separate date and time, and the day must exist. The zone of a date
// is that of the server, which is unknown here: the result is in UTC, and can only be compared with other
// such dates. Unlike Python, ParseDate accepts only ASCII digits. The error is a *DateError.
func ParseDate(s string) (time.Time, error) {
	parts := datePattern.FindStringSubmatch(oneBlank(s))
	if parts == nil {
		return time.Time{}, &DateError{s, "eNMS reads DD/MM/YYYY HH:MM:SS", suggestDate(s)}
	}
	var n [6]int
	for i := range n {
		n[i], _ = strconv.Atoi(strings.TrimSpace(parts[i+1])) // the pattern matches only digits
	}
	day, month, year := n[0], time.Month(n[1]), n[2]
	t := time.Date(year, month, day, n[3], n[4], n[5], 0, time.UTC)
	if t.Day() != day {
		last := time.Date(year, month+1, 0, 0, 0, 0, 0, time.UTC).Day()
		return time.Time{}, &DateError{s, fmt.Sprintf("%s %d has only %d days", month, year, last), ""}
	}
	if year < firstYear {
		return time.Time{}, &DateError{s, fmt.Sprintf("eNMS cannot schedule before the year %d", firstYear), ""}
	}
	return t, nil
}

// FormatDate returns a date as eNMS accepts it. It is the inverse of ParseDate: it converts the time to UTC, and
// truncates fractions of a second.
func FormatDate(t time.Time) string {
	return t.UTC().Format(dateLayout)
}

// oneBlank replaces the white space between date and time by one blank. A blank before the day remains.
func oneBlank(s string) string {
	from := strings.IndexFunc(s[min(1, len(s)):], isSpace) + 1
	if from == 0 {
		return s
	}
	return s[:from] + " " + strings.TrimLeftFunc(s[from:], isSpace)
}

// suggestDate reads a date in another common notation, or returns "". It does not read notations with a time
// zone, because the server may have another one.
func suggestDate(s string) string {
	s = strings.TrimFunc(s, isSpace)
	for _, layout := range []string{
		"2006-1-2 15:4:5", "2006-1-2T15:4:5", "2006-1-2 15:4", "2006-1-2T15:4", "2006-1-2",
		"2/1/2006 15:4:5", "2/1/2006 15:4", "2/1/2006", "1/2/2006 15:4:5", "1/2/2006 15:4", "1/2/2006",
		"2.1.2006 15:4:5", "2.1.2006 15:4", "2.1.2006", "2-1-2006 15:4:5", "2-1-2006 15:4", "2-1-2006",
	} {
		if t, err := time.Parse(layout, s); err == nil && t.Year() >= firstYear {
			return FormatDate(t)
		}
	}
	return ""
}
