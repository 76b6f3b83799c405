// This file holds what is known of instances that are about to be deleted: which id has a name,
// and what eNMS would delete together with it.

package cache

import (
	"sync"
	"time"
)

// DeletionAge is how old an answer may be on which a deletion relies. eNMS deletes by name, so a
// deletion does not notice what others do after the question: a new instance with the name, or a
// link to a device. No age excludes that: if ten deletions each ask for themselves, on a server that
// handles one request at a time, each waits 2.5 to 5 seconds between its question and its own request.
// The age is therefore no longer than that. What this client writes does not make an answer wrong: a
// deletion removes its instance from the answers, and any other write drops them all.
const DeletionAge = 5 * time.Second

// Deletions holds which instances refer to others. Unlike the other parts of Cache, it is kept
// at deletions of this client (Deleted), and its answers expire (DeletionAge).
type Deletions struct {
	mu      *sync.Mutex
	answers map[Question]*answers
}

// Question asks for the instances of a type that refer to others by a field: by the column "id" to themselves, by
// another column to the instance with an id, by a relation to the instance with a name.
type Question struct{ Type, Field string }

// answers are those to one question.
type answers struct {
	whole time.Time            // when all instances of the type were read; zero if they were not
	of    map[string]referring // by the key: the id or name that they refer to
}

// referring are the names of instances that refer to the same one.
type referring struct {
	asked time.Time
	names map[string]bool
}

// Learn keeps the names of the instances that refer to each key, as they were when eNMS was asked. keys are
// those that were asked for, nil if all instances of the type were read.
func (d *Deletions) Learn(q Question, asked time.Time, keys []string, namesByKey map[string][]string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	known := d.answers[q]
	if known == nil || keys == nil {
		known = &answers{of: map[string]referring{}}
		d.answers[q] = known
	}
	if keys == nil {
		known.whole = asked
	}
	for _, key := range keys {
		known.of[key] = referring{asked, map[string]bool{}}
	}
	for key, names := range namesByKey {
		refer := referring{asked, map[string]bool{}}
		for _, name := range names {
			refer.names[name] = true
		}
		known.of[key] = refer
	}
}

// Referring returns the names of the instances that refer to a key. known is false if there is no
// recent answer: about the key, or about all instances of the type.
func (d *Deletions) Referring(q Question, key string) (names []string, known bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	a := d.answers[q]
	if a == nil {
		return nil, false
	}
	refer, has := a.of[key]
	if !has {
		return nil, time.Since(a.whole) < DeletionAge
	}
	for name := range refer.names {
		names = append(names, name)
	}
	return names, time.Since(refer.asked) < DeletionAge
}

// Deleted removes an instance that this client has deleted from all answers.
func (d *Deletions) Deleted(typ, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for q, a := range d.answers {
		if q.Type != typ {
			continue
		}
		for _, refer := range a.of {
			delete(refer.names, name)
		}
	}
}
