// Runs: nothing is started twice, whatever becomes of the answer; what a run came to.

package enms

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/faults"
)

const starting = "POST /rest/run_service"

// runServer has devices d1 to d3 and services to run on them.
func runServer(t *testing.T, opts simulator.Options) *server {
	t.Helper()
	s := newServer(t, opts)
	s.add(t, "device", Object{"name": "d1"}, Object{"name": "d2"}, Object{"name": "d3", "ip_address": "10.0.0.3"})
	s.add(t, "python_snippet_service",
		Object{"name": "good", "source_code": "results['success'] = device.name != 'd2'\nresults['result'] = device.name"},
		Object{"name": "raise", "source_code": "raise ValueError('it broke')"},
		Object{"name": "once", "run_method": "once", "source_code": "results['result'] = 1"},
		Object{"name": "dies"})
	s.ask(t, "", http.MethodPost, "/rest/instance/service", Object{"name": "dies", "initial_payload": nil}, new(any))
	return s
}

// runs are the runs that there are.
func runs(t *testing.T, c *Client) []Object {
	t.Helper()
	rows, err := c.Query(t.Context(), "run", nil)
	must(t, err)
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
				s := runServer(t, simulator.Options{})
				// Whoever fails once would be asked again by any other request.
				s.set(t, faults.Rule{Method: http.MethodPost, Path: "/rest/run_service", Fault: fault, When: when, Count: 1})
				c := s.client(t, func(cfg *Config) {
					if fault == faults.Late {
						cfg.RequestTimeout = 300 * time.Millisecond
					}
				})
				started, err := c.StartRun(t.Context(), Run{Service: "good", Name: "mine", Devices: []string{"d1"}})
				if n := s.count(starting); n != 1 {
					t.Errorf("it was sent %d times", n)
				}
				s.set(t)
				s.injector.Wait()
				runs := runs(t, c)
				if when == faults.Before && fault != faults.Late {
					if uncertain, is := errors.AsType[*UncertainRunError](err); !is || uncertain.Name != "mine" || len(runs) != 0 {
						t.Errorf("%v, %d runs", err, len(runs))
					}
					return
				}
				if err != nil || len(runs) != 1 || started.Runtime != text(runs[0], "runtime") || started.ScopedName != "good" {
					t.Errorf("%v %v, %d runs", started, err, len(runs))
				}
			})
		}
	}
}

// A run that another has started under the name is not taken for this one.
func TestRunOfAnotherUnderTheName(t *testing.T) {
	t.Parallel()
	s := runServer(t, simulator.Options{})
	s.ask(t, "", http.MethodPost, "/rest/run_service", Object{"name": "once", "form": Object{"name": "mine"}}, new(any))
	c := s.client(t)
	for _, rules := range [][]faults.Rule{nil, {{Path: "/rest/run_service", Fault: faults.Refuse}}} {
		s.set(t, rules...)
		_, err := c.StartRun(t.Context(), Run{Service: "once", Name: "mine"})
		if !is[*RunRefusedError](err) || s.count(starting) != 0 {
			t.Errorf("%d faults: %v", len(rules), err)
		}
	}
	// eNMS refuses it as well, when it was free before.
	s.set(t)
	if _, err := c.StartRun(t.Context(), Run{Service: "once", Name: "mine", Made: true}); !is[*RunRefusedError](err) || s.count(starting) != 1 {
		t.Error(err)
	}
	s.set(t, faults.Rule{Path: "/rest/run_service", Fault: faults.Refuse})
	if _, err := c.StartRun(t.Context(), Run{Service: "once", Name: "mine", Made: true}); !is[*UncertainRunError](err) || s.count(starting) != 1 {
		t.Error(err)
	}
	s.set(t)
	if runs := runs(t, c); len(runs) != 1 {
		t.Errorf("%d runs", len(runs))
	}
}

// A request that a gateway passes on twice starts one run, which is found whichever
// answer comes back.
func TestStartThatIsPassedOnTwice(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{"refused": "", "the other": `{"errors":[],"runtime":"2020-01-01 00:00:00.000000"}`} {
		s := runServer(t, simulator.Options{})
		s.intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
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
		c := s.client(t)
		started, err := c.StartRun(t.Context(), Run{Service: "good", Name: "mine", Devices: []string{"d1"}})
		must(t, err)
		var state *RunState
		for range 2 {
			state, err = c.RunState(t.Context(), started)
			must(t, err)
		}
		if all := runs(t, c); state.Result == nil || len(all) != 1 || started.Runtime != text(all[0], "runtime") {
			t.Errorf("%s: %+v, %d runs", name, state, len(all))
		}
	}
}

