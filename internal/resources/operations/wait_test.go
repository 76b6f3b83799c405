// Tests of the waiting, with an eNMS that answers from a list.

package operations

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/enms/runs"
)

// answers is an observer that gives one state after another, the last for ever.
type answers struct {
	states   []*runs.State
	err      error // instead of the states
	asked    int
	progress []string
	look     func(n int) // is told of each look
}

func (a *answers) State(ctx context.Context, _ *runs.Started) (*runs.State, error) {
	a.asked++
	if a.look != nil {
		a.look(a.asked)
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if a.err != nil {
		return nil, a.err
	}
	return a.states[min(a.asked, len(a.states))-1], nil
}

func (a *answers) Progress(context.Context, *runs.Started) (string, error) {
	if len(a.progress) == 0 {
		return "", errors.New("nothing is known")
	}
	line := a.progress[0]
	a.progress = a.progress[1:]
	return line, nil
}

var (
	unrecorded = &runs.State{}
	underWay   = &runs.State{Recorded: true, Status: runs.StatusUnderWay}
	lost       = &runs.State{Recorded: true, Status: "Aborted (RELOAD)"}
	over       = &runs.State{Recorded: true, Status: "Completed", Result: &runs.Result{Success: true}}
	someRun    = &runs.Started{Service: "s", Name: "n", Runtime: "r"}
)

// quick waits as short as it can.
var quick = waiting{timeout: time.Minute, interval: time.Millisecond, recording: time.Minute}

func TestWaiting(t *testing.T) {
	t.Parallel()
	hasty := func(timeout, recording time.Duration) waiting {
		return waiting{timeout: timeout, interval: time.Millisecond, recording: recording}
	}
	for name, c := range map[string]struct {
		waiting waiting
		states  []*runs.State
		err     error
		want    string // of the error; "" for none
		goesOn  bool
	}{
		"over at once":                 {quick, []*runs.State{over}, nil, "", false},
		"recorded late":                {quick, []*runs.State{unrecorded, unrecorded, underWay, over}, nil, "", false},
		"recorded, but not everywhere": {hasty(time.Minute, time.Nanosecond), []*runs.State{underWay, unrecorded, over}, nil, "", false},
		"the result comes later":       {quick, []*runs.State{underWay, lost, lost, over}, nil, "", false},
		"without a result":             {quick, []*runs.State{underWay, lost}, nil, `its status is "Aborted (RELOAD)", and it has no result`, false},
		"never recorded":               {hasty(time.Minute, 5*time.Millisecond), []*runs.State{unrecorded}, nil, "eNMS started it, but did not record it within 5ms", false},
		"not recorded in time":         {hasty(5*time.Millisecond, time.Minute), []*runs.State{unrecorded}, nil, "eNMS started it, but did not record it within 5ms", false},
		"too long":                     {hasty(time.Second/2, time.Minute), []*runs.State{underWay}, nil, "it has not ended within the timeout of 500ms", true}, // a busy machine takes a while to look once
		"unreadable":                   {quick, nil, errors.New("no route"), "its status cannot be read: no route", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			state, err := c.waiting.await(t.Context(), &answers{states: c.states, err: c.err}, someRun)
			if c.want == "" {
				if err != nil || state != over {
					t.Errorf("%v %v", state, err)
				}
				return
			}
			unfinished, is := errors.AsType[*unfinishedError](err)
			if !is || err.Error() != c.want || unfinished.goesOn != c.goesOn || unfinished.unrecorded != strings.Contains(c.want, "did not record") || c.err != nil && !errors.Is(err, c.err) {
				t.Errorf("%v", err)
			}
		})
	}
}

// An interrupt ends the waiting during a look and during a pause.
func TestInterruptedWaiting(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(t.Context())
	defer interrupt()
	asked := &answers{states: []*runs.State{underWay}, look: func(n int) {
		if n == 3 {
			interrupt()
		}
	}}
	_, err := quick.await(ctx, asked, someRun)
	if unfinished, is := errors.AsType[*unfinishedError](err); !is || !unfinished.goesOn || asked.asked != 3 || err.Error() != "the waiting was interrupted" {
		t.Errorf("%v after %d looks", err, asked.asked)
	}
	pausing, end := context.WithCancel(t.Context())
	defer end()
	slow := waiting{timeout: time.Hour, interval: time.Hour, recording: time.Hour, progress: func(string) { end() }}
	if _, err = slow.await(pausing, &answers{states: []*runs.State{underWay}, progress: []string{"0/1 (0 failed)"}}, someRun); err == nil || err.Error() != "the waiting was interrupted" {
		t.Error(err)
	}
}

