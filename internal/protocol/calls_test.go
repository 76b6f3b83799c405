// Tests of the contexts that calls are given.

package protocol

import (
	"context"
	"testing"
)

type contextKey struct{}

func TestReleasableContext_contextIsOverAfterTheCall(t *testing.T) {
	t.Parallel()
	owner, cancel := context.WithCancel(context.WithValue(t.Context(), contextKey{}, "kept"))
	defer cancel()
	var kept, child context.Context
	answer, err := withReleasableContext(owner, 20, func(ctx context.Context, n int) (int, error) {
		kept = ctx
		var stop context.CancelFunc
		child, stop = context.WithCancel(ctx)
		t.Cleanup(stop)
		if ctx.Value(contextKey{}) != "kept" || ctx.Err() != nil {
			t.Error("it is not the owner's")
		}
		return n + 1, nil
	})
	if answer != 21 || err != nil {
		t.Errorf("%d, %v", answer, err)
	}
	if kept.Value(contextKey{}) != nil || kept.Err() == nil {
		t.Error("it still holds what the call had")
	}
	select {
	case <-kept.Done():
	default:
		t.Error("it is not over")
	}
	cancel()
	<-child.Done()
}

func TestReleasableContext_cancelledWithTheCaller(t *testing.T) {
	t.Parallel()
	owner, cancel := context.WithCancel(t.Context())
	_, err := withReleasableContext(owner, 0, func(ctx context.Context, _ int) (int, error) {
		child, stop := context.WithCancel(ctx)
		defer stop()
		cancel()
		<-child.Done()
		return 0, child.Err()
	})
	if err == nil {
		t.Error("it went on")
	}
}

func TestInterrupt_cancelsCallsUntilTheNextRun(t *testing.T) {
	t.Parallel()
	var i interrupt
	before, end := i.withCancel(t.Context())
	defer end()
	if before.Err() != nil {
		t.Error("a call is cancelled before anything has happened")
	}
	i.cancelCalls()
	<-before.Done()
	after, end := i.withCancel(t.Context())
	defer end()
	<-after.Done()
	i.reset()
	next, end := i.withCancel(t.Context())
	defer end()
	if next.Err() != nil {
		t.Error("a call of the next run is cancelled")
	}
}

// Terraform configures the provider while calls are under way: an interrupt cancels those, too.
func TestInterrupt_resetKeepsCalls(t *testing.T) {
	t.Parallel()
	var i interrupt
	i.reset()
	before, end := i.withCancel(t.Context())
	defer end()
	i.reset()
	i.cancelCalls()
	<-before.Done()
	call, end := new(interrupt).withCancel(t.Context())
	if end(); call.Err() == nil {
		t.Error("the context of a call outlives it")
	}
}
