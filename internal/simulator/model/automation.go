// The tables of tasks, runs, users, groups, credentials and servers, and what eNMS does with them apart from
// storing values (1.8 to 1.11, 1.14, 4.4).

package model

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/scheduler"
)

func automationTypes(c catalog) {
	c.root("task",
		flag(false, "admin_only", "is_active"), text("", "description", "creator", "last_scheduled_by",
			"start_date", "end_date", "crontab_expression"),
		text("standard", "scheduling_mode"), integer(nil, "frequency"), text("seconds", "frequency_unit"),
		mapping("initial_payload"),
		many("devices", "device", "tasks"), many("pools", "pool", "tasks"), one("service", "service", "tasks"),
		proxy("service_name", "service"), rightsOn("task"), custom,
		computed(taskStatus, "status"), computed(nil, "next_run_time", "time_before_next_run"),
		until47(searchAdds("frequency", "frequency_unit", "crontab_expression", "is_active")),
		since53(logged("task"), computed(nil, "service_properties"), many("runs", "run", "task"),
			searchAdds("frequency", "frequency_unit", "crontab_expression", "is_active", "service_properties")))
	c.root("run",
		text("", "creator", "labels", "runtime", "duration", "trigger", "path", "service_name",
			"server_version", "server_commit_sha"),
		text("Running", "status"), flag(false, "success", "parameterized_run"),
		mapping("properties", "payload", "state"), list("start_services"),
		one("service", "service", ""), until47(one("task", "task", "")),
		since53(one("task", "task", "runs"), flag(false, "is_async"), text("", "memory_size"),
			one("server", "server", "runs"), one("restart_run", "run", ""), one("placeholder", "service", "")),
		proxy("task_name", "task"),
		many("services", "service", "runs"), many("target_devices", "device", "runs"),
		many("target_pools", "pool", "runs"),
		computed(nil, "service_properties", "progress"),
		searchAdds("path", "server_properties", "service_properties", "worker_properties"))
	c.root("result",
		text("", "runtime", "parent_runtime", "service_name", "duration", "path", "labels"),
		until47(text("", "device_name")), since53(text(nil, "device_name")), flag(false, "success"), anyJSON("result"))
	c.root("credential",
		text("", "creator", "last_modified", "last_modified_by", "description", "username"),
		text("read-write", "role"), text("password", "subtype"), flag(false, "admin_only"),
		secret("password", "private_key", "enable_password"), integer(int64(1), "priority"),
		many("device_pools", "pool", "credential_devices"), until47(many("groups", "group", "credentials")),
		rightsOn("credential"), since53(logged("credential")))
	c.root("user",
		text("", "creator", "description", "last_login", "email"), flag(false, "is_admin", "small_menu"),
		text("/dashboard", "landing_page"), text("database", "authentication"), text("default", "theme"),
		decimal(1, "zoom_sensitivity"), secret("password"), list(ListProperties...),
		many("groups", "group", "users"), userOwnerships, since53(flag(false, "display_tree"), logged("user")))
	c.root("group",
		text("", "creator", "description", "email"), flag(false, "admin_only", "force_read_access"),
		list(ListProperties...), many("users", "user", "groups"), until47(many("credentials", "credential", "groups")),
		groupRights, since53(list("session_access"), logged("group")))
	c.root("server",
		text("", "creator", "description", "mac_address", "ip_address", "scheduler_address", "location", "version",
			"commit_sha", "last_restart"),
		text("primary", "role"), text("down", "status"), flag(true, "scheduler_active"),
		integer(int64(1), "weight"), integer(int64(0), "current_runs"), list("allowed_automation"),
		since53(flag(false, "admin_only"), many("runs", "run", "server"), many("workers", "worker", "server"), rightsOn("server"), logged("server")))
	if c.version == V53 {
		administrationTypes(c)
		return
	}
	c.root("changelog", text("", "time", "content", "user"), text("debug", "severity"), func(m *database.Type) {
		delete(m.Fields, "name")
		m.Names, m.Nameless = "", true
	})
}

