// This file declares the names of objects, and keeps names from being changed while an operation uses
// them.

package applying

import "sync"

// Name is the name of an object, and the type within which it is unique.
type Name struct{ Namespace, Text string }

// IsKnown reports whether both are known.
func (n Name) IsKnown() bool { return n.Namespace != "" && n.Text != "" }

// Names are the names that operations use, or change, at the moment. The zero value is ready to use.
type Names struct{ locks sync.Map }

// Hold keeps the names of scopes, such as those of workflows that contain a service, from being changed
// until release is called. If renamed is not "", no other operation holds that name meanwhile. To avoid
// deadlocks, scopes come from the outermost inwards, and before renamed.
func (n *Names) Hold(scopes []string, renamed string) (release func()) {
	var unlocks []func()
	for _, scope := range scopes {
		lock := n.of(scope)
		lock.RLock()
		unlocks = append(unlocks, lock.RUnlock)
	}
	if renamed != "" {
		lock := n.of(renamed)
		lock.Lock()
		unlocks = append(unlocks, lock.Unlock)
	}
	return func() {
		for _, unlock := range unlocks {
			unlock()
		}
	}
}

func (n *Names) of(name string) *sync.RWMutex {
	lock, _ := n.locks.LoadOrStore(name, &sync.RWMutex{})
	return lock.(*sync.RWMutex)
}

// put sets a member of a map, which it makes if there is none, and returns the map.
func put[K comparable, V any](into map[K]V, key K, v V) map[K]V {
	if into == nil {
		into = map[K]V{}
	}
	into[key] = v
	return into
}
