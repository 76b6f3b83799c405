// This file holds what is known of instances that are about to be deleted: which id has a name,
// and what eNMS would delete together with it.

package knowledge

import (
	"strings"
	"sync"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/instance"
)

// DeletionAge is how old an answer may be on which a deletion relies. eNMS deletes by name, so a
// deletion does not notice what others do after the question: a new instance with the name, or a
// link to a device. No age excludes that: even a deletion that asks by itself, beside nine others, on
// a server that handles one request at a time, waits 2.5 to 5 seconds between its question and its
// own request. The age is therefore no longer than that. It does not matter for what this client
// writes: any other write drops all answers, and a deletion removes its instance from them.
const DeletionAge = 5 * time.Second

// Deletions holds what is known of instances that are about to be deleted. Unlike the other parts
// of Knowledge, it is kept at deletions of this client, which update it (Deleted), and expires
// (DeletionAge). It only shows that an instance may be deleted: why one may not, the caller must
// find out.
type Deletions struct {
	mu    *sync.Mutex
	made  int                  // deletions by this client
	gone  map[ofType]int       // the last deletion of a name: what made was then
	ids   map[string]*idsOf    // by type
	along map[question]*answer // by what is asked
}

// ofType is the name of an instance of a type.
type ofType struct{ typ, name string }

// idsOf are the ids of the instances of a type.
type idsOf struct {
	whole time.Time // when all instances of the type were read; zero if they were not
	known map[string]identity
}

// identity is the id of an instance, "" if there is none, and when it was asked for.
type identity struct {
	id    string
	asked time.Time
}

// question is a relation of dependents.
type question struct{ typ, field string }

// answer is which dependents there are.
type answer struct {
	whole time.Time // when all dependents of the type were read; zero if they were not
	known map[string]*dependents
}

// dependents are those of one instance.
type dependents struct {
	asked time.Time
	names map[ofType]bool
}

// Moment is when a question was asked.
type Moment struct {
	at   time.Time
	made int // deletions by this client until then
}

func newDeletions(mu *sync.Mutex) *Deletions {
	return &Deletions{mu: mu, gone: map[ofType]int{}, ids: map[string]*idsOf{}, along: map[question]*answer{}}
}

// Now returns the moment of a question that is asked at a time.
func (d *Deletions) Now(at time.Time) Moment {
	d.mu.Lock()
	defer d.mu.Unlock()
	return Moment{at: at, made: d.made}
}

// Deleted removes an instance that this client has deleted from the answers, including those of
// requests that are still under way.
func (d *Deletions) Deleted(typ, name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.made++
	deleted := ofType{typ, name}
	d.gone[deleted] = d.made
	if of := d.ids[typ]; of != nil {
		delete(of.known, name)
	}
	for _, a := range d.along {
		for _, of := range a.known {
			delete(of.names, deleted)
		}
	}
}

// LearnIDs keeps the ids of the instances of a type. If whole is true, rows are all instances of
// the type; otherwise names are those that were asked for, and the rows may hold others.
func (d *Deletions) LearnIDs(typ string, asked Moment, rows []endpoint.Object, whole bool, names []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	of := d.ids[typ]
	if of == nil || whole && of.whole.Before(asked.at) {
		of = &idsOf{known: map[string]identity{}}
		d.ids[typ] = of
	}
	if whole {
		of.whole = asked.at
	}
	for _, name := range names {
		of.known[name] = identity{asked: asked.at}
	}
	for name, row := range endpoint.RowsBy("name", rows, nil) {
		if d.gone[ofType{typ, name}] <= asked.made && !endpoint.Deleted(row) && endpoint.CheckIdentity(typ, row) == nil {
			of.known[name] = identity{endpoint.IDText(row["id"]), asked.at}
		}
	}
}

// LearnDependents keeps the dependents of instances. keyOf returns the ids or names of the
// instances on which a row depends. If whole is true, rows are all dependents of the type;
// otherwise they are those of the instances with the keys.
func (d *Deletions) LearnDependents(of instance.Dependents, asked Moment, rows []endpoint.Object, whole bool, keys []string, keyOf func(endpoint.Object) []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	q := questionOf(of)
	a := d.along[q]
	if a == nil || whole && a.whole.Before(asked.at) {
		a = &answer{known: map[string]*dependents{}}
		d.along[q] = a
	}
	if whole {
		a.whole = asked.at
	}
	for _, key := range keys {
		a.known[key] = &dependents{asked: asked.at, names: map[ofType]bool{}}
	}
	for _, row := range rows {
		x := ofType{of.Type, endpoint.String(row, "name")}
		if d.gone[x] > asked.made || of.Except != "" && strings.HasPrefix(x.name, of.Except) {
			continue
		}
		for _, key := range keyOf(row) {
			if a.known[key] == nil {
				a.known[key] = &dependents{asked: asked.at, names: map[ofType]bool{}}
			}
			a.known[key].names[x] = true
		}
	}
}

// KnowsID reports whether a recent answer tells which instance has a name, or that none has.
func (d *Deletions) KnowsID(typ, name string, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, known := d.id(typ, name, now)
	return known
}

func (d *Deletions) id(typ, name string, now time.Time) (id string, known bool) {
	of := d.ids[typ]
	if of == nil {
		return "", false
	}
	if one, has := of.known[name]; has {
		return one.id, isRecent(one.asked, now)
	}
	return "", isRecent(of.whole, now)
}

// KnowsDependents is KnowsID for the dependents of an instance.
func (d *Deletions) KnowsDependents(of instance.Dependents, name, id string, now time.Time) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, known := d.dependents(of, name, id, now)
	return known
}

func (d *Deletions) dependents(of instance.Dependents, name, id string, now time.Time) (has, known bool) {
	a := d.along[questionOf(of)]
	if a == nil {
		return false, false
	}
	if one := a.known[of.Key(name, id)]; one != nil {
		return len(one.names) > 0, isRecent(one.asked, now)
	}
	return false, isRecent(a.whole, now)
}

// Deletable reports whether recent answers show that the instance with a name has the id and no
// dependents. known is false if there are no such answers.
func (d *Deletions) Deletable(typ, name, id string, along []instance.Dependents, now time.Time) (deletable, known bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	has, known := d.id(typ, name, now)
	if !known || has != id || id == "" {
		return false, known
	}
	for _, of := range along {
		switch has, known := d.dependents(of, name, id, now); {
		case !known:
			return false, false
		case has:
			return false, true
		}
	}
	return true, true
}

func questionOf(of instance.Dependents) question { return question{of.Type, of.Field()} }

func isRecent(asked, now time.Time) bool { return !asked.IsZero() && now.Sub(asked) < DeletionAge }