// administrationTypes declares workers, snippets, files and the changelog of 5.3.
func administrationTypes(c catalog) {
	c.root("worker", text("", "description", "subtype", "last_update"), flag(false, "admin_only"), one("server", "server", "workers"), proxy("server_name", "server"), rightsOn("worker"))
	c.root("snippet", text("", "creator", "description", "category", "code", "version"), logged("snippet"))
	c.root("file", text("", "description", "filename", "path", "last_updated", "size", "status"), logged("file"), func(m *database.Type) { delete(m.Fields, "last_modified_by") })
	c.sub("generic_file", "file")
	c.sub("folder", "file")
	c.root("changelog", text("", "author", "source", "time", "content", "target_type"), text("debug", "severity"), text(nil, "target_name"),
		integer(nil, "target_id"), flag(false, "is_revertible"), fieldsOf(database.KindJSON, nil, []string{"history"}),
		many("workflows", "workflow", "service_changelogs"), many("networks", "network", "device_changelogs"),
		func(m *database.Type) {
			for _, class := range []string{"credential", "data", "device", "file", "group", "link", "network", "pool", "server", "service", "snippet", "task", "user", "workflow_edge"} {
				one(class, class, "logs")(m)
			}
			m.Names, m.Nameless = "", true
		}, searchAdds("history", "target_id"))
}

// taskStatus returns the status of a task from its other properties.
func taskStatus(get func(string) any) any {
	if get("is_active") == true {
		return "Active"
	}
	return "Inactive"
}

// userOwnerships declares the objects that a user owns, by class.
func userOwnerships(m *database.Type) {
	for _, class := range slices.Sorted(maps.Keys(rights[m.Version])) {
		many("user_"+class+"s", class, "owners")(m)
	}
}

// groupRights declares the properties of a group that hold rights: for each class, the rights that the group gets on
// objects that its members create (CLASS_access), and the objects on which it has each right; and the pools on whose
// devices it has rights.
func groupRights(m *database.Type) {
	for _, class := range slices.Sorted(maps.Keys(rights[m.Version])) {
		list(class + "_access")(m)
		for _, right := range rights[m.Version][class] {
			many(right+"_"+class+"s", class, right)(m)
		}
	}
	for _, right := range DeviceRights {
		many("rbac_pool_"+right, "pool", "rbac_group_"+right)(m)
	}
}

// updateUser refuses a password that is no string, unless it is false in Python, such as 0 or null.
func updateUser(_ *Session, _ *database.Object, entry *python.Dict) (func() error, error) {
	password := entry.Get("password")
	if _, isText := password.(string); python.Truthy(password) && !isText {
		return nil, python.Raise("AttributeError", "'%s' object has no attribute 'startswith'", python.TypeName(password))
	}
	return nil, nil
}

// removeUser refuses the deletion of the caller.
func removeUser(s *Session, o *database.Object) (string, error) {
	if o == s.User {
		return "A user cannot be deleted while logged in.", nil
	}
	return "", nil
}

