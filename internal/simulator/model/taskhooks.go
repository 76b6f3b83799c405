// How tasks talk to the scheduler (1.8), and what is told of runs (4.4).

package model

import (
	"fmt"
	"strconv"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// JobKey returns the id under which a task's job is known. A task that is scheduled
// before it has a row goes by "None".
func JobKey(task *database.Object) string {
	if task.ID == 0 {
		return "None"
	}
	return strconv.FormatInt(task.ID, 10)
}

// updateTask hands a task to the scheduler once it is stored.
func updateTask(t *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	return func() error {
		if python.Truthy(entry.Get("import_mechanism")) {
			return nil
		}
		if err := t.CommitInside(); err != nil {
			return err
		}
		t.schedule(o)
		return nil
	}, nil
}

// schedule hands a task to the scheduler and takes over what it says about it. A
// task the scheduler chokes on stays as it was sent, and so does its old job.
func (t *Session) schedule(o *database.Object) {
	if !t.Jobs.Reachable {
		return
	}
	active := false
	if o.Is("is_active") {
		var err error
		if active, err = t.Jobs.Put(JobKey(o), o.Get, t.Now()); err != nil {
			return
		}
	} else {
		t.Jobs.Pause(JobKey(o))
	}
	t.Set(o, "last_scheduled_by", t.UserName())
	t.Set(o, "is_active", active)
}

// Resume hands an active task that a server held to the scheduler.
func (t *Session) Resume(o *database.Object) {
	if !o.Is("is_active") {
		return
	}
	if active, err := t.Jobs.Put(JobKey(o), o.Get, t.Now()); err == nil {
		t.Set(o, "is_active", active)
	}
}

// removeTask removes the job from the scheduler, which has to be reachable for that.
func removeTask(t *Session, o *database.Object) (string, error) {
	if !t.Jobs.Reachable {
		return "", python.ErrServer
	}
	t.Jobs.Remove(JobKey(o))
	return "", nil
}

// unreachable is told of jobs while eNMS cannot reach the scheduler.
const unreachable = "Scheduler Unreachable"

func nextRunTime(p *Process, o *database.Object) (any, bool) {
	if !p.Jobs.Reachable {
		return unreachable, true
	}
	return p.Jobs.NextText(JobKey(o)), true
}

func timeBeforeNextRun(p *Process, o *database.Object) (any, bool) {
	next := p.Jobs.Next(JobKey(o))
	if !p.Jobs.Reachable || next.IsZero() {
		return nextRunTime(p, o)
	}
	left := int(next.Sub(p.Now()) / time.Second)
	days := ""
	if d := left / 86400; d != 0 {
		days = fmt.Sprintf("%d days, ", d)
	}
	return fmt.Sprintf("%s%dh:%dm:%ds", days, left%86400/3600, left%3600/60, left%60), true
}

func runServiceProperties(_ *Process, o *database.Object) (any, bool) {
	service := o.One("service")
	if service == nil {
		return nil, false
	}
	return python.NewRecord("id", service.ID, "name", service.Get("name"), "type", service.Type.Name,
		"report_format", service.Get("report_format")), true
}

// runProgress is the share of a run's devices that it is done with.
func runProgress(_ *Process, o *database.Object) (any, bool) {
	device := o.Dict("state").Dict(o.Text("path")).Dict("progress").Dict("device")
	count := func(word string) int64 {
		n, _ := device.Get(word).(int64)
		return n
	}
	if device == nil {
		return nil, true
	}
	return fmt.Sprintf("%d/%d (%d failed)", count("success")+count("failure"), count("total"), count("failure")), true
}
