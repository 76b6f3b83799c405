// This file checks crontab expressions.

package schedule

// ParseCrontab reads an expression of five fields (minute, hour, day of month, month, day of week) separated
// by white space. It returns a *CrontabError if the scheduler does not accept the expression, or would never
// run it (enms-rest.md 1.8).
//
// It also refuses what the scheduler accepts and nobody means: text after the name of a month or after
// "last", which the scheduler ignores ("jan/2" is only January), and digits and letters outside of ASCII.
func ParseCrontab(expr string) (*Crontab, error) {
	c, err := parse(expr)
	if err != nil {
		err.Suggestion = suggest(expr)
		return nil, err
	}
	return c, nil
}
