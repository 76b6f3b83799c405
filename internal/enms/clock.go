// The server's clock: how a stretch of this machine's time is told by it.

package enms

import (
	"net/http"
	"sync"
	"time"
)

const (
	// zoneStep is what the offsets of all time zones are multiples of.
	// last_modified is the server's local time and does not say of which zone.
	zoneStep = 15 * time.Minute
	zoneWest = -12 * time.Hour
	zoneEast = 14 * time.Hour
	// clocksDiffer is how much two clocks may differ of which nothing is known.
	clocksDiffer = time.Minute
)

// Window is a stretch of time by the server's clock. The last_modified of an
// instance within the window of a write, together with last_modified_by, tells
// an instance that this client made, although the answer was lost, from one that
// somebody else made of the same content: see Client.Wrote. The zero value holds
// no time; who keeps a Window may give it a meaning of its own.
type Window struct {
	From  time.Time `json:"from"`
	Until time.Time `json:"until"`
}

// IsZero reports whether the window holds no time.
func (w Window) IsZero() bool { return w.From.IsZero() }

// holds reports whether a last_modified may be of the window, in any zone.
func (w Window) holds(modified string) bool {
	local, err := time.Parse(time.DateTime, modified)
	if err != nil || w.IsZero() {
		return false
	}
	zone := local.Sub(w.From)
	zone -= (zone%zoneStep + zoneStep) % zoneStep
	return zone >= zoneWest && zone <= zoneEast && !local.Add(-zone).After(w.Until)
}

// clock is what is known of the server's clock: how far it is ahead of this
// machine's, between two bounds, because the Date of an answer has no fractions
// of seconds.
type clock struct {
	mu          sync.Mutex
	known       bool
	least, most time.Duration
}

// heard takes note of the Date of an answer.
func (c *clock) heard(answer *http.Response, sent time.Time) {
	date, err := http.ParseTime(answer.Header.Get("Date"))
	if err != nil {
		return
	}
	least, most := time.Until(date), date.Add(time.Second).Sub(sent)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.known && least <= c.most && c.least <= most {
		least, most = max(least, c.least), min(most, c.most)
	}
	c.known, c.least, c.most = true, least, most
}

// window returns a stretch of this machine's time by the server's clock.
func (c *clock) window(from, until time.Time) Window {
	c.mu.Lock()
	defer c.mu.Unlock()
	least, most := -clocksDiffer, clocksDiffer
	if c.known {
		least, most = c.least, c.most
	}
	return Window{From: from.Add(least).UTC().Round(0), Until: until.Add(most).UTC().Round(0)}
}
