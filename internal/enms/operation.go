// Operations: what callers want of the client, and which of them may share a
// batch.

package enms

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
)

const (
	// maxEntries bounds a batch: a list of a thousand takes eNMS two seconds,
	// more would come close to the timeouts of gateways.
	maxEntries = 1000
	// maxListBytes bounds the JSON of a list, far below the 100 MB that eNMS
	// takes (enms-rest.md 7).
	maxListBytes = 8 << 20
)

// errUnaccounted is the error of operations that an answer does not account for.
var errUnaccounted = &FieldError{Type: "the answer", Field: "success", Reason: "does not account for every instance that was sent"}

// action is what the operations of a batch do.
type action int

const (
	actCreate action = iota
	actUpsert
	actRename
	actFind
	actFindNow
	actRelated
	actRelatedByID
	actRecompute
)

// writes tells whether the action changes eNMS.
func (a action) writes() bool { return a <= actRename }

// batchKey names operations that may share a batch.
type batchKey struct {
	action action
	typ    string
	// detail is the name space of a creation, the relation or the column of a
	// search for related, or the endpoint of a computation.
	detail string
}

// operation is one caller's request, and what answers it.
type operation struct {
	batch.Result
	name    string            // the instance it is about
	newName string            // for a rename
	payload Object            // for a write
	body    []byte            // the payload as JSON
	matches func(Object) bool // for a creation: whether an instance is what it makes
	columns []string          // for a find

	nameWasFree bool      // before a creation was first sent
	nameIsFree  bool      // after its list was refused, nothing with its name was found
	retried     bool      // it was refused alone, without a reason, and sent once more
	answerLost  bool      // it was sent before, and the answer was lost
	sent        time.Time // when it was first sent; zero when it was not
	refusal     error     // why eNMS refused it, in its answer to a list

	row  Object   // what a find found
	rows []Object // what a search for related found
}

// groupByName groups operations by the name that they are about, and gives the
// names in order.
func groupByName(operations []*operation) (map[string][]*operation, []string) {
	same := map[string][]*operation{}
	for _, o := range operations {
		same[o.name] = append(same[o.name], o)
	}
	return same, slices.Sorted(maps.Keys(same))
}

// newBatcher makes the batcher of operations. Writes go before reads, so that
// the callers of several batches of writes get to their reads together. Two
// writes that touch the same name never share a batch: eNMS would take the
// second for a new instance (enms-rest.md 0.1).
func newBatcher(run func(context.Context, batchKey, []*operation), alone bool) *batch.Batcher[batchKey, *operation] {
	return batch.New(batch.Rules[batchKey, *operation]{
		Run:   run,
		First: func(key batchKey) bool { return key.action.writes() },
		// Whoever searches for related deletes next, which no batch does, and so
		// does not come back together with the others.
		Recurring: func(key batchKey) bool { return key.action < actRelated },
		Names: func(key batchKey, o *operation) []string {
			switch {
			case !key.action.writes():
				return nil
			case o.newName == "":
				return []string{o.name}
			}
			return []string{o.name, o.newName}
		},
		Size:           func(o *operation) int { return len(o.body) + 1 },
		MostOperations: maxEntries,
		MostSize:       maxListBytes,
		Unfinished:     errUnaccounted,
		Alone:          alone,
	})
}
