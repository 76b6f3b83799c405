// A window of so many requests.

package simulator

import (
	"math"
	"net/http"
	"time"
)

// window counts the requests of the time that has begun.
type window struct {
	begun time.Time
	count int
}

// limited counts a request and says after how many seconds to come again, 0 when
// the request is not one too many.
func (s *Server) limited() int {
	if s.opts.RequestLimit <= 0 {
		return 0
	}
	length := s.opts.RequestWindow
	if length <= 0 {
		length = time.Minute
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if now.Sub(s.window.begun) >= length {
		s.window = window{begun: now}
	}
	s.window.count++
	if s.window.count <= s.opts.RequestLimit {
		return 0
	}
	return max(1, int(math.Ceil(s.window.begun.Add(length).Sub(now).Seconds())))
}

// tooMany is the answer to one request too many.
func tooMany(seconds int) reply {
	return reply{status: http.StatusTooManyRequests, retryAfter: seconds,
		value: record{{"alert", "Error 429 - Too Many Requests."}}}
}
