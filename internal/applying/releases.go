// This file remembers what operations have given up, so that an operation that waits sees whether that happened after it
// was refused.

package applying

import "sync"

// releases records when each key was last given up. The zero value is ready to use.
type releases[K comparable] struct {
	mu    sync.Mutex
	count int       // how often any key was given up
	last  map[K]int // by a key: the value of count when it was last given up
}

// add records that a key was given up.
func (r *releases[K]) add(key K) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count++
	r.last = put(r.last, key, r.count)
}

// now returns how often any key was given up.
func (r *releases[K]) now() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.count
}

// since reports whether a key was given up after a value of now.
func (r *releases[K]) since(key K, then int) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last[key] > then
}
