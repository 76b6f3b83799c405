// This file declares the names of objects, keeps names from being changed while an operation uses
// them, and lets renames wait for each other. Terraform renames resources that do not refer to each
// other in any order, so a new name may still belong to an instance that the same run renames as well.

package applying

import (
	"context"
	"sync"
	"time"
)

// Name is the name of an object, and the type within which it is unique.
type Name struct{ Namespace, Text string }

// Names has a lock for each name that an operation has used or changed. The zero value is ready to use.
type Names struct{ locks sync.Map }

// Hold waits for the names in scopes and for renamed, and holds them until release is called. Several
// operations may hold the same scopes, such as the names of the workflows around a service; no other operation
// renames these meanwhile. renamed, if it is not "", is held by one operation alone. To avoid deadlocks, all
// callers pass scopes from the outermost inwards, and renamed is inside them.
func (n *Names) Hold(scopes []string, renamed string) (release func()) {
	release, _ = n.hold(scopes, renamed, true)
	return release
}

// TryHold is Hold for a caller that must not wait, because others may wait for it. It reports whether no other operation
// excludes this one.
func (n *Names) TryHold(scopes []string, renamed string) (release func(), held bool) {
	return n.hold(scopes, renamed, false)
}

func (n *Names) hold(scopes []string, renamed string, waits bool) (release func(), held bool) {
	type hold struct {
		lock, unlock func()
		tryLock      func() bool
	}
	var holds []hold
	for _, scope := range scopes {
		of := n.lockOf(scope)
		holds = append(holds, hold{of.RLock, of.RUnlock, of.TryRLock})
	}
	if renamed != "" {
		of := n.lockOf(renamed)
		holds = append(holds, hold{of.Lock, of.Unlock, of.TryLock})
	}
	count := 0
	release = func() {
		for _, h := range holds[:count] {
			h.unlock()
		}
	}
	for _, h := range holds {
		if waits {
			h.lock()
		} else if !h.tryLock() {
			release()
			return nil, false
		}
		count++
	}
	return release, true
}

// lockOf returns the lock of a name.
func (n *Names) lockOf(name string) *sync.RWMutex {
	lock, _ := n.locks.LoadOrStore(name, &sync.RWMutex{})
	return lock.(*sync.RWMutex)
}

// Rename is a rename that is in progress, or that failed because its new name was taken.
type Rename struct {
	from, to          Name
	renameTemporarily func(context.Context) error // gives the instance a temporary name
	free              chan struct{}               // closed when the old name is free, or when the rename is over
	Release           func()                      // closes free, once: the old name is free
	waitsFor          *Rename                     // the rename whose old name this one needs; nil while it does not wait
}

// Renames are the renames of a run that are in progress or waiting. The zero value is ready to use.
type Renames struct {
	Writes Activity // the operations in progress that may give a name up, or that begin after those that do

	givenUp releases[Name] // the names that deletions, and renames that are over, have given up
	mu      sync.Mutex
	byName  map[Name]*Rename // by the old name
}

// Now returns how often an operation has given a name up.
func (all *Renames) Now() int { return all.givenUp.now() }

// Free records that an operation has given up a name.
func (all *Renames) Free(name Name) {
	all.givenUp.add(name)
	all.Writes.change(0, 0)
}

// Await waits until a rename other than tried, which gives up a name, has begun, or until an operation has given the name
// up after since, a value of Now. It returns the rename, if any, and whether the name may be free. It gives
// up after a pause in which everything else in progress was waiting, too: Terraform begins at most ten operations at
// a time, so the one that gives up the name may be unable to begin. Of several that wait, one gives up first, and the
// others go on: Terraform then begins another operation. Those of the same group give up with it: for Terraform, they
// are one operation.
func (all *Renames) Await(ctx context.Context, group any, name Name, tried *Rename, since int, pause time.Duration) (found *Rename, came bool) {
	pause += pause / 8 * time.Duration(min(all.Writes.Waiting(), mostOperations))
	came = all.Writes.Await(ctx, group, pause, func() bool {
		all.mu.Lock()
		defer all.mu.Unlock()
		if found = all.byName[name]; found == tried {
			found = nil
		}
		return found != nil || all.givenUp.since(name, since)
	})
	return found, came
}

// mostOperations is the most operations for which a pause becomes longer: users set -parallelism to 100 for chains of
// renames, but an enms_instances may have thousands of entries.
const mostOperations = 100

// IsAwaited reports whether a rename waits for the old name of r.
func (all *Renames) IsAwaited(r *Rename) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, other := range all.byName {
		if other.waitsFor == r {
			return true
		}
	}
	return false
}

// Begin records a rename before any request is made for it, so that other renames can wait for its old name.
func (all *Renames) Begin(from, to Name, renameTemporarily func(context.Context) error) *Rename {
	r := &Rename{from: from, to: to, renameTemporarily: renameTemporarily, free: make(chan struct{})}
	r.Release = sync.OnceFunc(func() { close(r.free) })
	all.mu.Lock()
	all.byName = put(all.byName, from, r)
	all.mu.Unlock()
	all.Writes.change(0, 0)
	return r
}

// End records that a rename has ended. One that failed because its new name was taken stays recorded: the instance
// that gives up that name later in the run may need the old name, if the two exchange names. Any other may have given its
// old name up while another operation was told that the name is taken.
func (all *Renames) End(r *Rename, taken bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	r.Release()
	r.waitsFor = nil
	if !taken {
		delete(all.byName, r.from)
		all.Free(r.from)
	}
}

// Blocker returns the rename that will free the name that r needs, or nil, and records that r waits for it. If
// circle is true, that rename is waiting for r, directly or through others, and r does not wait.
func (all *Renames) Blocker(r *Rename) (found *Rename, circle bool) {
	all.mu.Lock()
	defer all.mu.Unlock()
	found = all.byName[r.to]
	for next := found; next != nil; next = next.waitsFor {
		if next == r {
			return found, true
		}
	}
	r.waitsFor = found
	return found, false
}

// AwaitOldName waits until the old name of r is free, or r is over, and reports whether that came before the context
// ended. Meanwhile, the caller counts as waiting, so that Await can tell when nothing goes on.
func (all *Renames) AwaitOldName(ctx context.Context, r *Rename) bool {
	resume := all.Writes.Pause()
	defer resume()
	select {
	case <-r.free:
		return true
	case <-ctx.Done():
		return false
	}
}

// Wait calls send, the rename that needs the old name of r, once that name is free. If isTaken says of its error
// that the name is still taken, r has failed: the instance of r is given a temporary name, and send is called
// again.
func (all *Renames) Wait(ctx context.Context, r *Rename, send func() error, isTaken func(error) bool) error {
	if !all.AwaitOldName(ctx, r) {
		return ctx.Err()
	}
	err := send()
	if isTaken(err) && r.renameTemporarily(ctx) == nil {
		err = send()
	}
	return err
}
