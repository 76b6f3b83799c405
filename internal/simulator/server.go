// Package simulator is an eNMS in memory behind net/http, with the peculiarities of the real one. It is
// written from enms-rest.md (the numbers in the comments are its sections). It shares no code with the
// provider, so that a mistake in one is not repeated in the other. Without options it is eNMS 4.7 on SQLite
// with one process; each option is one difference of another installation.
//
// http.go receives a request. It finds the worker that answers the request, what the worker sees of the
// database, and the endpoint. The endpoint runs a command in a session:
//
//	server.go        the server and its options
//	http.go          paths, authentication, the table of endpoints
//	workers.go       the processes, and what each sees of the database
//	installation.go  what differs between servers, and what a command works with
//	read.go          reads by name and by equality;  search.go  POST /rest/search
//	write.go         writes;  assign.go  what a write does with each property
//	delete.go        deletions
//	bulk.go          endpoints that change many objects
//	run.go           runs of services: runrequest.go, execution.go, snippet.go, verdict.go
//	reply.go         answers and errors as HTTP
//	data.go          instances from a file and to a file;  dataentry.go  one of them
//	restore.go       restores, snapshots, clones, and a changelog that misbehaves
//
// Packages below, each of which may import those after it: model has the types of eNMS and what eNMS does
// with their objects; database stores the objects; scheduler has the jobs; python has the values.
package simulator

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/scheduler"
)

// Server is one simulated eNMS. It is an http.Handler and safe for concurrent use.
type Server struct {
	requestLog
	core chan struct{} // a slot for each Python process of a serial server

	mu      sync.Mutex // guards everything below
	eNMS    *installation
	db      *database.Database
	workers *workers
	window  window
}

var _ http.Handler = (*Server)(nil)

// New returns a new installation of eNMS, whose instances install creates. It panics if the options are
// invalid; see Options.Check.
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
		core:       make(chan struct{}, max(1, opts.Workers)),
		eNMS: &installation{
			opts:    opts,
			results: map[string]*result{},
			process: &model.Process{
				Version: opts.Version,
				Now:     func() time.Time { return opts.Now().In(opts.Location) },
				Jobs:    scheduler.New(opts.Location, opts.Version == V53),
			},
		},
		db:     database.New(opts.Database, types),
		window: window{most: opts.RequestLimit, length: opts.RequestWindow},
	}
	s.workers = newWorkers(s.db, opts.Workers, opts.StaleReads)
	s.eNMS.begin(s.db, nil).install()
	return s
}

// HoldSnapshots has every worker keep its view of the database as it is now, as if each had just refused
// a request. It does nothing without Options.StaleReads.
func (s *Server) HoldSnapshots() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, w := range s.workers.all {
		s.workers.hold(w)
	}
}

// SetScheduler sets whether the server can reach its scheduler. Otherwise, the next run of each task is
// "Scheduler Unreachable", a POST leaves is_active as sent, a task cannot be deleted (500), and no job runs
// (enms-rest.md 1.8, 3).
func (s *Server) SetScheduler(reachable bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.eNMS.process.Jobs.Reachable = reachable
}

// LoseJobs drops the jobs of all tasks, as if somebody had deleted the scheduler's own database: a task has no next run
// until it is written again (enms-rest.md 1.8).
func (s *Server) LoseJobs() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.eNMS.process.Jobs.Renumber(nil)
}

// Jobs returns the next runs of the scheduler's jobs, as "YYYY-MM-DD HH:MM:SS" in the server's local time,
// or "Not Scheduled" for a paused job. The key is the name of the task, or its id if the task was deleted
// together with its service, because its job remains (enms-rest.md 3).
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

// runJobs runs the tasks that have become due since the last call, as the scheduler does by POST
// /rest/run_task as admin. The 403 for a task that does not exist is ignored.
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

// install creates the instances that every eNMS has, without owners, because no user is logged in. The changelog has
// only the user and the server, as eNMS imports the others. It panics after an error, which shows a mistake in the
// tables of package model.
func (c *command) install() {
	admin := c.NewObject("user")
	c.Set(admin, "name", "admin")
	c.Set(admin, "is_admin", true)
	c.Set(admin, "password", "admin")
	c.Pend(admin)
	c.mustCommit()

	allowed := []any{"scheduler", "rest_api", "application"}
	if c.Version == V53 {
		c.Set(admin, "email", "admin@enms.io")
		c.mustUpsert("server", python.Pairs("name", model.ServerName, "version", "5.1", "allowed_automation", allowed))
	} else {
		c.mustUpsert("server", python.Pairs("name", model.ServerName, "description", "Localhost", "status", "Up", "allowed_automation", allowed))
	}
	c.mustCommit()
	_ = c.quietly(c.installShipped)
	c.noteImport()
}

