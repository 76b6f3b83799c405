// This file checks the schedules of tasks, because eNMS accepts schedules that never run, or that run
// immediately (enms-rest.md 1.8).

package kinds

import (
	"cmp"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/schedule"
)

// checkTask checks that the attributes of a task make a schedule, and keeps a task that runs once inactive
// after it has run.
func checkTask(p *kind.Plan) {
	start, startKnown := p.Text("start_date")
	end, _ := p.Text("end_date")
	checkWindow(p, start, end)
	mode, known := p.Text("scheduling_mode")
	if !known {
		return
	}
	checkMode(p, mode)
	once, onceKnown := p.Zero("frequency")
	if mode != "standard" || !onceKnown {
		return
	}
	if !once {
		checkEnd(p, end)
	}
	if once && startKnown {
		checkOneOff(p, start)
	}
}

// checkWindow checks that the start is not after the end, if one of them is configured: otherwise the scheduler would
// never run the task, without an error (enms-rest.md 1.8). Each date has its own check; one that is unknown is "" here.
func checkWindow(p *kind.Plan, start, end string) {
	if !p.Configured("start_date") && !p.Configured("end_date") {
		return
	}
	begin, _ := schedule.ParseDate(start) // no end is before the zero time
	finish, err := schedule.ParseDate(end)
	if err == nil && finish.Before(begin) {
		p.Error("end_date", "The task ends before it starts",
			fmt.Sprintf("Date %q: the end is before the start %q, so the task would never run.", end, start))
	}
}

// checkEnd warns if the end of an active task that runs repeatedly is in the past.
func checkEnd(p *kind.Plan, end string) {
	active, _ := p.Flag("is_active")
	when, err := schedule.ParseDate(end)
	isNew := p.Creating() || p.Changed("end_date") || p.Changed("is_active")
	if isNew && active && err == nil && when.Before(p.Now) {
		p.Warn("end_date", "The end date is in the past",
			fmt.Sprintf("It is %s. eNMS does not run a task after its end date.", end))
	}
}

// checkMode checks that there is an expression in the mode cron, and only there.
func checkMode(p *kind.Plan, mode string) {
	expression, known := p.Text("crontab_expression")
	switch {
	case mode == "cron" && known && expression == "":
		p.Error("crontab_expression", "Missing crontab_expression",
			`scheduling_mode is "cron". Write an expression, for example crontab_expression = "0 2 * * *" for every day at 02:00, or scheduling_mode = "standard".`)
	case mode != "cron" && expression != "" && p.Configured("crontab_expression"):
		p.Error("crontab_expression", "crontab_expression is ignored",
			`It is ignored unless scheduling_mode is "cron". Write scheduling_mode = "cron", or remove the expression.`)
	}
}

// checkOneOff refuses an active task that runs once and has no date, and warns about a date in the
// past. A task that has run remains inactive.
func checkOneOff(p *kind.Plan, start string) {
	if active, _ := p.Flag("is_active"); !active {
		return
	}
	if start == "" {
		p.Error("is_active", "The task would run immediately",
			"An active task with neither start_date nor frequency is run by eNMS as soon as it is written. Give it a start_date or a frequency, or write is_active = false.")
		return
	}
	when, err := schedule.ParseDate(start)
	if err != nil {
		return // the attribute's own check has an error, unless the value was imported
	}
	rescheduled := p.Changed("start_date") || p.Changed("scheduling_mode") || p.Changed("frequency")
	if p.Changed("is_active") && !rescheduled && hasRun(p, when) {
		p.KeepPrior("is_active")
		return
	}
	if when.Before(p.Now) && (p.Creating() || p.Changed("start_date") || p.Changed("is_active")) {
		p.Warn("start_date", "The start date is in the past",
			fmt.Sprintf("It is %s. eNMS does not run a task whose only date has passed, and deactivates it.", start))
	}
}

