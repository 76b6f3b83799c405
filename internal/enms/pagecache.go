// The cache of pages: the rows of whole pages of a type, for finds (find.go) and spellings
// (spelling.go). It decides when pages cost less than searches for names.

package enms

import (
	"errors"
	"maps"
	"slices"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
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

// pageCache holds the pages of each type that were fetched. Those for finds are of the
// time since the last write of this client: every write drops all of them, because
// writes reach into other types: deletions cascade, services rename others
// (enms-rest.md 1.5, 3). Those for spellings are kept.
//
// Whoever goes on asking for instances of a type is better served by pages of
// the whole type than by searches for names; but how long it will go on is not
// known. So for each search that was made one page may be fetched (the ski rental
// problem): the total stays within about twice the better of the two ways.
type pageCache struct {
	column     string         // by which rows are found: "name" or "id"
	keepsFound bool           // what searches find is kept as well
	criteria   map[string]any // of all searches and pages

	mu    sync.Mutex
	types map[string]*typePages
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
	of      *typePages // forgotten by now if something was written meanwhile
	start   int
	columns map[string]bool
}

// invalidate forgets everything.
func (p *pageCache) invalidate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.types = map[string]*typePages{}
}

// lock gives the pages of a type, which may be used until unlock is called.
func (p *pageCache) lock(typ string) (of *typePages, unlock func()) {
	p.mu.Lock()
	if p.types[typ] == nil {
		p.types[typ] = &typePages{columns: map[string]bool{}, rows: map[string]pageRow{}}
	}
	return p.types[typ], p.mu.Unlock
}

// current are the pages of a type as long as nothing is written.
func (p *pageCache) current(typ string) *typePages {
	of, unlock := p.lock(typ)
	defer unlock()
	return of
}

// find counts a find and looks for its answer.
func (p *pageCache) find(typ, value string, columns []string) (Object, error) {
	p.want(typ, columns)
	of, unlock := p.lock(typ)
	of.finds++
	unlock()
	return p.lookUp(typ, value, columns)
}

// want notes columns that finds of a type will ask for.
func (p *pageCache) want(typ string, columns []string) {
	of, unlock := p.lock(typ)
	defer unlock()
	for _, column := range columns {
		of.columns[column] = true
	}
}

// names are those of the rows of a type that are known.
func (p *pageCache) names(typ string) []string {
	of, unlock := p.lock(typ)
	defer unlock()
	return slices.Collect(maps.Keys(of.rows))
}

// count is how many rows of a type are known.
func (p *pageCache) count(typ string) int {
	of, unlock := p.lock(typ)
	defer unlock()
	return len(of.rows)
}

// following is the page after those that are known, if there is more.
func (p *pageCache) following(typ string) (following page, more bool) {
	of, unlock := p.lock(typ)
	defer unlock()
	return of.following(), !of.complete && !of.disabled
}

func (of *typePages) following() page {
	return page{of: of, start: of.start, columns: maps.Clone(of.columns)}
}

// lookUp gives the row of a name or id, when it is known with all the columns. The
// error is errUnconfirmed when the whole type is known without it, nil when nothing is
// known.
func (p *pageCache) lookUp(typ, value string, columns []string) (Object, error) {
	of, unlock := p.lock(typ)
	defer unlock()
	known, has := of.rows[value]
	if !has && of.complete {
		return nil, errUnconfirmed
	}
	for _, column := range columns {
		has = has && known.columns[column]
	}
	if !has {
		return nil, nil
	}
	return maps.Clone(known.row), endpoint.CheckIdentity(typ, known.row)
}

// searched counts a search.
func (p *pageCache) searched(typ string) {
	of, unlock := p.lock(typ)
	defer unlock()
	of.searches++
}

// next tells whether a page of the type is due, and which.
func (p *pageCache) next(typ string) (next page, due bool) {
	of, unlock := p.lock(typ)
	defer unlock()
	due = of.finds > manyFinds && of.pages < of.searches && !of.complete && !of.disabled
	return of.following(), due
}

// add keeps the rows of a page.
func (p *pageCache) add(fetched page, rows []Object) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for value, row := range endpoint.RowsBy(p.column, rows, nil) {
		fetched.of.rows[value] = pageRow{row: row, columns: fetched.columns}
	}
	fetched.of.pages++
	fetched.of.start += len(rows)
	fetched.of.complete = len(rows) < pageRows
}

// keep keeps rows that a search has found.
func (p *pageCache) keep(of *typePages, rows map[string]Object) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for value, row := range rows {
		if p.keepsFound && !endpoint.Deleted(row) {
			of.rows[value] = pageRow{row: row}
		}
	}
}

// disable stops pages of a type.
func (p *pageCache) disable(typ string) {
	of, unlock := p.lock(typ)
	defer unlock()
	of.disabled = true
}
