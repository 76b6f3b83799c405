// This file tests the functions that make a text of texts, and next_runs.

package function

import (
	"math/big"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/function"
)

func TestTexts(t *testing.T) {
	t.Parallel()
	for name, compute := range map[string]func([]string) (string, *function.FuncError){
		"start_date": startDate, "timestamp": timestamp, "crontab": crontab, "service_name": serviceName, "scoped_name": scopedName,
	} {
		for _, c := range textCases[name] {
			got, err := compute(c.arguments)
			if err != nil || got != c.want {
				t.Errorf("%s(%q): got %q, %v, want %q", name, c.arguments, got, err, c.want)
			}
		}
		for _, c := range textErrors[name] {
			got, err := compute(c.arguments)
			if err == nil || err.FunctionArgument == nil || *err.FunctionArgument != c.argument || !strings.Contains(err.Text, c.text) {
				t.Errorf("%s(%q): got %q, %v, want an error in argument %d that says %q", name, c.arguments, got, err, c.argument, c.text)
			}
		}
	}
}

// textCases are arguments, and what a function makes of them.
var textCases = map[string][]struct {
	arguments []string
	want      string
}{
	"start_date": {
		{[]string{"2026-01-15T12:00:00Z", "UTC"}, "15/01/2026 12:00:00"},
		{[]string{"2026-01-15T12:00:00Z", "Europe/Berlin"}, "15/01/2026 13:00:00"},
		{[]string{"2026-07-15T12:00:00+02:00", "America/New_York"}, "15/07/2026 06:00:00"},
		{[]string{"2026-03-29T01:00:00Z", "Europe/Berlin"}, "29/03/2026 03:00:00"},
		{[]string{"2026-10-25T00:30:00Z", "Europe/Berlin"}, "25/10/2026 02:30:00"},
		{[]string{"2026-10-25T01:30:00Z", "Europe/Berlin"}, "25/10/2026 02:30:00"},
		{[]string{"2026-01-15T12:00:00.75Z", "UTC"}, "15/01/2026 12:00:00"},
	},
	"timestamp": {
		{[]string{"15/01/2026 12:00:00", "UTC"}, "2026-01-15T12:00:00Z"},
		{[]string{"15/07/2026 12:00:00", "Europe/Berlin"}, "2026-07-15T12:00:00+02:00"},
		{[]string{"5/7/2026 6:00:00", "Asia/Kolkata"}, "2026-07-05T06:00:00+05:30"},
		{[]string{"25/10/2026 02:30:00", "Europe/Berlin"}, "2026-10-25T02:30:00+02:00"},
	},
	"crontab": {
		{[]string{"@daily"}, "0 0 * * *"},
		{[]string{"30 2 * * mon-fri"}, "30 2 * * 1,2,3,4,5"},
	},
	"service_name": {
		{[]string{"W", "s"}, "[W] s"},
		{[]string{"[W1] W2", "s"}, "[[W1] W2] s"},
		{[]string{"Shared", "x"}, "[Shared] x"},
		{[]string{"", "s"}, "s"},
		{[]string{"W", "[x] y"}, "[W] [x] y"},
	},
	"scoped_name": {
		{[]string{"[W] s"}, "s"},
		{[]string{"[[W1] W2] s"}, "s"},
		{[]string{"[[[W1] W2] W3] s t"}, "s t"},
		{[]string{"[[Shared] W] s"}, "s"},
		{[]string{"[Shared] x"}, "x"},
		{[]string{"s"}, "s"},
		{[]string{"[W] [x] y"}, "[x] y"},
		{[]string{"[W]s"}, "[W]s"},
		{[]string{"[W s"}, "[W s"},
		{[]string{"[] s"}, "[] s"},
		{[]string{"s [W] t"}, "s [W] t"},
		{[]string{"] s"}, "] s"},
		{[]string{"[Größe] ü"}, "ü"},
	},
}

