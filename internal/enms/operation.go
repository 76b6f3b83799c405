// Operations: what callers want of the client. Those with the same batchKey may share a
// request.

package enms

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
)

// maxListBytes bounds the JSON of a list, far below the 100 MB that eNMS takes
// (enms-rest.md 7).
const maxListBytes = 8 << 20

// errUnaccounted is the error of operations that an answer does not account for.
var errUnaccounted = &AnswerError{Reason: "does not account for every instance that was sent"}

// Type is the type of the instances that are written, and how eNMS treats them.
type Type struct {
	// Name is the type as the paths have it, such as "gateway".
	Name string
	// Namespace is the type whose names must all differ, such as "node" for
	// devices (enms-rest.md 0.3).
	Namespace string
	// NoTimestamps: eNMS keeps no last_modified (enms-rest.md 1.3), so that a name
	// must be seen to be free before an instance is created.
	NoTimestamps bool
	// CommittedOneByOne: of a list that ends in 500, eNMS keeps what comes before
	// the entry at fault (enms-rest.md 0.1).
	CommittedOneByOne bool
}

// action says what the operations of a batch do.
type action int

// Their order counts: the writes come first, then the reads whose callers come again, as
// writes and recurs tell.
const (
	actCreate action = iota
	actUpsert
	actRename
	actFind
	actFindSpelling
	actFindByID
	actFindUnrelated
	actFindNow

	actRelated
	actRelatedByID
	actRelatedToAny
	actMembers
	actGetShared
	actRecompute
	actSearch
)

// writes reports whether the action changes eNMS.
func (a action) writes() bool { return a <= actRename }

// recurs reports whether callers come back together for the same. Callers that search
// for related instances delete next, in requests of their own, and do not.
func (a action) recurs() bool { return a <= actFindNow }

// batchKey names operations that may share a batch.
type batchKey struct {
	action action
	typ    Type   // of reads only the name
	detail string // the relation or column of a search for related, the relations of unrelated ones, the endpoint of a computation, or a whole search
}

// operation is one caller's request, and what answers it.
type operation struct {
	batch.Result
	name      string                                  // the instance it is about
	newName   string                                  // for a rename
	payload   Object                                  // for a write
	body      []byte                                  // the payload as JSON
	matches   func(Object) bool                       // for a creation: whether an instance is what it makes
	columns   []string                                // for a find
	relations []Relation                              // that are expected
	ask       func(context.Context) ([]Object, error) // for a search

	absentBefore       bool      // nothing had its name before a creation was first sent
	absentAfterRefusal bool      // nothing had its name after its list was refused
	retried            bool      // it was refused alone, without a reason, and sent once more
	answerLost         bool      // it was sent before, and the answer was lost
	sent               time.Time // when it was first sent; zero when it was not
	refusal            error     // why eNMS refused it, in its answer to a list

	row  Object   // what a find found
	rows []Object // what a search found
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
