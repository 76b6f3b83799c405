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

// newBatcher makes a batcher. All operations share a lane, unless their keys say another one, such as "find/device".
func newBatcher(lanes *Lanes, exclusive bool, run func(ctx context.Context, key string, jobs []*job)) *Batcher[string, *job] {
	return New(lanes, Rules[string, *job]{
		Run: run,
		Lane: func(key string) string {
			_, lane, _ := strings.Cut(key, "/")
			return lane
		},
		Exclusive:      exclusive,
		Names:          func(_ string, j *job) []string { return j.names },
		Size:           func(j *job) int { return j.size },
		MostOperations: 100, MostSize: 1000, Unfinished: errUnfinished,
	})
}

// cost is what a batch takes in these tests.
const cost = 100 * time.Millisecond

// server runs batches, each of which takes cost, and logs when they begin.
type server struct {
	mu        sync.Mutex
	batches   []string // key and names of each
	sizes     []int
	now, most int
}

func (s *server) run(_ context.Context, key string, jobs []*job) {
	s.mu.Lock()
	var names []string
	for _, j := range jobs {
		names = append(names, strings.Join(j.names, ""))
	}
	slices.Sort(names)
	s.batches, s.sizes = append(s.batches, key+" "+strings.Join(names, " ")), append(s.sizes, len(jobs))
	s.now++
	s.most = max(s.most, s.now)
	s.mu.Unlock()
	time.Sleep(cost)
	s.mu.Lock()
	s.now--
	s.mu.Unlock()
	FinishAll(jobs, nil)
}

// arrival is an operation of a key, whose names are letters, and when it arrives. Keys in upper case are exclusive.
type arrival struct {
	at         time.Duration
	key, names string
	size       int
}

// play lets operations arrive, and returns when all of them are done.
func play(t *testing.T, s *server, arrivals ...arrival) time.Duration {
	t.Helper()
	lanes := NewLanes(Window)
	reads, writes := newBatcher(lanes, false, s.run), newBatcher(lanes, true, s.run)
	begin := time.Now()
	var callers sync.WaitGroup
	for n, a := range arrivals {
		callers.Go(func() {
			time.Sleep(a.at + time.Duration(n)) // in this order
			b := reads
			if a.key == strings.ToUpper(a.key) {
				b = writes
			}
			if err := b.Do(t.Context(), a.key, &job{names: strings.Split(a.names, ""), size: a.size}); err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	return time.Since(begin).Round(time.Millisecond)
}

func TestBatches(t *testing.T) {
	t.Parallel()
	const soon, late = Window * 2 / 3, Window * 4 / 3
	for name, test := range map[string]struct {
		arrivals []arrival
		batches  []string
		took     time.Duration
		most     int
	}{
		"alone":                      {[]arrival{{0, "read", "a", 0}}, []string{"read a"}, Window + cost, 1},
		"within the window":          {[]arrival{{0, "read", "a", 0}, {soon, "read", "b", 0}}, []string{"read a b"}, soon + Window + cost, 1},
		"as many as ever":            {slices.Repeat([]arrival{{0, "read", "", 0}}, usualCallers), []string{"read" + strings.Repeat(" ", usualCallers)}, shortWindow + cost, 1},
		"after it":                   {[]arrival{{0, "read", "a", 0}, {late, "read", "b", 0}, {cost, "read", "c", 0}}, []string{"read a", "read b c"}, 2 * (Window + cost), 1},
		"two keys of a lane":         {[]arrival{{0, "read", "a", 0}, {soon, "find", "b", 0}, {late, "read", "c", 0}}, []string{"read a", "find b", "read c"}, 3 * (Window + cost), 1},
		"two lanes":                  {[]arrival{{0, "read/1", "a", 0}, {soon, "read/2", "b", 0}}, []string{"read/1 a", "read/2 b"}, soon + Window + cost, 2},
		"two exclusive ones":         {[]arrival{{0, "WRITE/1", "a", 0}, {soon, "WRITE/2", "b", 0}, {late, "read/3", "c", 0}}, []string{"WRITE/1 a", "read/3 c", "WRITE/2 b"}, Window + 2*cost, 2},
		"while another is exclusive": {[]arrival{{0, "WRITE/1", "a", 0}, {soon, "WRITE/2", "b", 0}, {cost, "WRITE/2", "c", 0}}, []string{"WRITE/1 a", "WRITE/2 b c"}, Window + 2*cost, 1},
		"names in common": {[]arrival{{0, "read", "ab", 0}, {0, "read", "bc", 0}, {0, "read", "c", 0}, {0, "read", "d", 0}, {0, "read", "a", 0}, {0, "read", "d", 0}},
			[]string{"read ab d", "read a bc d", "read c"}, 3 * (Window + cost), 1},
		"too large together": {[]arrival{{0, "read", "a", 999}, {0, "read", "b", 999}, {0, "read", "c", 1}, {0, "read", "d", 5000}},
			[]string{"read a c", "read b", "read d"}, 3 * (Window + cost), 1},
		"more than full, while another runs": {append([]arrival{{0, "read", "a", 0}}, slices.Repeat([]arrival{{late, "read", "", 0}}, 150)...),
			[]string{"read a", "read" + strings.Repeat(" ", 100), "read" + strings.Repeat(" ", 50)}, 2*Window + 3*cost, 1},
		"full":           {slices.Repeat([]arrival{{0, "read", "", 0}}, 100), []string{"read" + strings.Repeat(" ", 100)}, cost, 1},
		"more than full": {slices.Repeat([]arrival{{0, "read", "", 0}}, 150), []string{"read" + strings.Repeat(" ", 100), "read" + strings.Repeat(" ", 50)}, Window + 2*cost, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := &server{}
				took := play(t, s, test.arrivals...)
				if !slices.Equal(s.batches, test.batches) || s.most != test.most || took != test.took {
					t.Errorf("batches %q, %d at a time, in %s; want %q, %d, %s", s.batches, s.most, took, test.batches, test.most, test.took)
				}
			})
		})
	}
}

