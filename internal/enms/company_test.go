// Tests of how company is learned, with a clock of their own.

package enms

import (
	"testing"
	"time"
)

// core plays Terraform: so many operations at a time, each of which writes and
// then reads, and a pace at which it takes up the next.
type core struct {
	c       company
	now     time.Time
	pace    time.Duration
	atATime int
}

// gather lets callers come until the company would leave, and gives how many
// came and how long was waited after the last of them.
func (p *core) gather(write bool, pace time.Duration) (queued int, waited time.Duration) {
	for queued < p.atATime {
		next := p.now.Add(pace)
		if queued > 0 {
			quiet, all := p.c.quiet(write, queued)
			if all {
				p.c.gathered(write, false, queued)
				return queued, 0
			}
			if quiet < pace {
				p.c.gathered(write, true, queued)
				p.now = p.now.Add(quiet)
				return queued, quiet
			}
		}
		p.now = next
		queued++
		p.c.came(p.now, write, false)
		p.c.around(queued)
	}
	quiet, all := p.c.quiet(write, queued)
	p.c.gathered(write, !all, queued)
	p.now = p.now.Add(quiet)
	return queued, quiet
}

// operate goes through one round: the write, the request, the read, the request.
func (p *core) operate() (queued int, waited time.Duration) {
	queued, waited = p.gather(true, p.pace)
	p.c.answered(p.now)
	back := *p
	back.atATime = queued
	_, again := back.gather(false, 100*time.Microsecond)
	p.c, p.now = back.c, back.now
	p.c.answered(p.now)
	return queued, waited + again
}

func TestCompanyIsFound(t *testing.T) {
	t.Parallel()
	for _, atATime := range []int{2, 10, 100} {
		p := &core{now: time.Unix(0, 0), pace: time.Millisecond, atATime: atATime}
		var wasted time.Duration
		for round := range 40 {
			p.pace += p.pace / 10 // Terraform slows down as its state grows
			p.pace = min(p.pace, 40*time.Millisecond)
			queued, waited := p.operate()
			if wasted += waited; round > 0 && queued != atATime {
				t.Errorf("%d at a time, round %d: %d came together", atATime, round, queued)
			}
		}
		if wasted > time.Second {
			t.Errorf("%d at a time: waited %s in vain", atATime, wasted)
		}
	}
}

func TestWhoIsAloneHardlyWaits(t *testing.T) {
	t.Parallel()
	p := &core{now: time.Unix(0, 0), pace: 200 * time.Millisecond, atATime: 1}
	var waits []time.Duration
	for range 100 {
		_, waited := p.operate()
		waits = append(waits, waited)
	}
	if waits[0] > 2*quietAlone || waits[1] > 2*quietAlone {
		t.Errorf("waited %s", waits[:2])
	}
	var all time.Duration
	for _, w := range waits {
		all += w
	}
	if all > 100*3*quietAlone {
		t.Errorf("waited %s in a hundred rounds", all)
	}
}

// Who thinks to be alone finds out that he is not, and the other way round.
func TestCompanyChanges(t *testing.T) {
	t.Parallel()
	p := &core{now: time.Unix(0, 0), pace: 10 * time.Millisecond, atATime: 1}
	for range 20 {
		p.operate()
	}
	p.atATime = 10
	rounds := 0
	for queued := 0; queued != 10; rounds++ {
		if queued, _ = p.operate(); rounds > 2*mostPatient {
			t.Fatal("the others are never found")
		}
	}
	p.atATime = 1
	if _, waited := p.operate(); waited > lateMost+quietMost {
		t.Errorf("waited %s for those who have gone", waited)
	}
	if _, waited := p.operate(); waited > 2*testMost {
		t.Errorf("waited %s again", waited)
	}
}

// One caller more than are known is proof enough.
func TestOneMoreIsNoticed(t *testing.T) {
	t.Parallel()
	var c company
	c.gathered(true, true, 3)
	if _, all := c.quiet(true, 3); !all {
		t.Error("three are known")
	}
	c.around(4)
	if _, all := c.quiet(true, 4); all {
		t.Error("there may be a fifth")
	}
}
