// Suggestions: what an expression that the scheduler refuses was probably meant to say, in the
// scheduler's notation.

package schedule

import "strings"

// shortForms are the expressions for cron's words. "@reboot" has none.
var shortForms = map[string]string{
	"@yearly":   "0 0 1 1 *",
	"@annually": "0 0 1 1 *",
	"@monthly":  "0 0 1 * *",
	"@weekly":   "0 0 * * 0",
	"@daily":    "0 0 * * *",
	"@midnight": "0 0 * * *",
	"@hourly":   "0 * * * *",
}

// suggest returns an expression that parse accepts in place of one that it refuses, or "".
func suggest(expr string) string {
	texts := strings.FieldsFunc(expr, isSpace)
	if len(texts) == 1 {
		return shortForms[strings.ToLower(texts[0])]
	}
	texts = five(texts)
	if texts == nil || ambiguousWeekday(expr, texts[dayOfWeek]) {
		return ""
	}
	for i, f := range fields {
		mended, ok := f.mend(texts[i])
		if !ok {
			return ""
		}
		texts[i] = mended
	}
	if c, err := parse(strings.Join(texts, " ")); c == nil && err.Field == FieldDayOfMonth {
		// The days are behind the end of every month that is named, so the last day of the month is
		// meant.
		texts[2] = lastDay
	}
	mended := strings.Join(texts, " ")
	if _, err := parse(mended); err != nil {
		return ""
	}
	return mended
}

// five returns the five fields for which a list of another length was meant, or nil. It removes blanks
// beside commas, and leaves out seconds and years. A missing day of the week becomes any day.
func five(texts []string) []string {
	if joined := closeCommas(texts); len(texts) > len(fields) && len(joined) == len(fields) {
		return joined
	}
	switch {
	case len(texts) == len(fields):
		return texts
	case len(texts) == 4:
		return append(texts, "*")
	case len(texts) == 6 && endsWithYear(texts):
		return texts[:5]
	case len(texts) == 6:
		return texts[1:]
	case len(texts) == 7:
		return texts[1:6]
	}
	return nil
}

// closeCommas joins texts that a comma at the end of one or at the start of
// the next holds together.
func closeCommas(texts []string) []string {
	var joined []string
	for i, text := range texts {
		if i > 0 && (strings.HasPrefix(text, ",") || strings.HasSuffix(texts[i-1], ",")) {
			joined[len(joined)-1] += text
		} else {
			joined = append(joined, text)
		}
	}
	return joined
}

// ambiguousWeekday reports whether the digits of a day of the week may count from 1 for
// Sunday, as they do where a question mark is in use.
func ambiguousWeekday(expr, weekday string) bool {
	return strings.Contains(expr, "?") && strings.ContainsAny(weekday, "1234567")
}

// mend returns what the field was meant to contain, in the scheduler's notation. Items that the
// scheduler accepts stay as they are.
func (f field) mend(text string) (string, bool) {
	var kept []string
	var mended set
	for _, item := range strings.Split(text, ",") {
		if item == "" {
			continue
		}
		numbers, reason := f.read(item)
		if reason == "" && f.name != FieldDayOfWeek {
			kept = append(kept, item)
			continue
		}
		if reason != "" {
			var ok bool
			if numbers, ok = f.guess(item); !ok {
				return "", false
			}
		}
		mended |= numbers
	}
	if mended != 0 {
		kept = append(kept, f.write(mended))
	}
	return strings.Join(kept, ","), len(kept) > 0
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

// guess reads an item as cron and similar programs do: with ranges past the end, steps larger than a
// range, full names, and names mixed with numbers.
func (f field) guess(item string) (set, bool) {
	if f.name == FieldDayOfMonth && strings.EqualFold(item, "L") {
		return set(0).with(lastDayMark), true
	}
	base, stepText, stepped := strings.Cut(item, "/")
	firstText, lastText, ranged := strings.Cut(base, "-")
	first, last, step := f.min, f.max, 1
	if stepped && (!number(stepText, &step) || step == 0) {
		return 0, false
	}
	if base != "*" && base != "?" {
		if !f.value(firstText, &first) || ranged && !f.value(lastText, &last) {
			return 0, false
		}
		if !ranged && !stepped {
			last = first
		}
	}
	cycle := f.max - f.min + 1
	if first > last {
		last += cycle
	}
	var numbers set
	for n := first; n <= last; n += step {
		numbers = numbers.with(f.min + (n-f.min)%cycle)
	}
	return numbers, true
}

// value reads a number of the field or a name. The day of the week may be 7.
func (f field) value(text string, into *int) bool {
	limit := f.max
	if f.name == FieldDayOfWeek {
		limit = 7
	}
	if n, ok := f.word(text); ok {
		*into = n
		return true
	}
	return number(text, into) && *into >= f.min && *into <= limit
}