// updateGroup recomputes what the users of a group may do (1.10), also those who leave the group, unless the entry
// has import_mechanism (0.2).
func updateGroup(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	before := slices.Clone(o.Members("users"))
	return func() error {
		if python.Truthy(entry.Get("import_mechanism")) {
			return nil
		}
		for _, user := range database.NewSet(append(before, o.Members("users")...)).List {
			if err := s.refreshRights(user); err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// updateServer gives the process the settings of any server that is POSTed (1.14).
func updateServer(s *Session, o *database.Object, _ *python.Dict) (func() error, error) {
	return func() error {
		old := s.AllowedAutomation
		s.AllowedAutomation = o.Get("allowed_automation")
		s.OnRollback(func() { s.AllowedAutomation = old })
		return nil
	}, nil
}

// IDText returns the id of an object as a string, which is Python's "None" before the object is stored. The scheduler
// knows the job of a task by this string.
func IDText(o *database.Object) string {
	if o.ID == 0 {
		return "None"
	}
	return strconv.FormatInt(o.ID, 10)
}

// updateTask stores a task after the assignments, and schedules it, unless the entry has import_mechanism (0.2).
func updateTask(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	return func() error {
		if python.Truthy(entry.Get("import_mechanism")) {
			return nil
		}
		if err := s.Commit(); err != nil {
			s.Refuse()
			return err
		}
		s.schedule(o)
		return nil
	}, nil
}

// schedule passes a task to the scheduler, and stores whether the task is active. A task that the scheduler refuses
// stays as it was sent, and keeps its former job. On 5.3, a task that never runs (ErrNoRun) becomes inactive instead,
// and an administrator becomes last_scheduled_by only if nobody is.
func (s *Session) schedule(o *database.Object) {
	if !s.Jobs.Reachable {
		return
	}
	active := false
	if o.Is("is_active") {
		var err error
		active, err = s.Jobs.Put(IDText(o), o.Get, s.Now())
		if err != nil && (s.Version != V53 || !errors.Is(err, scheduler.ErrNoRun)) {
			return
		}
	} else {
		s.Jobs.Pause(IDText(o))
	}
	if s.Version == V47 || !IsAdmin(s.User) || o.Text("last_scheduled_by") == "" {
		s.Set(o, "last_scheduled_by", s.UserName())
	}
	s.Set(o, "is_active", active)
}

// postedTask schedules a task after the request was committed.
func postedTask(s *Session, o *database.Object) error {
	s.schedule(o)
	return nil
}

// removeTask removes the job from the scheduler, which has to be reachable for that.
func removeTask(s *Session, o *database.Object) (string, error) {
	if !s.Jobs.Reachable {
		return "", python.ErrServer
	}
	s.Jobs.Remove(IDText(o))
	return "", nil
}

// nextRunTime returns the next run of a task. Every task has the property, also while eNMS cannot reach the scheduler.
func nextRunTime(p *Process, o *database.Object) (any, bool) {
	if !p.Jobs.Reachable {
		return "Scheduler Unreachable", true
	}
	return p.Jobs.NextText(IDText(o)), true
}

// timeBeforeNextRun returns how long it is until the next run of a task, or what nextRunTime returns if there is none.
func timeBeforeNextRun(p *Process, o *database.Object) (any, bool) {
	next := p.Jobs.Next(IDText(o))
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

// serviceProperties returns the properties of the service that a run or a task shows.
func serviceProperties(p *Process, o *database.Object) (any, bool) {
	service := o.One("service")
	if service == nil {
		return nil, false
	}
	r := python.NewRecord("id", service.ID, "name", service.Get("name"), "type", service.Type.Name,
		"report_format", service.Get("report_format"))
	if p.Version == V53 {
		r = r.With("builder_link", service.Get("builder_link"), "scoped_name", service.Get("scoped_name"))
	}
	return r, true
}

// foundRun returns the link of the service of a run. Without a service, eNMS fails.
func foundRun(o *database.Object) (python.Record, error) {
	service := o.One("service")
	if service == nil {
		return nil, python.ErrServer
	}
	return python.NewRecord("url", service.Get("builder_link")), nil
}

// runProgress returns for how many of its devices a run has ended, or nil before it has devices. On 5.3, a run without
// a service does not have the property.
func runProgress(p *Process, o *database.Object) (any, bool) {
	if p.Version == V53 && o.One("service") == nil {
		return nil, false
	}
	device := o.Dict("state").Dict(o.Text("path")).Dict("progress").Dict("device")
	if device == nil {
		return nil, true
	}
	count := func(word string) int64 {
		n, _ := device.Get(word).(int64)
		return n
	}
	return fmt.Sprintf("%d/%d (%d failed)", count("success")+count("failure"), count("total"), count("failure")), true
}

// nameOfFile returns the name of a file, which eNMS makes from its path.
func nameOfFile(entry *python.Dict) string {
	path, _ := entry.Get("path").(string)
	return strings.ReplaceAll(path, "/", ">")
}

// updateFile names a file after its path.
func updateFile(s *Session, o *database.Object, entry *python.Dict) (func() error, error) {
	path, sent := entry.Lookup("path")
	if !sent {
		return nil, python.Raise("KeyError", "'path'")
	}
	return func() error {
		text, ok := path.(string)
		if !ok {
			return python.Raise("AttributeError", "'%s' object has no attribute 'replace'", python.TypeName(path))
		}
		s.SetAll(o, map[string]any{"name": nameOfFile(entry), "filename": text[strings.LastIndex(text, "/")+1:],
			"last_updated": s.Now().Format(time.DateTime), "status": "Updated"})
		return nil
	}, nil
}

// Resume schedules a task that was restored from a file, if it is active.
func (s *Session) Resume(o *database.Object) {
	if !o.Is("is_active") {
		return
	}
	if active, err := s.Jobs.Put(IDText(o), o.Get, s.Now()); err == nil {
		s.Set(o, "is_active", active)
	}
}
