// This file gives each call its context, which ends when Terraform is interrupted, and which
// lets go of everything when the call is over: the framework holds on to the context of
// every call, in order to cancel it, for as long as the process lives: with its loggers some
// 15 KB a call, four calls an instance, half a gigabyte in a plan of ten thousand.

package protocol

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// interrupt cancels calls when Terraform is interrupted. The zero value is ready for use.
type interrupt struct {
	mu   sync.Mutex
	ctx  context.Context // is over when it has happened; nil before the first call
	over context.CancelFunc
}

// awaited returns the context that is over when the interrupt has happened.
func (i *interrupt) awaited() (ctx context.Context, over context.CancelFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ctx == nil {
		i.ctx, i.over = context.WithCancel(context.Background())
	}
	return i.ctx, i.over
}

// cancels returns a context that the interrupt cancels. The caller calls cancel when it is
// done with it.
func (i *interrupt) cancels(ctx context.Context) (_ context.Context, cancel func()) {
	interrupted, _ := i.awaited()
	ctx, end := context.WithCancel(ctx)
	forget := context.AfterFunc(interrupted, end)
	return ctx, func() {
		forget()
		end()
	}
}

// happened cancels what is under way, and what comes after it in the same run.
func (i *interrupt) happened() {
	_, over := i.awaited()
	over()
}

// forget begins a run in which no interrupt has happened.
func (i *interrupt) forget() {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.ctx != nil && i.ctx.Err() != nil {
		i.ctx = nil
	}
}

// lend makes a call with a context that is worth nothing afterwards.
func lend[Q, A any](ctx context.Context, req Q, call func(context.Context, Q) (A, error)) (A, error) {
	var l loan
	l.owner.Store(&ctx)
	defer l.owner.Store(&over)
	return call(&l, req)
}

// over is the context of a call that is over.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// loan is a context that belongs to somebody else for a time.
type loan struct {
	owner atomic.Pointer[context.Context]
}

func (l *loan) Deadline() (time.Time, bool) { return (*l.owner.Load()).Deadline() }
func (l *loan) Done() <-chan struct{}       { return (*l.owner.Load()).Done() }
func (l *loan) Err() error                  { return (*l.owner.Load()).Err() }
func (l *loan) Value(key any) any           { return (*l.owner.Load()).Value(key) }
