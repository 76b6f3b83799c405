// Tests of coalesced writes: who gets which result, how many requests it takes.

package enms

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

func TestCreatesTravelTogether(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{Latency: 30 * time.Millisecond})
	c := f.client(t)
	for i, err := range testserver.Together(300, func(i int) error {
		return create(t.Context(), c, "device", Object{"name": testserver.Device(i), "port": i})
	}) {
		if err != nil {
			t.Errorf("creation %d: %v", i, err)
		}
	}
	if posts := f.Count("POST"); posts > 6 {
		t.Errorf("300 creations took %d requests", posts)
	}
	if got := f.Get(t, "device", testserver.Device(7))["port"]; fmt.Sprint(got) != "7" {
		t.Errorf("port is %v", got)
	}
	if f.Most() > 1 {
		t.Errorf("%d batches were in flight at a time", f.Most())
	}
}

func TestOneBadNeighbour(t *testing.T) {
	t.Parallel()
	for what, check := range map[string]struct {
		bad  Object
		want func(error) bool
	}{
		"refused": {Object{"pools": []string{"nobody"}}, func(err error) bool {
			_, ok := errors.AsType[*RefusedError](err)
			return ok && strings.Contains(err.Error(), "There is no pool")
		}},
		"taken": {Object{"name": "taken"}, func(err error) bool {
			exists, ok := errors.AsType[*ExistsError](err)
			return ok && exists.ID != "" && exists.FoundType == "gateway" && exists.Name == "taken"
		}},
		"poisoned": {Object{"description": testserver.Poison}, func(err error) bool {
			status, ok := errors.AsType[*StatusError](err)
			return ok && status.Status == 500
		}},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			f := newServer(t, simulator.Options{})
			f.Add(t, "gateway", Object{"name": "taken"})
			c := f.client(t)
			errs := testserver.Together(300, func(i int) error {
				payload := Object{"name": testserver.Device(i)}
				if i == 137 {
					for key, value := range check.bad {
						payload[key] = value
					}
				}
				return create(t.Context(), c, "device", payload)
			})
			for i, err := range errs {
				if i == 137 && !check.want(err) || i != 137 && err != nil {
					t.Errorf("creation %d: %v", i, err)
				}
			}
			if n := len(f.Names(t, "device")); n != 299+1 {
				t.Errorf("%d instances beside the gateway", n-1)
			}
			if n := f.Count(""); n > 40 {
				t.Errorf("%d requests", n)
			}
		})
	}
}

func TestTasksOfARefusedList(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "task", Object{"name": "d00003"})
	c := f.client(t)
	for i, err := range testserver.Together(20, func(i int) error {
		payload := Object{"name": testserver.Device(i)}
		if i == 11 {
			payload["description"] = testserver.Poison
		}
		return create(t.Context(), c, "task", payload)
	}) {
		_, isTaken := errors.AsType[*ExistsError](err)
		_, isRefused := errors.AsType[*StatusError](err)
		if isTaken != (i == 3) || isRefused != (i == 11) || i != 3 && i != 11 && err != nil {
			t.Errorf("task %d: %v", i, err)
		}
	}
	// One was there before, and Cluster Monitoring.
	if names := f.Names(t, "task"); len(names) != 20 || len(slices.Compact(names)) != 20 {
		t.Errorf("tasks: %v", names)
	}
}

func TestOneTaskThatExists(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "task", Object{"name": "nightly"})
	err := create(t.Context(), f.client(t), "task", Object{"name": "nightly"})
	if exists, ok := errors.AsType[*ExistsError](err); !ok || exists.ID != fmt.Sprint(f.Get(t, "task", "nightly")["id"]) {
		t.Error(err)
	}
}

func TestUpdatesOfARefusedList(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	for i := range 40 {
		f.Add(t, "device", Object{"name": testserver.Device(i)})
	}
	c := f.client(t)
	for i, err := range testserver.Together(40, func(i int) error {
		var description any = "new"
		if i == 5 || i == 39 {
			description = testserver.Poison
		}
		return c.Upsert(t.Context(), typeOf("device"), Object{"name": testserver.Device(i), "description": description})
	}) {
		bad := i == 5 || i == 39
		if bad != InternalServerError(err) || !bad && err != nil {
			t.Errorf("update %d: %v", i, err)
		}
		if !bad && f.Get(t, "device", testserver.Device(i))["description"] != "new" {
			t.Errorf("device %d was not updated", i)
		}
	}
}

