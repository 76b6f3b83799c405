// Tasks and what the scheduler makes of them.

package simulator

import (
	"fmt"
	"testing"
	"time"
)

// TestScheduling: what the scheduler makes of a task, at noon of Wednesday 3 January 2029.
func TestScheduling(t *testing.T) {
	t.Parallel()
	cron := func(expression string) string {
		return fmt.Sprintf(`"scheduling_mode":"cron","crontab_expression":%q`, expression)
	}
	for _, test := range []struct {
		fields, next string
		active       bool
	}{
		{`"start_date":"04/01/2029 06:00:00"`, "2029-01-04 06:00:00", true},
		{`"start_date":"4/1/2029 6:0:0"`, "2029-01-04 06:00:00", true},
		{`"start_date":"03/01/2029 11:00:00"`, "Not Scheduled", false},
		{`"start_date":"2029-01-04"`, "Not Scheduled", true},
		{`"start_date":"31/02/2029 00:00:00"`, "Not Scheduled", true},
		{`"start_date":"04/01/2029 06:00"`, "Not Scheduled", true},
		{`"scheduling_mode":"odd","start_date":"04/01/2029 06:00:00"`, "2029-01-04 06:00:00", true},
		{`"frequency":60`, "2029-01-03 12:01:00", true},
		{`"frequency":"2","frequency_unit":"hours"`, "2029-01-03 14:00:00", true},
		{`"frequency":1,"frequency_unit":"days","start_date":"01/01/2029 09:30:00"`, "2029-01-04 09:30:00", true},
		{`"frequency":5,"frequency_unit":"minutes","start_date":"01/01/2030 00:00:00"`, "2030-01-01 00:00:00", true},
		{`"frequency":5,"end_date":"01/01/2029 00:00:00"`, "Not Scheduled", true},
		{`"frequency":5,"frequency_unit":"weeks"`, "Not Scheduled", true},
		{`"frequency":"often"`, "Not Scheduled", true},
		{`"frequency":5,"end_date":"soon"`, "Not Scheduled", true},
		{cron("30 6 * * *"), "2029-01-04 06:30:00", true},
		{cron(" 30   6 * * *  "), "2029-01-04 06:30:00", true},
		{cron("*/15 * * * *"), "2029-01-03 12:15:00", true},
		{cron("0 0 * * 7"), "2029-01-07 00:00:00", true},
		{cron("0 0 * * 0,2"), "2029-01-07 00:00:00", true},
		{cron("0 0 * * 1"), "2029-01-08 00:00:00", true},
		{cron("0 0 1 * 1"), "2029-10-01 00:00:00", true},
		{cron("0 8-10/2,20 * feb-Mar *"), "2029-02-01 08:00:00", true},
		{cron("5/20 13 * * *"), "2029-01-03 13:05:00", true},
		{cron("0 0 29 2 *"), "2032-02-29 00:00:00", true},
		{cron("0 0 last * *"), "2029-01-31 00:00:00", true},
		{cron("0 0 31 2 *"), "Not Scheduled", true},
		{cron("61 * * * *"), "Not Scheduled", true},
		{cron("* * * * 1-5"), "Not Scheduled", true},
		{cron("* * * * mon"), "Not Scheduled", true},
		{cron("* * * * 8"), "Not Scheduled", true},
		{cron("* * * *"), "Not Scheduled", true},
		{cron("* * * * * *"), "Not Scheduled", true},
		{cron("@daily"), "Not Scheduled", true},
		{cron("5-1 * * * *"), "Not Scheduled", true},
		{cron("*/0 * * * *"), "Not Scheduled", true},
		{cron("*/60 * * * *"), "Not Scheduled", true},
		{cron(""), "Not Scheduled", true},
		{cron("30 6 * * *") + `,"start_date":"rubbish"`, "2029-01-04 06:30:00", true},
	} {
		t.Run(test.fields, func(t *testing.T) {
			t.Parallel()
			c := newClient(t)
			c.post("task", `{"name":"t","service":"cluster_monitoring","is_active":true,`+test.fields+`}`, "t")
			task := c.get("task", "t")
			if task["next_run_time"] != test.next || task["is_active"] != test.active {
				t.Errorf("next run %v, active %v; want %s, %v", task["next_run_time"], task["is_active"], test.next, test.active)
			}
			status := "Inactive"
			if test.active {
				status = "Active"
			}
			if task["status"] != status {
				t.Errorf("status %v", task["status"])
			}
		})
	}
}

// TestScheduleStaysInForce: what the scheduler chokes on leaves the old job running.
func TestScheduleStaysInForce(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("task", `{"name":"t","service":"cluster_monitoring","is_active":true,"start_date":"04/01/2029 06:00:00"}`, "t")
	for _, fields := range []string{`"start_date":"x"`, `"frequency":"x"`, `"scheduling_mode":"cron"`} {
		c.post("task", `{"name":"t",`+fields+`}`, "t")
		c.equal("next run", c.get("task", "t")["next_run_time"], `"2029-01-04 06:00:00"`)
	}
	c.post("task", `{"name":"t","is_active":false}`, "t")
	c.equal("paused", c.get("task", "t")["next_run_time"], `"Not Scheduled"`)
	c.equal("the job is kept", fmt.Sprint(c.server.Jobs()), `"map[t:Not Scheduled]"`)
}