// A run that is not recorded is not mistaken for one that has taken its name.
func TestNameTakenMeanwhile(t *testing.T) {
	t.Parallel()
	s := runServer(t, simulator.Options{})
	c := s.client(t)
	started, err := c.StartRun(t.Context(), Run{Service: "dies", Name: "mine"})
	must(t, err)
	s.ask(t, "", http.MethodPost, "/rest/run_service", Object{"name": "once", "form": Object{"name": "mine"}}, new(any))
	if state, err := c.RunState(t.Context(), started); err != nil || state.Recorded {
		t.Errorf("%+v %v", state, err)
	}
}

// Who is interrupted while a run is being started learns of the run all the same.
func TestInterruptedStartOfARun(t *testing.T) {
	t.Parallel()
	for _, acted := range []bool{true, false} {
		s := runServer(t, simulator.Options{})
		ctx, interrupt := context.WithCancel(t.Context())
		t.Cleanup(interrupt)
		s.intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
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
		started, err := s.client(t).StartRun(ctx, Run{Service: "once", Name: "mine"})
		if _, uncertain := errors.AsType[*UncertainRunError](err); acted != (err == nil && started.Runtime != "") || acted == uncertain {
			t.Errorf("acted %t: %v %v", acted, started, err)
		}
	}
}

func TestRefusedRuns(t *testing.T) {
	t.Parallel()
	s := runServer(t, simulator.Options{})
	s.add(t, "python_snippet_service", Object{"name": "off", "disabled": true})
	c := s.client(t)
	for _, wrong := range []struct {
		run  Run
		want string
	}{
		{Run{Service: "off", Name: "n"}, `eNMS has not run "off": The workflow is disabled.`},
		{Run{Service: "good", Name: "n", Devices: []string{"d1", "nope"}, IPAddresses: []string{"1.2.3.4"}, Pools: []string{"p"}},
			`eNMS has not run "good": No device with the name 'nope'; No device with the IP address '1.2.3.4'; No pool with the name 'p'`},
		{Run{Service: "nope", Name: "n"}, `there is no such instance in eNMS: service "nope"`},
	} {
		if _, err := c.StartRun(t.Context(), wrong.run); err == nil || err.Error() != wrong.want {
			t.Errorf("%v", err)
		}
	}
	s.set(t)
	if runs := runs(t, c); len(runs) != 0 {
		t.Errorf("%d runs", len(runs))
	}
}

// What a run came to, with the one line of each failure.
func TestResultsOfRuns(t *testing.T) {
	t.Parallel()
	s := runServer(t, simulator.Options{RunPolls: 1})
	c := s.client(t)
	result := func(run Run) (*Started, *RunResult) {
		t.Helper()
		started, err := c.StartRun(t.Context(), run)
		must(t, err)
		state, err := c.RunState(t.Context(), started)
		must(t, err)
		if !state.Recorded || !state.UnderWay() || state.Result != nil {
			t.Errorf("%+v", state)
		}
		state, err = c.RunState(t.Context(), started)
		must(t, err)
		if state.UnderWay() || state.Result == nil {
			t.Fatalf("%+v", state)
		}
		return started, state.Result
	}
	run, got := result(Run{Service: "good", Name: "1", Devices: []string{"d2", "d1"}, IPAddresses: []string{"10.0.0.3"}})
	if got.Success || !reflect.DeepEqual(got.Summary, &RunSummary{Success: []string{"d1", "d3"}, Failure: []string{"d2"}, Discard: []string{}}) ||
		!reflect.DeepEqual(got.Reasons, map[string]string{"d2": "d2"}) || got.Reason != "" || got.Content["payload"] != nil {
		t.Errorf("%+v", got)
	}
	if progress, err := c.RunProgress(t.Context(), run); err != nil || progress != "3/3 (1 failed)" {
		t.Errorf("%q %v", progress, err)
	}
	for _, find := range []func() (*Started, error){
		func() (*Started, error) { return c.RunNamed(t.Context(), "1") },
		func() (*Started, error) { return c.RunAt(t.Context(), "good", run.Runtime) },
	} {
		want := *run
		want.marker = ""
		if found, err := find(); err != nil || *found != want {
			t.Errorf("%+v %v", found, err)
		}
	}
	if _, err := c.RunAt(t.Context(), "once", run.Runtime); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	if _, got = result(Run{Service: "raise", Name: "2", Devices: []string{"d1"}}); got.Reasons["d1"] != "it broke" {
		t.Errorf("%+v", got)
	}
	if _, got = result(Run{Service: "once", Name: "3"}); got.Success || got.Summary != nil || got.Reason != "KeyError: 'True'" {
		t.Errorf("%+v", got)
	}
	dead, err := c.StartRun(t.Context(), Run{Service: "dies", Name: "4"})
	must(t, err)
	if state, err := c.RunState(t.Context(), dead); err != nil || state.Recorded || state.UnderWay() {
		t.Errorf("%+v %v", state, err)
	}
}

