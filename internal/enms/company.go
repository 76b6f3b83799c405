// Company: how long it is worth to wait for further callers, and when all have
// come. Terraform works on a fixed number of instances at a time and takes up
// the next only when one is done; whoever was answered together will therefore
// be back together, one after the other, at the pace of Terraform. That number
// and that pace are learned by watching.

package enms

import "time"

const (
	// quietAlone is how long nobody else must have come before a batch leaves
	// when no company is known: Terraform starts its operations within a
	// millisecond or two, and a caller who is alone shall not notice the wait
	// beside the quarter of a second that a request takes.
	quietAlone = 4 * time.Millisecond
	// quietMost is the longest wait for a caller who may come: about what a
	// request costs, which is all that waiting can save.
	quietMost = 300 * time.Millisecond
	// lateMost is the longest wait for callers who are known to be around. They
	// come that late only where Terraform itself is starved.
	lateMost = time.Second
	// testMost is the longest wait of somebody who has been alone, for others who
	// may have come.
	testMost = 50 * time.Millisecond
	// longestGap is when two arrivals have nothing to do with each other.
	longestGap = 2 * time.Second
	// mostPatient is after how many batches, at the latest, the size of a
	// company is put to the test.
	mostPatient = 16
)

// company is what is known of the callers of a gate. The zero value knows
// nobody. Its moments are given to it, so that it needs no clock.
type company struct {
	last    time.Time // when somebody last came or was answered
	circles [2]circle // of those who read, of those who write
}

// circle is what is known of those who want the same sort of thing. Callers who
// have just written come back within a millisecond to read, but only after
// Terraform has worked to write, so the two are watched apart.
type circle struct {
	size    int           // how many callers there are; 0 when it is not known
	gap     time.Duration // the longest between two arrivals, lately
	patient int           // batches until size is put to the test
	backoff int           // the last patience
}

// of gives the circle of reads or of writes.
func (c *company) of(write bool) *circle {
	if write {
		return &c.circles[1]
	}
	return &c.circles[0]
}

// came notes an arrival, which tells something of the pace when nobody is being
// served.
func (c *company) came(now time.Time, write, serving bool) {
	ring := c.of(write)
	if gap := now.Sub(c.last); !serving && !c.last.IsZero() && gap < longestGap {
		ring.gap = max(gap, ring.gap*7/8)
	}
	c.last = now
}

// around notes how many callers there are at least.
func (c *company) around(count int) {
	for i := range c.circles {
		if ring := &c.circles[i]; ring.size > 0 && count > ring.size {
			*ring = circle{size: count, gap: ring.gap}
		}
	}
}

// answered notes that the callers of a batch were served.
func (c *company) answered(now time.Time) { c.last = now }

// quiet is how long nobody must have come before a batch leaves, when so many
// wait; all tells that there is no need to wait at all. Those who are known to be
// around are worth more patience than those who may be.
func (c *company) quiet(write bool, queued int) (quiet time.Duration, all bool) {
	ring := c.of(write)
	switch {
	case queued < ring.size:
		quiet = min(8*ring.gap, lateMost)
	case ring.size == 1 && ring.patient <= 0:
		quiet = min(3*ring.gap, testMost)
	case ring.patient <= 0:
		quiet = min(3*ring.gap, quietMost)
	case ring.size > 1:
		return 0, true
	}
	return max(quiet, quietAlone), queued >= maxEntries
}

// gathered notes how the waiting ended: with quiet, or because all had come.
// What a test confirms is believed the longer the more often it was.
func (c *company) gathered(write, quiet bool, queued int) {
	ring := c.of(write)
	switch {
	case !quiet, queued == ring.size && ring.patient > 0:
		ring.patient--
	case queued == ring.size:
		ring.backoff = min(2*ring.backoff, mostPatient)
		ring.patient = ring.backoff
	default:
		*ring = circle{size: queued, gap: ring.gap, patient: 1, backoff: 1}
	}
}
