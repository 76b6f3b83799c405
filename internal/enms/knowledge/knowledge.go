// Package knowledge holds what reads of eNMS have told since the last write of this process.
//
// It is one value. A write drops all of it, because writes reach into other types: deletions
// cascade, services rename others (enms-rest.md 1.5, 3). So [Store] replaces the value as a
// whole. A read takes the present value once, at its beginning, and works on it to its end:
// what it learns while somebody writes goes into a value that nobody looks at any longer.
//
//	knowledge.go  Store, and Knowledge: the parts, and what a write leaves of them; Rows:
//	              instances by name or id, and when a page of a type is due
//	relations.go  Relations: who has which members, and when searches by a relation cost less
//	              than a GET for each instance
package knowledge

import (
	"errors"
	"maps"
	"slices"
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

const (
	// ManyFinds is how many finds of a type make pages worth their requests at all; below,
	// searches are cheap enough.
	ManyFinds = 10
	// PageRows is the number of rows of a page.
	PageRows = 1000
)

// ErrUnconfirmed is the error of an instance that an answer about many lacks: it has to be
// asked for alone.
var ErrUnconfirmed = errors.New("not in a common answer")

// Rows holds the rows of instances by type.
//
// Whoever goes on asking for instances of a type is better served by pages of
// the whole type than by searches for names; but how long it will go on is not
// known. So for each search that was made one page may be fetched (the ski rental
// problem): the total stays within about twice the better of the two ways.
type Rows struct {
	Column   string         // by which rows are found: "name" or "id"
	Criteria map[string]any // of all searches and pages

	keepsFound bool // what searches find is kept as well as pages
	mu         *sync.Mutex
	types      map[string]*typeRows
}

// typeRows are the rows of one type.
type typeRows struct {
	reading  sync.Mutex      // held while a page is read
	asked    int             // how many instances were asked for
	searches int             // made for them
	pages    int             // fetched
	start    int             // rows fetched
	columns  map[string]bool // every column that was asked for
	rows     map[string]pageRow
	complete bool // there are no more rows
	disabled bool // pages of the type fail
}

// pageRow is a row and the columns that its page had.
type pageRow struct {
	row     endpoint.Object
	columns map[string]bool
}

// Page is a page that is to be fetched.
type Page struct {
	Start   int
	columns map[string]bool
}

// Columns returns the columns to fetch.
func (p Page) Columns() []string { return slices.Collect(maps.Keys(p.columns)) }

// lock returns the rows of a type, which may be used until unlock is called.
func (r *Rows) lock(typ string) (of *typeRows, unlock func()) {
	r.mu.Lock()
	if r.types == nil {
		r.types = map[string]*typeRows{}
	}
	if r.types[typ] == nil {
		r.types[typ] = &typeRows{columns: map[string]bool{}, rows: map[string]pageRow{}}
	}
	return r.types[typ], r.mu.Unlock
}

// Find counts a find and looks for its answer.
func (r *Rows) Find(typ, value string, columns []string) (endpoint.Object, error) {
	r.Want(typ, columns)
	r.Ask(typ, 1)
	return r.LookUp(typ, value, columns)
}

// Ask counts instances that are asked for, and returns how many that were. complete reports
// whether the whole type is known.
func (r *Rows) Ask(typ string, instances int) (asked int, complete bool) {
	of, unlock := r.lock(typ)
	defer unlock()
	of.asked += instances
	return of.asked, of.complete
}

// Want notes columns that finds of a type will ask for.
func (r *Rows) Want(typ string, columns []string) {
	of, unlock := r.lock(typ)
	defer unlock()
	for _, column := range columns {
		of.columns[column] = true
	}
}

// Names returns the names of a type that are known.
func (r *Rows) Names(typ string) []string {
	of, unlock := r.lock(typ)
	defer unlock()
	return slices.Collect(maps.Keys(of.rows))
}

// LookUp returns the row of a name or id, when it is known with all the columns. The
// error is ErrUnconfirmed when the whole type is known without it, nil when nothing is
// known.
func (r *Rows) LookUp(typ, value string, columns []string) (endpoint.Object, error) {
	of, unlock := r.lock(typ)
	defer unlock()
	known, has := of.rows[value]
	if !has && of.complete {
		return nil, ErrUnconfirmed
	}
	for _, column := range columns {
		has = has && known.columns[column]
	}
	if !has {
		return nil, nil
	}
	return maps.Clone(known.row), endpoint.CheckIdentity(typ, known.row)
}

// Searched counts a search.
func (r *Rows) Searched(typ string) {
	of, unlock := r.lock(typ)
	defer unlock()
	of.searches++
}

// Turn waits until nobody else reads pages of a type, and returns what ends the caller's turn.
func (r *Rows) Turn(typ string) (end func()) {
	of, unlock := r.lock(typ)
	unlock()
	of.reading.Lock()
	return of.reading.Unlock
}

// Next returns the page after those that are known. more reports whether there is one, and due
// whether it is worth its request.
func (r *Rows) Next(typ string) (next Page, more, due bool) {
	of, unlock := r.lock(typ)
	defer unlock()
	more = !of.complete && !of.disabled
	return Page{Start: of.start, columns: maps.Clone(of.columns)}, more, more && of.asked > ManyFinds && of.pages < of.searches
}

// Add keeps the rows of a page.
func (r *Rows) Add(typ string, fetched Page, rows []endpoint.Object) {
	of, unlock := r.lock(typ)
	defer unlock()
	for value, row := range endpoint.RowsBy(r.Column, rows, nil) {
		of.rows[value] = pageRow{row: row, columns: fetched.columns}
	}
	of.pages++
	of.start += len(rows)
	of.complete = len(rows) < PageRows
}

// Keep keeps rows that a search has found, if such are kept.
func (r *Rows) Keep(typ string, rows map[string]endpoint.Object) {
	of, unlock := r.lock(typ)
	defer unlock()
	for value, row := range rows {
		if r.keepsFound && !endpoint.Deleted(row) {
			of.rows[value] = pageRow{row: row}
		}
	}
}

// Complete keeps the rows of a query of the whole type, none if it failed.
func (r *Rows) Complete(typ string, rows []endpoint.Object) {
	r.Keep(typ, endpoint.RowsBy(r.Column, rows, nil))
	of, unlock := r.lock(typ)
	defer unlock()
	of.complete = true
}

// Disable stops pages of a type.
func (r *Rows) Disable(typ string) {
	of, unlock := r.lock(typ)
	defer unlock()
	of.disabled = true
}
