// The scheduler, a process beside eNMS: its jobs, and how tasks talk to it (1.8).

package simulator

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// grace is how late a job may start and still run.
const grace = 5 * time.Second

// job is one entry of the scheduler. A zero next means that it is paused.
type job struct {
	next time.Time
	// following is the run after the one at a given time, zero for none.
	following func(time.Time) time.Time
}

// scheduler keeps jobs by task id. It does not know tasks: a job outlives a task
// that was deleted along with its service (3).
type scheduler struct {
	jobs      map[string]*job
	reachable bool
	location  *time.Location
}

func newScheduler(location *time.Location) *scheduler {
	return &scheduler{jobs: map[string]*job{}, reachable: true, location: location}
}

// SetScheduler says whether the server can reach its scheduler. While it cannot,
// reading a task gives "Scheduler Unreachable", a POST leaves is_active as sent,
// a task cannot be deleted (500), and no job runs (enms-rest.md 1.8, 3).
func (s *Server) SetScheduler(reachable bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scheduler.reachable = reachable
}

// Jobs are the scheduler's jobs and their next runs, "YYYY-MM-DD HH:MM:SS" in
// server-local time, or "Not Scheduled" when paused. A job goes by the name of the
// task that has its id, or by the id alone when there is no such task: what the
// deletion of a service leaves behind (enms-rest.md 3).
func (s *Server) Jobs() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tick()
	jobs := make(map[string]string, len(s.scheduler.jobs))
	for id, j := range s.scheduler.jobs {
		name := id
		if task := s.byID(models["task"], id); task != nil {
			name = task.name()
		}
		jobs[name] = j.String()
	}
	return jobs
}

// String is a job's next run as the scheduler tells it.
func (j *job) String() string {
	if j == nil || j.next.IsZero() {
		return "Not Scheduled"
	}
	return j.next.Format(time.DateTime)
}

func (sc *scheduler) remove(id string) { delete(sc.jobs, id) }

// jobKey is the id under which a task's job is known. A task that is scheduled
// before it has a row goes by "None".
func jobKey(task *object) string {
	if task.id == 0 {
		return "None"
	}
	return strconv.FormatInt(task.id, 10)
}

func updateTask(t *tx, o *object, entry *dict) (func() error, error) {
	return func() error {
		if v, _ := entry.get("import_mechanism"); truthy(v) {
			return nil
		}
		if err := t.commit(); err != nil {
			t.stale = true
			return err
		}
		t.schedule(o)
		return nil
	}, nil
}

// schedule hands a task to the scheduler and takes over what it says about it. A
// task the scheduler chokes on stays as it was sent, and so does its old job.
func (t *tx) schedule(o *object) {
	sc := t.s.scheduler
	if !sc.reachable {
		return
	}
	active := false
	if o.is("is_active") {
		var err error
		if active, err = sc.put(jobKey(o), o, t.s.now()); err != nil {
			return
		}
	} else if j := sc.jobs[jobKey(o)]; j != nil {
		j.next = time.Time{}
	}
	t.set(o, "last_scheduled_by", t.userName())
	t.set(o, "is_active", active)
}

// put adds or replaces a job. It says whether the next run lies ahead.
func (sc *scheduler) put(id string, task *object, now time.Time) (bool, error) {
	j, err := sc.plan(task, now)
	if err != nil {
		return false, err
	}
	if !j.next.IsZero() && now.Sub(j.next) > grace {
		sc.remove(id) // missed, and nothing comes after it
		return false, nil
	}
	sc.jobs[id] = j
	if j.next.IsZero() {
		return false, raise("AttributeError", "'NoneType' object has no attribute 'tzinfo'")
	}
	return j.next.After(now), nil
}

// plan turns a task's fields into a trigger.
func (sc *scheduler) plan(task *object, now time.Time) (*job, error) {
	if task.get("scheduling_mode") == "cron" {
		expression, err := parseCrontab(task.text("crontab_expression"))
		if err != nil {
			return nil, err
		}
		return &job{next: expression.next(now), following: expression.after}, nil
	}
	start, err := sc.date(task.get("start_date"))
	if err != nil {
		return nil, err
	}
	if truthy(task.get("frequency")) {
		end, err := sc.date(task.get("end_date"))
		if err != nil {
			return nil, err
		}
		return interval(task, start, end, now)
	}
	if start.IsZero() {
		start = now
	}
	return &job{next: start, following: func(time.Time) time.Time { return time.Time{} }}, nil
}

