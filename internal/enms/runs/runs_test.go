// Runs: nothing is started twice, whatever becomes of the answer; what a run came to.

package runs

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/endpoint"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/testserver"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

const starting = "POST /rest/run_service"

// TestMain fails when a goroutine is left over by the tests.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newClient makes a client of a server's runs.
func newClient(t *testing.T, s *testserver.Server, change ...func(*enms.Config)) *Client {
	t.Helper()
	c, err := enms.New(testserver.Config(s.URL, change...), enms.Words{})
	testserver.Must(t, err)
	t.Cleanup(c.Close)
	return New(c)
}

// runServer has devices d1 to d3 and services to run on them.
func runServer(t *testing.T, opts simulator.Options) *testserver.Server {
	t.Helper()
	s := testserver.New(t, opts)
	addServices(t, s)
	return s
}

// withServer lets a test run with such a server. If the fault is that of a slow server, the test
// runs by the clock of package synctest, so that a busy machine is not taken for the fault, and the
// clients do not wait long.
func withServer(t *testing.T, fault faults.Fault, test func(t *testing.T, s *testserver.Server, change func(*enms.Config))) {
	t.Helper()
	if fault != faults.Late {
		test(t, runServer(t, simulator.Options{}), func(*enms.Config) {})
		return
	}
	synctest.Test(t, func(t *testing.T) {
		s, dial := testserver.NewInMemory(t, simulator.Options{})
		addServices(t, s)
		test(t, s, func(cfg *enms.Config) {
			dial(cfg)
			cfg.RequestTimeout = 300 * time.Millisecond
		})
	})
}

// addServices adds the devices and services of runServer.
func addServices(t *testing.T, s *testserver.Server) {
	t.Helper()
	s.Add(t, "device", testserver.Object{"name": "d1"}, testserver.Object{"name": "d2"}, testserver.Object{"name": "d3", "ip_address": "10.0.0.3"})
	s.Add(t, "python_snippet_service",
		testserver.Object{"name": "good", "source_code": "results['success'] = device.name != 'd2'\nresults['result'] = device.name"},
		testserver.Object{"name": "raise", "source_code": "raise ValueError('it broke')"},
		testserver.Object{"name": "once", "run_method": "once", "source_code": "results['result'] = 1"},
		testserver.Object{"name": "dies"})
	s.Ask(t, "", http.MethodPost, "/rest/instance/service", testserver.Object{"name": "dies", "initial_payload": nil}, new(any))
}

// recorded returns the runs that eNMS has.
func recorded(t *testing.T, c *Client) []testserver.Object {
	t.Helper()
	rows, err := c.endpoint.Query(t.Context(), "run", nil)
	testserver.Must(t, err)
	return rows
}

// startFaults are the faults that leave open whether the server has acted, and some
// in which it has not.
var startFaults = []faults.Fault{faults.Refuse, faults.Reset, faults.Cut, faults.Late, faults.TooMany, faults.Page500, faults.BadGateway,
	faults.Unavailable, faults.GatewayTimeout, faults.Redirect, faults.HTML, faults.Truncated, faults.Malformed, faults.Empty}

// A start is sent once. When it was acted on and the answer is lost, the run is found;
// otherwise the error says that it is unknown, and nothing runs.
func TestStartOfARunIsSentOnce(t *testing.T) {
	t.Parallel()
	for _, fault := range startFaults {
		for _, when := range []faults.When{faults.Before, faults.After} {
			t.Run(fmt.Sprintf("%s %s", fault, when), func(t *testing.T) {
				t.Parallel()
				withServer(t, fault, func(t *testing.T, s *testserver.Server, change func(*enms.Config)) {
					// Whoever fails once would be asked again by any other request.
					s.Set(t, faults.Rule{Method: http.MethodPost, Path: "/rest/run_service", Fault: fault, When: when, Count: 1})
					c := newClient(t, s, change)
					started, err := c.Start(t.Context(), Run{Service: "good", Name: "mine", Devices: []string{"d1"}})
					if n := s.Count(starting); n != 1 {
						t.Errorf("it was sent %d times", n)
					}
					s.Set(t)
					s.Injector.Wait()
					runs := recorded(t, c)
					if when == faults.Before && fault != faults.Late {
						if uncertain, is := errors.AsType[*UncertainError](err); !is || uncertain.Name != "mine" || len(runs) != 0 {
							t.Errorf("%v, %d runs", err, len(runs))
						}
						return
					}
					if err != nil || len(runs) != 1 || started.Runtime != endpoint.String(runs[0], "runtime") || started.ScopedName != "good" {
						t.Errorf("%v %v, %d runs", started, err, len(runs))
					}
				})
			})
		}
	}
}

