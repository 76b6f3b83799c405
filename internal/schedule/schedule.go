// Package schedule reads the start dates and crontab expressions of tasks as
// the scheduler of eNMS reads them, which is neither as cron nor as Quartz
// does. eNMS itself accepts any text and then silently schedules nothing
// (enms-rest.md 1.8), so what is wrong has to be told before it is sent.
//
// The package knows neither Terraform nor HTTP.
package schedule

import (
	"fmt"
	"unicode"
)

// isSpace tells what Python takes for white space, which is what Go does and
// four separators of ASCII.
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
