// This file holds a task against what the scheduler says of its next run: eNMS reports success whether or not the scheduler
// has received a write (enms-rest.md 1.8).

package kinds

import (
	"fmt"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/schedule"
)

// notScheduled is next_run_time of a task for which the scheduler has no run.
const notScheduled = "Not Scheduled"

// isUnknownRun reports whether next_run_time says neither when a task runs nor that it does not: "Scheduler Unreachable",
// or what went wrong when the scheduler was asked.
func isUnknownRun(answer map[string]any) bool {
	next, is := answer["next_run_time"].(string)
	return is && next != notScheduled && !isScheduled(answer)
}

// scheduling checks that the scheduler has a run for an active task. eNMS waits ten milliseconds for its scheduler, which
// is too short when that is busy: then the check after a write is repeated.
var scheduling = &kind.DataCheck{OnRead: readAsScheduled, Undecided: isUnknownRun, AfterWrite: checkScheduled}

// readAsScheduled reads a task without is_active if the scheduler does otherwise than eNMS says: it does not run an active
// task, such as after a restore without its own database; or runs it by an earlier schedule, or an inactive one, because it
// was down when the task was changed (enms-rest.md 1.8). A task whose last run may be over is read as it is.
func readAsScheduled(answer map[string]any, state kind.Values, now time.Time) (diags diag.Diagnostics) {
	active, known := answer["is_active"].(bool)
	if !known || mayBeOver(answer, now) {
		return nil
	}
	var summary, is, but string
	switch next := answer["next_run_time"]; {
	case active && next == notScheduled:
		summary, is = "eNMS does not schedule an active task", "active"
		but = "the scheduler has no run for it, for example because the scheduler's database was lost"
	case active && hasAnotherSchedule(answer):
		summary, is = "eNMS runs a task by another schedule", "active"
		but = fmt.Sprintf("the scheduler has its next run at %s, when its schedule has none: it has not received the last change, for example because it was down", next)
	case !active && isScheduled(answer):
		summary, is = "eNMS runs an inactive task", "inactive"
		but = fmt.Sprintf("the scheduler has its next run at %s: it has not received that the task was switched off, for example because it was down", next)
	default:
		return nil
	}
	state["is_active"] = tftypes.NewValue(tftypes.Bool, nil) // neither: an apply writes it, whatever is configured
	diags.AddAttributeWarning(path.Root("is_active"), summary,
		fmt.Sprintf("Task %q is %s in eNMS, but %s. It is read as neither active nor inactive, so that the next apply of is_active corrects that.", answer[kind.RowName], is, but))
	return diags
}

// isScheduled reports whether next_run_time is a time.
func isScheduled(answer map[string]any) bool {
	_, err := nextRun(answer)
	return err == nil
}

// nextRun returns the time of the next run, in the zone of the server, as schedule.ParseDate does.
func nextRun(answer map[string]any) (time.Time, error) {
	return time.Parse(time.DateTime, kind.TextIn(answer, "next_run_time"))
}

// hasAnotherSchedule reports whether the next run is at a time that the schedule of a task never has. That is unknown, so
// false, of intervals that are not counted from a start date, and of a schedule that cannot be read.
func hasAnotherSchedule(answer map[string]any) bool {
	next, err := nextRun(answer)
	if err != nil {
		return false
	}
	if answer["scheduling_mode"] == "cron" {
		crontab, err := schedule.ParseCrontab(kind.TextIn(answer, "crontab_expression"))
		return err == nil && !crontab.MayFire(next)
	}
	start, err := schedule.ParseDate(kind.TextIn(answer, "start_date"))
	if err != nil {
		return false
	}
	if runsOnce(answer) {
		return !schedule.MayBe(start, next)
	}
	frequency, err := strconv.ParseFloat(fmt.Sprint(answer["frequency"]), 64)
	interval := time.Duration(frequency * float64(units[kind.TextIn(answer, "frequency_unit")]))
	return err == nil && !schedule.MayRepeat(start, interval, next)
}