// textErrors are arguments that a function refuses: which of them, and why.
var textErrors = map[string][]struct {
	arguments []string
	argument  int64
	text      string
}{
	"start_date": {
		{[]string{"15/01/2026 12:00:00", "UTC"}, 0, "not an RFC 3339 timestamp"},
		{[]string{"2026-01-15", "UTC"}, 0, "not an RFC 3339 timestamp"},
		{[]string{"2026-01-15T12:00:00", "UTC"}, 0, "not an RFC 3339 timestamp"},
		{[]string{"2026-02-30T12:00:00Z", "UTC"}, 0, "not an RFC 3339 timestamp"},
		{[]string{"0999-01-15T12:00:00Z", "UTC"}, 0, "from the year 1000"},
		{[]string{"2026-01-15T12:00:00Z", "Berlin"}, 1, "IANA"},
	},
	"timestamp": {
		{[]string{"2026-01-15T12:00:00Z", "UTC"}, 0, "DD/MM/YYYY HH:MM:SS"},
		{[]string{"29/03/2026 02:30:00", "Europe/Berlin"}, 0, "does not exist in Europe/Berlin"},
		{[]string{"29/03/2026 02:30:00", "Local"}, 1, "IANA"},
	},
	"crontab": {
		{[]string{"@reboot"}, 0, "by the clock only"},
		{[]string{"0 0 13 * 5"}, 0, "two tasks"},
	},
	"service_name": {{[]string{"W", ""}, 1, "the scoped name is empty"}},
	"scoped_name": {
		{[]string{""}, 0, "nothing after its prefix"},
		{[]string{"[W] "}, 0, "nothing after its prefix"},
	},
}

func TestNextRuns(t *testing.T) {
	t.Parallel()
	const after = "2026-03-28T00:00:00Z"
	got, err := computeNextRuns("30 2 * * *", after, big.NewFloat(3), "Europe/Berlin")
	if want := []string{"2026-03-28T02:30:00+01:00", "2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if got, err := computeNextRuns("* * * * *", after, big.NewFloat(maxRuns), "UTC"); err != nil || len(got) != maxRuns {
		t.Errorf("got %d times, %v", len(got), err)
	}
	if got, err := computeNextRuns("0 0 29 2 1", after, big.NewFloat(maxRuns), "UTC"); err != nil || len(got) == 0 || len(got) == maxRuns {
		t.Errorf("got %d times, %v", len(got), err)
	}
	if got, err := computeNextRuns("0 0 * * *", "9999-12-31T12:00:00Z", big.NewFloat(1), "UTC"); err != nil || got == nil || len(got) != 0 {
		t.Errorf("got %q, %v, want an empty list", got, err)
	}
	for _, c := range []struct {
		expression, after string
		count             float64
		zone              string
		argument          int64
	}{
		{"@daily", after, 1, "UTC", 0},
		{"0 0 * * */2", after, 1, "UTC", 0},
		{"0 0 * * *", "28/03/2026 00:00:00", 1, "UTC", 1},
		{"0 0 * * *", after, 0, "UTC", 2},
		{"0 0 * * *", after, maxRuns + 1, "UTC", 2},
		{"0 0 * * *", after, 1.5, "UTC", 2},
		{"0 0 * * *", after, 1, "", 3},
	} {
		got, err := computeNextRuns(c.expression, c.after, big.NewFloat(c.count), c.zone)
		if err == nil || err.FunctionArgument == nil || *err.FunctionArgument != c.argument {
			t.Errorf("%+v: got %q, %v", c, got, err)
		}
	}
}

// What timestamp makes of a date, start_date makes the date again.
func FuzzStartDate(f *testing.F) {
	f.Fuzz(func(t *testing.T, seconds uint32, west bool) {
		zone := "Europe/Berlin"
		if west {
			zone = "America/New_York"
		}
		stamp := time.Unix(int64(seconds), 0).UTC().Format(time.RFC3339)
		date, err := startDate([]string{stamp, zone})
		if err != nil {
			t.Fatal(err)
		}
		back, err := timestamp([]string{date, zone})
		if err != nil {
			t.Fatal(err)
		}
		if again, err := startDate([]string{back, zone}); err != nil || again != date {
			t.Fatalf("%s is %s is %s is %s, %v", stamp, date, back, again, err)
		}
		at, failure := time.Parse(time.RFC3339, back)
		if earlier := int64(seconds) - at.Unix(); failure != nil || earlier != 0 && earlier != 3600 {
			t.Fatalf("%s is %s is %s", stamp, date, back)
		}
	})
}
