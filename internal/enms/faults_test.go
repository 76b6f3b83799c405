// What the client does when something goes wrong between it and eNMS: each kind
// of call with each fault, before and after eNMS has acted, once and for good.

package enms

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

// faultyCall is a kind of call on the device "a", which is there before for all
// but a creation.
type faultyCall struct {
	name   string
	do     func(ctx context.Context, c *Client) error
	write  string // the request that writes, "" for a read
	once   bool   // it must not be sent twice blindly
	landed func(devices map[string]Object) bool
}

var faultyCalls = []faultyCall{
	{name: "create", write: "POST /rest/instance/device", once: true,
		do: func(ctx context.Context, c *Client) error {
			return create(ctx, c, "device", Object{"name": "a", "vendor": "Nokia"})
		},
		landed: func(devices map[string]Object) bool { return devices["a"]["vendor"] == "Nokia" }},
	{name: "update", write: "POST /rest/instance/device",
		do: func(ctx context.Context, c *Client) error {
			return c.Upsert(ctx, typeOf("device"), Object{"name": "a", "vendor": "Nokia"})
		},
		landed: func(devices map[string]Object) bool { return devices["a"]["vendor"] == "Nokia" }},
	{name: "rename", write: "POST /rest/instance/device", once: true,
		do: func(ctx context.Context, c *Client) error {
			return c.Upsert(ctx, typeOf("device"), Object{"name": "a", "new_name": "b"})
		},
		landed: func(devices map[string]Object) bool { return devices["a"] == nil && devices["b"] != nil }},
	{name: "delete", write: "DELETE /rest/instance/device/a",
		do: func(ctx context.Context, c *Client) error {
			_, err := c.Delete(ctx, "device", "a")
			return err
		},
		landed: func(devices map[string]Object) bool { return devices["a"] == nil }},
	{name: "find", do: func(ctx context.Context, c *Client) error {
		_, err := c.Find(ctx, "device", "a", []string{"vendor"})
		return err
	}},
	{name: "get", do: func(ctx context.Context, c *Client) error {
		_, err := c.Get(ctx, "device", "a")
		return err
	}},
	{name: "list", do: func(ctx context.Context, c *Client) error {
		_, err := c.List(ctx, "device", nil, nil)
		return err
	}},
	{name: "pages", do: func(ctx context.Context, c *Client) error {
		for _, err := range c.Pages(ctx, "device", nil, nil) {
			return err
		}
		return errors.New("no page")
	}},
	{name: "related", do: func(ctx context.Context, c *Client) error {
		_, err := c.Related(ctx, "link", "source", "a")
		return err
	}},
}

// retried are the faults after which a request that may be sent twice is.
var retried = []faults.Fault{faults.Refuse, faults.Reset, faults.Cut, faults.Delay, faults.Late, faults.Endless,
	faults.TooMany, faults.BadGateway, faults.Unavailable, faults.GatewayTimeout}

// wins reports whether a call gets over a fault that happens once.
func (call faultyCall) wins(fault faults.Fault, when faults.When) bool {
	after := when == faults.After
	switch {
	case call.name == "get":
		return slices.Contains(retried, fault)
	case call.write == "", call.name == "update":
		return fault == faults.Error500 || slices.Contains(retried, fault)
	case call.name == "delete":
		return after == (fault != faults.Error500) || slices.Contains(retried, fault)
	}
	// Creations and renames are settled by reading, and sent again unless the
	// answer was meant; a refusal by eNMS itself once more.
	return (fault != faults.Error500 || !after) && (fault != faults.Page500 || after)
}

// TestFaultsOfEachCall runs every call of the client with every fault, once and
// lasting:
//   - A creation that got 429 is not sent again before its result has been looked up.
//   - GET and DELETE requests that Go's transport repeats by itself count as lost
//     responses.
//   - A write that met a deadlock of the database is retried.
func TestFaultsOfEachCall(t *testing.T) {
	t.Parallel()
	var tests []manyTest
	for _, call := range faultyCalls {
		for _, fault := range faults.All() {
			for _, when := range []faults.When{faults.Before, faults.After} {
				if fault == faults.Flood || fault == faults.Late && when == faults.After {
					continue // package rest tests the bounds of answers; the other is no different
				}
				name := fmt.Sprintf("%s/%s/%s", call.name, fault, when)
				tests = append(tests,
					manyTest{name + "/once", inItsTime(fault, func(t *testing.T) { call.happensOnce(t, fault, when) })},
					manyTest{name + "/lasting", inItsTime(fault, func(t *testing.T) { call.lasts(t, fault, faults.Rule{Fault: fault, When: when}) })})
				if call.write != "" {
					method, _, _ := strings.Cut(call.write, " ")
					tests = append(tests,
						manyTest{name + "/writes", inItsTime(fault, func(t *testing.T) {
							call.lasts(t, fault, faults.Rule{Fault: fault, When: when, Method: method, Path: "/rest/instance"})
						})},
						manyTest{name + "/reads", inItsTime(fault, func(t *testing.T) {
							call.lasts(t, fault, faults.Rule{Fault: fault, When: when, Method: "GET"}, faults.Rule{Fault: fault, When: when, Path: "/rest/search"})
						})})
				}
			}
		}
	}
	runMany(t, tests)
	fmt.Printf("faults of the client's calls: %d cases\n", len(tests))
}