// units are the lengths of the units of intervals.
var units = map[string]time.Duration{"seconds": time.Second, "minutes": time.Minute, "hours": time.Hour, "days": 24 * time.Hour}

// checkScheduled checks the answer about a task after a write. A task that never runs stays active on eNMS
// 4.7, and eNMS 5 deactivates it. Both deactivate a task that runs once after its run.
func checkScheduled(planned kind.Values, answer map[string]any, now time.Time) (diags diag.Diagnostics) {
	active, _ := answer["is_active"].(bool)
	mayBeInactive := !kind.IsTrue(planned["is_active"]) || runsOnce(answer)
	isKept := !active && !kind.IsTrue(planned["is_active"]) && isScheduled(answer)
	if !active && mayBeInactive && !isKept {
		return nil
	}
	name, next := kind.TextIn(answer, kind.RowName), answer["next_run_time"]
	kept := func(what string) {
		diags.AddAttributeError(path.Root("is_active"), fmt.Sprintf("eNMS does not schedule task %q as written", name),
			fmt.Sprintf("The task is stored, but the scheduler has kept %s: its next run is at %s. The scheduler answered eNMS with an error, or not at all, which eNMS does not report. Check that it runs, and its log; then apply again.", what, next))
	}
	switch {
	case isKept:
		kept("it active")
	case active && hasAnotherSchedule(answer):
		kept("an earlier schedule")
	case next == notScheduled:
		diags.AddAttributeError(path.Root("is_active"), fmt.Sprintf("eNMS does not schedule task %q", name),
			fmt.Sprintf("The task is stored, but the scheduler has no run for it: %s", whyNot(answer, now)))
	case isUnknownRun(answer):
		diags.AddAttributeWarning(path.Root("is_active"), fmt.Sprintf("It is unknown whether task %q is scheduled", name),
			"eNMS could not reach its scheduler in time, after several attempts. Check in eNMS whether the task has a next run. If the scheduler was down, start it and apply again.")
	}
	return diags
}

// mayBeOver reports whether the last run of a task may be over. The time zone of the server is unknown.
func mayBeOver(answer map[string]any, now time.Time) bool {
	last := kind.TextIn(answer, "end_date")
	switch {
	case runsOnce(answer):
		last = kind.TextIn(answer, "start_date")
	case answer["scheduling_mode"] == "cron" || last == "":
		return false
	}
	when, err := schedule.ParseDate(last)
	return err != nil || when.Before(now.Add(zonesEast))
}

// runsOnce reports whether a task runs only once.
func runsOnce(answer map[string]any) bool {
	frequency := answer["frequency"]
	return answer["scheduling_mode"] != "cron" && (frequency == nil || fmt.Sprint(frequency) == "0")
}

// whyNot returns why the scheduler has no run for a task, as far as the fields of the task show it.
func whyNot(answer map[string]any, now time.Time) string {
	if kind.TextIn(answer, "scheduling_mode") == "cron" {
		if _, err := schedule.ParseCrontab(kind.TextIn(answer, "crontab_expression")); err != nil {
			return asSentence(err)
		}
		if line, reason := crontabLine(kind.TextIn(answer, "crontab_expression")); line != 0 && line != kind.LineOf(answer) {
			return reason
		}
		return "the expression is valid. Check that the scheduler of eNMS runs, and its log."
	}
	for _, name := range []string{"start_date", "end_date"} {
		value := kind.TextIn(answer, name)
		if value == "" {
			continue
		}
		when, err := schedule.ParseDate(value)
		if err != nil {
			return asSentence(err)
		}
		if name == "end_date" && when.Before(now) {
			return fmt.Sprintf("its end_date, %s, has passed.", value)
		}
	}
	return "its dates are valid. Check that the scheduler of eNMS runs, and its log."
}
