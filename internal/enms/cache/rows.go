// This file holds instances by their names or ids, and decides when a page of a type is due.

package cache

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
)

const (
	// ManyFinds is the number of finds of a type up to which no pages are fetched, except for a first one (ManyNames).
	ManyFinds = 16
	// ManyNames is the number of finds of a type, none of them for further columns, from which the first page is
	// fetched before any search: its rows are short, and Terraform, which has ten calls open at a time, is
	// likely to go on.
	ManyNames = 10
	// PageRows is the number of rows of a page.
	PageRows = 1000
)

// ErrUnconfirmed is the error for an instance that is missing in an answer about many. Only a request for this
// instance alone shows whether it exists.
var ErrUnconfirmed = errors.New("not in a common answer")

// Rows holds the rows of instances by type.
//
// For many finds of a type, pages of the whole type cost less than searches for names. But how
// many finds will follow is unknown, so one page may be fetched for each search that was made (the ski
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
	asked    int                 // how many instances were asked for
	searches int                 // how many searches were made
	pages    int                 // how many pages were fetched
	start    int                 // where the next page starts: how many rows the pages had
	columns  map[string]bool     // every column that was asked for
	rows     map[string]knownRow // by name or id
	complete bool                // there are no more rows
	disabled bool                // pages of the type fail
}

// knownRow is a row and the columns that it was fetched with, besides id, name and type.
type knownRow struct {
	row     endpoint.Object
	columns map[string]bool
}

// Page is a page that is to be fetched.
type Page struct {
	Start   int             // how many rows are before it
	Columns map[string]bool // the columns to fetch
}

// lock returns the rows of a type, which may be used until unlock is called. All types have one lock.
func (r *Rows) lock(typ string) (of *typeRows, unlock func()) {
	r.mu.Lock()
	if r.types == nil {
		r.types = map[string]*typeRows{}
	}
	if r.types[typ] == nil {
		r.types[typ] = &typeRows{columns: map[string]bool{}, rows: map[string]knownRow{}}
	}
	return r.types[typ], r.mu.Unlock
}

// Find counts a find of a name or id, and returns the known row as LookUp does.
func (r *Rows) Find(typ, value string, columns []string) (endpoint.Object, error) {
	r.Want(typ, columns)
	r.Ask(typ, 1)
	return r.LookUp(typ, value, columns)
}

// Ask counts instances that are asked for, and returns the total so far. complete reports whether
// nothing remains to be fetched of the type.
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

// Names returns the names (or ids, see Column) of a type that are known.
func (r *Rows) Names(typ string) []string {
	of, unlock := r.lock(typ)
	defer unlock()
	return slices.Collect(maps.Keys(of.rows))
}

// LookUp returns the row with a name or id if it is known with all the columns, otherwise nil.
// The error is ErrUnconfirmed if the whole type is known and has no such row. A row with an invalid name, type or
// id is an error, too.
func (r *Rows) LookUp(typ, value string, columns []string) (endpoint.Object, error) {
	of, unlock := r.lock(typ)
	defer unlock()
	known, has := of.rows[value]
	if !has && of.complete {
		return nil, ErrUnconfirmed
	}
	isMissing := func(column string) bool { return !known.columns[column] }
	if !has || slices.ContainsFunc(columns, isMissing) {
		return nil, nil
	}
	return maps.Clone(known.row), endpoint.CheckIdentity(typ, known.row)
}

// Named returns a known row by its name, or nil. It is for rows whose Column is "id".
func (r *Rows) Named(typ, name string) endpoint.Object {
	of, unlock := r.lock(typ)
	defer unlock()
	for _, known := range of.rows {
		if endpoint.String(known.row, "name") == name {
			return maps.Clone(known.row)
		}
	}
	return nil
}

// Searched counts a search.
func (r *Rows) Searched(typ string) {
	of, unlock := r.lock(typ)
	defer unlock()
	of.searches++
}

// Next returns the page after those that were fetched. more reports whether there may be such a page, and due whether it is,
// in addition, worth a request.
func (r *Rows) Next(typ string) (next Page, more, due bool) {
	of, unlock := r.lock(typ)
	defer unlock()
	more = !of.complete && !of.disabled
	due = of.asked > ManyFinds && of.pages < of.searches ||
		of.pages == 0 && (r.pageFirst || len(of.columns) == 0 && of.asked >= ManyNames)
	return Page{Start: of.start, Columns: maps.Clone(of.columns)}, more, more && due
}

// Add keeps the rows of a page, except those of deleted instances.
func (r *Rows) Add(typ string, fetched Page, rows []endpoint.Object) {
	of, unlock := r.lock(typ)
	defer unlock()
	for value, row := range endpoint.RowsBy(r.Column, rows, nil) {
		if !endpoint.Deleted(row) {
			of.rows[value] = knownRow{row: row, columns: fetched.Columns}
		}
	}
	of.pages++
	of.start += len(rows)
	of.complete = len(rows) < PageRows
}

// Keep adds rows that a search has found, if these Rows keep the results of searches. Only their id, name and type
// count as known.
func (r *Rows) Keep(typ string, rows map[string]endpoint.Object) {
	of, unlock := r.lock(typ)
	defer unlock()
	for value, row := range rows {
		if r.keepsFound && !endpoint.Deleted(row) {
			of.rows[value] = knownRow{row: row}
		}
	}
}

// LearnNames keeps the names of rows by their ids, for the type that was searched and for the row's own type. r
// must be the IDs of the Cache that was current before the rows were asked for: what is read during a write is
// not kept.
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

// Complete records the rows of a query of the whole type, or nil if it failed, so that the query is not repeated.
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
