// What a plan knows of a type. Whoever goes on asking for instances of a type
// is better served by pages of the whole type than by searches for names; but
// how long it will go on is not known. So for each search that was made one
// page may be fetched, the way one decides between renting and buying skis:
// the total stays within about twice the better of the two ways.

package enms

import (
	"context"
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

// views holds what is known of each type since the last write of this client.
// Every write drops all of it, because writes reach into other types: deletions
// cascade, services rename others (enms-rest.md 1.5, 3).
type views struct {
	mu sync.Mutex
	// generation counts the beginnings and ends of writes, so that what was
	// asked before the end of one is not kept.
	generation uint64
	types      map[string]*view
}

// view is what is known of one type.
type view struct {
	asked    int             // finds
	searches int             // searches made for them
	pages    int             // pages fetched
	start    int             // rows fetched
	columns  map[string]bool // every column that was asked for
	rows     map[string]viewRow
	complete bool // a page was short: there are no more rows
	barred   bool // pages of the type fail
}

// viewRow is a row and the columns that its page had.
type viewRow struct {
	row     Object
	columns map[string]bool
}

// page is a page that is to be fetched.
type page struct {
	generation uint64
	start      int
	columns    map[string]bool
}

func newViews() *views { return &views{types: map[string]*view{}} }

// drop forgets everything.
func (v *views) drop() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.generation++
	clear(v.types)
}

// of gives the view of a type. The caller holds the lock.
func (v *views) of(typ string) *view {
	if v.types[typ] == nil {
		v.types[typ] = &view{columns: map[string]bool{}, rows: map[string]viewRow{}}
	}
	return v.types[typ]
}

// ask counts a find and looks for its answer.
func (v *views) ask(typ, name string, columns []string) (Object, error) {
	v.mu.Lock()
	of := v.of(typ)
	of.asked++
	for _, column := range columns {
		of.columns[column] = true
	}
	v.mu.Unlock()
	return v.look(typ, name, columns)
}

// look gives the row of name, when it is known with all the columns. The error
// is errUnconfirmed when the whole type is known without it, nil when nothing
// is known.
func (v *views) look(typ, name string, columns []string) (Object, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	of := v.of(typ)
	known, has := of.rows[name]
	if !has {
		if of.complete {
			return nil, errUnconfirmed
		}
		return nil, nil
	}
	for _, column := range columns {
		if !known.columns[column] {
			return nil, nil
		}
	}
	return maps.Clone(known.row), checkIdentity(typ, known.row)
}

// searched counts a search.
func (v *views) searched(typ string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.of(typ).searches++
}

// nextPage tells whether a page of the type is due, and which.
func (v *views) nextPage(typ string) (page, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	of := v.of(typ)
	due := of.asked > manyFinds && of.pages < of.searches && !of.complete && !of.barred
	return page{generation: v.generation, start: of.start, columns: maps.Clone(of.columns)}, due
}

// enter keeps the rows of a page, unless something was written meanwhile.
func (v *views) enter(typ string, p page, rows []Object) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.generation != p.generation {
		return
	}
	of := v.of(typ)
	for name, row := range byName(rows, func(string) bool { return true }) {
		of.rows[name] = viewRow{row: row, columns: p.columns}
	}
	of.pages++
	of.start += len(rows)
	of.complete = len(rows) < pageRows
}

// bar stops pages of a type.
func (v *views) bar(typ string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.of(typ).barred = true
}

// fetchPage fetches a page. One damaged row makes eNMS answer 500 to whatever
// includes it (enms-rest.md 5.1): then the type is not paged any longer.
func (c *Client) fetchPage(ctx context.Context, typ string, p page) error {
	rows, err := c.searchUnchecked(ctx, Search{
		Type: typ, Columns: columnList(p.columns), Start: p.start, Limit: pageRows,
	})
	if Refused(err) {
		c.views.bar(typ)
		return nil
	}
	if err != nil {
		return err
	}
	c.views.enter(typ, p, rows)
	return nil
}
