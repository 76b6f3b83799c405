// This file translates expressions of cron to the notation of the scheduler.

package schedule

import (
	"fmt"
	"slices"
	"strings"
)

// Translate returns the valid expression that fires when cron would fire the given one. It reads short forms
// such as @daily, and names, ranges and steps in any field. Valid fields remain as they are. The error is a
// *CrontabError.
//
// If the day of the month and the day of the week are both restricted, cron fires on days that match either,
// and the scheduler on days that match both. As in Linux cron, a field is restricted if it does not begin
// with a star.
func Translate(expr string) (string, error) {
	texts := strings.FieldsFunc(expr, isSpace)
	if len(texts) > 0 && strings.HasPrefix(texts[0], "@") {
		return translateShortForm(expr, texts)
	}
	if len(texts) != len(fields) {
		_, err := ParseCrontab(expr)
		return "", err
	}
	translated := make([]string, len(fields))
	for i, f := range fields {
		var err *CrontabError
		if translated[i], err = f.translate(texts[i]); err != nil {
			err.Suggestion = suggest(expr)
			return "", err
		}
	}
	if err := uniteDays(texts, translated); err != nil {
		err.Text = expr
		return "", err
	}
	result := strings.Join(translated, " ")
	if _, err := parse(result); err != nil {
		err.Suggestion = suggest(expr)
		return "", err
	}
	return result, nil
}

// translateShortForm translates an expression that begins with @.
func translateShortForm(expr string, texts []string) (string, error) {
	word := strings.ToLower(texts[0])
	if form := shortForms[word]; form != "" && len(texts) == 1 {
		return form, nil
	}
	reason := "this is none of cron's short forms @yearly, @annually, @monthly, @weekly, @daily, @midnight and @hourly"
	if word == "@reboot" {
		reason = "eNMS runs tasks by the clock only, never because a machine has started"
	}
	return "", &CrontabError{Text: expr, Reason: reason}
}

// translate returns the field in the notation of the scheduler. The caller adds a suggestion to the error.
func (f field) translate(text string) (string, *CrontabError) {
	valid := true
	for _, item := range strings.Split(text, ",") {
		if _, refused := f.read(item); refused == "" {
			continue
		}
		valid = false
		reason := foreign(item)
		_, isGuessed := f.guess(item)
		if reason == "" && !isGuessed {
			reason = fmt.Sprintf("cron has no such value, range or step here, where values lie within %d and %d", f.min, f.max)
		}
		if reason != "" {
			if item == "" {
				item = text
			}
			return "", &CrontabError{Field: f.name, Text: item, Reason: reason}
		}
	}
	if !valid {
		text, _ = f.mend(text)
	}
	return text, nil
}

// uniteDays handles the two fields for days, which are alternatives for cron if both are restricted in original. If one
// of them has every value, both become a star in translated; otherwise, it returns an error, without the expression.
func uniteDays(original, translated []string) *CrontabError {
	if strings.HasPrefix(original[dayOfMonth], "*") || strings.HasPrefix(original[dayOfWeek], "*") {
		return nil
	}
	for _, i := range []int{dayOfMonth, dayOfWeek} {
		if fields[i].isFull(translated[i]) {
			translated[dayOfMonth], translated[dayOfWeek] = "*", "*"
			return nil
		}
	}
	without := func(i int) string {
		texts := slices.Clone(translated)
		texts[i] = "*"
		return strings.Join(texts, " ")
	}
	return &CrontabError{Reason: fmt.Sprintf(
		"cron fires on days that fit either the day of the month or the day of the week, eNMS only on days that fit both; "+
			"make it two tasks, %q and %q", without(dayOfWeek), without(dayOfMonth))}
}

// isFull reports whether a valid text has every value of the field.
func (f field) isFull(text string) bool {
	var all set
	for _, item := range strings.Split(text, ",") {
		numbers, _ := f.read(item)
		all |= numbers
	}
	every := steps(f.min, f.max, 1)
	return all&every == every
}
