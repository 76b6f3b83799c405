// A window of so many requests.

package simulator

import (
	"math"
	"time"
)

// window counts the requests of the time that has begun.
type window struct {
	most   int           // 0 for any number
	length time.Duration // 0 is a minute
	begun  time.Time
	count  int
}

// limited counts a request and returns after how many seconds to come again, 0 when
// the request is not one too many.
func (w *window) limited(now time.Time) int {
	if w.most <= 0 {
		return 0
	}
	length := w.length
	if length <= 0 {
		length = time.Minute
	}
	if now.Sub(w.begun) >= length {
		w.begun, w.count = now, 0
	}
	w.count++
	if w.count <= w.most {
		return 0
	}
	return max(1, int(math.Ceil(w.begun.Add(length).Sub(now).Seconds())))
}