func TestRename(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "device", Object{"name": "a"}, Object{"name": "b"})
	c := f.client(t)
	if err := c.Upsert(t.Context(), typeOf("device"), Object{"name": "a", "new_name": "c"}); err != nil {
		t.Error(err)
	}
	err := c.Upsert(t.Context(), typeOf("device"), Object{"name": "b", "new_name": "c"})
	if exists, ok := errors.AsType[*ExistsError](err); !ok || exists.Name != "c" || exists.ID != fmt.Sprint(f.Get(t, "device", "c")["id"]) {
		t.Error(err)
	}
	// The name may be that of an instance of another type, in the same name space.
	f.Add(t, "gateway", Object{"name": "g"})
	err = c.Upsert(t.Context(), typeOf("device"), Object{"name": "b", "new_name": "g"})
	if exists, ok := errors.AsType[*ExistsError](err); !ok || exists.FoundType != "gateway" || exists.ID != fmt.Sprint(f.Get(t, "gateway", "g")["id"]) {
		t.Error(err)
	}
	if made := c.Renames("device"); !slices.Equal(made, []Rename{{From: "a", To: "c"}}) || c.Renames("workflow") != nil {
		t.Errorf("the renames of devices that were made are %v, those of workflows %v", made, c.Renames("workflow"))
	}
	err = create(t.Context(), c, "workflow", Object{"name": "x", "scoped_name": "y"})
	if renamed, ok := errors.AsType[*RenamedError](err); !ok || renamed.Asked != "x" || renamed.Got != "y" {
		t.Error(err)
	}
}

// What conflicts, and how large a batch may be.
func TestBatches(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "device", Object{"name": "a"})
	c := f.client(t)
	// Both must land, one after the other, in whatever order.
	for _, err := range testserver.Together(2, func(i int) error {
		return c.Upsert(t.Context(), typeOf("device"), Object{"name": "a", "port": i})
	}) {
		testserver.Must(t, err)
	}
	if n := f.Count("POST /rest/instance"); n != 2 {
		t.Errorf("two writes of one name took %d requests", n)
	}
	big := strings.Repeat("x", maxListBytes/2)
	for _, err := range testserver.Together(3, func(i int) error {
		return create(t.Context(), c, "device", Object{"name": testserver.Device(i), "description": big})
	}) {
		testserver.Must(t, err)
	}
	for _, r := range f.Server.Server.Requests() {
		if r.Entries > 1 {
			t.Errorf("a list of %d entries is too large", r.Entries)
		}
	}
}

// once returns a fault of the first write by a method.
func once(fault faults.Fault, when faults.When, method string) faults.Rule {
	return faults.Rule{Fault: fault, When: when, Count: 1, Method: method, Path: "/rest/instance"}
}

// lostAnswers are the faults after which it is unknown what eNMS did.
var lostAnswers = []faults.Fault{faults.Reset, faults.Cut, faults.HTML, faults.Empty, faults.Redirect, faults.BadGateway,
	faults.Unavailable, faults.GatewayTimeout, faults.Page500}

// sides are before and after eNMS has acted.
var sides = []faults.When{faults.Before, faults.After}

func TestLostAnswerToACreation(t *testing.T) {
	t.Parallel()
	for _, what := range lostAnswers {
		for _, when := range sides {
			t.Run(fmt.Sprint(what, " ", when), func(t *testing.T) {
				t.Parallel()
				f := newServer(t, simulator.Options{})
				f.Set(t, once(what, when, http.MethodPost))
				c := f.client(t)
				errs := testserver.Together(5, func(i int) error {
					return create(t.Context(), c, "device",
						Object{"name": testserver.Device(i), "port": 22, "latitude": "1.5", "password": "x"})
				})
				for i, err := range errs {
					if what == faults.Page500 && when == faults.Before {
						if page, ok := errors.AsType[*NotJSONError](err); err != nil && (!ok || page.Status != 500) {
							t.Errorf("creation %d: %v", i, err)
						}
					} else if err != nil {
						t.Errorf("creation %d: %v", i, err)
					}
				}
				if names := f.Names(t, "device"); what != faults.Page500 && len(names) != 5 {
					t.Errorf("instances: %v", names)
				}
			})
		}
	}
}