// Devices that the user may not run services on are told, also those of pools, and
// those alone.
func TestDroppedTargets(t *testing.T) {
	t.Parallel()
	s := runServer(t, simulator.Options{})
	s.add(t, "user", Object{"name": "ann", "password": "ann"})
	s.add(t, "group", Object{"name": "g", "users": []string{"ann"}, "get_requests": []string{"/rest/instance", "/rest/query", "/rest/result"},
		"post_requests": []string{"/rest/run_service"}, "delete_requests": []string{}, "menu": []string{}, "pages": []string{}})
	rights := func(object Object, rights ...string) Object {
		for _, right := range rights {
			object[right] = []string{"g"}
		}
		return object
	}
	s.add(t, "device", rights(Object{"name": "d1"}, "rbac_read", "rbac_target"), rights(Object{"name": "d2"}, "rbac_read"), Object{"name": "d3"})
	s.add(t, "pool", rights(Object{"name": "p", "manually_defined": true, "devices": []string{"d3", "d1"}}, "rbac_read"))
	s.ask(t, "", http.MethodPost, "/rest/instance/service", Object{"name": "good", "rbac_read": []string{"g"}, "rbac_run": []string{"g"}}, new(any))
	c := s.client(t, func(cfg *Config) { cfg.Username, cfg.Password = "ann", "ann" })
	for want, run := range map[string]Run{
		"[d2 d3]": {Devices: []string{"d1", "d2"}, Pools: []string{"p"}},
		"[d2]":    {Devices: []string{"d2"}},
		"[]":      {Devices: []string{"d1"}},
	} {
		run.Service, run.Name = "good", want
		started, err := c.StartRun(t.Context(), run)
		must(t, err)
		state, err := c.RunState(t.Context(), started)
		must(t, err)
		if dropped, err := c.DroppedTargets(t.Context(), started, state.Result); err != nil || fmt.Sprint(dropped) != want {
			t.Errorf("%v %v, want %s", dropped, err, want)
		}
	}
}

// Answers that no eNMS gives are errors.
func TestHostileResults(t *testing.T) {
	t.Parallel()
	s := runServer(t, simulator.Options{})
	answer := ""
	s.intercept(func(w http.ResponseWriter, r *http.Request, _ []byte) bool {
		spoiled := strings.HasPrefix(r.URL.Path, "/rest/result") || r.URL.Path == "/rest/run_service"
		if spoiled {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(answer))
		}
		return spoiled
	})
	c := s.client(t)
	for _, answer = range []string{`[]`, `null`, `{}`, `{"status":1}`, `{"status":"Completed","result":{"success":"yes"}}`, `{"status":"Completed","result":{}}`} {
		if state, err := c.RunState(t.Context(), &Started{ScopedName: "s", Runtime: "r"}); err == nil {
			t.Errorf("%s: %+v", answer, state)
		}
	}
	for _, answer = range []string{`[]`, `{}`, `{"runtime":5}`, `{"errors":[1]}`} {
		if started, err := c.StartRun(t.Context(), Run{Service: "once", Name: "n"}); err == nil {
			t.Errorf("%s: %+v", answer, started)
		}
	}
}

