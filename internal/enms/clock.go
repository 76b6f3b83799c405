// This file converts times to the clock of the server, by which this client recognizes its own writes.

package enms

import (
	"net/http"
	"sync"
	"time"
)

const (
	// zoneStep divides the offsets of all time zones from UTC, and zoneWest and zoneEast bound them.
	// last_modified is the server's local time, without its zone.
	zoneStep = 15 * time.Minute
	zoneWest = -12 * time.Hour
	zoneEast = 14 * time.Hour
	// clocksDiffer is by how much the server's clock and this machine's may differ before eNMS has answered.
	clocksDiffer = time.Minute
)

// Window is a period of time by the server's clock, such as that of a write whose answer was lost. If the
// last_modified of an instance is in the window, and its last_modified_by is this client's user, this
// client wrote the instance; otherwise somebody else made one with the same content. See Client.Wrote.
// The zero value contains no time.
type Window struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

// IsZero reports whether the window holds no time.
func (w Window) IsZero() bool { return w.From.IsZero() }

// holds reports whether a last_modified, in whatever time zone, may be in the window.
func (w Window) holds(modified string) bool {
	local, err := time.Parse(time.DateTime, modified)
	if err != nil || w.IsZero() {
		return false
	}
	zone := local.Sub(w.From)
	zone -= (zone%zoneStep + zoneStep) % zoneStep // the largest offset with which it is not before From
	return zone >= zoneWest && zone <= zoneEast && !local.Add(-zone).After(w.Until)
}

// clock is what is known of the server's clock: by how much it is ahead of this machine's clock.
// There are two bounds, because the Date of an answer has no fractions of a second, and because eNMS may have set it at
// any time between the request and its answer.
type clock struct {
	mu          sync.Mutex
	known       bool
	least, most time.Duration
}

// learnFrom narrows the bounds by the Date of an answer that was just received; sent is when its request was sent. If
// Date contradicts the earlier bounds, somebody has set a clock, and new bounds replace them.
func (c *clock) learnFrom(answer *http.Response, sent time.Time) {
	received := time.Now()
	date, err := http.ParseTime(answer.Header.Get("Date"))
	if err != nil {
		return
	}
	// At some moment between sent and received, the server's clock was in [date, date+1s).
	least, most := date.Sub(received), date.Add(time.Second).Sub(sent)
	c.mu.Lock()
	defer c.mu.Unlock()
	overlaps := least <= c.most && c.least <= most
	if c.known && overlaps {
		least, most = max(least, c.least), min(most, c.most)
	}
	c.known, c.least, c.most = true, least, most
}

// window converts a period of this machine's time to the server's clock.
func (c *clock) window(from, until time.Time) Window {
	c.mu.Lock()
	defer c.mu.Unlock()
	least, most := -clocksDiffer, clocksDiffer
	if c.known {
		least, most = c.least, c.most
	}
	return Window{From: from.Add(least).UTC().Round(0), Until: until.Add(most).UTC().Round(0)}
}
