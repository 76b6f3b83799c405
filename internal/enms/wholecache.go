// The cache of whole types: what queries of all instances of a type (getshared.go) have
// told, kept until the next write.

package enms

import "sync"

// wholeCache holds the instances of types that were queried as a whole, until the next write.
type wholeCache struct {
	mu    sync.Mutex
	types map[string]*wholeType
}

// wholeType is what is known of a type.
type wholeType struct {
	asked   int               // instances that callers wanted
	queried bool              // or tried in vain
	rows    map[string]Object // by name; their relations are missing
}

// of gives the type, which may be used until unlock is called.
func (w *wholeCache) of(typ string) (known *wholeType, unlock func()) {
	w.mu.Lock()
	if w.types[typ] == nil {
		w.types[typ] = &wholeType{}
	}
	return w.types[typ], w.mu.Unlock
}

// invalidate forgets everything.
func (w *wholeCache) invalidate() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.types = map[string]*wholeType{}
}