// Positions of one instance in several workflows or networks go in one list.
func TestPositionsShareAList(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.addDevices(t, 1)
	c, before := f.patientClient(t), f.Count("POST /rest/instance")
	for _, err := range testserver.Together(3, func(i int) error {
		return c.Upsert(t.Context(), typeOf("device"), Object{"name": testserver.Device(0), "positions": map[string]any{fmt.Sprint("n", i): []int{i, i}}})
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	row, err := c.Find(t.Context(), "device", testserver.Device(0), []string{"positions"})
	if at, _ := row["positions"].(map[string]any); err != nil || len(at) != 3 || f.Count("POST /rest/instance") != before+1 {
		t.Errorf("%v in %d writes, %v", row, f.Count("POST /rest/instance")-before, err)
	}
}

// Of several positions of one instance, the one that eNMS refuses is the one that gets the error.
func TestPositionsShareAList_oneIsRefused(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.addDevices(t, 1)
	c, name := f.client(t), testserver.Device(0)
	f.Intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
		if r.Method != http.MethodPost || !strings.Contains(r.URL.Path, "/instance") || !strings.Contains(string(body), `"n1"`) {
			return false
		}
		success := slices.Repeat([]string{name}, strings.Count(string(body), `"positions"`)-1)
		w.Header().Set("Content-Type", "application/json")
		testserver.Must(t, json.NewEncoder(w).Encode(map[string]any{"success": success, "failure": []any{[]any{Object{"name": name}, "Exception: no"}}}))
		return true
	})
	for i, err := range testserver.Together(4, func(i int) error {
		return c.Upsert(t.Context(), typeOf("device"), Object{"name": name, "positions": map[string]any{fmt.Sprint("n", i): []int{i, i}}})
	}) {
		if _, refused := errors.AsType[*RefusedError](err); refused != (i == 1) {
			t.Errorf("position %d: %v", i, err)
		}
	}
	row, err := c.Find(t.Context(), "device", name, []string{"positions"})
	if at, _ := row["positions"].(map[string]any); err != nil || len(at) != 3 || at["n1"] != nil {
		t.Errorf("%v, %v", row, err)
	}
}

// When the answer is lost and the name belongs to somebody else, it is not ours.
func TestLostAnswerAndTakenName(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.Add(t, "device", Object{"name": "a", "port": 830})
	f.Set(t, once(faults.Reset, faults.Before, http.MethodPost))
	err := create(t.Context(), f.client(t), "device", Object{"name": "a", "port": 22})
	if _, ok := errors.AsType[*ExistsError](err); !ok {
		t.Error(err)
	}
}

func TestLostAnswerThatNothingSettles(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"create", "rename"} {
		f := newServer(t, simulator.Options{})
		f.Add(t, "device", Object{"name": "old"})
		f.Set(t, faults.Rule{Fault: faults.Reset, When: faults.After})
		c := f.client(t)
		var err error
		if op == "create" {
			err = create(t.Context(), c, "device", Object{"name": "a"})
		} else {
			err = c.Upsert(t.Context(), typeOf("device"), Object{"name": "old", "new_name": "a"})
		}
		ambiguous, ok := errors.AsType[*AmbiguousError](err)
		if _, reachable := errors.AsType[*UnreachableError](err); !ok || !reachable || ambiguous.Type != "device" || Unacted(err) {
			t.Errorf("%s: %v", op, err)
		}
		if n := f.Count("POST /rest/instance"); n != 1 {
			t.Errorf("%s: was sent %d times", op, n)
		}
	}
}

func TestLostAnswerToARename(t *testing.T) {
	t.Parallel()
	for _, what := range lostAnswers {
		for _, when := range sides {
			t.Run(fmt.Sprint(what, " ", when), func(t *testing.T) {
				t.Parallel()
				f := newServer(t, simulator.Options{})
				f.Add(t, "device", Object{"name": "a"})
				f.Set(t, once(what, when, http.MethodPost))
				err := f.client(t).Upsert(t.Context(), typeOf("device"), Object{"name": "a", "new_name": "b"})
				if what == faults.Page500 && when == faults.Before {
					if !slices.Equal(f.Names(t, "device"), []string{"a"}) || err == nil {
						t.Error(f.Names(t, "device"), err)
					}
				} else if err != nil || !slices.Equal(f.Names(t, "device"), []string{"b"}) {
					t.Error(f.Names(t, "device"), err)
				}
			})
		}
	}
}

