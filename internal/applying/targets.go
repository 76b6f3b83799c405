// This file records the targets of tasks and services that plans delete.

package applying

import "sync"

// Targets are the instances that the plans of a run delete and that tasks and services may run on. The
// zero value is ready to use.
type Targets struct {
	mu      sync.Mutex
	deleted map[Reference]bool
	warned  map[Reference]bool // the tasks and services that a warning has named
}

// Delete records that plans delete instances of a type.
func (t *Targets) Delete(typ string, names []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, name := range names {
		t.deleted = put(t.deleted, Reference{typ, name}, true)
	}
}

// IsLast reports whether a target is the last one of a task or service: plans delete all that it has.
// It returns true only once for each task or service.
func (t *Targets) IsLast(target, of Reference, all []Reference) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	has := false
	for _, other := range all {
		if !t.deleted[other] {
			return false
		}
		has = has || other == target
	}
	first := has && !t.warned[of]
	t.warned = put(t.warned, of, t.warned[of] || has)
	return first
}
