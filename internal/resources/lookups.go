// This file stores what one run has looked up in eNMS, so that it makes each request once.

package resources

import (
	"sync"
	"sync/atomic"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
)

// Lookups has the answers to requests that one run of Terraform, which is one process of the provider, makes
// only once. Unlike those in the client's cache, no write of this run makes them wrong.
type Lookups struct {
	Types   Lookup[string, bool]                             // whether eNMS has a type
	Names   Lookup[string, []string]                         // the names of a type
	Lacks   Lookup[applying.Reference, bool]                 // whether eNMS lacks an instance
	Targets Lookup[applying.Reference, []applying.Reference] // the targets of a task or service; nil if unknown
	Members Lookup[string, map[string]bool]                  // the members of a container that a search finds; nil if unknown
	Places  Lookup[string, Places]                           // the instances in a container
	Forced  Lookup[string, ForcedReaders]                    // the groups that eNMS adds to readers by force, by ""

	KeptRights applying.Set[applying.Reference] // kinds and their rights that eNMS has returned as this run has written them
	Makers     sync.Map                         // by applying.Name of an instance that a read has found gone: the *enms.Change by which another one got the name
	Found      sync.Map                         // by Instance, with what reads it and the id in a state: the reading.Identity that the last read found
	SaidUntold atomic.Bool                      // a read has warned of an instance that eNMS does not tell
}

// Lookup remembers the answer to each question. Concurrent callers wait for one answer. The zero value
// is ready to use.
type Lookup[K comparable, V any] struct{ asked sync.Map }

// Get returns the answer for a key. It calls ask only the first time.
func (l *Lookup[K, V]) Get(key K, ask func() V) V {
	once, _ := l.asked.LoadOrStore(key, sync.OnceValue(ask))
	return once.(func() V)()
}

// Places is the answer to the question which instances of a kind with places are in a container.
type Places struct {
	Names map[string]string // the names, by a key for each place
	Err   error             // of the question
}

// ForcedReaders holds the groups that eNMS adds to the readers of whatever is written.
type ForcedReaders struct {
	Names []string
	Err   error
}
