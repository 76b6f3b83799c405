// Package simulator is an eNMS in memory behind net/http, as awkward as the real
// one on purpose. It is written from enms-rest.md (the numbers in the comments
// are its sections) and knows nothing of the provider's own code, so that it can
// show a mistake of it. Without options it is 4.7 on SQLite with one process;
// each option is one thing that another installation does.
//
// A request comes in at http.go, which finds the worker that answers it (workers.go), what
// the worker sees of the database, and the endpoint (endpoints.go). That runs a command in a
// session: read.go, search.go, upsert.go, delete.go, pools.go, run.go. Below are packages that
// go one way: model has the types of eNMS and what it does with them, database keeps their
// objects, scheduler has the jobs, python the values.
package simulator

import (
	"net/http"
	"sync"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/scheduler"
)

// Server is one simulated eNMS. It is an http.Handler and safe for concurrent use.
type Server struct {
	requestLog
	core chan struct{} // one slot: the Python process of a serial server

	mu      sync.Mutex // guards everything below
	eNMS    *installation
	db      *database.Database
	workers *workers
	window  window
}

var _ http.Handler = (*Server)(nil)

// New starts a freshly installed eNMS: the services "[Shared] Start",
// "[Shared] End", "[Shared] Placeholder" and "cluster_monitoring", an inactive
// task "Cluster Monitoring" on the last, the pools "All objects", "Devices only"
// and "Links only" without members, the user admin with the password admin.
//
// It panics when the options are wrong; see Options.Check.
func New(opts Options) *Server {
	types, err := opts.schema()
	if err != nil {
		panic("simulator: " + err.Error())
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Location == nil {
		opts.Location = time.UTC
	}
	s := &Server{
		requestLog: requestLog{to: opts.Log},
		core:       make(chan struct{}, 1),
		eNMS: &installation{
			opts:    opts,
			results: map[string]*result{},
			process: &model.Process{
				Now:  func() time.Time { return opts.Now().In(opts.Location) },
				Jobs: scheduler.New(opts.Location),
			},
		},
		db:     database.New(opts.Database, types),
		window: window{most: opts.RequestLimit, length: opts.RequestWindow},
	}
	s.workers = newWorkers(s.db, opts.Workers, opts.StaleReads)
	s.eNMS.begin(s.db, nil).install()
	return s
}

// HoldSnapshots has every worker hold on to the database as it is now, as if each
// had just refused a request. It does nothing without Options.StaleReads.
func (s *Server) HoldSnapshots() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.workers.all {
		s.workers.hold(w)
	}
}

// SetScheduler sets whether the server can reach its scheduler. While it cannot,
// reading a task gives "Scheduler Unreachable", a POST leaves is_active as sent,
// a task cannot be deleted (500), and no job runs (enms-rest.md 1.8, 3).
func (s *Server) SetScheduler(reachable bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.eNMS.process.Jobs.Reachable = reachable
}

// Jobs returns the scheduler's jobs and their next runs, "YYYY-MM-DD HH:MM:SS" in
// server-local time, or "Not Scheduled" when paused. A job goes by the name of the
// task that has its id, or by the id alone when there is no such task: what the
// deletion of a service leaves behind (enms-rest.md 3).
func (s *Server) Jobs() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runJobs()
	jobs := map[string]string{}
	for _, id := range s.eNMS.process.Jobs.IDs() {
		name := id
		if task := s.db.ByID("task", id); task != nil {
			name = task.Name()
		}
		jobs[name] = s.eNMS.process.Jobs.NextText(id)
	}
	return jobs
}

// runJobs runs what has come due since the last look, as the scheduler does by calling
// /rest/run_task as admin. A task that is gone answers 403, which interests nobody.
func (s *Server) runJobs() {
	if !s.eNMS.process.Jobs.Reachable {
		return
	}
	for _, id := range s.eNMS.process.Jobs.Due(s.eNMS.process.Now()) {
		c := s.eNMS.begin(s.db, s.db.ByName("user", "admin"))
		if _, err := c.runTask([]string{id}, nil); err != nil || c.Commit() != nil {
			c.Rollback()
		}
	}
}