// manyTest is a test that mostly waits.
type manyTest struct {
	name string
	do   func(t *testing.T)
}

// runMany runs such tests, many more at a time than there are cores.
func runMany(t *testing.T, tests []manyTest) {
	t.Helper()
	queue := make(chan manyTest)
	var runners sync.WaitGroup
	for range 16 {
		runners.Go(func() {
			for test := range queue {
				t.Run(test.name, test.do)
			}
		})
	}
	for _, test := range tests {
		queue <- test
	}
	close(queue)
	runners.Wait()
}

// slow are the faults that only the end of the client's patience ends.
var slow = []faults.Fault{faults.Delay, faults.Late, faults.Endless}

// inItsTime lets a test with a slow fault run by the clock of package synctest, so that a busy
// machine is not taken for the fault.
func inItsTime(fault faults.Fault, test func(t *testing.T)) func(t *testing.T) {
	if !slices.Contains(slow, fault) {
		return test
	}
	return func(t *testing.T) { synctest.Test(t, test) }
}

// begin makes what a call needs. The client is impatient only where it must be: then the server is
// in memory.
func (call faultyCall) begin(t *testing.T, fault faults.Fault) (*server, *Client) {
	t.Helper()
	var f *server
	change := func(*Config) {}
	if slices.Contains(slow, fault) {
		s, dial := testserver.NewInMemory(t, simulator.Options{})
		f, change = &server{s}, func(cfg *Config) {
			dial(cfg)
			cfg.RequestTimeout = 300 * time.Millisecond
		}
	} else {
		f = newServer(t, simulator.Options{})
	}
	if call.name != "create" {
		testserver.Must(t, create(t.Context(), f.client(t, change), "device", Object{"name": "a"}))
	}
	return f, f.client(t, change)
}

// happensOnce lets the request that counts go wrong once.
func (call faultyCall) happensOnce(t *testing.T, fault faults.Fault, when faults.When) {
	f, c := call.begin(t, fault)
	method, path, _ := strings.Cut(call.write, " ")
	f.Set(t, faults.Rule{Fault: fault, When: when, Count: 1, Method: method, Path: path})
	err := call.do(t.Context(), c)
	requests := f.Requests()
	if got, want := err == nil, call.wins(fault, when); got != want {
		t.Errorf("once: %v, success is %v, want %v; %q", err, got, want, requests)
	}
	call.check(t, f, err, requests)
}

// lasts lets every request of some rules go wrong: all, or only writes or reads; then the others may lead to success.
func (call faultyCall) lasts(t *testing.T, fault faults.Fault, rules ...faults.Rule) {
	f, c := call.begin(t, fault)
	f.Set(t, rules...)
	const patience = 20 * time.Second
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	err := call.do(ctx, c)
	requests := f.Requests()
	if err == nil && rules[0].Method == "" {
		t.Errorf("lasting: no error; %q", requests)
	}
	if ctx.Err() != nil {
		t.Errorf("lasting: no end after %s and %d requests", patience, len(requests))
	}
	call.check(t, f, err, requests)
}

// check compares what the call says with what eNMS holds, and looks at what was
// sent: never twice what must not be, unless a read came between.
func (call faultyCall) check(t *testing.T, f *server, err error, requests []string) {
	t.Helper()
	devices := f.Calm(t)
	if call.write == "" {
		return
	}
	_, ambiguous := errors.AsType[*AmbiguousError](err)
	if landed := call.landed(devices); err == nil && !landed {
		t.Errorf("told as done, and is not: %v", devices)
	}
	if unreachable, ok := errors.AsType[*UnreachableError](err); ok && call.once && !ambiguous && unreachable.Sent && call.landed(devices) {
		t.Errorf("told as failed, and is done: %v", err)
	}
	if len(devices) > 1 || devices["None"] != nil {
		t.Errorf("doubled: %v", devices)
	}
	for i := 1; i < len(requests) && call.once; i++ {
		if requests[i] == call.write && requests[i-1] == call.write {
			t.Errorf("sent twice blindly: %q", requests)
		}
	}
}

// The caller's deadline ends everything, whatever goes wrong and however many
// attempts are allowed.
func TestDeadlineUnderFaults(t *testing.T) {
	t.Parallel()
	var tests []manyTest
	for _, fault := range faults.All() {
		for _, call := range faultyCalls {
			tests = append(tests, manyTest{string(fault) + " " + call.name, func(t *testing.T) {
				f, _ := call.begin(t, faults.Reset) // the client waits for long
				c := f.client(t, func(cfg *Config) {
					cfg.MaxRetries, cfg.RequestTimeout, cfg.RetryWait = 1000000, time.Hour, time.Hour
				})
				f.Set(t, faults.Rule{Fault: fault, RetryAfter: 3600})
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
				begun := time.Now()
				err := call.do(ctx, c)
				if took := time.Since(begun); err == nil || took > 10*time.Second {
					t.Errorf("after %s: %v", took, err)
				}
				if slices.Contains(retried, fault) && !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				f.Set(t)
			}})
		}
	}
	runMany(t, tests)
}
