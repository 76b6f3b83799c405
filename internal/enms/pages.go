// What a plan has read of a type: whole pages of it, kept until the next write.

package enms

import (
	"errors"
	"maps"
	"sync"
)

const (
	// manyFinds is how many finds of a type make it worth to look at pages at
	// all; below, searches are cheap enough.
	manyFinds = 32
	// pageRows is how many rows a page has.
	pageRows = 1000
)

// errUnconfirmed sends a caller to ask for its instance alone.
var errUnconfirmed = errors.New("not in a common answer")

// pages holds the pages of each type that were fetched since the last write of
// this client. Every write drops all of them, because writes reach into other
// types: deletions cascade, services rename others (enms-rest.md 1.5, 3).
//
// Whoever goes on asking for instances of a type is better served by pages of
// the whole type than by searches for names; but how long it will go on is not
// known. So for each search that was made one page may be fetched (the ski rental
// problem): the total stays within about twice the better of the two ways.
type pages struct {
	mu sync.Mutex
	// generation counts the beginnings and ends of writes, so that what was
	// asked before the end of one is not kept.
	generation uint64
	types      map[string]*typePages
}

// typePages are the pages of one type.
type typePages struct {
	finds    int
	searches int             // made for the finds
	pages    int             // fetched
	start    int             // rows fetched
	columns  map[string]bool // every column that was asked for
	rows     map[string]pageRow
	complete bool // a page was short: there are no more rows
	disabled bool // pages of the type fail
}

// pageRow is a row and the columns that its page had.
type pageRow struct {
	row     Object
	columns map[string]bool
}

// page is a page that is to be fetched.
type page struct {
	generation uint64
	start      int
	columns    map[string]bool
}

// invalidate forgets everything.
func (p *pages) invalidate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.generation++
	clear(p.types)
}

// with calls do with the pages of a type.
func (p *pages) with(typ string, do func(*typePages)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.types == nil {
		p.types = map[string]*typePages{}
	}
	if p.types[typ] == nil {
		p.types[typ] = &typePages{columns: map[string]bool{}, rows: map[string]pageRow{}}
	}
	do(p.types[typ])
}

// find counts a find and looks for its answer.
func (p *pages) find(typ, name string, columns []string) (Object, error) {
	p.with(typ, func(of *typePages) {
		of.finds++
		for _, column := range columns {
			of.columns[column] = true
		}
	})
	return p.lookUp(typ, name, columns)
}

// lookUp gives the row of name, when it is known with all the columns. The error
// is errUnconfirmed when the whole type is known without it, nil when nothing
// is known.
func (p *pages) lookUp(typ, name string, columns []string) (row Object, err error) {
	p.with(typ, func(of *typePages) {
		known, has := of.rows[name]
		if !has && of.complete {
			err = errUnconfirmed
		}
		for _, column := range columns {
			has = has && known.columns[column]
		}
		if has {
			row, err = maps.Clone(known.row), checkIdentity(typ, known.row)
		}
	})
	return row, err
}

// searched counts a search.
func (p *pages) searched(typ string) {
	p.with(typ, func(of *typePages) { of.searches++ })
}

// next tells whether a page of the type is due, and which.
func (p *pages) next(typ string) (next page, due bool) {
	p.with(typ, func(of *typePages) {
		due = of.finds > manyFinds && of.pages < of.searches && !of.complete && !of.disabled
		next = page{generation: p.generation, start: of.start, columns: maps.Clone(of.columns)}
	})
	return next, due
}

// add keeps the rows of a page, unless something was written meanwhile.
func (p *pages) add(typ string, fetched page, rows []Object) {
	p.with(typ, func(of *typePages) {
		if p.generation != fetched.generation {
			return
		}
		for name, row := range byName(rows, nil) {
			of.rows[name] = pageRow{row: row, columns: fetched.columns}
		}
		of.pages++
		of.start += len(rows)
		of.complete = len(rows) < pageRows
	})
}

// disable stops pages of a type.
func (p *pages) disable(typ string) {
	p.with(typ, func(of *typePages) { of.disabled = true })
}
