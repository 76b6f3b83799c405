// This file suggests a valid expression in place of an invalid one.

package schedule

import "strings"

// shortForms are the expressions for the short forms of cron. There is none for "@reboot".
var shortForms = map[string]string{
	"@yearly":   "0 0 1 1 *",
	"@annually": "0 0 1 1 *",
	"@monthly":  "0 0 1 * *",
	"@weekly":   "0 0 * * 0",
	"@daily":    "0 0 * * *",
	"@midnight": "0 0 * * *",
	"@hourly":   "0 * * * *",
}

// suggest returns the valid expression that was probably meant by an invalid one, or "".
func suggest(expr string) string {
	texts := strings.FieldsFunc(expr, isSpace)
	if len(texts) == 1 {
		return shortForms[strings.ToLower(texts[0])]
	}
	texts = fiveFields(texts)
	if texts == nil || ambiguousWeekday(expr, texts[dayOfWeek]) {
		return ""
	}
	for i, f := range fields {
		mended, ok := f.mend(texts[i]) // "" if there are only commas, which is refused below
		if !ok {
			return ""
		}
		texts[i] = mended
	}
	if _, err := parse(strings.Join(texts, " ")); err != nil && err.Field == FieldDayOfMonth {
		// No month of the expression has that many days, so the last day of the month is meant.
		texts[dayOfMonth] = lastDay
	}
	mended := strings.Join(texts, " ")
	if _, err := parse(mended); err != nil {
		return ""
	}
	return mended
}

// fiveFields returns the five fields that were probably meant by another number of fields, or nil. It removes
// blanks beside commas, seconds and years, and adds a missing day of the week.
func fiveFields(texts []string) []string {
	if joined := joinAtCommas(texts); len(texts) > len(fields) && len(joined) == len(fields) {
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

// joinAtCommas joins a text that ends with a comma, or precedes one that begins with a comma, with the next one.
func joinAtCommas(texts []string) []string {
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

// ambiguousWeekday reports whether 1 may be Sunday in the day of the week, as in Quartz, which has the question
// mark.
func ambiguousWeekday(expr, weekday string) bool {
	return strings.Contains(expr, "?") && strings.ContainsAny(weekday, "1234567")
}

// mend returns the valid field that was probably meant. Valid items remain as they are, except in the day of
// the week, of which all items become one list of digits. ok is false if the field cannot be guessed.
func (f field) mend(text string) (mendedField string, ok bool) {
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
	return strings.Join(kept, ","), true
}

// guess reads an item as cron and similar programs do: with ranges that wrap around, steps larger than a
// range, full names, and names mixed with numbers.
func (f field) guess(item string) (numbers set, ok bool) {
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
	for n := first; n <= last; n += step {
		numbers = numbers.with(f.min + (n-f.min)%cycle)
	}
	return numbers, true
}

// value reports whether a string is a number or a name of the field, and reads it. The day of the week may be 7.
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
