// What this client has written: names, and renames. eNMS gives other instances new names along
// with the one that it renames (enms-rest.md 1.5); who knows them by their old names needs to
// know.

package enms

import (
	"slices"
	"sync"
)

// nameSet is a set of names of instances, whatever their types, that goroutines
// may share.
type nameSet struct{ names sync.Map }

func (s *nameSet) add(name string)    { s.names.Store(name, true) }
func (s *nameSet) remove(name string) { s.names.Delete(name) }

func (s *nameSet) has(name string) bool {
	_, has := s.names.Load(name)
	return has
}

// Rename is a rename of an instance.
type Rename struct{ From, To string }

// renameLog holds renames by the types of the instances, in the order in which eNMS made
// them.
type renameLog struct {
	mu  sync.Mutex
	all map[string][]Rename
}

// add notes a rename.
func (l *renameLog) add(typ, from, to string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = map[string][]Rename{}
	}
	l.all[typ] = append(l.all[typ], Rename{from, to})
}

// of returns the renames of instances of a type.
func (l *renameLog) of(typ string) []Rename {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all[typ])
}
