// Tests of whose write it was: windows of time, clocks, and creations of which
// somebody else made the same.

package enms

import (
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/batch"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

func TestWindowHolds(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 3, 1, 23, 59, 58, 0, time.UTC)
	window := Window{From: from, Until: from.Add(3 * time.Second)}
	for stamp, want := range map[string]bool{
		"2026-03-01 23:59:58.000000": true,
		"2026-03-02 00:00:01.000000": true,
		"2026-03-02 00:00:01":        true, // Python leaves out a fraction of nothing
		"2026-03-02 00:00:01.000001": false,
		"2026-03-01 23:59:57.999999": false,
		"2026-03-02 05:44:59.500000": true,  // Kathmandu, +05:45
		"2026-03-01 20:29:59.500000": true,  // Newfoundland, -03:30
		"2026-03-02 05:40:59.500000": false, // no zone is at +05:41
		"2026-03-02 13:59:59.500000": true,  // Kiritimati, +14
		"2026-03-02 14:14:59.500000": false,
		"2026-03-01 11:59:59.500000": true, // Baker Island, -12
		"2026-03-01 11:44:59.500000": false,
		"2025-03-01 23:59:59.500000": false,
		"":                           false,
		"yesterday":                  false,
	} {
		if got := window.holds(stamp); got != want {
			t.Errorf("%q: %t, want %t", stamp, got, want)
		}
	}
	if (Window{}).holds("0001-01-01 00:00:00") {
		t.Error("an unknown window holds something")
	}
}

func TestClock(t *testing.T) {
	t.Parallel()
	var c clock
	now := time.Now()
	if w := c.window(now, now); w.Until.Sub(w.From) != 2*clocksDiffer {
		t.Errorf("of an unknown clock: %v", w)
	}
	// A server that is an hour ahead.
	hear := func(ahead time.Duration) {
		answer := &http.Response{Header: http.Header{"Date": {time.Now().Add(ahead).UTC().Format(http.TimeFormat)}}}
		c.learnFrom(answer, time.Now())
	}
	hear(time.Hour)
	check := func(ahead time.Duration) {
		t.Helper()
		at := time.Now()
		w := c.window(at, at)
		if there := at.Add(ahead); there.Before(w.From) || there.After(w.Until) || w.Until.Sub(w.From) > 1100*time.Millisecond {
			t.Errorf("%v is %v, want about %v", at, w, there)
		}
	}
	check(time.Hour)
	hear(time.Hour)
	check(time.Hour)
	hear(-time.Hour) // another server behind the same address
	check(-time.Hour)
	c.learnFrom(&http.Response{Header: http.Header{}}, time.Now())
	check(-time.Hour)
}

// TestLostAnswerAndEqualInstance: whoever loses the answer to a creation does
// not take an instance for its own that was there before, however equal.
func TestLostAnswerAndEqualInstance(t *testing.T) {
	t.Parallel()
	for _, what := range []faults.Fault{faults.Reset, faults.BadGateway, faults.TooMany, faults.Empty} {
		for _, typ := range []string{"device", "python_snippet_service", "task"} {
			for user, ago := range map[string]time.Duration{"admin": 1000 * time.Hour, "somebody": 0} {
				f, at := newServerAt(t)
				f.Add(t, "user", Object{"name": "somebody", "password": "somebody", "is_admin": true})
				at(-ago)
				f.AddAs(t, user, typ, Object{"name": "a"})
				at(0)
				f.Set(t, once(what, faults.Before, http.MethodPost))
				err := create(t.Context(), f.client(t), typ, Object{"name": "a"})
				if _, exists := errors.AsType[*ExistsError](err); !exists {
					t.Errorf("%s of %s, %s ago, after %s: %v", typ, user, ago, what, err)
				}
			}
		}
	}
}

// newServerAt returns a server whose clock can be moved from this machine's.
func newServerAt(t *testing.T) (f *server, move func(time.Duration)) {
	t.Helper()
	var moved atomic.Int64
	f = newServer(t, simulator.Options{Now: func() time.Time { return time.Now().Add(time.Duration(moved.Load())) }})
	return f, func(by time.Duration) { moved.Store(int64(by)) }
}

// TestTaskThatAnotherTook: of a list of tasks that is refused, eNMS has kept the
// first ones, or somebody else has taken their names since they were seen to be
// free. Which of both it was shows in the first that is not there.
func TestTaskThatAnotherTook(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meanwhile []string // what somebody else makes after the look at the names
		poisoned  bool     // the last one is refused for what it holds
		refused   int      // how many are not created
		mayBeOwn  int      // how many of these this list may have created
	}{
		"nobody":           {nil, true, 1, 0},
		"the first":        {[]string{testserver.Device(0)}, false, 1, 1},
		"the second":       {[]string{testserver.Device(1)}, false, 2, 2}, // the first is made, which nothing shows
		"all but the last": {[]string{testserver.Device(0), testserver.Device(1)}, false, 2, 2},
		"all":              {[]string{testserver.Device(0), testserver.Device(1), testserver.Device(2)}, false, 3, 3},
	} {
		f := newServer(t, simulator.Options{})
		var once sync.Once
		f.Intercept(func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
			if r.Method == http.MethodPost && r.URL.Path == "/rest/instance/task" {
				once.Do(func() {
					for _, name := range test.meanwhile {
						f.Add(t, "task", Object{"name": name})
					}
				})
			}
			return false
		})
		c := f.client(t)
		var operations []*write
		for i := range 3 {
			payload := testserver.Complete("task", Object{"name": testserver.Device(i)})
			if test.poisoned && i == 2 {
				payload["description"] = testserver.Poison
			}
			body, err := encode(payload, true)
			if err != nil {
				t.Fatal(err)
			}
			operations = append(operations, &write{name: testserver.Device(i), payload: payload, body: body})
		}
		refused, mayBeOwn := 0, 0
		key := writeKey{action: actCreate, typ: typeOf("task")}
		writing{c, key}.createBatch(t.Context(), operations)
		batch.FinishAll(operations, errUnaccounted)
		for i, o := range operations {
			err := o.Err()
			if taken, is := errors.AsType[*ExistsError](err); is && taken.MayBeOwn {
				mayBeOwn++
			}
			if err != nil {
				refused++
			} else if slices.Contains(test.meanwhile, testserver.Device(i)) {
				t.Errorf("%s: task %d, which is somebody else's, counts as created", name, i)
			}
		}
		if refused != test.refused || mayBeOwn != test.mayBeOwn {
			t.Errorf("%s: %d were not created, want %d; of %d the list may have created them, want %d", name, refused, test.refused, mayBeOwn, test.mayBeOwn)
		}
	}
}
