// How tasks talk to the scheduler (1.8), and what is told of runs (4.4).

package simulator

import (
	"fmt"
	"strconv"
	"time"
)

// jobKey returns the id under which a task's job is known. A task that is scheduled
// before it has a row goes by "None".
func jobKey(task *object) string {
	if task.id == 0 {
		return "None"
	}
	return strconv.FormatInt(task.id, 10)
}

// updateTask hands a task to the scheduler once it is stored.
func updateTask(t *session, o *object, entry *dict) (func() error, error) {
	return func() error {
		if truthy(entry.get("import_mechanism")) {
			return nil
		}
		if err := t.commitInside(); err != nil {
			return err
		}
		t.schedule(o)
		return nil
	}, nil
}

// schedule hands a task to the scheduler and takes over what it says about it. A
// task the scheduler chokes on stays as it was sent, and so does its old job.
func (t *session) schedule(o *object) {
	if !t.jobs.reachable {
		return
	}
	active := false
	if o.is("is_active") {
		var err error
		if active, err = t.jobs.put(jobKey(o), o.get, t.now()); err != nil {
			return
		}
	} else {
		t.jobs.pause(jobKey(o))
	}
	t.set(o, "last_scheduled_by", t.userName())
	t.set(o, "is_active", active)
}

// resume hands an active task that a server held to the scheduler.
func (t *session) resume(o *object) {
	if !o.is("is_active") {
		return
	}
	if active, err := t.jobs.put(jobKey(o), o.get, t.now()); err == nil {
		t.set(o, "is_active", active)
	}
}

// removeTask removes the job from the scheduler, which has to be reachable for that.
func removeTask(t *session, o *object) (string, error) {
	if !t.jobs.reachable {
		return "", errServer
	}
	t.jobs.remove(jobKey(o))
	return "", nil
}

// unreachable is told of jobs while eNMS cannot reach the scheduler.
const unreachable = "Scheduler Unreachable"

func nextRunTime(p *process, o *object) (any, bool) {
	if !p.jobs.reachable {
		return unreachable, true
	}
	return p.jobs.nextText(jobKey(o)), true
}

func timeBeforeNextRun(p *process, o *object) (any, bool) {
	next := p.jobs.next(jobKey(o))
	if !p.jobs.reachable || next.IsZero() {
		return nextRunTime(p, o)
	}
	left := int(next.Sub(p.now()) / time.Second)
	days := ""
	if d := left / 86400; d != 0 {
		days = fmt.Sprintf("%d days, ", d)
	}
	return fmt.Sprintf("%s%dh:%dm:%ds", days, left%86400/3600, left%3600/60, left%60), true
}

func runServiceProperties(_ *process, o *object) (any, bool) {
	service := o.one("service")
	if service == nil {
		return nil, false
	}
	return newRecord("id", service.id, "name", service.get("name"), "type", service.model.name,
		"report_format", service.get("report_format")), true
}

// runProgress is the share of a run's devices that it is done with.
func runProgress(_ *process, o *object) (any, bool) {
	device := o.dict("state").dict(o.text("path")).dict("progress").dict("device")
	count := func(word string) int64 {
		n, _ := device.get(word).(int64)
		return n
	}
	if device == nil {
		return nil, true
	}
	return fmt.Sprintf("%d/%d (%d failed)", count("success")+count("failure"), count("total"), count("failure")), true
}
