// This file records the renames of one run that are in progress, and those that failed because
// their new name was taken.

package lifecycle

import (
	"context"
	"errors"
	"sync"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
)

// rename is a rename that is in progress, or that failed because its new name was taken.
type rename struct {
	from, to  string
	stepAside func(context.Context) error // gives the instance a temporary name
	free      chan struct{}               // closed when the old name is free, or when the rename is over
	freed     bool
	waitsFor  *rename // the one whose old name it needs
}

// renames are the renames of a run that are not done.
type renames struct {
	mu     sync.Mutex
	byName map[string]*rename // by the name space and the old name
}

// begin records a rename.
func (all *renames) begin(namespace string, r *rename) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.byName == nil {
		all.byName = map[string]*rename{}
	}
	r.free = make(chan struct{})
	all.byName[namespace+"\n"+r.from] = r
}

// end records that a rename has ended. One that failed because its new name was taken stays
// recorded: the instance that gives up that name later in the run may need the old name, if
// the two exchange names.
func (all *renames) end(namespace string, r *rename, err error) {
	all.mu.Lock()
	defer all.mu.Unlock()
	r.release()
	r.waitsFor = nil
	if _, taken := errors.AsType[*enms.ExistsError](err); !taken {
		delete(all.byName, namespace+"\n"+r.from)
	}
}

// steppedAside records that the old name of a rename is free.
func (all *renames) steppedAside(r *rename) {
	all.mu.Lock()
	defer all.mu.Unlock()
	r.release()
}

// release wakes those that wait for the old name. The caller holds the lock.
func (r *rename) release() {
	if !r.freed {
		r.freed = true
		close(r.free)
	}
}

// blocker returns the rename that will free the name that r needs, or nil. circle is true if
// that rename is waiting for r, directly or through others.
func (all *renames) blocker(namespace string, r *rename) (found *rename, circle bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	found = all.byName[namespace+"\n"+r.to]
	for next := found; next != nil; next = next.waitsFor {
		if next == r {
			return found, true
		}
	}
	r.waitsFor = found
	return found, false
}
