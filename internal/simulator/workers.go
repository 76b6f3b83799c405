// The processes that answer, and what each of them still sees of the past.
//
// A process that has looked at the database to check credentials, or to show the
// login page, and then answers without going on to an endpoint leaves its
// transaction open. With REPEATABLE READ the next request that it answers reads
// from the database as it was then; at the end of that request the transaction is
// closed. A process whose transaction is open already keeps the older view.

package simulator

import (
	"maps"
	"slices"
)

// worker is one process.
type worker struct {
	snapshot *Server // the database as the open transaction sees it; nil without one
}

// HoldSnapshots has every worker hold on to the database as it is now, as if each
// had just refused a request. It does nothing without Options.StaleReads.
func (s *Server) HoldSnapshots() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.workers {
		s.hold(w)
	}
}

// loginPage has the next worker show the page, for which it looks at the database.
func (s *Server) loginPage() {
	w := s.turn()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hold(w)
}

// turn is the worker that answers the next request.
func (s *Server) turn() *worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := s.workers[s.turns%len(s.workers)]
	s.turns++
	return w
}

// hold opens a worker's transaction, unless it is open.
func (s *Server) hold(w *worker) {
	if !s.opts.StaleReads || w.snapshot != nil {
		return
	}
	for _, other := range s.workers { // what two see at the same time is the same
		if other.snapshot != nil && other.snapshot.changes == s.changes {
			w.snapshot = other.snapshot
			return
		}
	}
	w.snapshot = s.snapshot()
}

// seen is the database as a worker sees it.
func (s *Server) seen(w *worker) *Server {
	if w.snapshot != nil {
		return w.snapshot
	}
	return s
}

// release ends a worker's transaction and gives what it saw to one request, which
// may write on it when nobody else sees the same.
func (s *Server) release(w *worker, writes bool) *Server {
	view := s.seen(w)
	w.snapshot = nil
	shared := func(other *worker) bool { return other.snapshot == view }
	if view != s && writes && slices.ContainsFunc(s.workers, shared) {
		view = view.snapshot()
		view.live = s
	}
	return view
}

// snapshot is the server with a copy of its database; all else is shared.
func (s *Server) snapshot() *Server {
	view := &Server{opts: s.opts, db: s.db, missing: s.missing, scheduler: s.scheduler, results: s.results,
		allowed: s.allowed, live: s, changes: s.changes, tables: map[string]*table{}, names: map[string]map[string]*object{}}
	copies := map[*object]*object{}
	for name, t := range s.tables {
		fresh := &table{byID: make(map[int64]*object, len(t.byID)), ordered: make([]*object, 0, len(t.ordered)), last: t.last}
		for _, o := range t.ordered {
			c := *o
			copies[o] = &c
			fresh.byID[o.id] = &c
			fresh.ordered = append(fresh.ordered, &c)
		}
		view.tables[name] = fresh
	}
	for o, c := range copies {
		c.values = maps.Clone(o.values)
		c.ones = make(map[string]*object, len(o.ones))
		for relation, target := range o.ones {
			c.ones[relation] = copies[target]
		}
		c.sets = make(map[string]*refs, len(o.sets))
		for relation, set := range o.sets {
			list := slices.Clone(set.list)
			for i := range list {
				list[i] = copies[list[i]]
			}
			c.sets[relation] = newRefs(list)
		}
	}
	for space, known := range s.names {
		view.names[space] = make(map[string]*object, len(known))
		for name, o := range known {
			view.names[space][name] = copies[o]
		}
	}
	return view
}