var unitSeconds = map[string]int{"seconds": 1, "minutes": 60, "hours": 3600, "days": 86400}

// interval is a grid of runs counted from the start, or from now when there is none.
func interval(task *object, start, end, now time.Time) (*job, error) {
	count, ok := pythonInt(task.get("frequency"))
	if !ok {
		return nil, raise("ValueError", "invalid literal for int() with base 10")
	}
	unit, ok := unitSeconds[task.text("frequency_unit")]
	if !ok {
		return nil, raise("KeyError", "%s", pythonRepr(task.get("frequency_unit")))
	}
	step := time.Duration(count) * time.Duration(unit) * time.Second
	if step <= 0 {
		return nil, raise("ValueError", "the interval is not positive")
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
	if behind := now.Sub(start); behind > 0 {
		next = start.Add((behind + step - 1) / step * step)
	}
	return &job{next: bounded(next), following: func(last time.Time) time.Time { return bounded(last.Add(step)) }}, nil
}

var datePattern = regexp.MustCompile(`^(\d{1,2})/(\d{1,2})/(\d{4})\s+(\d{1,2}):(\d{1,2}):(\d{1,2})$`)

// date reads DD/MM/YYYY HH:MM:SS in server-local time; empty is no date.
func (sc *scheduler) date(value any) (time.Time, error) {
	if !truthy(value) {
		return time.Time{}, nil
	}
	text, _ := value.(string)
	parts := datePattern.FindStringSubmatch(text)
	wrong := raise("ValueError", "time data %s does not match format '%%d/%%m/%%Y %%H:%%M:%%S'", pythonRepr(value))
	if parts == nil {
		return time.Time{}, wrong
	}
	n := [7]int{}
	for i, part := range parts[1:] {
		n[i+1], _ = strconv.Atoi(part)
	}
	at := time.Date(n[3], time.Month(n[2]), n[1], n[4], n[5], n[6], 0, sc.location)
	if at.Day() != n[1] || int(at.Month()) != n[2] || n[4] > 23 || n[5] > 59 || n[6] > 59 {
		return time.Time{}, wrong
	}
	return at, nil
}

// tick runs what has come due since the last look. A job that came due several
// times runs once.
func (s *Server) tick() {
	if !s.scheduler.reachable {
		return
	}
	now := s.now()
	for id, j := range s.scheduler.jobs {
		if j.next.IsZero() || j.next.After(now) {
			continue
		}
		for !j.next.IsZero() && !j.next.After(now) {
			j.next = j.skip(now)
		}
		if j.next.IsZero() {
			s.scheduler.remove(id)
		}
		s.fire(id)
	}
}

// skip is the first run after now, found without walking through all that were missed.
func (j *job) skip(now time.Time) time.Time {
	first := j.following(j.next)
	if first.IsZero() || first.After(now) {
		return first
	}
	if step := first.Sub(j.next); j.following(first).Sub(first) == step {
		first = first.Add(now.Sub(first) / step * step)
	}
	return j.following(first)
}

// fire is the scheduler calling /rest/run_task as admin; a task that is gone
// answers 403, which interests nobody.
func (s *Server) fire(id string) {
	t := s.begin(s.byName(models["user"], "admin"))
	if err := t.runTask(id); err != nil || t.commit() != nil {
		t.rollback()
	}
}

func taskStatus(_ *Server, o *object) (any, bool) {
	if o.is("is_active") {
		return "Active", true
	}
	return "Inactive", true
}

func nextRunTime(s *Server, o *object) (any, bool) {
	if !s.scheduler.reachable {
		return "Scheduler Unreachable", true
	}
	return s.scheduler.jobs[jobKey(o)].String(), true
}

func timeBeforeNextRun(s *Server, o *object) (any, bool) {
	if !s.scheduler.reachable {
		return "Scheduler Unreachable", true
	}
	j := s.scheduler.jobs[jobKey(o)]
	if j == nil || j.next.IsZero() {
		return "Not Scheduled", true
	}
	left := int(j.next.Sub(s.now()) / time.Second)
	days := ""
	if d := left / 86400; d != 0 {
		days = fmt.Sprintf("%d days, ", d)
	}
	return fmt.Sprintf("%s%dh:%dm:%ds", days, left%86400/3600, left%3600/60, left%60), true
}
