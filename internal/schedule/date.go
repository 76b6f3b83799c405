// Dates: the start and end of a task, in the one notation the scheduler reads.

package schedule

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// firstYear is the lowest year that can be scheduled: the scheduler hands a
// date on without padding its year, and reads back only years of four digits.
const firstYear = 1000

// lastYear is the highest year that the scheduler counts to.
const lastYear = 9999

// dateLayout is DD/MM/YYYY HH:MM:SS in Go's words.
const dateLayout = "02/01/2006 15:04:05"

// datePattern is what Python's strptime takes for %d/%m/%Y %H:%M:%S, short of
// the gap between date and time: one blank before a day of one digit, leading
// zeros optional everywhere but in the year, and seconds up to 61, which its
// calendar refuses afterwards.
var datePattern = regexp.MustCompile(
	`^(3[01]|[12][0-9]|0[1-9]| ?[1-9])/(1[0-2]|0?[1-9])/([0-9]{4}) ` +
		`(2[0-3]|[01]?[0-9]):([0-5]?[0-9]):([0-5]?[0-9])$`)

// DateError says why a date cannot be scheduled.
type DateError struct {
	// Text is the date as it was written.
	Text string
	// Reason says what is wrong with it, without repeating it.
	Reason string
	// Suggestion is a date that ParseDate accepts and that was probably meant, or "" if that cannot be
	// known.
	Suggestion string
}

// Error names the date, the reason and, where there is one, what to write.
func (e *DateError) Error() string {
	return withSuggestion(fmt.Sprintf("date %q: %s", e.Text, e.Reason), e.Suggestion)
}

// ParseDate reads DD/MM/YYYY HH:MM:SS as the scheduler does (enms-rest.md
// 1.8): leading zeros are optional except in the year, any white space may
// separate date and time, and the day must exist in the calendar. Its zone is
// the server's, which nobody can know, so the result is in UTC and only good
// for comparison with other such dates. The error is a *DateError.
//
// Digits must be ASCII, though Python takes those of other scripts too.
func ParseDate(s string) (time.Time, error) {
	parts := datePattern.FindStringSubmatch(oneBlank(s))
	if parts == nil {
		return time.Time{}, &DateError{s, "eNMS reads DD/MM/YYYY HH:MM:SS", suggestDate(s)}
	}
	var n [6]int
	for i := range n {
		// The pattern admits nothing that Atoi could refuse.
		n[i], _ = strconv.Atoi(strings.TrimSpace(parts[i+1]))
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

// FormatDate writes a date as eNMS takes it. The time is taken in UTC, as
// ParseDate gives it, fractions of a second are cut off, and the year must lie
// within 1000 and 9999 for ParseDate to read it back.
func FormatDate(t time.Time) string {
	return t.UTC().Format(dateLayout)
}

// CheckWindow checks the start and end date of a repeated task (one with a
// frequency), of which either may be empty, meaning none. An end before the
// start is an error: the scheduler would find no time to run at, and says so
// to nobody (enms-rest.md 1.8). The error is a *DateError whose Text is the
// date at fault.
//
// It is not for other tasks: of a task that runs once the scheduler ignores
// the end, and of one in cron mode both dates.
func CheckWindow(start, end string) error {
	var times [2]time.Time
	for i, s := range []string{start, end} {
		if s == "" {
			continue
		}
		t, err := ParseDate(s)
		if err != nil {
			return err
		}
		times[i] = t
	}
	if start != "" && end != "" && times[1].Before(times[0]) {
		return &DateError{end, fmt.Sprintf("the end is before the start %q, so the task would never run", start), ""}
	}
	return nil
}

// oneBlank replaces the white space between date and time by one blank. It leaves a blank before the
// day, where exactly one is allowed.
func oneBlank(s string) string {
	from := strings.IndexFunc(s[min(1, len(s)):], isSpace) + 1
	if from == 0 {
		return s
	}
	return s[:from] + " " + strings.TrimLeftFunc(s[from:], isSpace)
}

// suggestDate returns the date for one in another common notation. It returns "" for notations with a
// time zone, because the server's zone may be another.
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