// TestRunsOnce: on its date, or at once without one and without a frequency; it is inactive afterwards.
func TestRunsOnce(t *testing.T) {
	t.Parallel()
	for fields, left := range map[string]string{`,"start_date":"03/01/2029 12:00:30"`: `"0h:0m:29s"`, "": `"Not Scheduled"`} {
		c := newClient(t)
		c.post("task", `{"name":"t","service":"cluster_monitoring","is_active":true`+fields+`}`, "t")
		c.equal("left", c.get("task", "t")["time_before_next_run"], left)
		if fields != "" {
			c.clock.forward(time.Minute)
		}
		c.equal("active", c.get("task", "t")["is_active"], `false`)
		c.equal("runs", len(c.get("service", "cluster_monitoring")["runs"].([]any)) == 1, `true`)
		c.equal("jobs", len(c.server.Jobs()) == 0, `true`)
	}
}

// TestIntervalRestarts at every POST that finds no start date.
func TestIntervalRestarts(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("task", `{"name":"t","service":"cluster_monitoring","is_active":true,"frequency":1,"frequency_unit":"hours"}`, "t")
	c.clock.forward(30 * time.Minute)
	c.equal("next run", c.get("task", "t")["next_run_time"], `"2029-01-03 13:00:00"`)
	c.post("task", `{"name":"t","description":"x"}`, "t")
	c.equal("next run", c.get("task", "t")["next_run_time"], `"2029-01-03 13:30:00"`)
	c.clock.forward(10 * 365 * 24 * time.Hour)
	task := c.get("task", "t")
	c.equal("next run", task["next_run_time"], `"2039-01-01 13:30:00"`)
	c.equal("active", task["is_active"], `true`)
	c.equal("runs once for all it missed", len(c.get("service", "cluster_monitoring")["runs"].([]any)) == 1, `true`)
}

// TestSchedulerUnreachable leaves everything as sent.
func TestSchedulerUnreachable(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.server.SetScheduler(false)
	c.post("task", `{"name":"t","service":"cluster_monitoring","is_active":true,"start_date":"03/01/2020 12:00:30"}`, "t")
	task := c.get("task", "t")
	c.equal("next run", task["next_run_time"], `"Scheduler Unreachable"`)
	c.equal("active", task["is_active"], `true`)
	c.equal("scheduled by", task["last_scheduled_by"], `""`)
	c.do(500, "DELETE", "/rest/instance/task/t", "")
	c.get("task", "t")
	c.server.SetScheduler(true)
	c.do(200, "DELETE", "/rest/instance/task/t", "")
}

// TestTaskWithoutRelation is scheduled before it has an id, under none.
func TestTaskWithoutRelation(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("task", `{"name":"t","is_active":true,"start_date":"04/01/2029 06:00:00"}`, "t")
	task := c.get("task", "t")
	c.equal("active", task["is_active"], `true`)
	c.equal("next run", task["next_run_time"], `"Not Scheduled"`)
	c.post("task", `{"name":"t"}`, "t")
	c.equal("next run", c.get("task", "t")["next_run_time"], `"2029-01-04 06:00:00"`)
}

// TestServiceName renames the service of a task.
func TestServiceName(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("service", `{"name":"s","scoped_name":"s"}`, "s")
	c.post("task", `{"name":"t","service":"s"}`, "t")
	c.do(500, "POST", "/rest/instance/task", `{"name":"t","service_name":"cluster_monitoring"}`)
	c.post("task", `{"name":"t","service_name":"x"}`, "t")
	c.equal("service", c.get("task", "t")["service"], `"x"`)
	c.post("task", `{"name":"t","service_id":null}`, "t")
	task := c.get("task", "t")
	if _, there := task["service"]; there || task["service_id"] != nil {
		t.Errorf("still attached: %v", task)
	}
	c.refused("task", `{"name":"t","service_name":"x"}`, "TypeError: __init__() takes 1 positional argument but 2 were given")
	c.post("service", `{"name":"x","tasks":["t"]}`, "s")
	c.equal("service", c.get("task", "t")["service"], `"s"`)
	c.post("service", `{"name":"s","tasks":[]}`, "s")
	c.equal("detached, not deleted", c.get("task", "t")["service_id"], `null`)
}

// TestLocation: start dates are in server-local time.
func TestLocation(t *testing.T) {
	t.Parallel()
	at := time.Date(2029, 1, 3, 12, 0, 0, 0, time.UTC)
	c := newClient(t)
	c.server = New(Options{Now: func() time.Time { return at }, Location: time.FixedZone("", 3*3600)})
	c.post("task", `{"name":"t","service":"cluster_monitoring","is_active":true,"start_date":"03/01/2029 14:59:00"}`, "t")
	c.equal("past in local time", c.get("task", "t")["is_active"], `false`)
	c.post("task", `{"name":"t","is_active":true,"start_date":"03/01/2029 16:00:00"}`, "t")
	task := c.get("task", "t")
	c.equal("next run", task["next_run_time"], `"2029-01-03 16:00:00"`)
	c.equal("left", task["time_before_next_run"], `"1h:0m:0s"`)
}

// TestCronGoesOn: a run is followed by the next, however much time has passed.
func TestCronGoesOn(t *testing.T) {
	t.Parallel()
	c := newClient(t)
	c.post("device", `{"name":"d"}`, "d")
	c.post("task", `{"name":"t","service":"cluster_monitoring","devices":["d"],"is_active":true,"scheduling_mode":"cron","crontab_expression":"0 9-17 * * 1"}`, "t")
	for _, step := range []struct {
		wait time.Duration
		next string
	}{
		{0, "2029-01-08 09:00:00"},
		{5 * 24 * time.Hour, "2029-01-08 13:00:00"},
		{365 * 24 * time.Hour, "2030-01-14 09:00:00"},
	} {
		c.clock.forward(step.wait)
		c.equal("next run", c.get("task", "t")["next_run_time"], `"`+step.next+`"`)
	}
	c.equal("active", c.get("task", "t")["is_active"], `true`)
	c.equal("runs on the task's device", len(c.get("device", "d")["runs"].([]any)) == 2, `true`)
}
