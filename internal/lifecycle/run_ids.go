// This file keeps what the reads of one run say about the ids of eNMS.

package lifecycle

import "sync/atomic"

// idEvidence counts the instances that were found by the names in their states. A restore gives
// nearly all of them another id (enms-rest.md 0.6), and nothing else does.
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

// stable reports whether the server was certainly not restored since the state was written.
func (e *idEvidence) stable() bool { return e.same.Load() >= leastEvidence && e.other.Load() == 0 }
