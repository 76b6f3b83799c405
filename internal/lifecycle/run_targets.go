// This file records what the plans of one run delete that tasks and services may run on.

package lifecycle

import (
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

// targets are what the plans of a run delete that others may run on. The zero value is
// ready for use.
type targets struct {
	mu      sync.Mutex
	deleted map[reference]bool // by the kinds and names of the targets
	named   map[reference]bool // the tasks and services that a warning has named
	holders map[reference]func() (map[string][]string, error)
}

// use is a task or service that an instance is a target of.
type use struct {
	by         reference // its kind and name
	namespace  string
	remark     string           // what is shown beside the name
	attributes []kind.Attribute // its relations to targets
}

// of returns the targets of a task or service, which are read once in a run.
func (t *targets) of(by reference, read func() (map[string][]string, error)) (map[string][]string, error) {
	t.mu.Lock()
	if t.holders == nil {
		t.holders = map[reference]func() (map[string][]string, error){}
	}
	once := t.holders[by]
	if once == nil {
		once = sync.OnceValues(read)
		t.holders[by] = once
	}
	t.mu.Unlock()
	return once()
}

// delete notes that plans delete instances.
func (t *targets) delete(typ string, names []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.deleted == nil {
		t.deleted, t.named = map[reference]bool{}, map[reference]bool{}
	}
	for _, name := range names {
		t.deleted[reference{typ, name}] = true
	}
}

// loses reports whether a task or service has a target, and none that plans leave there. It
// does so once for each.
func (t *targets) loses(u use, target reference, held map[string][]string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	has := false
	for _, a := range u.attributes {
		for _, name := range held[a.Name] {
			if !t.deleted[reference{a.Of, name}] {
				return false
			}
			has = has || reference{a.Of, name} == target
		}
	}
	first := has && !t.named[u.by]
	t.named[u.by] = t.named[u.by] || has
	return first
}
