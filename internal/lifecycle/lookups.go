// This file keeps what one run has looked up in eNMS, so that each is asked once.

package lifecycle

import (
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/applying"
)

// lookups is what one run of Terraform, which is one process of the provider, has asked eNMS.
type lookups struct {
	types   lookup[string, bool]                             // whether eNMS has a type
	names   lookup[string, []string]                         // the names of a type
	lacks   lookup[applying.Reference, bool]                 // whether eNMS lacks an instance
	targets lookup[applying.Reference, []applying.Reference] // the targets of a task or service; nil if unknown
	members lookup[string, map[string]bool]                  // the members of a workflow that a search finds; nil if unknown
	edges   lookup[string, edgesOfWorkflow]                  // the edges of a workflow

	ids        idsByType // whether the server was restored
	keptRights sync.Map  // the rights, by kind, that eNMS kept when this run wrote them
}

// lookup remembers the answer to each question. Concurrent callers wait for one answer. The zero value
// is ready to use.
type lookup[K comparable, V any] struct{ asked sync.Map }

// get returns the answer for a key, for which ask is called once.
func (l *lookup[K, V]) get(key K, ask func() V) V {
	once, _ := l.asked.LoadOrStore(key, sync.OnceValue(ask))
	return once.(func() V)()
}

// edgesOfWorkflow are the names of the edges of a workflow, by what tells their places.
type edgesOfWorkflow struct {
	names map[string]string
	err   error
}