// missingActive is the Doubt of is_active: a schedule without it never runs.
func missingActive(_ string, other func(string) any) string {
	start, _ := other("start_date").(string)
	if other("scheduling_mode") != "cron" && start == "" && fmt.Sprint(cmp.Or(other("frequency"), any(json.Number("0")))) == "0" {
		return ""
	}
	return "A new task is not active, so eNMS does not run it on its schedule. Write is_active = true; or is_active = false, if that is meant."
}

// mayRunNow reports whether eNMS may run and deactivate a task when it is written: an active task that
// runs only once.
func mayRunNow(p *kind.Plan) bool {
	active, activeKnown := p.Flag("is_active")
	mode, modeKnown := p.Text("scheduling_mode")
	once, onceKnown := p.Zero("frequency")
	mayBeActive := active || !activeKnown
	mayRunOnce := (mode != "cron" || !modeKnown) && (once || !onceKnown)
	return mayBeActive && mayRunOnce
}

// hasRun reports whether eNMS has deactivated a task because its only date, when, has passed. The time
// zone of the server is unknown. If this provider has activated the task, it is enough that the date may
// have passed; if it does not manage is_active, the date must have passed in every zone.
func hasRun(p *kind.Plan, when time.Time) bool {
	if wrote, known := p.WroteTrue("is_active"); known {
		return wrote && when.Before(p.Now.Add(zonesEast))
	}
	return when.Before(p.Now.Add(-zonesWest))
}

// The largest differences of time zones from UTC.
const (
	zonesEast = 14 * time.Hour
	zonesWest = 12 * time.Hour
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
	return time.Parse(time.DateTime, textIn(answer, "next_run_time"))
}

// hasAnotherSchedule reports whether the next run is at a time that the schedule of a task never has. That is unknown, so
// false, of intervals that are not counted from a start date, and of a schedule that cannot be read.
func hasAnotherSchedule(answer map[string]any) bool {
	next, err := nextRun(answer)
	if err != nil {
		return false
	}
	if answer["scheduling_mode"] == "cron" {
		crontab, err := schedule.ParseCrontab(textIn(answer, "crontab_expression"))
		return err == nil && !crontab.MayFire(next)
	}
	start, err := schedule.ParseDate(textIn(answer, "start_date"))
	if err != nil {
		return false
	}
	if runsOnce(answer) {
		return !schedule.MayBe(start, next)
	}
	frequency, err := strconv.ParseFloat(fmt.Sprint(answer["frequency"]), 64)
	interval := time.Duration(frequency * float64(units[textIn(answer, "frequency_unit")]))
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
	name, next := textIn(answer, kind.RowName), answer["next_run_time"]
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
	last := textIn(answer, "end_date")
	switch {
	case runsOnce(answer):
		last = textIn(answer, "start_date")
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
	if textIn(answer, "scheduling_mode") == "cron" {
		if _, err := schedule.ParseCrontab(textIn(answer, "crontab_expression")); err != nil {
			return asSentence(err)
		}
		if line, reason := crontabLine(textIn(answer, "crontab_expression")); line != 0 && line != kind.LineOf(answer) {
			return reason
		}
		return "the expression is valid. Check that the scheduler of eNMS runs, and its log."
	}
	for _, name := range []string{"start_date", "end_date"} {
		value := textIn(answer, name)
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

// crontabLine returns the line that reads an expression, if the other one does not, and why not.
func crontabLine(expression string) (line int, reason string) {
	crontab, err := schedule.ParseCrontab(expression)
	if err != nil || crontab.Digits == "" {
		return 0, ""
	}
	return 5, fmt.Sprintf("eNMS 4 takes for the day of the week only * or single digits separated by commas. It would store %q and never run the task. Write %q.", expression, crontab.Digits)
}

// textIn returns a field of an answer that is a text, or "".
func textIn(answer map[string]any, field string) string {
	text, _ := answer[field].(string)
	return text
}

// asSentence returns the message of an error as a sentence.
func asSentence(err error) string { return checks.Sentence(err.Error()) }
