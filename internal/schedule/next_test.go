// The next times of an expression against those of APScheduler.

package schedule

import (
	"slices"
	"testing"
	"time"
)

// testdata/nextruns.json holds the times at which APScheduler 3.9.1 fires
// expressions around changes of the clocks, with the zones of Python's
// zoneinfo. They are the same with pytz_deprecation_shim, but for times that the
// clocks skip: those that it leaves out with either are told.
func TestNextAsAPScheduler(t *testing.T) {
	t.Parallel()
	var cases []struct {
		Zone, After, Expression string
		Fires                   []string
		LeavesOut               []string `json:"leaves_out"`
	}
	load(t, "nextruns.json", &cases)
	if len(cases) < 100 {
		t.Fatalf("only %d cases", len(cases))
	}
	for _, test := range cases {
		c, err := ParseCrontab(test.Expression)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, at := range c.Next(instant(t, test.After), len(test.Fires)+len(test.LeavesOut), zoneOf(t, test.Zone)) {
			if stamp := at.UTC().Format(time.RFC3339); !slices.Contains(test.LeavesOut, stamp) {
				got = append(got, stamp)
			}
		}
		if !slices.Equal(got, test.Fires) {
			t.Errorf("%s after %s in %s:\ngot  %s\nwant %s", test.Expression, test.After, test.Zone, got, test.Fires)
		}
		for _, fires := range test.Fires {
			if local := clock(instant(t, fires).In(zoneOf(t, test.Zone))); !c.MayFire(local) {
				t.Errorf("%s in %s may fire at %s", test.Expression, test.Zone, local)
			}
		}
	}
}

func TestNext(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		expr, after, zone string
		want              []string
	}{
		{"30 2 * * *", "2026-03-28T12:00:00Z", "Europe/Berlin", []string{"2026-03-29T03:30:00+02:00", "2026-03-30T02:30:00+02:00"}},
		{"0 2,3 * * *", "2026-03-28T12:00:00Z", "Europe/Berlin", []string{"2026-03-29T03:00:00+02:00", "2026-03-30T02:00:00+02:00"}},
		{"15,45 2,3 * * *", "2026-03-29T00:00:00Z", "Europe/Berlin", []string{"2026-03-29T03:15:00+02:00", "2026-03-29T03:45:00+02:00", "2026-03-30T02:15:00+02:00"}},
		{"30 2 * * *", "2026-10-24T12:00:00Z", "Europe/Berlin", []string{"2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00"}},
		{"30 2 * * *", "2026-10-25T00:30:00Z", "Europe/Berlin", []string{"2026-10-26T02:30:00+01:00"}},
		{"0 0 30 12 *", "2011-12-01T00:00:00Z", "Pacific/Apia", []string{"2011-12-31T00:00:00+14:00", "2012-12-30T00:00:00+14:00"}},

		// The instant itself is not after itself.
		{"0 0 * * *", "2026-01-01T00:00:00Z", "UTC", []string{"2026-01-02T00:00:00Z"}},
		{"0 0 * * *", "2025-12-31T23:59:59.999999999Z", "UTC", []string{"2026-01-01T00:00:00Z"}},

		// The end of a leap year beyond the list of changes that zones are kept as.
		{"0 12 31 12 *", "2040-12-30T00:00:00Z", "Europe/Berlin", []string{"2040-12-31T12:00:00+01:00", "2041-12-31T12:00:00+01:00"}},

		// What comes rarely, or never again.
		{"0 0 29 2 1", "2026-01-01T00:00:00Z", "UTC", []string{"2044-02-29T00:00:00Z", "2072-02-29T00:00:00Z"}},
		{"0 12 31 12 *", "9998-01-01T00:00:00Z", "UTC", []string{"9998-12-31T12:00:00Z", "9999-12-31T12:00:00Z", ""}},
	} {
		c, err := ParseCrontab(test.expr)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, at := range c.Next(instant(t, test.after), len(test.want), zoneOf(t, test.zone)) {
			got = append(got, Timestamp(at))
		}
		for len(got) < len(test.want) {
			got = append(got, "")
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s after %s in %s:\ngot  %s\nwant %s", test.expr, test.after, test.zone, got, test.want)
		}
	}
}
