// What happens to a server as a whole (0.6): restores from migration files, snapshots, clones. And how its changelog
// misbehaves (11.9).

package simulator

import (
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/scheduler"
)

// Shuffle orders n objects by swapping them, such as rand.Shuffle.
type Shuffle = database.Shuffle

// Restore has the effect of migration files that are imported into a new, empty database: the objects have exchanged
// their ids, as shuffle orders them, and the changelog begins anew, with what an installation and an import write
// to it. Properties stay, on 5.3 also creation_time (enms-rest.md 0.6).
func (s *Server) Restore(shuffle Shuffle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emptyChangelog("")
	s.db.ResetIDs("changelog")
	s.renumbered(s.db.Renumber("task", shuffle))
	c := s.eNMS.begin(s.db, nil)
	for _, o := range []*database.Object{c.ByName("user", "admin"), c.ByName("server", model.ServerName)} {
		if o != nil {
			c.NoteCreation(o)
		}
	}
	c.noteImport()
}

// RestoreInPlace has the effect of migration files that are imported into the database from which they come, after it
// was emptied: each object gets the id that a new one gets, in the order that shuffle makes (nil: that of their ids).
// With SQLite, where new ids follow the greatest one in use, some objects keep their ids, and others get those of each
// other; with other databases, all ids are new. The administrator, the services that cannot be deleted and servers keep their
// ids. The changelog stays as it is, and contains the import, but neither deletions nor creations.
func (s *Server) RestoreInPlace(shuffle Shuffle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if shuffle == nil {
		shuffle = func(int, func(i, j int)) {}
	}
	c := s.eNMS.begin(s.db, s.db.ByName("user", "admin"))
	for _, entry := range c.All("changelog") { // of 5.3
		for _, r := range entry.Type.Columns {
			if o := entry.One(r.Name); o != nil && isRestored(o) {
				c.SetOne(entry, r, nil)
			}
		}
	}
	c.mustCommit()
	s.renumbered(s.db.Reinsert("task", isRestored, shuffle))
	c.noteImport()
}

// isRestored reports whether a restore in place deletes an object and imports it again.
func isRestored(o *database.Object) bool {
	isOther := slices.Contains([]string{"server", "worker", "file", "snippet", "run", "result", "changelog"}, o.Type.Class)
	return !isOther && !isInstalledAdmin(o) && !model.IsProtected(o)
}

// renumbered has everything beside the database follow a change of the ids of tasks.
func (s *Server) renumbered(tasks map[int64]int64) {
	s.eNMS.process.Jobs.Renumber(tasks)
	s.forgetViews()
}

// forgetViews ends the transactions of the workers.
func (s *Server) forgetViews() {
	for _, w := range s.workers.all {
		w.snapshot = nil
	}
}

// Snapshot is a copy of a server: its whole database, with the changelog and what the database knows of ids, and the
// jobs of its scheduler.
type Snapshot struct {
	db      *database.Database
	jobs    *scheduler.Scheduler
	results map[string]*result
	allowed any
}

// Snapshot returns a copy of the server as it is now. A run that is not over never ends in the copy.
func (s *Server) Snapshot() *Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snapshot()
}

func (s *Server) snapshot() *Snapshot {
	results := maps.Clone(s.eNMS.results)
	for runtime, r := range results {
		if r.answer == nil {
			results[runtime] = &result{}
		}
	}
	return &Snapshot{s.db.Copy(), s.eNMS.process.Jobs.Copy(), results, s.eNMS.process.AllowedAutomation}
}

// Rollback takes the server back to a snapshot, which may be used again, and starts it.
func (s *Server) Rollback(to *Snapshot) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.become(to)
}

func (s *Server) become(other *Snapshot) {
	reachable := s.eNMS.process.Jobs.Reachable
	s.db.Become(other.db.Copy())
	s.eNMS.process.Jobs, s.eNMS.results = other.jobs.Copy(), maps.Clone(other.results)
	s.eNMS.process.Jobs.Reachable, s.eNMS.process.AllowedAutomation = reachable, other.allowed
	s.eNMS.process.Silent = false
	s.forgetViews()
	s.eNMS.begin(s.db, nil).noteStart()
}

// noteStart records the start of the server, in its own object, and so in the changelog.
func (c *command) noteStart() {
	if server := c.ByName("server", model.ServerName); server != nil {
		c.Set(server, "last_restart", c.Now().Format("2006-01-02 15:04:05.000000"))
	}
	c.mustCommit()
}

// Clone returns another server with the same options, which starts with a copy of the database. Package simtest
// serves it.
func (s *Server) Clone() *Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := New(s.eNMS.opts)
	c.become(s.snapshot())
	return c
}

// SetLogging sets whether changes are in the changelog. Without, creations, changes and deletions by anybody leave no
// entry. On a real server, it is a single process that falls silent (enms-rest.md 11.9).
func (s *Server) SetLogging(on bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.eNMS.process.Silent = !on
}

// EmptyChangelog deletes the entries of the changelog that are older than a time, such as "2029-01-03 12:00:00", or all
// for "". With SQLite, the ids of an empty changelog then begin at 1 again.
func (s *Server) EmptyChangelog(before string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.emptyChangelog(before)
}

func (s *Server) emptyChangelog(before string) {
	c := s.eNMS.begin(s.db, nil)
	for _, entry := range c.All("changelog") {
		if before == "" || entry.Text("time") < before {
			c.Erase(entry)
		}
	}
	c.mustCommit()
}

// ReserveEntries takes the next n ids of the changelog, as a worker does whose transaction is not committed yet. Once
// the function that it returns was called, the next n entries get them: they become visible after entries with greater
// ids. With SQLite, where this cannot happen, the entries get the ids that follow.
func (s *Server) ReserveEntries(n int) (use func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	appear := s.db.ReserveIDs("changelog", n)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		appear()
	}
}
