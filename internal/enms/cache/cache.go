// Package cache holds what was read from eNMS since the last write of this process.
//
// A write drops nearly all of it, because writes affect other types: deletions cascade, services rename
// others (enms-rest.md 1.5, 3). So [Store] replaces the [Cache] as a whole. A read takes the current Cache
// once, when it begins, and uses it until it ends. If this process writes meanwhile, what the read learns
// goes into a Cache that nobody uses any longer.
//
//	cache.go      Store, and Cache: the parts, and what a write leaves of them
//	rows.go       Rows: instances by name or id, and when a page of a type is due
//	deletions.go  Deletions: which instances eNMS would delete with others; kept at deletions of
//	              this client, and for a limited time
//	relations.go  Relations: who has which members, and when searches by a relation cost less
//	              than a GET for each instance
package cache

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// Store holds the current Cache. The zero value is ready for use. Goroutines may share it.
type Store struct{ current atomic.Pointer[Cache] }

// Current returns the current Cache, and makes the first one.
func (s *Store) Current() *Cache {
	if s.current.Load() == nil {
		mu := &sync.Mutex{}
		spellings := &Rows{Column: "name", keepsFound: true, mu: mu}
		s.current.CompareAndSwap(nil, newCache(mu, spellings))
	}
	return s.current.Load()
}

// Written forgets what a write may have changed.
func (s *Store) Written() { s.replace(func(_, _ *Cache) {}) }

// Created forgets what a creation may have changed. It keeps IDs, because a creation renames and deletes nothing.
func (s *Store) Created() { s.replace(func(now, next *Cache) { next.IDs = now.IDs }) }

// Deleting forgets what a deletion that begins may change.
func (s *Store) Deleting() { s.replace(func(now, next *Cache) { next.Deletions = now.Deletions }) }

// Deleted is Deleting after a deletion. It also removes the instance from Deletions.
func (s *Store) Deleted(typ, name string) {
	s.Deleting()
	s.Current().Deletions.Deleted(typ, name)
}

// replace replaces the current Cache by an empty one. keep copies to it what the write leaves besides the spellings.
func (s *Store) replace(keep func(now, next *Cache)) {
	for {
		now := s.Current()
		next := newCache(now.mu, now.Spellings)
		keep(now, next)
		if s.current.CompareAndSwap(now, next) {
			return
		}
	}
}

// Cache is what was read since the last write. Goroutines may share it.
type Cache struct {
	Names     *Rows // by name
	IDs       *Rows // by id, to look up names; kept at a creation, which renames and deletes nothing
	Spellings *Rows // by name, to compare spellings; kept at every write of this process
	Relations *Relations
	Whole     *Rows      // by name, of types that were queried as a whole, without relations
	Deletions *Deletions // kept at deletions of this process

	mu        *sync.Mutex      // of all parts, and of the values that follow this one
	unrelated map[string]*Rows // by names of relations, separated by spaces
}

// newCache returns a Cache that has nothing but spellings.
func newCache(mu *sync.Mutex, spellings *Rows) *Cache {
	return &Cache{
		Names:     &Rows{Column: "name", mu: mu},
		IDs:       &Rows{Column: "id", keepsFound: true, mu: mu},
		Spellings: spellings,
		Relations: &Relations{mu: mu, known: map[relationKey]*Relation{}, asked: map[string]int{}, sides: map[string]int{}},
		Whole:     &Rows{Column: "name", keepsFound: true, mu: mu},
		Deletions: &Deletions{mu: mu, answers: map[Question]*answers{}},
		mu:        mu,
		unrelated: map[string]*Rows{},
	}
}

// Unrelated returns the Rows of the instances that have no members in any of several relations, whose names
// are separated by spaces.
func (c *Cache) Unrelated(relations string) *Rows {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.unrelated[relations] == nil {
		criteria := map[string]any{}
		for relation := range strings.FieldsSeq(relations) {
			criteria[relation+"_filter"] = "empty"
		}
		c.unrelated[relations] = &Rows{Column: "name", Criteria: criteria, pageFirst: true, mu: c.mu}
	}
	return c.unrelated[relations]
}

// Tell adds the answer to a GET of an instance, which may have been found by a type above its own.
func (c *Cache) Tell(typ string, instance endpoint.Object) {
	c.IDs.LearnNames(typ, []endpoint.Object{instance})
	for _, t := range []string{typ, endpoint.String(instance, "type")} {
		c.Relations.Tell(t, instance)
	}
}

// Instance returns an instance of a type that was queried as a whole, with the members of the given
// relations; nil if the instance or any of these members are not known.
func (c *Cache) Instance(typ, name string, relations []object.Relation) endpoint.Object {
	row, err := c.Whole.LookUp(typ, name, nil)
	if row == nil || err != nil {
		return nil
	}
	for _, r := range relations {
		members, known := c.Relations.members(typ, name, r.Name)
		if !known {
			return nil
		}
		row[r.Name] = members
	}
	return row
}
