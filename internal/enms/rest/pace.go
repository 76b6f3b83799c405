// The pace that the other side sets: a gateway, or eNMS 5, lets through so many
// requests a minute and answers 429 to one too many. Until its window is over
// every other request would be one more, so all of them wait.

package rest

import (
	"context"
	"net/http"
	"strconv"
	"sync"
	"time"
)

const (
	// paceGrowth bounds the pauses after 429s in a row that do not say how long to
	// wait: with the defaults, half a minute.
	paceGrowth = 60
	// maxRetryAfter caps what an answer may ask for; a person is waiting.
	maxRetryAfter = 60 * time.Second
)

// pace is when the next request may be sent.
type pace struct {
	first time.Duration // the pause after a 429 that does not say how long to wait

	mu    sync.Mutex
	until time.Time
	last  time.Duration // the pause after the last 429 of a row; 0 when the last answer was none
}

// heard takes note of an answer.
func (p *pace) heard(answer *http.Response) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if answer.StatusCode != http.StatusTooManyRequests {
		p.last = 0
		return
	}
	wait := retryAfter(answer)
	if wait == 0 {
		p.last = min(max(2*p.last, p.first), paceGrowth*p.first)
		wait = p.last
	}
	if until := time.Now().Add(wait); until.After(p.until) {
		p.until = until
	}
}

// wait waits until a request may be sent, or ctx ends.
func (p *pace) wait(ctx context.Context) error {
	for {
		p.mu.Lock()
		left := time.Until(p.until)
		p.mu.Unlock()
		if left <= 0 {
			return nil
		}
		if err := Sleep(ctx, left); err != nil {
			return err
		}
	}
}

// retryAfter returns what the answer asks to wait, 0 when it does not.
func retryAfter(resp *http.Response) time.Duration {
	header := resp.Header.Get("Retry-After")
	if seconds, err := strconv.ParseUint(header, 10, 16); err == nil {
		return min(time.Duration(seconds)*time.Second, maxRetryAfter)
	}
	if when, err := http.ParseTime(header); err == nil {
		return min(max(time.Until(when), 0), maxRetryAfter)
	}
	return 0
}

// Sleep waits; the error is that of ctx when it ends meanwhile.
func Sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
