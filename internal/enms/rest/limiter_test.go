// Tests of the pace of requests under a rate limit, and of the rate limiter of eNMS 5.

package rest

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A 403 of the rate limiter is waited for, until the next minute by eNMS's clock. One that is_alive does
// not get is a missing right.
func TestLimiter(t *testing.T) {
	t.Parallel()
	const notAuthorized = `{"alert": "Error 403 - Not Authorized."}`
	limits := status(http.StatusForbidden, "Date", "Wed, 25 Nov 2026 06:00:59 GMT")
	yes := func() bool { return true }
	for name, test := range map[string]struct {
		mayLimit func() bool
		status   int
		body     string
		isAlive  http.HandlerFunc // nil: it must not be asked
		pause    time.Duration    // 0: the answer stays
	}{
		"over the limit":            {yes, 403, notAuthorized, limits, time.Second},
		"a clock that is not there": {yes, 403, notAuthorized, status(http.StatusForbidden, "Date", "late"), time.Minute},
		"a missing right":           {yes, 403, notAuthorized, status(http.StatusOK), 0},
		"is_alive breaks":           {yes, 403, notAuthorized, broken, 0},
		"another 403":               {yes, 403, `{"alert": "Error 403 - Operation not allowed."}`, nil, 0},
		"another status":            {yes, 400, notAuthorized, nil, 0},
		"eNMS 4":                    {func() bool { return false }, 403, notAuthorized, nil, 0},
		"nobody knows":              {nil, 403, notAuthorized, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var requests, asked atomic.Int32
				c := inMemory(t, Config{Username: "me", Password: "secret", MaxRetries: 1}, func(w http.ResponseWriter, r *http.Request) {
					if user, _, _ := r.BasicAuth(); user != "me" {
						t.Error("a request has no user")
					}
					if r.URL.Path == "/at/rest/is_alive" {
						asked.Add(1)
						test.isAlive(w, r)
						return
					}
					if requests.Add(1) > 1 {
						status(http.StatusOK)(w, r)
						return
					}
					w.WriteHeader(test.status)
					_, _ = io.WriteString(w, test.body)
				})
				c.transport.DisableKeepAlives = true
				c.MayLimit = test.mayLimit
				var pauses []time.Duration
				c.Waiting = func(pause time.Duration) { pauses = append(pauses, pause) }
				begin := time.Now()
				_, err := c.Do(t.Context(), Request{Method: http.MethodGet, Path: Path("query", "device")})
				if (err == nil) != (test.pause > 0) || errors.Is(err, ErrForbidden) != (err != nil && test.status == 403) || asked.Load() > 1 || (asked.Load() == 1) != (test.isAlive != nil) {
					t.Errorf("%v, is_alive was asked %d times", err, asked.Load())
				}
				if took := time.Since(begin); took != test.pause || test.pause > 0 && !slices.Equal(pauses, []time.Duration{took}) || test.pause == 0 && pauses != nil {
					t.Errorf("the client tells that it waits for %v, and waits %s", pauses, took)
				}
			})
		})
	}
}

// One pause begins with the first of several 429s; later ones may only prolong it. Without a word of the server, pauses
// double up to a bound, until an answer is another one.
func TestPace(t *testing.T) {
	t.Parallel()
	const s = time.Second
	for name, steps := range map[string][]struct {
		after       time.Duration // the step before
		status      int
		retryAfter  string
		pause, left time.Duration // what begins, and what is left afterwards
	}{
		"the server asks":  {{0, 200, "5", 0, 0}, {0, 429, "5", 5 * s, 5 * s}, {s, 429, "9", 0, 9 * s}, {s, 429, "1", 0, 8 * s}, {8 * s, 429, "2", 2 * s, 2 * s}},
		"it does not":      {{0, 429, "", 2 * s, 2 * s}, {2 * s, 429, "", 4 * s, 4 * s}, {4 * s, 429, "", 8 * s, 8 * s}, {8 * s, 200, "", 0, 0}, {0, 429, "", 2 * s, 2 * s}},
		"many in a row":    {{0, 429, "", 2 * s, 2 * s}, {2 * s, 429, "", 4 * s, 4 * s}, {4 * s, 429, "", 8 * s, 8 * s}, {8 * s, 429, "", 16 * s, 16 * s}, {16 * s, 429, "", 32 * s, 32 * s}, {32 * s, 429, "", 64 * s, 64 * s}, {64 * s, 429, "", 120 * s, 120 * s}},
		"at the same time": {{0, 429, "", 2 * s, 2 * s}, {0, 429, "", 0, 4 * s}},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &pace{first: 2 * s}
			for i, step := range steps {
				time.Sleep(step.after)
				pause := p.update(&http.Response{StatusCode: step.status, Header: http.Header{"Retry-After": {step.retryAfter}}})
				if left := max(time.Until(p.until), 0); pause != step.pause || left != step.left {
					t.Errorf("%s, step %d: a pause of %s, %s are left", name, i, pause, left)
				}
			}
			ctx, cancel := context.WithTimeout(t.Context(), s)
			defer cancel()
			if err := p.wait(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Error(err)
			}
			if err := p.wait(t.Context()); err != nil || time.Now().Before(p.until) {
				t.Error(err)
			}
		})
	}
}
