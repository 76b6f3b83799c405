package rest

import (
	"context"
	"net/http"
	"sync"
	"time"
)

const (
	// rateLimitedPauses tells for how long a request goes on meeting 429 although
	// its retries are used up: so many pauses of Config.RetryWait for each of
	// them, which is three minutes with the defaults. The windows of limits are a
	// minute, as a rule.
	rateLimitedPauses = 120
	// paceGrowth bounds the pauses after 429s in a row that do not say how long to
	// wait: with the defaults, half a minute.
	paceGrowth = 60
)

// rateLimitedMost is how long a request goes on meeting 429.
func (cfg *Config) rateLimitedMost() time.Duration {
	return time.Duration(cfg.MaxRetries) * rateLimitedPauses * cfg.RetryWait
}

// pace is when the next request may be sent. A gateway, or eNMS 5, answers 429
// to one request too many; until its window is over every other request would
// be one more, so all of them wait.
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
		if err := sleep(ctx, left); err != nil {
			return err
		}
	}
}
