// This file locks names: a name that somebody acts by is not changed meanwhile.

package lifecycle

import "sync"

// nameLocks keep a name, and what begins with it, from being changed while somebody acts
// by it. The zero value is ready to use.
type nameLocks struct{ locks sync.Map }

// of returns the lock of a name.
func (n *nameLocks) of(name string) *sync.RWMutex {
	lock, _ := n.locks.LoadOrStore(name, &sync.RWMutex{})
	return lock.(*sync.RWMutex)
}
