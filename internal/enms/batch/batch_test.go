// Tests of batches: who shares one, in what order they run, and who gets which result.

package batch

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
)

// TestMain fails when a goroutine is left over by the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// job is an operation of the tests.
type job struct {
	Result
	names []string
	size  int
}

var errUnfinished = errors.New("unfinished")

// newBatcher makes a batcher. All operations share a lane, unless their keys say another one, such
// as "find/device"; keys in upper case are exclusive.
func newBatcher(run func(ctx context.Context, key string, jobs []*job)) *Batcher[string, *job] {
	return New(Rules[string, *job]{
		Run: run,
		Lane: func(key string) string {
			_, lane, _ := strings.Cut(key, "/")
			return lane
		},
		Exclusive:      func(key string) bool { return key == strings.ToUpper(key) },
		Names:          func(_ string, j *job) []string { return j.names },
		Size:           func(j *job) int { return j.size },
		MostOperations: 100, MostSize: 1000, Unfinished: errUnfinished,
		Grace: func(string) time.Duration { return 0 },
	})
}

// queue returns operations that wait, with the same key.
func queue(jobs ...*job) (waiting []queued[string, *job]) {
	for _, j := range jobs {
		waiting = append(waiting, queued[string, *job]{"", j})
	}
	return waiting
}

// Two operations with a name in common never travel together, and never
// overtake each other.
func TestSameNamesNeverTravelTogether(t *testing.T) {
	t.Parallel()
	b := newBatcher(nil)
	var waiting []queued[string, *job]
	for _, names := range []string{"a b", "b c", "c", "d", "a", "d"} {
		waiting = append(waiting, queue(&job{names: strings.Fields(names)})...)
	}
	var got []string
	for len(waiting) > 0 {
		var taken []*job
		taken, waiting = b.take("", waiting)
		var names []string
		for _, j := range taken {
			names = append(names, strings.Join(j.names, ""))
		}
		got = append(got, strings.Join(names, " "))
	}
	if want := []string{"ab d", "bc a d", "c"}; !slices.Equal(got, want) {
		t.Errorf("batches: %q, not %q", got, want)
	}
	if taken, _ := b.take("", queue(&job{}, &job{})); len(taken) != 2 {
		t.Error("operations without names can travel together")
	}
}

func TestBounds(t *testing.T) {
	t.Parallel()
	b := newBatcher(nil)
	if taken, left := b.take("", slices.Repeat(queue(&job{}), 101)); len(taken) != 100 || len(left) != 1 {
		t.Errorf("%d operations, %d left", len(taken), len(left))
	}
	big := &job{size: 999}
	if taken, left := b.take("", queue(big, big, &job{size: 1})); len(taken) != 2 || len(left) != 1 || left[0].operation != big {
		t.Errorf("%d operations of three", len(taken))
	}
	if taken, _ := b.take("", queue(&job{size: 5000})); len(taken) != 1 {
		t.Error("one operation always fits")
	}
}

// doAll lets n callers come, and gives their errors.
func doAll(ctx context.Context, b *Batcher[string, *job], n int) []error {
	errs := make([]error, n)
	var callers sync.WaitGroup
	for i := range n {
		callers.Go(func() { errs[i] = b.Do(ctx, "key", &job{}) })
	}
	callers.Wait()
	return errs
}

func TestPause(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		callers, batches int
		least, most      time.Duration
	}{"alone": {1, 1, 2 * firstTurn, 2 * firstTurn}, "together": {50, 1, 2 * firstTurn, 2 * firstTurn},
		"a full one": {100, 1, 0, 2 * firstTurn}, "more": {150, 2, 2 * firstTurn, 4 * firstTurn}} {
		synctest.Test(t, func(t *testing.T) {
			var sizes []int
			b := newBatcher(func(_ context.Context, _ string, jobs []*job) {
				sizes = append(sizes, len(jobs))
				FinishAll(jobs, nil)
			})
			begin := time.Now()
			for _, err := range doAll(t.Context(), b, test.callers) {
				if err != nil {
					t.Error(name, err)
				}
			}
			if took := time.Since(begin); took < test.least || took > test.most || len(sizes) != test.batches {
				t.Errorf("%s: batches of %v took %s", name, sizes, took)
			}
		})
	}
}

// Everybody gets a result, and a batch is over when all callers have left.
func TestResults(t *testing.T) {
	t.Parallel()
	b := newBatcher(func(context.Context, string, []*job) {})
	if errs := doAll(t.Context(), b, 3); !slices.Equal(errs, []error{errUnfinished, errUnfinished, errUnfinished}) {
		t.Error(errs)
	}
	inside := make(chan bool)
	b = newBatcher(func(ctx context.Context, _ string, jobs []*job) {
		inside <- true
		<-ctx.Done()
		if len(Pending(jobs)) != 0 {
			t.Error("they have left")
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-inside
		cancel()
	}()
	left := &job{}
	if err := b.Do(ctx, "key", left); !errors.Is(err, context.Canceled) || !left.Interrupted() {
		t.Error(err, left.Interrupted())
	}
	if err := b.Do(ctx, "key", &job{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Who is cancelled while the batch is under way waits for its result, as long as Grace says. A
// deadline has no grace.
func TestGrace(t *testing.T) {
	t.Parallel()
	inside, proceed := make(chan bool), make(chan bool)
	b := newBatcher(func(_ context.Context, _ string, jobs []*job) {
		inside <- true
		<-proceed
		FinishAll(jobs, nil)
	})
	b.rules.Grace = func(string) time.Duration { return time.Hour }
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-inside
		cancel()
		close(proceed)
	}()
	if err := b.Do(ctx, "key", &job{}); err != nil {
		t.Error(err)
	}
	late, end := context.WithTimeout(t.Context(), time.Millisecond)
	defer end()
	b.rules.Run = func(ctx context.Context, _ string, _ []*job) { <-ctx.Done() }
	if err := b.Do(late, "key", &job{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// Who leaves while queued is in no batch.
func TestLeavingTheQueue(t *testing.T) {
	t.Parallel()
	inside, proceed := make(chan bool, 2), make(chan bool)
	b := newBatcher(func(_ context.Context, _ string, jobs []*job) {
		inside <- true
		<-proceed
		FinishAll(jobs, nil)
	})
	first := make(chan error)
	go func() { first <- b.Do(t.Context(), "key", &job{}) }()
	<-inside
	ctx, cancel := context.WithCancel(t.Context())
	queued, second := &job{}, make(chan error)
	go func() { second <- b.Do(ctx, "key", queued) }()
	for waits := 0; waits == 0; time.Sleep(time.Millisecond) {
		b.mu.Lock()
		waits = len(b.lanes[""].waiting)
		b.mu.Unlock()
	}
	cancel()
	if err := <-second; !errors.Is(err, context.Canceled) || queued.Interrupted() {
		t.Error(err, queued.Interrupted())
	}
	close(proceed)
	if err := <-first; err != nil {
		t.Error(err)
	}
	if len(inside) != 0 {
		t.Error("what left the queue was run")
	}
}
