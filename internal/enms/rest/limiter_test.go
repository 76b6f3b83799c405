// Tests of the rate limiter of eNMS 5.

package rest

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// A 403 of the rate limiter is waited for, until the next minute by eNMS's clock. One that is_alive does
// not get is a missing right.
func TestLimiter(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		mayLimit, limits bool
		asked            int32 // is_alive
		forbidden        bool
	}{
		"over the limit":  {true, true, 1, false},
		"a missing right": {true, false, 1, true},
		"eNMS 4":          {false, false, 0, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var requests, asked atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Date", "Wed, 25 Nov 2026 06:00:59 GMT")
				w.Header().Set("Content-Type", "application/json")
				alive := r.URL.Path == "/rest/is_alive"
				if alive {
					asked.Add(1)
				}
				if alive && !test.limits || !alive && requests.Add(1) > 1 {
					_, _ = io.WriteString(w, "[]")
					return
				}
				w.WriteHeader(http.StatusForbidden)
				_, _ = io.WriteString(w, `{"alert": "Error 403 - Not Authorized."}`)
			}))
			defer server.Close()
			c, err := New(Config{BaseURL: server.URL, Username: "me", Password: "secret", MaxRetries: 1})
			if err != nil {
				t.Fatal(err)
			}
			c.MayLimit = func() bool { return test.mayLimit }
			var pauses []time.Duration
			c.Waiting = func(pause time.Duration) { pauses = append(pauses, pause) }
			_, err = c.Do(t.Context(), Request{Method: http.MethodGet, Path: Path("query", "device")})
			if errors.Is(err, ErrForbidden) != test.forbidden || err != nil && !test.forbidden || asked.Load() != test.asked {
				t.Errorf("%v, is_alive was asked %d times", err, asked.Load())
			}
			if want := test.mayLimit && test.limits; want != slices.Equal(pauses, []time.Duration{time.Second}) || !want && pauses != nil {
				t.Errorf("the client tells that it waits for %v", pauses)
			}
		})
	}
}
