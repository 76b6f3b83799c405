// This file remembers what a destruction that is half of a replacement leaves to the
// creation that follows.

package inventory

import "sync"

// leftovers are the entries that tainted resources leave to their replacements, which
// Terraform creates next.
type leftovers struct {
	mu   sync.Mutex
	sets []leftover
}

// leftover is what one resource leaves.
type leftover struct {
	typ     string
	entries map[string]entry
}

// leave notes entries.
func (l *leftovers) leave(typ string, entries map[string]entry) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sets = append(l.sets, leftover{typ, entries})
}

// take gives what was left by the resource that has the most names in common with a
// configuration; nothing when none has any.
func (l *leftovers) take(typ string, configured map[string]entry) map[string]entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	best, most := -1, 0
	for i, set := range l.sets {
		common := 0
		for name := range set.entries {
			if _, is := configured[name]; is {
				common++
			}
		}
		if set.typ == typ && common > most {
			best, most = i, common
		}
	}
	if best < 0 {
		return nil
	}
	taken := l.sets[best].entries
	l.sets = append(l.sets[:best:best], l.sets[best+1:]...)
	return taken
}
