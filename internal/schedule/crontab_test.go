// Crontab expressions against what APScheduler was seen to do, and the errors
// and suggestions for what it refuses.

package schedule

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// recorded is the notation of times in testdata.
const recorded = "2006-01-02 15:04:05"

// recordedFrom is the time after which the times in testdata/crontab.json lie.
var recordedFrom = time.Date(2029, time.January, 31, 23, 59, 30, 0, time.UTC)

func load(t *testing.T, name string, into any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// testdata/crontab.json holds the first three times at which APScheduler
// 3.9.1, fed as eNMS feeds it, fires an expression; none if it refuses it or
// finds no time.
func TestParseCrontabAsAPScheduler(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Expression string
		Fires      []string
	}
	load(t, "crontab.json", &cases)
	if len(cases) < 100 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, test := range cases {
		t.Run(test.Expression, func(t *testing.T) {
			t.Parallel()
			c, err := ParseCrontab(test.Expression)
			if len(test.Fires) == 0 {
				if err == nil && c.Digits == "" { // the cases were recorded with eNMS 4
					t.Fatal("accepted, but APScheduler never fires it")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, fires := range c.Next(recordedFrom, len(test.Fires), time.UTC) {
				if got := fires.Format(recorded); got != test.Fires[i] {
					t.Errorf("got %s, want %s", got, test.Fires[i])
				}
			}
		})
	}
}

// crontabErrors are expressions that are refused: where, why, and what is
// suggested.
var crontabErrors = []struct {
	expr, field, text, reason, suggestion string
}{
	// The last field, where eNMS understands next to nothing.
	{"0 0 * * Mon,WED,friday", FieldDayOfWeek, "friday", "0 and 7 are Sunday", "0 0 * * 1,3,5"},
	{"0 0 * * sun-thu", FieldDayOfWeek, "sun-thu", "single digits", "0 0 * * 0,1,2,3,4"},
	{"0 0 * * 0-7", FieldDayOfWeek, "0-7", "single digits", "0 0 * * *"},
	{"0 0 * * 7-2", FieldDayOfWeek, "7-2", "single digits", "0 0 * * 0,1,2"},
	{"0 0 * * */2", FieldDayOfWeek, "*/2", "single digits", "0 0 * * 0,2,4,6"},
	{"0 0 * * 1-5/2", FieldDayOfWeek, "1-5/2", "single digits", "0 0 * * 1,3,5"},
	{"0 0 * * 01", FieldDayOfWeek, "01", "single digits", "0 0 * * 1"},
	{"0 0 * * 8", FieldDayOfWeek, "8", "0 to 7", ""},
	{"0 0 * * 1,", FieldDayOfWeek, "1,", "beside a comma", "0 0 * * 1"},
	{"0 0 * * ?", FieldDayOfWeek, "?", "Quartz", "0 0 * * *"},
	{"0 0 * * 5L", FieldDayOfWeek, "5L", "L (last)", ""},
	{"0 0 * * 6#3", FieldDayOfWeek, "6#3", "n-th weekday", ""},
	{"0 0 * * someday", FieldDayOfWeek, "someday", "single digits", ""},

	// The fields that APScheduler reads.
	{"61 * * * *", FieldMinute, "61", "outside 0 to 59", ""},
	{"0 24 * * *", FieldHour, "24", "outside 0 to 23", ""},
	{"0 22-6 * * *", FieldHour, "22-6", "past its end", "0 0-6,22,23 * * *"},
	{"50-10/10 * * * *", FieldMinute, "50-10/10", "past its end", "0,10,50 * * * *"},
	{"*/60 * * * *", FieldMinute, "*/60", "only the first value (0)", "0 * * * *"},
	{"5,*/90 * * * *", FieldMinute, "*/90", "only the first value (0)", "5,0 * * * *"},
	{"10-12/5 * * * *", FieldMinute, "10-12/5", "only the first value (10)", "10 * * * *"},
	{"*/0 * * * *", FieldMinute, "*/0", "at least 1", ""},
	{"1.5 * * * *", FieldMinute, "1.5", "numbers from 0 to 59", ""},
	{"last * * * *", FieldMinute, "last", "numbers from 0 to 59", ""},
	{"H * * * *", FieldMinute, "H", "Jenkins", ""},
	{"0,,5 * * * *", FieldMinute, "0,,5", "beside a comma", "0,5 * * * *"},
	{"٣ * * * *", FieldMinute, "٣", "numbers from 0 to 59", ""},
	{"0 0 0 * *", FieldDayOfMonth, "0", "outside 1 to 31", ""},
	{"0 0 25-5 * *", FieldDayOfMonth, "25-5", "past its end", "0 0 1-5,25-31 * *"},
	{"0 0 15,L * *", FieldDayOfMonth, "L", `"last" for the last day`, "0 0 15,last * *"},
	{"0 0 l,15,28-2 * *", FieldDayOfMonth, "l", "L (last)", "0 0 15,last,1,2,28-31 * *"},
	{"0 0 L-3 * *", FieldDayOfMonth, "L-3", "L (last)", ""},
	{"0 0 15W * *", FieldDayOfMonth, "15W", "working day", ""},
	{"0 0 last-1 * *", FieldDayOfMonth, "last-1", "numbers from 1 to 31", ""},
	{"0 0 * 13 *", FieldMonth, "13", "outside 1 to 12", ""},
	{"0 0 * january *", FieldMonth, "january", "jan to dec", "0 0 * 1 *"},
	{"0 0 * foo *", FieldMonth, "foo", "jan to dec", ""},
	{"0 0 * oct-mar *", FieldMonth, "oct-mar", "past its end", "0 0 * 1-3,10-12 *"},
	{"0 0 * jan/2 *", FieldMonth, "jan/2", "jan to dec", "0 0 * 1,3,5,7,9,11 *"},
	{"0 0 * jan-6 *", FieldMonth, "jan-6", "jan to dec", "0 0 * 1-6 *"},

	// Days that no month has.
	{"0 0 31 2 *", FieldDayOfMonth, "31", "no such day exists in month 2", "0 0 last 2 *"},
	{"0 0 30,31 feb *", FieldDayOfMonth, "30,31", "never run", "0 0 last feb *"},
	{"0 0 31 4,6,9,11 mon", FieldDayOfMonth, "31", "no such day exists in month 4,6,9,11", "0 0 last 4,6,9,11 1"},

	// The expression as a whole.
	{"", "", "", "this has none", ""},
	{"@daily", "", "@daily", "short forms", "0 0 * * *"},
	{"@Weekly", "", "@Weekly", "short forms", "0 0 * * 0"},
	{"@reboot", "", "@reboot", "short forms", ""},
	{"0 0 * *", "", "0 0 * *", "this has 4", "0 0 * * *"},
	{"0 0", "", "0 0", "this has 2", ""},
	{"0 30 6 * * 1-5", "", "0 30 6 * * 1-5", "knows no seconds", "30 6 * * 1,2,3,4,5"},
	{"0 0 12 * * ?", "", "0 0 12 * * ?", "knows no seconds", "0 12 * * *"},
	{"0 12 * * ? *", "", "0 12 * * ? *", "knows no years", "0 12 * * *"},
	{"0 12 ? * MON-FRI *", "", "0 12 ? * MON-FRI *", "knows no years", "0 12 * * 1,2,3,4,5"},
	{"0 12 1 1 * 2030", "", "0 12 1 1 * 2030", "knows no years", "0 12 1 1 *"},
	{"0 0 12 ? * 2", "", "0 0 12 ? * 2", "knows no seconds", ""},
	{"0 0 12 * * mon 2030", "", "0 0 12 * * mon 2030", "neither seconds nor years", "0 12 * * 1"},
	{"0 0 * * 1, 2", "", "0 0 * * 1, 2", "this has 6", "0 0 * * 1,2"},
	{"0 0 * * 1 , 2", "", "0 0 * * 1 , 2", "this has 7", "0 0 * * 1,2"},
	{"61 0 * * mon", FieldMinute, "61", "outside", ""},
}

func TestCrontabError(t *testing.T) {
	t.Parallel()
	for _, test := range crontabErrors {
		t.Run(test.expr, func(t *testing.T) {
			t.Parallel()
			_, err := ParseCrontab(test.expr)
			var bad *CrontabError
			if !errors.As(err, &bad) {
				t.Fatalf("got %v, want a *CrontabError", err)
			}
			if bad.Field != test.field || bad.Text != test.text || bad.Suggestion != test.suggestion {
				t.Errorf("got %+v", *bad)
			}
			if !strings.Contains(bad.Reason, test.reason) {
				t.Errorf("reason %q does not contain %q", bad.Reason, test.reason)
			}
			if text := err.Error(); !strings.Contains(text, test.field) || !strings.HasSuffix(text, quoted(test.suggestion)) {
				t.Errorf("error reads %q", text)
			}
		})
	}
}

// eNMS 5 reads ranges and names of weekdays, which eNMS 4 does not.
func TestParseCrontab_weekdaysOfLine5(t *testing.T) {
	t.Parallel()
	for weekdays, digits := range map[string]string{
		"1-5": "1,2,3,4,5", "mon-fri": "1,2,3,4,5", "mon-5": "1,2,3,4,5", "Mon,WED": "1,3", "sun": "0", "fri-sun": "0,5,6", "5-7": "0,5,6",
		"5-0": "0,5,6", "3,1-2": "1,2,3", "mon-sun": "*", "1-1": "1",
	} {
		c, err := ParseCrontab("0 2 * * " + weekdays)
		if err != nil {
			t.Fatal(err)
		}
		same, err := ParseCrontab(c.Digits)
		if c.Digits != "0 2 * * "+digits || err != nil || same.Digits != "" || same.weekdays != c.weekdays {
			t.Errorf("%s is %q: %v", weekdays, c.Digits, err)
		}
	}
}

// quoted returns the end of the text of an error with a suggestion.
func quoted(suggestion string) string {
	if suggestion == "" {
		return ""
	}
	return `; write "` + suggestion + `"`
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	_, err := ParseCrontab("0 6 * * */2")
	const want = `day of week "*/2": eNMS takes here only * or single digits from 0 to 7 ` +
		`(0 and 7 are Sunday), separated by commas; write "0 6 * * 0,2,4,6"`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
}

func TestIsSpace(t *testing.T) {
	t.Parallel()
	for r, want := range map[rune]bool{' ': true, '\t': true, '\n': true, 0x1b: false, 0x1c: true, 0x1d: true, 0x1e: true, 0x1f: true, '!': false, 0x85: true, 0xa0: true, 0x200b: false, 0x2003: true} {
		if got := isSpace(r); got != want {
			t.Errorf("isSpace(%q) = %v", r, got)
		}
	}
}
