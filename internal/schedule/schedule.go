// Package schedule reads the start dates and crontab expressions of tasks as
// the scheduler of eNMS reads them. Its crontab expressions are neither those of cron
// nor those of Quartz. eNMS itself accepts any string, and then schedules nothing without
// saying so (enms-rest.md 1.8). So errors have to be reported before the task is sent.
//
// The package knows neither Terraform nor HTTP.
//
//	crontab.go     checks a crontab expression;  suggest.go  what was probably meant
//	expression.go  an expression: field.go one of its fields, set.go the values of a field
//	next.go        the next times of an expression
//	translate.go   expressions of cron
//	date.go        start and end dates;  zone.go  dates in a time zone
//	schedule.go    what these files share
package schedule

import (
	"fmt"
	"unicode"
)

// isSpace reports whether Python takes a character for white space: what Go
// takes for it, and four separators of ASCII.
func isSpace(r rune) bool {
	return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f
}

// withSuggestion adds what to write instead to an error's text.
func withSuggestion(text, suggestion string) string {
	if suggestion == "" {
		return text
	}
	return fmt.Sprintf("%s; write %q", text, suggestion)
}
