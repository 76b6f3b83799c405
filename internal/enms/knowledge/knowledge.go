// Package knowledge holds what was read from eNMS since the last write of this process.
//
// It is one value. A write drops all of it, because writes affect other types: deletions cascade,
// services rename others (enms-rest.md 1.5, 3). So [Store] replaces the value as a whole. A read
// takes the present value once, when it begins, and uses it until it ends. If somebody writes
// meanwhile, what the read learns goes into a value that nobody uses any longer.
//
//	knowledge.go  Store, and Knowledge: the parts, and what a write leaves of them; Rows:
//	              instances by name or id, and when a page of a type is due
//	deletions.go  Deletions: which instances can be deleted at once; kept at deletions of this
//	              client, and for a limited time
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

// Deleting forgets what a deletion that begins may change.
func (s *Store) Deleting() { s.replace((*Knowledge).afterDeletion) }

// Deleted forgets what a deletion has changed.
func (s *Store) Deleted(typ, name string) {
	s.replace((*Knowledge).afterDeletion)
	s.Present().Deletions.Deleted(typ, name)
}

func (s *Store) replace(next func(*Knowledge) *Knowledge) {
	for {
		if k := s.Present(); s.present.CompareAndSwap(k, next(k)) {
			return
		}
	}
}

// Knowledge is what was read since the last write. Goroutines may share it.
type Knowledge struct {
	Names     *Rows // by name
	IDs       *Rows // by id, to look up names; kept at a creation, which renames nothing
	Spellings *Rows // by name, to compare spellings; kept at every write of this process
	Relations *Relations
	Whole     *Rows // by name, of types that were queried as a whole, without relations
	Deletions *Deletions

	mu        *sync.Mutex      // of all parts, and of the values that follow this one
	unrelated map[string]*Rows // by names of relations, separated by spaces
}

func newKnowledge() *Knowledge {
	mu := &sync.Mutex{}
	return knowledgeWith(mu, &Rows{Column: "id", keepsFound: true, mu: mu}, &Rows{Column: "name", keepsFound: true, mu: mu}, newDeletions(mu))
}

func (k *Knowledge) afterWrite() *Knowledge {
	return knowledgeWith(k.mu, &Rows{Column: "id", keepsFound: true, mu: k.mu}, k.Spellings, newDeletions(k.mu))
}

func (k *Knowledge) afterCreation() *Knowledge {
	return knowledgeWith(k.mu, k.IDs, k.Spellings, newDeletions(k.mu))
}

func (k *Knowledge) afterDeletion() *Knowledge {
	return knowledgeWith(k.mu, &Rows{Column: "id", keepsFound: true, mu: k.mu}, k.Spellings, k.Deletions)
}

func knowledgeWith(mu *sync.Mutex, ids, spellings *Rows, deletions *Deletions) *Knowledge {
	return &Knowledge{
		Names: &Rows{Column: "name", mu: mu}, IDs: ids, Spellings: spellings,
		Relations: &Relations{mu: mu, known: map[relationKey]*Relation{}, asked: map[string]int{}},
		Whole:     &Rows{Column: "name", keepsFound: true, mu: mu},
		Deletions: deletions,
		mu:        mu, unrelated: map[string]*Rows{},
	}
}

// Unrelated returns the instances that have no members in any of several relations, whose names
// are separated by spaces.
func (k *Knowledge) Unrelated(relations string) *Rows {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.unrelated[relations] == nil {
		criteria := map[string]any{}
		for relation := range strings.FieldsSeq(relations) {
			criteria[relation+"_filter"] = "empty"
		}
		k.unrelated[relations] = &Rows{Column: "name", Criteria: criteria, pageFirst: true, mu: k.mu}
	}
	return k.unrelated[relations]
}

// Instance returns an instance of a type that was queried as a whole, with the members of its
// relations; nil if not all of them are known.
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
	// ManyFinds is the number of finds of a type up to which only searches are made, and no pages
	// are fetched.
	ManyFinds = 16
	// PageRows is the number of rows of a page.
	PageRows = 1000
)

