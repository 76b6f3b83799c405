// What users, groups, servers, tasks and runs do beyond keeping values (1.8 to 1.11, 1.14, 4.4).

package model

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
)

// updateUser refuses a password that is no string before it looks at anything else.
func updateUser(_ *Session, _ *database.Object, entry *python.Dict) (func() error, error) {
	password := entry.Get("password")
	if _, isText := password.(string); python.Truthy(password) && !isText {
		return nil, python.Raise("AttributeError", "'%s' object has no attribute 'startswith'", python.TypeName(password))
	}
	return func() error { return nil }, nil
}

// removeUser refuses the deletion of the caller.
func removeUser(s *Session, o *database.Object) (string, error) {
	if o == s.User {
		return "A user cannot be deleted while logged in.", nil
	}
	return "", nil
}

// updateGroup recomputes what the users of a group may do (1.10).
func updateGroup(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	before := slices.Clone(o.Members("users"))
	return func() error {
		if v := entry.Get("import_mechanism"); python.Truthy(v) {
			return nil
		}
		users := before
		for _, user := range o.Members("users") {
			if !slices.Contains(users, user) {
				users = append(users, user)
			}
		}
		for _, user := range users {
			if err := s.refreshRights(user); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// updateServer has the process adopt the settings of any server that is POSTed (1.14).
func updateServer(s *Session, o *database.Object, _ *python.Dict) (func() error, error) {
	return func() error {
		old := s.AllowedAutomation
		s.AllowedAutomation = o.Get("allowed_automation")
		s.OnRollback(func() { s.AllowedAutomation = old })
		return nil
	}, nil
}

// JobKey returns the id under which a task's job is known. A task that is scheduled
// before it has a row goes by "None".
func JobKey(task *database.Object) string {
	if task.ID == 0 {
		return "None"
	}
	return strconv.FormatInt(task.ID, 10)
}

// updateTask hands a task to the scheduler once it is stored.
func updateTask(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	return func() error {
		if python.Truthy(entry.Get("import_mechanism")) {
			return nil
		}
		if err := s.CommitInside(); err != nil {
			return err
		}
		s.schedule(o)
		return nil
	}, nil
}

// schedule hands a task to the scheduler and stores what the scheduler returns. A task
// that the scheduler refuses stays as it was sent, and its old job stays, too.
func (s *Session) schedule(o *database.Object) {
	if !s.Jobs.Reachable {
		return
	}
	active := false
	if o.Is("is_active") {
		var err error
		if active, err = s.Jobs.Put(JobKey(o), o.Get, s.Now()); err != nil {
			return
		}
	} else {
		s.Jobs.Pause(JobKey(o))
	}
	s.Set(o, "last_scheduled_by", s.UserName())
	s.Set(o, "is_active", active)
}

// Resume hands an active task that a server held to the scheduler.
func (s *Session) Resume(o *database.Object) {
	if !o.Is("is_active") {
		return
	}
	if active, err := s.Jobs.Put(JobKey(o), o.Get, s.Now()); err == nil {
		s.Set(o, "is_active", active)
	}
}

// removeTask removes the job from the scheduler, which has to be reachable for that.
func removeTask(s *Session, o *database.Object) (string, error) {
	if !s.Jobs.Reachable {
		return "", python.ErrServer
	}
	s.Jobs.Remove(JobKey(o))
	return "", nil
}

// unreachable is the next run of every task while eNMS cannot reach the scheduler.
const unreachable = "Scheduler Unreachable"

// nextRunTime returns the next run of a task in local time.
func nextRunTime(p *Process, o *database.Object) (any, bool) {
	if !p.Jobs.Reachable {
		return unreachable, true
	}
	return p.Jobs.NextText(JobKey(o)), true
}

// timeBeforeNextRun returns how long it is until the next run of a task.
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

// runServiceProperties returns the properties of the service that a run shows.
func runServiceProperties(_ *Process, o *database.Object) (any, bool) {
	service := o.One("service")
	if service == nil {
		return nil, false
	}
	return python.NewRecord("id", service.ID, "name", service.Get("name"), "type", service.Type.Name,
		"report_format", service.Get("report_format")), true
}

// runProgress returns the share of a run's devices that it is done with.
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
