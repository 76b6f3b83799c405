// Package scheduler is the scheduler of eNMS, which has the jobs and their next runs (enms-rest.md 1.8).
package scheduler

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// grace is how late a job may start and still run.
const grace = 5 * time.Second

// ErrNoRun is the error for a job that never runs, such as one whose last date has passed. Only eNMS 4.7 refuses the
// task because of it.
var ErrNoRun = python.Raise("AttributeError", "'NoneType' object has no attribute 'tzinfo'")

// job is one entry of the scheduler. A zero next means that it is paused.
type job struct {
	next time.Time
	// following returns the time of the run after a given time, or zero if there is none.
	following func(time.Time) time.Time
}

// Scheduler has the jobs by task id. It does not know tasks: a job remains when its task is deleted
// together with its service (3).
type Scheduler struct {
	// Reachable says whether eNMS can reach the scheduler.
	Reachable bool
	jobs      map[string]*job
	location  *time.Location

	weekdayRanges bool // see New
}

// New returns a scheduler without jobs that reads dates in a time zone. weekdayRanges: it reads ranges and names of
// weekdays, as that of eNMS 5 does.
func New(location *time.Location, weekdayRanges bool) *Scheduler {
	return &Scheduler{jobs: map[string]*job{}, Reachable: true, location: location, weekdayRanges: weekdayRanges}
}

// Next returns the next run of a job. It is zero if the job is paused or does not exist.
func (sc *Scheduler) Next(id string) time.Time {
	if j := sc.jobs[id]; j != nil {
		return j.next
	}
	return time.Time{}
}

// NextText returns the next run of a job as eNMS shows it.
func (sc *Scheduler) NextText(id string) string {
	next := sc.Next(id)
	if next.IsZero() {
		return "Not Scheduled"
	}
	return next.Format(time.DateTime)
}

// IDs returns the ids of all jobs.
func (sc *Scheduler) IDs() []string { return slices.Collect(maps.Keys(sc.jobs)) }

// Renumber gives each job the new id of its task. Jobs without a task are dropped.
func (sc *Scheduler) Renumber(ids map[int64]int64) {
	jobs := map[string]*job{}
	for was, now := range ids {
		if j := sc.jobs[strconv.FormatInt(was, 10)]; j != nil {
			jobs[strconv.FormatInt(now, 10)] = j
		}
	}
	sc.jobs = jobs
}

// Copy returns a copy of the scheduler.
func (sc *Scheduler) Copy() *Scheduler {
	c := *sc
	c.jobs = map[string]*job{}
	for id, j := range sc.jobs {
		copied := *j
		c.jobs[id] = &copied
	}
	return &c
}

// Due returns the jobs whose runs have become due since the last call, each once.
func (sc *Scheduler) Due(now time.Time) []string {
	var due []string
	for id, j := range sc.jobs {
		if j.next.IsZero() || j.next.After(now) {
			continue
		}
		for !j.next.IsZero() && !j.next.After(now) {
			j.next = j.skip(now)
		}
		if j.next.IsZero() {
			sc.Remove(id)
		}
		due = append(due, id)
	}
	return due
}

// Pause pauses a job until the next Put.
func (sc *Scheduler) Pause(id string) {
	if j := sc.jobs[id]; j != nil {
		j.next = time.Time{}
	}
}

// Remove removes a job.
func (sc *Scheduler) Remove(id string) { delete(sc.jobs, id) }

// Put adds or replaces the job of a task, whose properties property returns. If the only run is over, it removes
// the job instead. It reports whether the next run is in the future. The error is ErrNoRun, or that of a task that
// cannot be scheduled.
func (sc *Scheduler) Put(id string, property func(string) any, now time.Time) (bool, error) {
	j, err := sc.plan(property, now)
	if err != nil {
		return false, err
	}
	if !j.next.IsZero() && now.Sub(j.next) > grace {
		sc.Remove(id)
		return false, nil
	}
	sc.jobs[id] = j
	if j.next.IsZero() {
		return false, ErrNoRun
	}
	return j.next.After(now), nil
}

// plan returns the job of a task with some properties.
func (sc *Scheduler) plan(property func(string) any, now time.Time) (*job, error) {
	if property("scheduling_mode") == "cron" {
		text, _ := property("crontab_expression").(string)
		expression, err := parseCrontab(text, sc.weekdayRanges)
		if err != nil {
			return nil, err
		}
		return &job{next: expression.next(now), following: func(last time.Time) time.Time { return expression.next(last.Add(time.Second)) }}, nil
	}
	start, err := sc.date(property("start_date"))
	if err != nil {
		return nil, err
	}
	if python.Truthy(property("frequency")) {
		end, err := sc.date(property("end_date"))
		if err != nil {
			return nil, err
		}
		return interval(property, start, end, now)
	}
	if start.IsZero() {
		start = now
	}
	return &job{next: start, following: func(time.Time) time.Time { return time.Time{} }}, nil
}

var unitSeconds = map[string]int{"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}

// interval returns a job that runs at intervals from the start or, without a start, from one interval after now.
func interval(property func(string) any, start, end, now time.Time) (*job, error) {
	count, ok := python.Int(property("frequency"))
	if !ok {
		return nil, python.Raise("ValueError", "invalid literal for int() with base 10")
	}
	name, _ := property("frequency_unit").(string)
	unit, ok := unitSeconds[name]
	if !ok {
		return nil, python.Raise("KeyError", "%s", python.Repr(property("frequency_unit")))
	}
	step := time.Duration(count) * time.Duration(unit) * time.Second
	if step <= 0 {
		return nil, python.Raise("ValueError", "the interval is not positive")
	}
	if start.IsZero() {
		start = now.Add(step)
	}
	bounded := func(at time.Time) time.Time {
		if !end.IsZero() && at.After(end) {
			return time.Time{}
		}
		return at
	}
	next := start
	if behind := now.Sub(start); behind > 0 { // the first run from now on
		next = start.Add((behind + step - 1) / step * step)
	}
	return &job{next: bounded(next), following: func(last time.Time) time.Time { return bounded(last.Add(step)) }}, nil
}

var datePattern = regexp.MustCompile(`^\d{1,2}/\d{1,2}/\d{4}\s+\d{1,2}:\d{1,2}:\d{1,2}$`)

// date reads DD/MM/YYYY HH:MM:SS in the server's local time. An empty value is no date.
func (sc *Scheduler) date(value any) (time.Time, error) {
	if !python.Truthy(value) {
		return time.Time{}, nil
	}
	text, _ := value.(string)
	at, err := time.ParseInLocation("2/1/2006 15:4:5", strings.Join(strings.Fields(text), " "), sc.location)
	if err != nil || !datePattern.MatchString(text) { // Go alone would also accept fractions of a second
		return time.Time{}, python.Raise("ValueError", "time data %s does not match format '%%d/%%m/%%Y %%H:%%M:%%S'", python.Repr(value))
	}
	return at, nil
}

// skip returns the run after the next one, zero if there is none. If the runs are at equal intervals, it returns the
// first one after now instead, so that Due need not go through all that were missed.
func (j *job) skip(now time.Time) time.Time {
	first := j.following(j.next)
	if first.IsZero() || first.After(now) {
		return first
	}
	second, step := j.following(first), first.Sub(j.next)
	if second.Sub(first) != step {
		return second
	}
	return j.following(first.Add(now.Sub(first) / step * step))
}
