// Expressions of cron, and what they are to the scheduler.

package schedule

import (
	"errors"
	"strings"
	"testing"
)

func TestTranslate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ expr, want string }{
		{"@yearly", "0 0 1 1 *"},
		{"@annually", "0 0 1 1 *"},
		{"@monthly", "0 0 1 * *"},
		{"@weekly", "0 0 * * 0"},
		{" @Daily\n", "0 0 * * *"},
		{"@midnight", "0 0 * * *"},
		{"@hourly", "0 * * * *"},

		// The day of the week.
		{"0 2 * * 1-5", "0 2 * * 1,2,3,4,5"},
		{"0 2 * * mon-fri", "0 2 * * 1,2,3,4,5"},
		{"0 2 * * MON,Wed,friday", "0 2 * * 1,3,5"},
		{"0 2 * * fri-sun", "0 2 * * 0,5,6"},
		{"0 2 * * 5-7", "0 2 * * 0,5,6"},
		{"0 2 * * */2", "0 2 * * 0,2,4,6"},
		{"0 2 * * 1-5/2", "0 2 * * 1,3,5"},
		{"0 2 * * 0-7", "0 2 * * *"},
		{"0 2 * * 7", "0 2 * * 7"},
		{"0 2 * * 5,1", "0 2 * * 5,1"},

		// The other fields.
		{"*/15\t8-18  1,15 jan-mar *", "*/15 8-18 1,15 jan-mar *"},
		{"5/20 * * * *", "5/20 * * * *"},
		{"*/60 * * * *", "0 * * * *"},
		{"0 22-6 * * *", "0 0-6,22,23 * * *"},
		{"0 0 */31 * *", "0 0 1 * *"},
		{"0 0 1 january-6/2 *", "0 0 1 1,3,5 *"},
		{"0 0 last * *", "0 0 last * *"},

		// Both kinds of day: a star leaves both to fit, in cron as well.
		{"0 0 */2 * 1", "0 0 */2 * 1"},
		{"0 0 1-7 * */7", "0 0 1-7 * 0"},
		{"0 0 1-31 * 1", "0 0 * * *"},
		{"0 0 1 * 0-6", "0 0 * * *"},
		{"0 0 1 * 1,*", "0 0 * * *"},
	} {
		if got, err := Translate(test.expr); err != nil || got != test.want {
			t.Errorf("%q: got %q (%v), want %q", test.expr, got, err, test.want)
		}
	}
}

func TestTranslateError(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ expr, field, text, reason, suggestion string }{
		{"@reboot", "", "@reboot", "never because a machine has started", ""},
		{"@every 5m", "", "@every 5m", "none of cron's short forms", ""},
		{"@daily 2", "", "@daily 2", "none of cron's short forms", ""},
		{"", "", "", "this has none", ""},
		{"0 30 6 * * 1-5", "", "0 30 6 * * 1-5", "knows no seconds", "30 6 * * 1,2,3,4,5"},
		{"0 0 L * *", FieldDayOfMonth, "L", "L (last)", "0 0 last * *"},
		{"0 0 * * ?", FieldDayOfWeek, "?", "Quartz", "0 0 * * *"},
		{"0 0 ? * 2", FieldDayOfMonth, "?", "Quartz", ""},
		{"H * * * *", FieldMinute, "H", "Jenkins", ""},
		{"0~30 * * * *", FieldMinute, "0~30", "within 0 and 59", ""},
		{"0,,5 * * * *", FieldMinute, "0,,5", "beside a comma", "0,5 * * * *"},
		{"60 * * * *", FieldMinute, "60", "within 0 and 59", ""},
		{"*/0 * * * *", FieldMinute, "*/0", "no such value, range or step", ""},
		{"0 0 * * 8", FieldDayOfWeek, "8", "no such value", ""},
		{"0 0 31 2 *", FieldDayOfMonth, "31", "never run", "0 0 last 2 *"},
		{"0 0 1,15 * mon", "", "0 0 1,15 * mon", `make it two tasks, "0 0 1,15 * *" and "0 0 * * 1"`, ""},
		{"0 0 13 * 5", "", "0 0 13 * 5", "only on days that fit both", ""},
		{"0 0 last * 5", "", "0 0 last * 5", "only on days that fit both", ""},
	} {
		got, err := Translate(test.expr)
		var bad *CrontabError
		if !errors.As(err, &bad) {
			t.Errorf("%q: got %q, %v", test.expr, got, err)
			continue
		}
		if bad.Field != test.field || bad.Text != test.text || bad.Suggestion != test.suggestion {
			t.Errorf("%q: got %+v", test.expr, *bad)
		}
		if !strings.Contains(bad.Reason, test.reason) {
			t.Errorf("%q: reason %q does not contain %q", test.expr, bad.Reason, test.reason)
		}
	}
}
