// This file keeps what the reads of one run say about the ids of eNMS.

package resources

import "sync/atomic"

// IDEvidence counts the instances of a type that were found by the names in their states: those that have the
// id in the state, and those that have another one. A restore gives nearly all of them another id (enms-rest.md
// 0.6).
type IDEvidence struct{ same, other atomic.Int64 }

// leastEvidence is how many instances must have kept their ids: one may do so by chance.
const leastEvidence = 2

// Note counts an instance that was found by the name in a state. found is its id, and inState the id in the
// state, or "". An instance with another id and other content does not count: it is another one.
func (e *IDEvidence) Note(found, inState string, sameContent bool) {
	if inState == "" {
		return
	}
	if found == inState {
		e.same.Add(1)
	} else if sameContent {
		e.other.Add(1)
	}
}

// IsStable reports whether the ids are those of the states, as far as the reads of this run have shown.
func (e *IDEvidence) IsStable() bool { return e.same.Load() >= leastEvidence && e.other.Load() == 0 }

// IsRestored reports whether any instance has another id than in its state, and the same name and content.
func (e *IDEvidence) IsRestored() bool { return e.other.Load() > 0 }