// However many are expected, a batch starts after mostWindows.
func TestBatches_startInAnyCase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		b := newBatcher(NewLanes(Window), false, s.run)
		doAll(t.Context(), b, 100)
		var callers sync.WaitGroup
		for n := range 20 {
			callers.Go(func() {
				time.Sleep(time.Duration(n) * Window * 7 / 10)
				if err := b.Do(t.Context(), "key", &job{}); err != nil {
					t.Error(err)
				}
			})
		}
		callers.Wait()
		if !slices.Equal(s.sizes, []int{100, 15, 5}) {
			t.Errorf("batches of %v", s.sizes)
		}
	})
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

// Everybody gets a result, and a batch is over when all callers have left.
func TestResults(t *testing.T) {
	t.Parallel()
	b := newBatcher(NewLanes(Window), false, func(context.Context, string, []*job) {})
	if errs := doAll(t.Context(), b, 3); !slices.Equal(errs, []error{errUnfinished, errUnfinished, errUnfinished}) {
		t.Error(errs)
	}
	type valueKey struct{}
	inside := make(chan bool)
	b = newBatcher(NewLanes(Window), false, func(ctx context.Context, _ string, jobs []*job) {
		if ctx.Value(valueKey{}) != "mine" {
			t.Error("the batch has not the values of its first caller")
		}
		inside <- true
		<-ctx.Done()
		if len(Pending(jobs)) != 0 {
			t.Error("they have left")
		}
	})
	ctx, cancel := context.WithCancel(context.WithValue(t.Context(), valueKey{}, "mine"))
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
	b := newBatcher(NewLanes(Window), false, func(_ context.Context, _ string, jobs []*job) {
		inside <- true
		<-proceed
		FinishAll(jobs, nil)
	})
	b.rules.Grace = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-inside
		cancel()
		close(proceed)
	}()
	if err := b.Do(ctx, "key", &job{}); err != nil {
		t.Error(err)
	}
	late, end := context.WithTimeout(t.Context(), 2*Window)
	defer end()
	b.rules.Run = func(ctx context.Context, _ string, _ []*job) { <-ctx.Done() }
	if err := b.Do(late, "key", &job{}); !errors.Is(err, context.DeadlineExceeded) {
		t.Error(err)
	}
}

// Who leaves before the batch starts is in none, and nobody else notices.
func TestLeavingBefore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		b := newBatcher(NewLanes(Window), false, s.run)
		ctx, cancel := context.WithTimeout(t.Context(), Window/2)
		defer cancel()
		alone, early := &job{}, &job{}
		if err := b.Do(ctx, "alone", alone); !errors.Is(err, context.DeadlineExceeded) || alone.Interrupted() {
			t.Error(err, alone.Interrupted())
		}
		another, leave := context.WithTimeout(t.Context(), Window/2)
		defer leave()
		var others sync.WaitGroup
		others.Go(func() {
			for _, err := range doAll(t.Context(), b, 100) { // with early, the batch was full
				if err != nil {
					t.Error(err)
				}
			}
		})
		if err := b.Do(another, "key", early); !errors.Is(err, context.DeadlineExceeded) && err != nil {
			t.Error(err)
		}
		others.Wait()
		synctest.Wait()
		if len(s.batches) == 0 || len(b.waiting) != 0 || slices.Contains(s.batches, "alone ") {
			t.Errorf("%q, and %d wait", s.batches, len(b.waiting))
		}
	})
}

// Who leaves does not end a batch that others wait for.
func TestLeavingBesideOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &server{}
		b := newBatcher(NewLanes(Window), false, s.run)
		ctx, cancel := context.WithTimeout(t.Context(), Window+cost/2)
		defer cancel()
		left := make(chan error)
		go func() { left <- b.Do(ctx, "read", &job{}) }()
		if err := b.Do(t.Context(), "read", &job{}); err != nil {
			t.Error(err)
		}
		if err := <-left; !errors.Is(err, context.DeadlineExceeded) || !slices.Equal(s.sizes, []int{2}) {
			t.Error(err, s.sizes)
		}
	})
}

// Equal questions get clones of one answer.
func TestAnswersOf(t *testing.T) {
	t.Parallel()
	odd := errors.New("odd")
	got := AnswersOf([]string{"a", "b", "a"}, map[string]Answer[int]{"a": {Value: 1}, "b": {Err: odd}}, func(n int) int { return n * 10 })
	if !slices.Equal(got, []Answer[int]{{Value: 10}, {Err: odd}, {Value: 10}}) {
		t.Error(got)
	}
}

// Questions are answered in their order, each with a value or an error.
func TestQuestions(t *testing.T) {
	t.Parallel()
	odd := errors.New("odd")
	q := NewQuestions(NewLanes(Window), 100, func(int) string { return "" }, func(_ context.Context, key int, asked []int) []Answer[int] {
		answers := Answers(len(asked), nil, func(i int) int { return key * asked[i] })
		for i, n := range asked {
			if n%2 == 1 {
				answers[i].Err = odd
			}
		}
		return answers
	})
	var asking sync.WaitGroup
	for n := range 20 {
		asking.Go(func() {
			answer, err := q.Ask(t.Context(), 3, n)
			if n%2 == 1 && (answer != 0 || !errors.Is(err, odd)) || n%2 == 0 && (answer != 3*n || err != nil) {
				t.Error(n, answer, err)
			}
		})
	}
	asking.Wait()
}
