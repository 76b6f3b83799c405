// Package simulator is an eNMS in memory behind net/http, as awkward as the real
// one on purpose. It is written from enms-rest.md (the numbers in the comments
// are its sections) and knows nothing of the provider's own code, so that it can
// show a mistake of it. Without options it is 4.7 on SQLite with one process;
// each option is one thing that another installation does.
//
// A request comes in at http.go, which finds the worker that answers it (workers.go) and
// the endpoint (endpoints.go). That runs a command on a session of the database: a read
// (read.go, query.go, search.go), a write (upsert.go, assign.go, delete.go, pools.go) or a
// run (run.go, runresult.go, verdict.go). Below are three packages: model has the types of
// eNMS and what it does with them, database keeps their objects, python has the values.
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
			shared: &model.Process{
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
