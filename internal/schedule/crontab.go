// Crontab expressions: checking one, with a suggestion.

package schedule

// ParseCrontab checks an expression of five fields (minute, hour, day of
// month, month, day of week) separated by white space. A nil error means that
// the scheduler takes the expression and that it can fire; otherwise the error
// is a *CrontabError (enms-rest.md 1.8).
//
// It is stricter than the scheduler in what nobody means: text after a
// month's name or "last", which the scheduler ignores silently ("jan/2" is
// January alone), and digits and letters other than ASCII.
func ParseCrontab(expr string) (*Crontab, error) {
	c, err := parse(expr)
	if err != nil {
		err.Suggestion = suggest(expr)
		return nil, err
	}
	return c, nil
}