// What is told of a run is told once, and a worker that does not know is no news.
func TestProgress(t *testing.T) {
	t.Parallel()
	var told []string
	short := waiting{timeout: time.Minute, interval: time.Millisecond, recording: time.Minute, progress: func(line string) {
		_, progress, _ := strings.Cut(line, ", devices done: ")
		told = append(told, progress)
	}}
	asked := &answers{states: slices.Concat(slices.Repeat([]*runs.State{underWay}, 6), []*runs.State{over}),
		progress: []string{"", "1/4 (0 failed)", "1/4 (0 failed)", "", "3/4 (1 failed)"}}
	if _, err := short.await(t.Context(), asked, someRun); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(told, []string{"1/4 (0 failed)", "3/4 (1 failed)"}) {
		t.Errorf("%q", told)
	}
	for _, progress := range [][]string{nil, {""}} { // after a pause: unreadable, and none
		var after []string
		log := &progressLog{progress: func(line string) { after = append(after, line) }}
		if log.report(t.Context(), &answers{progress: progress}, someRun, time.Now()); len(after) != len(progress) {
			t.Errorf("of the progress %q it tells %q", progress, after)
		}
	}
}

// The error of a run that is not finished says what became of it.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	for want, why := range map[string]error{
		"The wait ended.\nThe run \"n\" began at r. Next.": &unfinishedError{why: "the wait ended"}, "The wait ended.\nThe run \"n\", which started at r, continues": &unfinishedError{why: "the wait ended", goesOn: true},
		"eNMS ended.\nThe run \"n\" should have started at r.": &unfinishedError{why: "eNMS ended", unrecorded: true},
	} {
		if have := unfinished(someRun, why, "Next."); !strings.HasPrefix(have.Detail(), want) || !strings.HasSuffix(have.Detail(), " Next.") {
			t.Errorf("it says %s, and not %s", have.Detail(), want)
		}
	}
}

// The error of a failed run names devices, up to a number of them.
func TestFailure(t *testing.T) {
	t.Parallel()
	many := &runs.Result{Reasons: map[string]string{"d000": "it broke"}, Summary: &runs.Summary{Success: []string{"good"}}, Duration: "0:00:07"}
	for i := range 50 {
		many.Summary.Failure = append(many.Summary.Failure, fmt.Sprintf("d%03d", i))
	}
	for name, c := range map[string]struct {
		status string
		result *runs.Result
		steps  []runs.Step
		words  []string
	}{
		"many":      {statusCompleted, many, nil, []string{"It failed on 50 of 51 devices:", "  * d000: it broke\n", "  * d009\n", "  * and 40 more\n", `"n" began at r and took 0:00:07`}},
		"its own":   {statusCompleted, &runs.Result{Reason: "KeyError: 'True'"}, nil, []string{"eNMS says: KeyError: 'True'"}},
		"stopped":   {"Aborted", &runs.Result{Reason: "Aborted"}, nil, []string{`Its status is "Aborted"`, "eNMS says: Aborted"}},
		"no reason": {statusCompleted, &runs.Result{Summary: &runs.Summary{}}, nil, []string{"eNMS returns no reason"}},
		"steps": {statusCompleted, &runs.Result{Summary: &runs.Summary{Failure: []string{"d1"}}}, []runs.Step{{Service: "a", Device: "", Reason: "no file"}, {Service: "b", Device: "d1", Reason: "it broke"}, {Service: "c", Device: "d1", Reason: ""}, {Service: "b", Device: "d2", Reason: ""}},
			[]string{"It failed on 1 of 1 devices:\n  * service \"a\": no file\n  * d1: service \"b\": it broke; service \"c\"\n  * d2: service \"b\"\n", "enms_run_result shows the rest: service = \"s\", runtime = \"r\""}},
		"steps alone": {statusCompleted, &runs.Result{}, []runs.Step{{Service: "a", Device: "", Reason: "no file"}}, []string{"These services failed:\n  * service \"a\": no file\n"}},
	} {
		diags := failure(someRun, &runs.State{Status: c.status, Result: c.result}, c.steps)
		if !diags.HasError() {
			t.Fatalf("%s: no error", name)
		}
		detail := diags[0].Detail()
		for _, word := range c.words {
			if !strings.Contains(detail, word) {
				t.Errorf("%s: no %q in %s", name, word, detail)
			}
		}
		if strings.Contains(detail, "d010") {
			t.Errorf("%s: %s", name, detail)
		}
	}
	if diags := failure(someRun, over, nil); len(diags) != 0 {
		t.Error(diags)
	}
}