// A request that a gateway passes on twice starts one run, which is found whichever
// answer comes back.
func TestStartThatIsPassedOnTwice(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{"refused": "", "the other": `{"errors":[],"runtime":"2020-01-01 00:00:00.000000"}`} {
		s := runServer(t, simulator.Options{})
		s.Intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
			if r.URL.Path != "/rest/run_service" {
				return false
			}
			first := r.Clone(r.Context())
			first.Body = io.NopCloser(bytes.NewReader(body))
			s.ServeHTTP(httptest.NewRecorder(), first)
			if answer != "" {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, answer)
				return true
			}
			return false
		})
		c := newClient(t, s)
		started, err := c.Start(t.Context(), Run{Service: "good", Name: "mine", Devices: []string{"d1"}})
		testserver.Must(t, err)
		var state *State
		for range 2 {
			state, err = c.State(t.Context(), started)
			testserver.Must(t, err)
		}
		if all := recorded(t, c); state.Result == nil || len(all) != 1 || started.Runtime != endpoint.String(all[0], "runtime") {
			t.Errorf("%s: %+v, %d runs", name, state, len(all))
		}
	}
}

// Who is interrupted while a run is being started learns of the run all the same.
func TestInterruptedStartOfARun(t *testing.T) {
	t.Parallel()
	for _, acted := range []bool{true, false} {
		s := runServer(t, simulator.Options{})
		ctx, interrupt := context.WithCancel(t.Context())
		t.Cleanup(interrupt)
		s.Intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
			if r.URL.Path != "/rest/run_service" {
				return false
			}
			if acted {
				s.ServeHTTP(w, r)
			}
			interrupt()
			<-r.Context().Done()
			return true
		})
		started, err := newClient(t, s).Start(ctx, Run{Service: "once", Name: "mine"})
		if _, uncertain := errors.AsType[*UncertainError](err); acted != (err == nil && started.Runtime != "") || acted == uncertain {
			t.Errorf("acted %t: %v %v", acted, started, err)
		}
	}
}

// What a run came to, with the one line of each failure.
func TestResultsOfRuns(t *testing.T) {
	t.Parallel()
	s := runServer(t, simulator.Options{RunPolls: 1})
	c := newClient(t, s)
	result := func(run Run) (*Started, *Result) {
		t.Helper()
		started, err := c.Start(t.Context(), run)
		testserver.Must(t, err)
		state, err := c.State(t.Context(), started)
		testserver.Must(t, err)
		if !state.Recorded || !state.UnderWay() || state.Result != nil {
			t.Errorf("%+v", state)
		}
		state, err = c.State(t.Context(), started)
		testserver.Must(t, err)
		if state.UnderWay() || state.Result == nil {
			t.Fatalf("%+v", state)
		}
		return started, state.Result
	}
	run, got := result(Run{Service: "good", Name: "1", Devices: []string{"d2", "d1"}, IPAddresses: []string{"10.0.0.3"}})
	if got.Success || !reflect.DeepEqual(got.Summary, &Summary{Success: []string{"d1", "d3"}, Failure: []string{"d2"}, Discard: []string{}}) ||
		!reflect.DeepEqual(got.Reasons, map[string]string{"d2": "d2"}) || got.Reason != "" || got.Content["payload"] != nil {
		t.Errorf("%+v", got)
	}
	if progress, err := c.Progress(t.Context(), run); err != nil || progress != "3/3 (1 failed)" {
		t.Errorf("%q %v", progress, err)
	}
	for _, find := range []func() (*Started, error){
		func() (*Started, error) { return c.Named(t.Context(), "1") },
		func() (*Started, error) { return c.At(t.Context(), "good", run.Runtime) },
	} {
		want := *run
		want.marker = ""
		if found, err := find(); err != nil || *found != want {
			t.Errorf("%+v %v", found, err)
		}
	}
	if _, err := c.At(t.Context(), "once", run.Runtime); !errors.Is(err, endpoint.ErrNotFound) {
		t.Error(err)
	}
	if _, got = result(Run{Service: "raise", Name: "2", Devices: []string{"d1"}}); got.Reasons["d1"] != "it broke" {
		t.Errorf("%+v", got)
	}
	if _, got = result(Run{Service: "once", Name: "3"}); got.Success || got.Summary != nil || got.Reason != "KeyError: 'True'" {
		t.Errorf("%+v", got)
	}
	dead, err := c.Start(t.Context(), Run{Service: "dies", Name: "4"})
	testserver.Must(t, err)
	if state, err := c.State(t.Context(), dead); err != nil || state.Recorded || state.UnderWay() {
		t.Errorf("%+v %v", state, err)
	}
}

