// This file declares the client, and what it has written.

package enms

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/cache"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/rest"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/object"
)

// Config is the configuration of a Client. The Client sets Answered itself.
type Config = rest.Config

// Words are what the tables of instance types say about eNMS 5.
type Words = object.Words

// Client speaks to one eNMS as one user. It may be used by many goroutines.
type Client struct {
	endpoint *endpoint.Client
	address  string // normalised, for Address
	user     string
	grace    time.Duration

	// What callers share requests for.
	lanes        *batch.Lanes
	questions    sharedQuestions
	writes       *batch.Batcher[writeKey, *write]
	computations *batch.Batcher[string, *batch.Result]

	deleting rest.Slots   // one for each deletion that may be under way
	store    *cache.Store // what was read since the last write

	// What this client has written: names of instances, whatever their types.
	written *stringSet // those that it has written and not deleted since
	removed *stringSet // those that it has deleted and not written since
	renames *renameLog

	marks   *marks   // what was asked about marks
	history *history // what was read of the changelog

	// What was learned of the server. No write changes it.
	clock      *clock
	forcedRead *atomic.Pointer[bool] // whether force_read_access of a group shows the user everything; nil until eNMS was asked
	respected  *stringSet            // the criteria that eNMS does not ignore, as Ignores has found
	searchable *stringSet            // the criteria by which eNMS can search, as Searchable has found
	large      *stringSet            // the types that one page does not hold, or that cannot be read by pages
	noUnion    *stringSet            // the types that the database refuses to search by several names of a relation (enms-rest.md 10.6)
}

// Host returns the host and port of the base URL.
func (c *Client) Host() string { return c.endpoint.Host() }

// Address returns the normalised address of the server; see the function Address.
func (c *Client) Address() string { return c.address }

// User returns the name of the user.
func (c *Client) User() string { return c.user }

// Format prints the client without its secrets, whatever the verb.
func (c Client) Format(f fmt.State, _ rune) { fmt.Fprintf(f, "enms.Client{%s}", c.endpoint.Host()) }

// Endpoint returns the client that makes the requests. It is for requests that are not about stored
// instances, such as those of package runs.
func (c *Client) Endpoint() *endpoint.Client { return c.endpoint }

// Line returns the line of eNMS, 4 or 5. It takes a request if no answer has shown it yet.
func (c *Client) Line(ctx context.Context) (int, error) { return c.endpoint.Line(ctx) }

// AddSecrets adds values that must not be shown, whatever their fields: from now on they are
// removed from eNMS's messages in errors and logs.
func (c *Client) AddSecrets(values Object) { c.endpoint.AddSecrets(values) }

// OnWait sets a function that is called when a pause of all requests begins, because of a rate limit. Call OnWait
// before the first request. Goroutines may call notify at the same time.
func (c *Client) OnWait(notify func(pause time.Duration)) { c.endpoint.Waiting = notify }

// Close closes idle connections. The client stays usable.
func (c *Client) Close() { c.endpoint.Close() }

// Forget drops what was read. It is called before and after a request that may change any instance.
func (c *Client) Forget() { c.store.Written() }

// gracePeriod is for how long an operation that has begun to change eNMS may go on after Terraform was
// interrupted. It is longer than a usual list takes, and shorter than most people are willing to wait.
const gracePeriod = 30 * time.Second

// WithGrace returns a context for the requests that follow a write. It outlives the cancellation of
// ctx by the grace period; a deadline of ctx stays. An interrupt must not keep the instance from being completed
// and read back, because Terraform marks a resource as tainted if its creation ends with an error. If ctx was
// cancelled before, the period begins with the call, so each of several steps may ask for a period of its own.
func (c *Client) WithGrace(ctx context.Context) (longer context.Context, done context.CancelFunc) {
	var cancel context.CancelFunc
	if deadline, has := ctx.Deadline(); has {
		longer, cancel = context.WithDeadline(context.WithoutCancel(ctx), deadline)
	} else {
		longer, cancel = context.WithCancel(context.WithoutCancel(ctx))
	}
	stop := context.AfterFunc(ctx, func() { time.AfterFunc(c.grace, cancel) })
	return longer, func() {
		stop()
		cancel()
	}
}

