// Package simulator is an eNMS 4.7 in memory behind net/http, as awkward as the
// real one on purpose. It is written from enms-rest.md (the numbers in the
// comments are its sections) and knows nothing of the provider's own code, so
// that it can bear witness against it.
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
}

// Server is one simulated eNMS. It is an http.Handler and safe for concurrent use.
type Server struct {
	opts Options
	core chan struct{} // one slot: the Python process of a serial server

	mu        sync.Mutex // guards everything below
	tables    map[string]*table
	names     map[string]map[string]*object // name space -> committed name -> object
	scheduler *scheduler
	results   map[string]*result // by runtime
	allowed   any                // allowed_automation of the server object last POSTed (1.14)

	logMu    sync.Mutex // guards the request log, apart from mu so that tests can look while a request runs
	requests []Request
}

var _ http.Handler = (*Server)(nil)

// New starts a freshly installed eNMS: the services "[Shared] Start",
// "[Shared] End", "[Shared] Placeholder" and "cluster_monitoring", an inactive
// task "Cluster Monitoring" on the last, the user admin with the password admin.
func New(opts Options) *Server {
	if opts.Now == nil {
		opts.Now = time.Now
	}
	if opts.Location == nil {
		opts.Location = time.UTC
	}
	s := &Server{
		opts:      opts,
		core:      make(chan struct{}, 1),
		tables:    map[string]*table{},
		names:     map[string]map[string]*object{},
		scheduler: newScheduler(opts.Location),
		results:   map[string]*result{},
	}
	s.install()
	return s
}

// now is the server's local time.
func (s *Server) now() time.Time { return s.opts.Now().In(s.opts.Location) }

// timestamp is the server's local time as eNMS writes it (1.3, last_modified).
func (s *Server) timestamp() string { return s.now().Format("2006-01-02 15:04:05.000000") }