// A task is run once, and its run is the new one.
func TestRunTask(t *testing.T) {
	t.Parallel()
	for _, fault := range append([]faults.Fault{""}, startFaults...) {
		t.Run(string(fault), func(t *testing.T) {
			t.Parallel()
			s := runServer(t, simulator.Options{})
			s.add(t, "task", Object{"name": "other", "service": "once"}, Object{"name": "task", "service": "good", "devices": []string{"d1"}})
			c := s.client(t, func(cfg *Config) {
				if fault == faults.Late {
					cfg.RequestTimeout = 300 * time.Millisecond
				}
			})
			for _, name := range []string{"task", "other"} {
				if _, err := c.RunTask(t.Context(), name); err != nil {
					t.Fatal(err)
				}
			}
			if fault != "" {
				s.set(t, faults.Rule{Method: http.MethodPost, Path: "/rest/run_task", Fault: fault, When: faults.After, Count: 1})
			}
			started, err := c.RunTask(t.Context(), "task")
			must(t, err)
			s.set(t)
			all := runs(t, c)
			if len(all) != 3 || started.Runtime != text(all[2], "runtime") || started.Service != "good" {
				t.Errorf("%+v, %d runs", started, len(all))
			}
			if state, err := c.RunState(t.Context(), started); err != nil || state.Result == nil || !state.Result.Success {
				t.Errorf("%+v %v", state, err)
			}
		})
	}
}

// A run of a task that never began is told as unknown, after one request.
func TestRunTaskThatIsLost(t *testing.T) {
	t.Parallel()
	s := runServer(t, simulator.Options{})
	s.add(t, "task", Object{"name": "task", "service": "good"}, Object{"name": "dead", "service": "dies"})
	c := s.client(t)
	s.set(t, faults.Rule{Method: http.MethodPost, Path: "/rest/run_task", Fault: faults.Reset, Count: 1})
	for _, name := range []string{"task", "dead"} {
		if _, err := c.RunTask(t.Context(), name); !is[*UncertainRunError](err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if n := s.count("POST /rest/run_task"); n != 2 || len(runs(t, c)) != 0 {
		t.Errorf("%d requests", n)
	}
	if _, err := c.RunTask(t.Context(), "nope"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

// Of a result with keys of several types eNMS answers 500 for good. The run counted as one
// that cannot be waited for, so that the next apply ran the service again.
func TestResultThatIsNoJSON(t *testing.T) {
	t.Parallel()
	f := newServer(t, simulator.Options{})
	f.add(t, "python_snippet_service", Object{"name": "good", "scoped_name": "good", "run_method": "once", "skip_value": "success", "source_code": "results['success'] = True"})
	c := f.client(t)
	run, err := c.StartRun(t.Context(), Run{Service: "good", Name: "1"})
	must(t, err)
	state, err := c.RunState(t.Context(), run)
	must(t, err)
	broken := 0
	f.intercept(func(w http.ResponseWriter, r *http.Request, body []byte) bool {
		if strings.Contains(string(body), `"type":"result"`) { // as a real eNMS answers it
			_, _ = fmt.Fprintf(w, `[{"duration":"0:00:00","id":3,"runtime":%q,"service_name":"good","success":true,"type":"result"}]`, run.Runtime)
			return true
		}
		if !strings.HasPrefix(r.URL.Path, "/rest/result/") || broken == 0 {
			return false
		}
		broken--
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, `{"alert":"Error 500 - Internal Server Error."}`)
		return true
	})
	broken = 1
	if again, err := c.RunState(t.Context(), run); err != nil || !reflect.DeepEqual(again, state) {
		t.Errorf("after one 500: %+v, %v", again, err)
	}
	broken = 2
	known, err := c.RunState(t.Context(), run)
	if err != nil || known.Status != state.Status || known.Result == nil || !known.Result.Success || known.Result.Duration != "0:00:00" ||
		known.Result.Content["error"] != unprintableReason {
		t.Errorf("after another: %+v, %v", known, err)
	}
	broken = 2
	if known, err := c.RunState(t.Context(), &Started{Service: "good", ScopedName: "good", Name: "2", Runtime: run.Runtime}); !InternalServerError(err) {
		t.Errorf("of a run that is not there: %+v, %v", known, err)
	}
}
