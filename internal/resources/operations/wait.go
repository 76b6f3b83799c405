// Package operations has eNMS do things: run services and tasks, compute pools, and show what it has
// fetched from devices.
//
//	request.go, resource.go, action.go      enms_service_run, enms_run_service, enms_run_task
//	wait.go, outcome.go, content.go         following a run, and what is said of it
//	result.go, recent.go, changelog.go      enms_run_result, enms_runs, enms_changelog
//	server.go                               enms_server
//	pools.go                                enms_pools_update, enms_update_pools
//	configuration.go                        enms_device_configuration
//	reading.go                              enms_run_result and enms_device_configuration, also as ephemeral resources
package operations

import (
	"context"
	"fmt"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/runs"
)

const (
	// recordingTime is how long eNMS may take to record a run that it has started. A run that waits for
	// a worker takes longer than others, and a run that died before is never recorded.
	recordingTime = 2 * time.Minute
	// resultLooks is how many times the provider reads a run that is over and has no result: eNMS
	// writes the result after the status.
	resultLooks = 3
	// progressPause is the time after which the provider reports again that a run goes on.
	progressPause = 30 * time.Second
)

// observer is the part of the client that reads runs.
type observer interface {
	State(ctx context.Context, run *runs.Started) (*runs.State, error)
	Progress(ctx context.Context, run *runs.Started) (string, error)
}

// waiting is how to wait for a run.
type waiting struct {
	timeout, interval, recording time.Duration
	// progress gets lines about the progress of the run; nil if nobody reads them.
	progress func(line string)
}

// unfinishedError means that the waiting ended before the run did.
type unfinishedError struct {
	why    string // what ended the waiting, as the beginning of a sentence
	goesOn bool   // the run still goes on, as far as is known
	// unrecorded is set if eNMS does not know the run.
	unrecorded bool

	cause error // of a request that failed; nil if none did
}

func (e *unfinishedError) Error() string {
	if e.cause != nil {
		return e.why + ": " + e.cause.Error()
	}
	return e.why
}

// Unwrap returns the error of the request that failed, if one did.
func (e *unfinishedError) Unwrap() error { return e.cause }

// await reads a run until it is over. The error is an *unfinishedError.
func (w waiting) await(ctx context.Context, client observer, run *runs.Started) (*runs.State, error) {
	limited, cancel := context.WithTimeout(ctx, w.timeout)
	defer cancel()
	begin, pause := time.Now(), w.interval/8 // doubled before each check, up to the interval
	recorded := false                        // eNMS has known the run
	withoutResult := 0                       // how often the run was over and had no result
	log := &progressLog{progress: w.progress, last: begin}
	for {
		state, err := client.State(limited, run)
		switch {
		case err == nil && state.Result != nil:
			return state, nil
		case limited.Err() != nil:
			return nil, w.ended(ctx, recorded)
		case err != nil:
			return nil, &unfinishedError{why: "its status cannot be read", goesOn: true, cause: err}
		case state.Recorded && !state.UnderWay():
			withoutResult++
			if withoutResult == resultLooks {
				return nil, &unfinishedError{why: fmt.Sprintf("its status is %q, and it has no result", state.Status)}
			}
		case !state.Recorded && !recorded && time.Since(begin) > w.recording:
			return nil, notRecorded(w.recording)
		}
		recorded = recorded || state.Recorded
		log.report(limited, client, run, begin)
		pause = min(2*pause, w.interval)
		select {
		case <-time.After(pause):
		case <-limited.Done():
			return nil, w.ended(ctx, recorded)
		}
	}
}

// ended returns the error of a wait that was interrupted, or whose time is up. recorded is false if eNMS does not
// know the run.
func (w waiting) ended(ctx context.Context, recorded bool) error {
	switch {
	case ctx.Err() != nil:
		return &unfinishedError{why: "the waiting was interrupted", goesOn: true}
	case !recorded:
		return notRecorded(w.timeout)
	}
	return &unfinishedError{why: fmt.Sprintf("it has not ended within the timeout of %s", w.timeout), goesOn: true}
}

// notRecorded returns the error of a run that eNMS does not know after some time.
func notRecorded(after time.Duration) error {
	return &unfinishedError{why: fmt.Sprintf("eNMS started it, but did not record it within %s", after), unrecorded: true}
}

// progressLog is what was last reported about a run, and when.
type progressLog struct {
	progress func(string)
	line     string
	last     time.Time
}

// report reads the progress of a run, and reports it if it has changed or some time has passed. It
// ignores errors, because await notices them.
func (l *progressLog) report(ctx context.Context, client observer, run *runs.Started, begin time.Time) {
	if l.progress == nil {
		return
	}
	line, err := client.Progress(ctx, run)
	if line == "" { // only the worker of eNMS that executes the run knows its progress
		line = l.line
	}
	if err != nil || line == l.line && time.Since(l.last) < progressPause {
		return
	}
	l.line, l.last = line, time.Now()
	elapsed := time.Since(begin).Round(time.Second)
	if line == "" {
		l.progress(fmt.Sprintf("Service %q has been running for %s", run.Service, elapsed))
		return
	}
	l.progress(fmt.Sprintf("Service %q has been running for %s, devices done: %s", run.Service, elapsed, line))
}