// maxListBytes is the largest JSON of a list that is written. It is far below the 100 MB that eNMS takes
// (enms-rest.md 7).
const maxListBytes = 8 << 20

// errUnaccounted is the error of operations that are missing in the answer to their list.
var errUnaccounted = &AnswerError{Reason: "does not account for every instance that was sent"}

// Since returns the window, by the server's clock, from a moment of this machine's clock until now.
func (c *Client) Since(begin time.Time) Window { return c.clock.window(begin, time.Now()) }

// Wrote reports whether this client's user may have been the last to modify an instance, within
// the window. It returns true for an instance without last_modified: either its type has none, or
// its creation failed before eNMS set it, which is the last step.
func (c *Client) Wrote(row Object, when Window) bool {
	modified := endpoint.String(row, "last_modified")
	if modified == "" {
		return true
	}
	return c.wroteLast(row) && when.holds(modified)
}

// wroteLast reports whether this client's user may have been the last to modify an instance:
// last_modified_by is the user, or there is none.
func (c *Client) wroteLast(row Object) bool {
	by, has := row["last_modified_by"]
	return !has || by == c.user
}

// stringSet is a set of strings. Goroutines may share it; the zero value is empty.
type stringSet struct{ members sync.Map }

func (s *stringSet) add(member string) { s.members.Store(member, true) }

func (s *stringSet) remove(member string) { s.members.Delete(member) }

func (s *stringSet) has(member string) bool {
	_, has := s.members.Load(member)
	return has
}

// Rename is a rename of an instance.
type Rename struct{ From, To string }

// renameLog holds renames by the types of the instances, in the order in which eNMS made them.
type renameLog struct {
	mu  sync.Mutex
	all map[string][]Rename
}

func (l *renameLog) add(typ, from, to string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.all == nil {
		l.all = map[string][]Rename{}
	}
	l.all[typ] = append(l.all[typ], Rename{from, to})
}

func (l *renameLog) of(typ string) []Rename {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.all[typ])
}

const (
	// staleTries is how often a request is made in all if its answer contradicts what this client has
	// written. A stale answer refreshes the snapshot of its worker, so that the same worker is not stale
	// twice.
	staleTries = 8
	// staleWait is the pause between two tries, after which another worker may respond.
	staleWait = 10 * time.Millisecond
)

// untilConsistent calls ask until it returns true, up to staleTries times, with a short pause between
// two calls. ask returns false if what it read contradicts what this client has written. It ends early
// with ctx.
//
// Where eNMS has several workers and its database keeps snapshots (REPEATABLE READ), a worker may answer
// one request from a snapshot that is older than a write which another worker has committed
// (enms-rest.md 10). Callers notice it in different ways. queryOne does not find an instance that this
// client wrote. Get and Delete get a 403 for an instance that a query finds. A write is refused because
// an instance is missing that this client wrote, or because no instance has its id. related and List find
// an instance that this client deleted. The callers of Until do not find a value that was written.
func untilConsistent(ctx context.Context, ask func() (consistent bool)) {
	for try := 1; !ask() && try < staleTries; try++ {
		if rest.Sleep(ctx, staleWait) != nil {
			return
		}
	}
}

// Until calls read until agrees accepts its row, or read fails, up to staleTries times: a worker of eNMS
// might not know yet what this client has written (enms-rest.md 10). Until returns what the last read has
// returned, even if agrees has not accepted it. read must make a request, as FindNow, Get and FindByID do.
func Until(ctx context.Context, read func() (Object, error), agrees func(Object) bool) (found Object, err error) {
	untilConsistent(ctx, func() bool {
		found, err = read()
		return err != nil || agrees(found)
	})
	return found, err
}

// sortedSet returns the different texts, in alphabetical order.
func sortedSet(texts []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(texts)))
}