// installShipped adds the instances that come with eNMS.
func (c *command) installShipped() error {
	if c.Version == V53 {
		c.mustUpsert("store", python.Pairs("name", ">Secrets", "scoped_name", "Secrets", "data_type", "secret"))
		c.installShared()
		return nil
	}
	for _, pool := range []*python.Dict{
		python.Pairs("name", "All objects", "device_name", ".*", "device_name_match", "regex", "link_name", ".*", "link_name_match", "regex"),
		python.Pairs("name", "Devices only", "device_name", ".*", "device_name_match", "regex"),
		python.Pairs("name", "Links only", "link_name", ".*", "link_name_match", "regex"),
	} {
		c.mustUpsert("pool", pool.Merged(python.Pairs("description", pool.Get("name"), "last_modified", shipped, "migration_import", true)))
	}
	c.installShared()
	c.mustUpsert("task", python.Pairs("name", "Cluster Monitoring", "service", "cluster_monitoring",
		"description", "Monitor eNMS cluster", "frequency", int64(15), "import_mechanism", true))
	c.mustCommit()
	return nil
}

// noteImport adds the entries of an import, of which eNMS writes some more.
func (c *command) noteImport() {
	c.Note(nil, "", "Starting Migration Import", nil)
	c.Note(nil, "", "Import successful (execution time: 0:00:00.398261s)", nil)
	c.mustCommit()
}

// installShared adds the services that come with eNMS.
func (c *command) installShared() {
	common := python.Pairs("creator", "admin", "skip_value", "success", "postprocessing_mode", "always", "last_modified", shipped, "migration_import", true)
	if c.Version == V53 {
		common = common.Merged(python.Pairs("priority", int64(11), "validation_method", "text", "last_modified_by", "admin", "path", ""))
	}
	for _, service := range []*python.Dict{
		python.Pairs("name", "[Shared] Start", "scoped_name", "Start", "shared", true, "path", "1",
			"description", "Start point of a workflow", "validation_method", "none"),
		python.Pairs("name", "[Shared] End", "scoped_name", "End", "shared", true, "path", "2",
			"description", "End point of a workflow", "validation_method", "none"),
		python.Pairs("name", "cluster_monitoring", "scoped_name", "cluster_monitoring", "path", "3",
			"description", "Monitor eNMS cluster", "validation_method", "none"),
		python.Pairs("name", "[Shared] Placeholder", "scoped_name", "Placeholder", "shared", true, "path", "4",
			"device_query_property", "name", "iteration_devices_property", "name", "display_only_failed_nodes", false,
			"include_device_results", false, "include_link_in_summary", false, "max_processes", int64(15)),
	} {
		if c.Version == V47 || service.Get("name") != "cluster_monitoring" {
			c.mustUpsert("swiss_army_knife_service", service.Merged(common))
			c.mustCommit()
		}
	}
}

// shipped is when the instances that come with eNMS were last modified.
const shipped = "2019-06-24 07:19:52.482457"

func (c *command) mustUpsert(typ string, entry *python.Dict) {
	if _, err := c.upsert(typ, entry); err != nil {
		panic(err)
	}
}

func (c *command) mustCommit() {
	if err := c.Commit(); err != nil {
		panic(err)
	}
}

// Request is one request in the log of the server.
type Request struct {
	// Path is decoded and has no query.
	Method, Path string
	// RawQuery is the query as it was sent, without the question mark.
	RawQuery string
	// Type is the instance type, or "".
	Type string
	// Status is the HTTP status of the answer.
	Status int
	// Entries is the number of list members in the body. It is 1 for an object, and 0 for an empty object
	// or a body that is not JSON.
	Entries int
	// Answered is the number of instances in the answer: the rows of a list, 1 for an object, the names in
	// success of an upsert, 0 for an error.
	Answered int
	// Duration is the real time that the request took, including the time that it waited for the server.
	Duration time.Duration
	// At is the time at which the server began with the request, by the server's clock.
	At time.Time
}

// requestLog has a lock of its own so that tests can look while a request runs.
type requestLog struct {
	to io.Writer // nil for none

	mu       sync.Mutex // guards requests
	requests []Request
}

// Requests returns a copy of the log since New or the last ResetRequests.
func (l *requestLog) Requests() []Request {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.requests)
}

// ResetRequests empties the log.
func (l *requestLog) ResetRequests() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = nil
}

func (l *requestLog) note(r Request) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = append(l.requests, r)
	if l.to != nil {
		_, _ = fmt.Fprintf(l.to, "%s %q %d entries=%d %s\n", r.Method, r.Path, r.Status, r.Entries,
			r.Duration.Round(time.Microsecond))
	}
}
