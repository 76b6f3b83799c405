// Package knowledge holds what reads of eNMS have told since the last write of this process.
//
// It is one value. A write drops all of it, because writes reach into other types: deletions
// cascade, services rename others (enms-rest.md 1.5, 3). So [Store] replaces the value as a
// whole. A read takes the present value once, at its beginning, and works on it to its end:
// what it learns while somebody writes goes into a value that nobody looks at any longer.
//
//	knowledge.go    Store, and Knowledge: the parts, and what a write leaves of them
//	rows.go         Rows: instances by name or id, and when a page of a type is due
//	cost.go         when searches by a relation cost less than a GET for each instance
//	relations.go    Relations: who has which members
package knowledge

import (
	"strings"
	"sync"
	"sync/atomic"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
)

// Store holds the present Knowledge. The zero value is ready for use. Goroutines may share it.
type Store struct{ present atomic.Pointer[Knowledge] }

// Present returns the knowledge of now.
func (s *Store) Present() *Knowledge {
	for {
		if k := s.present.Load(); k != nil {
			return k
		}
		s.present.CompareAndSwap(nil, newKnowledge())
	}
}

// Written forgets what a write may have changed.
func (s *Store) Written() { s.replace((*Knowledge).afterWrite) }

// Created forgets what a creation may have changed, which renames and deletes nothing.
func (s *Store) Created() { s.replace((*Knowledge).afterCreation) }

func (s *Store) replace(next func(*Knowledge) *Knowledge) {
	for {
		if k := s.Present(); s.present.CompareAndSwap(k, next(k)) {
			return
		}
	}
}

// Knowledge is what reads have told since the last write. Goroutines may share it.
type Knowledge struct {
	Names     *Rows // by name
	IDs       *Rows // by id, for names: a creation changes none
	Spellings *Rows // by name, for whether there is one so spelled; no write of this process changes that
	Relations *Relations
	Whole     *Rows // by name, of types that were queried as a whole; without their relations

	mu        *sync.Mutex      // of all parts, and of the values that follow this one
	unrelated map[string]*Rows // by relations with blanks between them
}

func newKnowledge() *Knowledge {
	mu := &sync.Mutex{}
	return knowledgeWith(mu, &Rows{Column: "id", keepsFound: true, mu: mu}, &Rows{Column: "name", keepsFound: true, mu: mu})
}

func (k *Knowledge) afterWrite() *Knowledge {
	return knowledgeWith(k.mu, &Rows{Column: "id", keepsFound: true, mu: k.mu}, k.Spellings)
}

func (k *Knowledge) afterCreation() *Knowledge { return knowledgeWith(k.mu, k.IDs, k.Spellings) }

func knowledgeWith(mu *sync.Mutex, ids, spellings *Rows) *Knowledge {
	return &Knowledge{
		Names: &Rows{Column: "name", mu: mu}, IDs: ids, Spellings: spellings,
		Relations: &Relations{mu: mu, known: map[relationKey]*Relation{}, asked: map[string]int{}},
		Whole:     &Rows{Column: "name", keepsFound: true, mu: mu},
		mu:        mu, unrelated: map[string]*Rows{},
	}
}

// Unrelated returns the instances that have nothing in any of several relations.
func (k *Knowledge) Unrelated(relations string) *Rows {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.unrelated[relations] == nil {
		criteria := map[string]any{}
		for relation := range strings.FieldsSeq(relations) {
			criteria[relation+"_filter"] = "empty"
		}
		k.unrelated[relations] = &Rows{Column: "name", Criteria: criteria, mu: k.mu}
	}
	return k.unrelated[relations]
}

// Instance returns an instance of a type that was queried as a whole, with the members of
// its relations; nil when not all of it is known.
func (k *Knowledge) Instance(typ, name string, relations []instance.Relation) endpoint.Object {
	row, err := k.Whole.LookUp(typ, name, nil)
	if row == nil || err != nil {
		return nil
	}
	for _, r := range relations {
		members, known := k.Relations.members(typ, name, r.Name)
		if !known {
			return nil
		}
		row[r.Name] = members
	}
	return row
}