// ErrUnconfirmed is the error for an instance that is missing in an answer about many: it has to
// be asked for alone.
var ErrUnconfirmed = errors.New("not in a common answer")

// Rows holds the rows of instances by type.
//
// For many finds of a type, pages of the whole type cost less than searches for names. But how
// many will follow is unknown, so one page may be fetched for each search that was made (the ski
// rental problem). The total stays within about twice the better of the two ways.
type Rows struct {
	Column   string         // the column by which rows are found: "name" or "id"
	Criteria map[string]any // added to all searches and pages

	keepsFound bool // whether the results of searches are kept, besides pages
	pageFirst  bool // whether the first page is fetched before any search: its rows are short
	mu         *sync.Mutex
	types      map[string]*typeRows
}

// typeRows are the rows of one type.
type typeRows struct {
	asked    int             // how many instances were asked for
	searches int             // how many searches were made
	pages    int             // how many pages were fetched
	start    int             // how many rows the pages had
	columns  map[string]bool // every column that was asked for
	rows     map[string]pageRow
	complete bool // there are no more rows
	disabled bool // pages of the type fail
}

// pageRow is a row and the columns that its page was fetched with.
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

// Find counts a find, and returns the known row as LookUp does.
func (r *Rows) Find(typ, value string, columns []string) (endpoint.Object, error) {
	r.Want(typ, columns)
	r.Ask(typ, 1)
	return r.LookUp(typ, value, columns)
}

// Ask counts instances that are asked for, and returns the total so far. complete reports whether
// the whole type is known.
func (r *Rows) Ask(typ string, instances int) (asked int, complete bool) {
	of, unlock := r.lock(typ)
	defer unlock()
	of.asked += instances
	return of.asked, of.complete
}

// Want adds columns that pages of a type must have, because finds will ask for them.
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

// LookUp returns the row with a name or id if it is known with all the columns, otherwise nil.
// The error is ErrUnconfirmed if the whole type is known and has no such row.
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

// Next returns the page after those that are known. more reports whether there is one, and due
// whether it is worth its request.
func (r *Rows) Next(typ string) (next Page, more, due bool) {
	of, unlock := r.lock(typ)
	defer unlock()
	more = !of.complete && !of.disabled
	due = of.asked > ManyFinds && of.pages < of.searches || r.pageFirst && of.pages == 0
	return Page{Start: of.start, columns: maps.Clone(of.columns)}, more, more && due
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

// Keep adds rows that a search has found, if these Rows keep the results of searches.
func (r *Rows) Keep(typ string, rows map[string]endpoint.Object) {
	of, unlock := r.lock(typ)
	defer unlock()
	for value, row := range rows {
		if r.keepsFound && !endpoint.Deleted(row) {
			of.rows[value] = pageRow{row: row}
		}
	}
}

// LearnNames keeps the names of rows by their ids, for the type that was searched and for their
// own. r must be the IDs of the Knowledge that was present before the rows were asked for.
func (r *Rows) LearnNames(typ string, rows []endpoint.Object) {
	for id, row := range endpoint.RowsBy("id", rows, nil) {
		if endpoint.Deleted(row) || endpoint.CheckIdentity(typ, row) != nil {
			continue
		}
		short := endpoint.Object{}
		for _, field := range []string{"id", "name", "type"} {
			if x, has := row[field]; has {
				short[field] = x
			}
		}
		found := map[string]endpoint.Object{id: short}
		r.Keep(typ, found)
		if own := endpoint.String(row, "type"); own != typ && own != "" {
			r.Keep(own, found)
		}
	}
}

// Complete records the rows of a query of the whole type, or nil if it failed, so that the query
// is not repeated.
func (r *Rows) Complete(typ string, rows []endpoint.Object) {
	r.Keep(typ, endpoint.RowsBy(r.Column, rows, nil))
	of, unlock := r.lock(typ)
	defer unlock()
	of.complete = true
}

// Disable makes Next return no more pages of a type.
func (r *Rows) Disable(typ string) {
	of, unlock := r.lock(typ)
	defer unlock()
	of.disabled = true
}