func TestLostAnswerToAnUpdateOrADeletion(t *testing.T) {
	t.Parallel()
	for _, what := range []faults.Fault{faults.Reset, faults.Cut, faults.BadGateway, faults.Unavailable, faults.GatewayTimeout, faults.TooMany} {
		for _, when := range sides {
			f := newServer(t, simulator.Options{})
			f.Add(t, "device", Object{"name": "a"})
			f.Set(t, once(what, when, http.MethodPost))
			c := f.client(t)
			if err := c.Upsert(t.Context(), typeOf("device"), Object{"name": "a", "port": 5}); err != nil {
				t.Errorf("%s %s: %v", what, when, err)
			}
			f.Set(t, once(what, when, http.MethodDelete))
			if _, err := c.Delete(t.Context(), "device", "a"); err != nil {
				t.Errorf("%s %s: %v", what, when, err)
			}
			if names := f.Names(t, "device"); len(names) != 0 {
				t.Errorf("%s %s: %v is left", what, when, names)
			}
		}
	}
}

func TestAnswerThatDoesNotAccount(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	var first atomic.Bool
	f.Intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		if !strings.Contains(r.URL.Path, "/instance") || first.Swap(true) {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"success":["one","too","many"]}`))
		return true
	})
	c := f.client(t)
	f.Add(t, "device", Object{"name": "a"})
	err := c.Upsert(t.Context(), typeOf("device"), Object{"name": "a", "port": 1})
	if !errors.Is(err, errUnaccounted) {
		t.Error(err)
	}
	first.Store(false)
	if err := create(t.Context(), c, "device", Object{"name": "b", "port": 1}); err != nil {
		t.Error(err) // settled by reading, and sent again
	}
}

func TestCancellation(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	inside, proceed := make(chan int, 10), make(chan bool)
	f.Intercept(func(_ http.ResponseWriter, _ *http.Request, body []byte) bool {
		inside <- strings.Count(string(body), `"name"`)
		<-proceed
		return false
	})
	c := f.client(t, func(config *Config) { config.GracePeriod = time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	results := [3]chan error{make(chan error, 1), make(chan error, 1), make(chan error, 1)}
	start := func(i int, ctx context.Context) {
		go func() { results[i] <- create(ctx, c, "device", Object{"name": testserver.Device(i)}) }()
	}
	start(0, ctx)
	start(1, t.Context())
	if n := <-inside; n == 1 { // they came too far apart to travel together
		proceed <- true
		<-inside
	}
	start(2, ctx) // may wait for the next batch
	cancel()
	if err := <-results[2]; !errors.Is(err, context.Canceled) {
		t.Errorf("queued: %v", err)
	}
	if err := <-results[0]; err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("in flight: %v", err)
	}
	close(proceed)
	if err := <-results[1]; err != nil {
		t.Errorf("its neighbour: %v", err)
	}
	if f.Get(t, "device", testserver.Device(2)) != nil {
		t.Error("what was cancelled in the queue was sent")
	}
}

// When all callers of a batch are gone, its request is given up.
func TestCancellationOfAll(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	inside, ended := make(chan bool), make(chan bool)
	f.Intercept(func(_ http.ResponseWriter, r *http.Request, _ []byte) bool {
		inside <- true
		<-r.Context().Done()
		close(ended)
		return true
	})
	c := f.client(t, func(config *Config) { config.GracePeriod = time.Millisecond })
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-inside
		cancel()
	}()
	if err := c.Upsert(ctx, typeOf("device"), Object{"name": "a"}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	<-ended
}

func TestEncode(t *testing.T) {
	t.Parallel()
	body, err := encode(Object{"devices": []string{"d"}, "name": "n", "b": nil, "a": 1, "z": map[string]any{}, "must_be_new": false}, true)
	if want := `{"name":"n","a":1,"b":null,"devices":["d"],"z":{},"must_be_new":true}`; err != nil || string(body) != want {
		t.Errorf("%s %v", body, err)
	}
	if _, err := encode(Object{"name": make(chan int)}, false); err == nil {
		t.Error("a channel is no JSON")
	}
	c, err := New(Config{BaseURL: "http://127.0.0.1:1"}, Words{})
	if err != nil {
		t.Fatal(err)
	}
	for _, payload := range []Object{{}, {"name": ""}, {"name": 5}, {"name": "x", "f": func() {}}} {
		err := c.Upsert(t.Context(), typeOf("device"), payload)
		if _, ok := errors.AsType[*PayloadError](err); !ok || !Unacted(err) {
			t.Errorf("%v was taken: %v", payload["name"], err)
		}
	}
}

// eNMS 5 stores a whole number beyond 64 bits, and can then neither return nor delete the instance. In a
// field that eNMS 5 stores as text, the number does no harm.
func TestUpsert_numberBeyond64Bits(t *testing.T) {
	t.Parallel()
	for version, refuses := range map[simulator.Version]bool{simulator.V53: true, simulator.V47: false} {
		c := newServer(t, simulator.Options{Version: version}).client(t)
		for number, beyond := range map[string]bool{"18446744073709551616": true, "-9223372036854775809": true, "18446744073709551615": false, "-9223372036854775808": false, "1e30": false, "3.14159265358979323846": false} {
			payload := map[string]any{"a": []any{map[string]any{"b": json.Number(number)}}}
			err := c.Upsert(t.Context(), typeOf("service"), Object{"name": "s", "scoped_name": "s", "initial_payload": payload})
			if _, refused := errors.AsType[*PayloadError](err); refused != (beyond && refuses) || err != nil && !refused {
				t.Errorf("%v, %s: %v", version, number, err)
			}
			if err != nil && (!strings.Contains(err.Error(), "`initial_payload`") || strings.Contains(err.Error(), number)) {
				t.Errorf("the field is not named, or the number is shown, which may be a secret: %v", err)
			}
		}
	}
}

// Callers of different types and operations take turns and all get through.
func TestManyTypesTakeTurns(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	c := f.client(t)
	for i, err := range testserver.Together(64, func(i int) error {
		typ := []string{"device", "task", "pool", "link"}[i%4]
		for round := range 5 {
			name := fmt.Sprintf("%s-%d-%d", typ, i, round)
			if err := create(t.Context(), c, typ, Object{"name": name}); err != nil {
				return err
			}
			if row, err := c.Find(t.Context(), typ, name, nil); err != nil || endpoint.String(row, "name") != name {
				return fmt.Errorf("%v: %w", row, err)
			}
			if err := c.Upsert(t.Context(), typeOf(typ), Object{"name": name, "description": "x"}); err != nil {
				return err
			}
			if row, err := c.Find(t.Context(), typ, name, []string{"description"}); err != nil || row["description"] != "x" {
				return fmt.Errorf("an old answer: %v: %w", row, err)
			}
		}
		return nil
	}) {
		if err != nil {
			t.Errorf("caller %d: %v", i, err)
		}
	}
	if n := f.Count(""); n > 400 {
		t.Errorf("%d requests for 1280 operations", n)
	}
}

func BenchmarkCoalescedUpserts(b *testing.B) {
	f := newServer(b, simulator.Options{Latency: 5 * time.Millisecond})
	c := f.client(b)
	b.SetParallelism(50)
	var n atomic.Int64
	b.RunParallel(func(pb *testing.PB) {
		name := testserver.Device(int(n.Add(1)))
		for pb.Next() {
			if err := c.Upsert(context.Background(), typeOf("device"), Object{"name": name}); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(f.Count("POST"))/float64(b.N), "requests/op")
}

// Terraform keeps a number of operations under way, each of which creates and
// then reads, with a little work of its own between.
func TestRequestsOfAnApply(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		parallelism int
		most        float64 // requests a resource, as promised
	}{{10, 0.30}, {100, 0.06}} {
		f := newServer(t, simulator.Options{Latency: 20 * time.Millisecond})
		c := f.client(t)
		const resources = 400
		var next atomic.Int32
		for _, err := range testserver.Together(test.parallelism, func(worker int) error {
			for {
				i := int(next.Add(1))
				if i > resources {
					return nil
				}
				time.Sleep(time.Duration(i%4) * time.Millisecond) // stands for Terraform's own work
				if err := create(t.Context(), c, "device", Object{"name": testserver.Device(i)}); err != nil {
					return err
				}
				if _, err := c.Find(t.Context(), "device", testserver.Device(i), nil); err != nil {
					return err
				}
			}
		}) {
			if err != nil {
				t.Error(err)
			}
		}
		if got := float64(f.Count("")) / resources; got > test.most {
			t.Errorf("%.3f requests a resource at -parallelism=%d", got, test.parallelism)
		} else {
			t.Logf("%.3f requests a resource at -parallelism=%d", got, test.parallelism)
		}
	}
}
