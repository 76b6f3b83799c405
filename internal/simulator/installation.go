// What differs between servers, and what a command works with: a session, and the state of eNMS beside the database.

package simulator

import (
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/model"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// Options says what kind of server is simulated, what its requests cost, and where it logs
// them. The zero value is a server that answers at once and logs nothing.
type Options struct {
	// Latency is how long the check of a known user's password takes (enms-rest.md 7,
	// Cost). With Serial, the process of the server answers no other request meanwhile.
	Latency time.Duration
	// Serial has each of the Workers answer one request at a time, in the order of
	// their arrival, as Python processes do.
	Serial bool
	// Log receives a line for each request: method, path, status, number of entries
	// in the body, duration. It receives neither credentials nor bodies. May be nil.
	Log io.Writer
	// Now is the server's clock; several goroutines call it. nil: time.Now.
	Now func() time.Time
	// Location is the zone of the server's local time, in which it reads start
	// dates and crontab expressions and writes every timestamp. nil: UTC.
	Location *time.Location

	// RunPolls is how many requests for the result of an asynchronous run the server
	// answers before the run is over. 0: it is over as soon as it is started.
	RunPolls int

	// Version is the version of eNMS.
	Version Version

	// Database is what the server keeps its instances in.
	Database Database

	// Workers is the number of processes, which answer requests in turn. 0 is one.
	Workers int
	// StaleReads has workers read as with REPEATABLE READ: after a request that reaches no endpoint (401, 403, 404,
	// a body that is not JSON, the login page), a worker answers its next request from the database as it was then.
	// See Server.HoldSnapshots.
	StaleReads bool

	// NoMatch403 answers a query without a match with 403, unless the query has allow_none: eNMS before June 2023.
	NoMatch403 bool
	// MissingFields are properties that the server does not know, such as
	// "service.disabled": it ignores them when they are sent and never shows them.
	MissingFields []string
	// SiteTypes adds types of a site's own: rack and collector, with tables of their
	// own, and site_service, a service.
	SiteTypes bool
	// CustomProperties gives the types of model.CustomProperties custom properties.
	CustomProperties bool
	// Delete403 answers a deletion that eNMS does not allow with 403, instead of 200 with
	// delete_aborted: eNMS from August 2022 to June 2023.
	Delete403 bool
	// RequestLimit is how many requests are answered in each RequestWindow. Further
	// requests get 429 from a gateway, or 403 from 5.3 itself. 0 is no limit.
	RequestLimit int
	// RequestWindow is the period of RequestLimit. 0 is a minute.
	RequestWindow time.Duration
	// NoREST removes the REST interface: every path under /rest/ is 404.
	NoREST bool
	// BrokenLogin answers every request with credentials with an error page, as a
	// server does whose Werkzeug is too new for it.
	BrokenLogin bool
}

// Check returns what is wrong with the options.
func (o *Options) Check() error {
	_, err := o.schema()
	return err
}

// schema returns the types of the server. The error says which option is invalid.
func (o *Options) schema() (*database.Schema, error) {
	if o.Database < database.SQLite || o.Database > database.MariaDBUTF8 {
		return nil, fmt.Errorf("there is no database %d", int(o.Database))
	}
	hidden, missing := []string{}, slices.Clone(o.MissingFields)
	if !o.SiteTypes {
		hidden = []string{model.SiteService, model.SiteRack, model.SiteCollector}
	}
	if !o.CustomProperties {
		for typ, names := range model.CustomProperties {
			for _, name := range names {
				missing = append(missing, typ+"."+name)
			}
		}
	}
	return model.New(o.Version, hidden, missing)
}

// Version is a version of eNMS, of which package model says what each has and does.
type Version = model.Version

// The versions.
const (
	V47 = model.V47
	V53 = model.V53
)

// Database is what a server keeps its instances in.
type Database = database.Engine

// The databases, of which package database says what each does.
const (
	SQLite      = database.SQLite
	PostgreSQL  = database.PostgreSQL
	MariaDB     = database.MariaDB
	MariaDBUTF8 = database.MariaDBUTF8
)

// ParseDatabase returns the database of a name: sqlite, postgresql, mariadb or mariadb-utf8.
func ParseDatabase(name string) (Database, error) { return database.ParseEngine(name) }

// installation is the state that the processes of an eNMS share beside the database.
type installation struct {
	process *model.Process
	opts    Options
	results map[string]*result // by runtime
}

// command is one request: its methods are the endpoints and what they do.
type command struct {
	*model.Session
	*installation
}

// begin returns a request of a caller, who is nil for the server itself.
func (i *installation) begin(db *database.Database, caller *database.Object) *command {
	return &command{Session: &model.Session{Tx: db.Begin(), Process: i.process, User: caller}, installation: i}
}

// quietly does something of which the changelog contains nothing.
func (i *installation) quietly(do func() error) error {
	was := i.process.Silent
	i.process.Silent = true
	defer func() { i.process.Silent = was }()
	return do()
}

// result is the result of a run.
type result struct {
	answer python.Record    // nil until the run is over
	polls  int              // how many more requests are answered before the run is over
	finish func(c *command) // ends the run
}

// newRuntime returns a timestamp that no run has yet, since runs are found by it, and enters it in results.
func (i *installation) newRuntime() string {
	for at := i.process.Now(); ; at = at.Add(time.Microsecond) {
		runtime := at.Format("2006-01-02 15:04:05.000000")
		if i.opts.Version == V53 {
			runtime += fmt.Sprintf("%05d", rand.IntN(100000))
		}
		if i.results[runtime] == nil {
			i.results[runtime] = &result{}
			return runtime
		}
	}
}
