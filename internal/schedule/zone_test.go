// Start dates on clocks that are set forward and back.

package schedule

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

func zoneOf(t *testing.T, name string) *time.Location {
	t.Helper()
	zone, err := LoadZone(name)
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

func instant(t *testing.T, stamp string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		t.Fatal(err)
	}
	return at
}

func TestStartDate(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ stamp, zone, date, back string }{
		{"2026-01-31T23:30:00Z", "UTC", "31/01/2026 23:30:00", "2026-01-31T23:30:00Z"},
		{"2026-01-31T23:30:00Z", "Europe/Berlin", "01/02/2026 00:30:00", "2026-02-01T00:30:00+01:00"},
		{"2026-07-31T23:30:00Z", "Europe/Berlin", "01/08/2026 01:30:00", "2026-08-01T01:30:00+02:00"},
		{"2026-07-31T23:30:00-07:00", "Asia/Kolkata", "01/08/2026 12:00:00", "2026-08-01T12:00:00+05:30"},
		{"2026-01-01T00:00:00.999Z", "UTC", "01/01/2026 00:00:00", "2026-01-01T00:00:00Z"},

		// The clocks go forward.
		{"2026-03-29T00:59:59Z", "Europe/Berlin", "29/03/2026 01:59:59", "2026-03-29T01:59:59+01:00"},
		{"2026-03-29T01:00:00Z", "Europe/Berlin", "29/03/2026 03:00:00", "2026-03-29T03:00:00+02:00"},

		// They go back: the second of two instants with one date is read as the first.
		{"2026-10-25T00:59:59Z", "Europe/Berlin", "25/10/2026 02:59:59", "2026-10-25T02:59:59+02:00"},
		{"2026-10-25T01:00:00Z", "Europe/Berlin", "25/10/2026 02:00:00", "2026-10-25T02:00:00+02:00"},
		{"2026-10-25T01:59:59Z", "Europe/Berlin", "25/10/2026 02:59:59", "2026-10-25T02:59:59+02:00"},
		{"2026-10-25T02:00:00Z", "Europe/Berlin", "25/10/2026 03:00:00", "2026-10-25T03:00:00+01:00"},
		{"2026-04-04T15:15:00Z", "Australia/Lord_Howe", "05/04/2026 01:45:00", "2026-04-05T01:45:00+11:00"},
		{"2026-11-01T06:30:00Z", "America/New_York", "01/11/2026 01:30:00", "2026-11-01T01:30:00-04:00"},

		// Clocks by the sun, to the second, which RFC 3339 cannot tell.
		{"1850-01-01T00:00:00Z", "Europe/Berlin", "01/01/1850 00:53:28", "1850-01-01T00:00:00Z"},
	} {
		zone := zoneOf(t, test.zone)
		date, err := StartDate(instant(t, test.stamp), zone)
		if err != nil || date != test.date {
			t.Errorf("%s in %s: got %s (%v), want %s", test.stamp, test.zone, date, err, test.date)
			continue
		}
		at, err := Instant(date, zone)
		if got := Timestamp(at); err != nil || got != test.back {
			t.Errorf("%s in %s: got %s (%v), want %s", date, test.zone, got, err, test.back)
		}
	}
}

func TestInstantError(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ date, zone, reason string }{
		{"29/03/2026 02:00:00", "Europe/Berlin", "does not exist in Europe/Berlin, where the clocks go forward from 29/03/2026 02:00:00 to 29/03/2026 03:00:00"},
		{"29/03/2026 02:59:59", "Europe/Berlin", "does not exist"},
		{"8/3/2026 2:30:00", "America/New_York", "does not exist in America/New_York"},
		{"04/10/2026 02:15:00", "Australia/Lord_Howe", "from 04/10/2026 02:00:00 to 04/10/2026 02:30:00"},
		{"06/09/2026 00:00:00", "America/Santiago", "from 06/09/2026 00:00:00 to 06/09/2026 01:00:00"},
		{"30/12/2011 12:00:00", "Pacific/Apia", "from 30/12/2011 00:00:00 to 31/12/2011 00:00:00"},
		{"2026-03-29 02:00:00", "Europe/Berlin", "DD/MM/YYYY HH:MM:SS"},
		{"30/02/2026 00:00:00", "UTC", "only 28 days"},
	} {
		at, err := Instant(test.date, zoneOf(t, test.zone))
		var bad *DateError
		if !errors.As(err, &bad) || bad.Text != test.date || !strings.Contains(bad.Reason, test.reason) {
			t.Errorf("%s in %s: got %v, %v", test.date, test.zone, at, err)
		}
	}
}

func TestStartDateOutOfReach(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ stamp, zone string }{
		{"0999-12-31T23:59:59Z", "UTC"},
		{"9999-12-31T23:30:00Z", "Europe/Berlin"},
	} {
		date, err := StartDate(instant(t, test.stamp), zoneOf(t, test.zone))
		var bad *DateError
		if !errors.As(err, &bad) || !strings.Contains(bad.Reason, "1000 to 9999") {
			t.Errorf("%s: got %s, %v", test.stamp, date, err)
		}
	}
}

func TestLoadZoneError(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "Local", "Europe/Nowhere", "../zone", "+02:00", "CEST"} {
		zone, err := LoadZone(name)
		if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("zone %q: ", name)) || !strings.Contains(err.Error(), "Europe/Berlin") {
			t.Errorf("%q: got %v, %v", name, zone, err)
		}
	}
}