// Devices that the user cannot run services on are told, also those of pools, and
// those alone.
func TestDroppedTargets(t *testing.T) {
	t.Parallel()
	s := runServer(t, simulator.Options{})
	s.Add(t, "user", testserver.Object{"name": "ann", "password": "ann"})
	s.Add(t, "group", testserver.Object{"name": "g", "users": []string{"ann"}, "get_requests": []string{"/rest/instance", "/rest/query", "/rest/result"},
		"post_requests": []string{"/rest/run_service"}, "delete_requests": []string{}, "menu": []string{}, "pages": []string{}})
	rights := func(object testserver.Object, rights ...string) testserver.Object {
		for _, right := range rights {
			object[right] = []string{"g"}
		}
		return object
	}
	s.Add(t, "device", rights(testserver.Object{"name": "d1"}, "rbac_read", "rbac_target"), rights(testserver.Object{"name": "d2"}, "rbac_read"), testserver.Object{"name": "d3"})
	s.Add(t, "pool", rights(testserver.Object{"name": "p", "manually_defined": true, "devices": []string{"d3", "d1"}}, "rbac_read"))
	s.Ask(t, "", http.MethodPost, "/rest/instance/service", testserver.Object{"name": "good", "rbac_read": []string{"g"}, "rbac_run": []string{"g"}}, new(any))
	c := newClient(t, s, func(cfg *enms.Config) { cfg.Username, cfg.Password = "ann", "ann" })
	for want, run := range map[string]Run{
		"[d2 d3]": {Devices: []string{"d1", "d2"}, Pools: []string{"p"}},
		"[d2]":    {Devices: []string{"d2"}},
		"[]":      {Devices: []string{"d1"}},
	} {
		run.Service, run.Name = "good", want
		started, err := c.Start(t.Context(), run)
		testserver.Must(t, err)
		state, err := c.State(t.Context(), started)
		testserver.Must(t, err)
		if dropped, err := c.DroppedTargets(t.Context(), started, state.Result); err != nil || fmt.Sprint(dropped) != want {
			t.Errorf("%v %v, want %s", dropped, err, want)
		}
	}
}

// A task is run once, and its run is the new one.
func TestRunTask(t *testing.T) {
	t.Parallel()
	for _, fault := range append([]faults.Fault{""}, startFaults...) {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			withServer(t, fault, func(t *testing.T, s *testserver.Server, change func(*enms.Config)) {
				s.Add(t, "task", testserver.Object{"name": "other", "service": "once"}, testserver.Object{"name": "task", "service": "good", "devices": []string{"d1"}})
				c := newClient(t, s, change)
				for _, name := range []string{"task", "other"} {
					if _, err := c.StartTask(t.Context(), name); err != nil {
						t.Fatal(err)
					}
				}
				if fault != "" {
					s.Set(t, faults.Rule{Method: http.MethodPost, Path: "/rest/run_task", Fault: fault, When: faults.After, Count: 1})
				}
				started, err := c.StartTask(t.Context(), "task")
				testserver.Must(t, err)
				s.Set(t)
				all := recorded(t, c)
				if len(all) != 3 || started.Runtime != endpoint.String(all[2], "runtime") || started.Service != "good" {
					t.Errorf("%+v, %d runs", started, len(all))
				}
				if state, err := c.State(t.Context(), started); err != nil || state.Result == nil || !state.Result.Success {
					t.Errorf("%+v %v", state, err)
				}
			})
		})
	}
}
