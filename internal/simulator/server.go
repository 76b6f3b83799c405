// Package simulator is an eNMS in memory behind net/http, as awkward as the real
// one on purpose. It is written from enms-rest.md (the numbers in the comments
// are its sections) and knows nothing of the provider's own code, so that it can
// show a mistake of it. Without options it is 4.7 on SQLite with one process;
// each option is one thing that another installation does.
package simulator

import (
	"io"
	"net/http"
	"sync"
	"time"
)

// Options says what a simulated server costs and where it tells what it did.
// The zero value is a server that answers at once and logs nothing.
type Options struct {
	// Latency is what each request with a known user's credentials costs, as the
	// password check of the real server does (enms-rest.md 7, Cost). With Serial
	// it is spent while holding the server's one core.
	Latency time.Duration
	// Serial has requests answered one at a time in the order of their arrival,
	// as one Python process does.
	Serial bool
	// Log receives one line a request: method, path, status, number of entries
	// in the body, duration. Never credentials, never bodies. nil: none.
	Log io.Writer
	// Now is the server's clock; it is asked from several goroutines. nil: time.Now.
	Now func() time.Time
	// Location is the zone of the server's local time, in which it reads start
	// dates and crontab expressions and writes every timestamp. nil: UTC.
	Location *time.Location

	// RunPolls is how many questions about the result of an asynchronous run are
	// answered that it is running, before it is over. 0: it is over at once.
	RunPolls int

	// Database is what the server keeps its instances in.
	Database Database

	// Workers is how many processes answer, each request the next one of them. 0
	// is one.
	Workers int
	// StaleReads has a worker that answered a request without looking at an
	// instance (401, 403 for the endpoint, 404, a body that is no JSON, the login
	// page) read from the database as it was then when it answers the next one, as
	// REPEATABLE READ does. See Server.HoldSnapshots.
	StaleReads bool

	// NoMatch403 answers a query without a match with 403, unless it asks for
	// allow_none: eNMS before June 2023.
	NoMatch403 bool
	// AllowNone500 breaks queries that ask for allow_none: development builds of
	// summer 2023.
	AllowNone500 bool
	// MissingFields are properties that the server does not know, such as
	// "service.disabled": it ignores them when they are sent and never shows them.
	MissingFields []string
	// NoNode takes the type node away, which older servers do not have.
	NoNode bool
	// GenericDevice has plain devices of the type generic_device, a subtype of
	// device, and no type node.
	GenericDevice bool
	// SiteTypes adds types of a site's own: rack and collector, with tables of their
	// own, and site_service, a service.
	SiteTypes bool
	// IgnoreNewName takes new_name for an unknown property: eNMS before March 2022.
	IgnoreNewName bool
	// SoftDeleted gives services a flag soft_deleted, which hides nothing from the
	// REST interface.
	SoftDeleted bool
	// CommitFailures commits each entry of a list by itself and tells what the
	// database refuses as a failure of the entry, instead of 500 for all.
	CommitFailures bool
	// DeleteAnswer is what a deletion answers.
	DeleteAnswer DeleteAnswer
	// DeleteRefusal is what a deletion answers that eNMS does not allow.
	DeleteRefusal DeleteRefusal
	// RequestLimit is how many requests are answered in each RequestWindow; those
	// beyond get 429. 0 is any number.
	RequestLimit int
	// RequestWindow is the time that RequestLimit is for. 0 is a minute.
	RequestWindow time.Duration
	// NoREST takes the REST interface away: every path under /rest/ is 404.
	NoREST bool
	// BrokenLogin answers every request that brings credentials with an error page,
	// as a server does whose Werkzeug is too new for it.
	BrokenLogin bool
}

// Server is one simulated eNMS. It is an http.Handler and safe for concurrent use.
type Server struct {
	opts    Options
	db      *dialect
	missing map[string][]string // types that lack a property
	core    chan struct{}       // one slot: the Python process of a serial server

	mu        sync.Mutex // guards everything below
	workers   []*worker
	turns     int // requests that were given to workers
	window    window
	changes   int64 // commits that may have changed something
	tables    map[string]*table
	names     map[string]map[string]*object // name space -> committed name -> object
	scheduler *scheduler
	results   map[string]*result // by runtime
	allowed   *any               // allowed_automation of the server object last POSTed (1.14)
	live      *Server            // what a snapshot is one of; nil for the server itself

	logMu    sync.Mutex // guards the request log, apart from mu so that tests can look while a request runs
	requests []Request
}

var _ http.Handler = (*Server)(nil)

// New starts a freshly installed eNMS: the services "[Shared] Start",
// "[Shared] End", "[Shared] Placeholder" and "cluster_monitoring", an inactive
// task "Cluster Monitoring" on the last, the pools "All objects", "Devices only"
// and "Links only" without members, the user admin with the password admin.
//
// It panics when the options are wrong; see Options.Check.
func New(opts Options) *Server {
	if err := opts.Check(); err != nil {
		panic("simulator: " + err.Error())
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Location == nil {
		opts.Location = time.UTC
	}
	s := &Server{
		opts:      opts,
		workers:   make([]*worker, max(1, opts.Workers)),
		db:        dialects[opts.Database],
		missing:   opts.missingFields(),
		core:      make(chan struct{}, 1),
		tables:    map[string]*table{},
		names:     map[string]map[string]*object{},
		scheduler: newScheduler(opts.Location),
		results:   map[string]*result{},
		allowed:   new(any),
	}
	for i := range s.workers {
		s.workers[i] = &worker{}
	}
	s.install()
	return s
}

// now is the server's local time.
func (s *Server) now() time.Time { return s.opts.Now().In(s.opts.Location) }

// timestamp is the server's local time as eNMS writes it (1.3, last_modified).
func (s *Server) timestamp() string { return s.now().Format("2006-01-02 15:04:05.000000") }
