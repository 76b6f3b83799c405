// This file declares the names of objects, and keeps names from being changed while an operation uses
// them.

package applying

import "sync"

// Name is the name of an object, and the type within which it is unique.
type Name struct{ Namespace, Text string }

// IsKnown reports whether the name and its namespace are known.
func (n Name) IsKnown() bool { return n.Namespace != "" && n.Text != "" }

// Names has a lock for each name that an operation has used or changed. The zero value is ready to use.
type Names struct{ locks sync.Map }

// Hold waits for the names in scopes and for renamed, and holds them until release is called. Several
// operations may hold the same scopes, such as the names of the workflows around a service; nobody renames
// them meanwhile. renamed, if it is not "", is held by one operation alone. To avoid deadlocks, all callers
// pass scopes from the outermost inwards, and renamed is inside them.
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

// of returns the lock of a name.
func (n *Names) of(name string) *sync.RWMutex {
	lock, _ := n.locks.LoadOrStore(name, &sync.RWMutex{})
	return lock.(*sync.RWMutex)
}

// put sets a member of a map and returns the map. If the map is nil, it makes one.
func put[K comparable, V any](into map[K]V, key K, v V) map[K]V {
	if into == nil {
		into = map[K]V{}
	}
	into[key] = v
	return into
}
