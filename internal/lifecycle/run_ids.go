// This file keeps what the reads of one run say about the ids of eNMS.

package lifecycle

import (
	"sync"
	"sync/atomic"
)

// idsByType has an idEvidence for each type: eNMS numbers each of them, and a restore may leave the
// ids of one alone, such as the few groups, and exchange those of another.
type idsByType struct{ types sync.Map }

// of returns the evidence of a type.
func (ids *idsByType) of(typ string) *idEvidence {
	e, _ := ids.types.LoadOrStore(typ, &idEvidence{})
	return e.(*idEvidence) //nolint:forcetypeassert // nothing else is stored
}

// idEvidence counts the instances of a type that were found by the names in their states. A restore
// gives nearly all of them another id (enms-rest.md 0.6).
type idEvidence struct{ same, other atomic.Int64 }

// leastEvidence is how many instances must have kept their ids: one may do so by chance.
const leastEvidence = 2

// note counts an instance that was found by the name in a state, by its id and that of the state. An
// instance with another id and other content is another one.
func (e *idEvidence) note(found, state string, sameContent bool) {
	switch {
	case state == "":
	case found == state:
		e.same.Add(1)
	case sameContent:
		e.other.Add(1)
	}
}

// stable reports whether the ids are those of the states, as far as the reads of this run have shown.
func (e *idEvidence) stable() bool { return e.same.Load() >= leastEvidence && e.other.Load() == 0 }
