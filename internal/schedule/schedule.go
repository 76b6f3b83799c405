// Package schedule reads the start dates and crontab expressions of tasks as the scheduler of eNMS does. Its
// crontab expressions are neither those of cron nor those of Quartz. eNMS accepts any string, and schedules
// nothing if it is invalid, without an error (enms-rest.md 1.8). So this package reports errors before a
// task is sent.
//
//	crontab.go     checks a crontab expression;  suggest.go  suggests another one
//	expression.go  an expression: field.go one of its fields, set.go the values of a field
//	next.go        the next times of an expression
//	translate.go   translates expressions of cron
//	date.go        start and end dates;  zone.go  dates in a time zone
//	schedule.go    white space and suggestions, for several of these files
package schedule

import (
	"fmt"
	"unicode"
)

// isSpace reports whether a character is white space in Python: that of Go, and four separators of ASCII.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
}

// withSuggestion adds a suggestion to the text of an error.
func withSuggestion(text, suggestion string) string {
	if suggestion == "" {
		return text
	}
	return fmt.Sprintf("%s; write %q", text, suggestion)
}
