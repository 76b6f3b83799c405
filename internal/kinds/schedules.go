// This file holds the rules for the schedules of tasks: eNMS accepts ones that
// never run, or that run at once, without a word (enms-rest.md 1.8).

package kinds

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind/checks"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/schedule"
)

// checkTask sees to it that a task's attributes make a schedule, and that a
// one-off task that has run is not switched on again.
func checkTask(p *kind.Plan) {
	start, startKnown := p.Text("start_date")
	end, endKnown := p.Text("end_date")
	if startKnown && endKnown {
		checkWindow(p, start, end)
	}
	mode, known := p.Text("scheduling_mode")
	if !known {
		return
	}
	checkMode(p, mode)
	once, onceKnown := p.Zero("frequency")
	switch {
	case mode != "standard" || !onceKnown:
	case !once && endKnown:
		checkEnd(p, end)
	case once && startKnown:
		checkOneOff(p, start)
	}
}

// checkWindow looks at both dates together, if the configuration has a hand in
// them; what is wrong with one alone, its own check tells.
func checkWindow(p *kind.Plan, start, end string) {
	if !p.Configured("start_date") && !p.Configured("end_date") {
		return
	}
	_, startErr := schedule.ParseDate(start)
	_, endErr := schedule.ParseDate(end)
	if startErr != nil || endErr != nil {
		return
	}
	if err := schedule.CheckWindow(start, end); err != nil {
		p.Error("end_date", "The task ends before it starts", asSentence(err))
	}
}

// checkEnd looks at the end of an active task that runs again and again.
func checkEnd(p *kind.Plan, end string) {
	active, known := p.Flag("is_active")
	when, err := schedule.ParseDate(end)
	if known && active && err == nil && when.Before(p.Now) && (p.Creating() || p.Changed("end_date") || p.Changed("is_active")) {
		p.Warn("end_date", "The end date is in the past",
			fmt.Sprintf("It is %s. eNMS does not run a task after its end date.", end))
	}
}

// checkMode sees to it that the mode and the expression go together.
func checkMode(p *kind.Plan, mode string) {
	expression, known := p.Text("crontab_expression")
	switch {
	case !known:
	case mode == "cron" && expression == "":
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
	active, known := p.Flag("is_active")
	if !known || !active {
		return
	}
	if start == "" {
		p.Error("is_active", "The task would run immediately",
			"An active task with neither start_date nor frequency is run by eNMS as soon as it is written. Give it a start_date or a frequency, or write is_active = false.")
		return
	}
	when, err := schedule.ParseDate(start)
	if err != nil {
		return // The attribute's own check tells, unless the value is an imported one.
	}
	if p.Changed("is_active") && !p.Changed("start_date") && !p.Changed("scheduling_mode") && !p.Changed("frequency") && hasRun(p, when) {
		p.KeepPrior("is_active")
		return
	}
	if when.Before(p.Now) && (p.Creating() || p.Changed("start_date") || p.Changed("is_active")) {
		p.Warn("start_date", "The start date is in the past",
			fmt.Sprintf("It is %s. eNMS does not run a task whose only date has passed, and deactivates it.", start))
	}
}

// mayRunNow reports whether eNMS may have run a task for the last time when it is written,
// and switched it off: an active one that runs only once.
func mayRunNow(p *kind.Plan) bool {
	active, activeKnown := p.Flag("is_active")
	mode, modeKnown := p.Text("scheduling_mode")
	once, onceKnown := p.Zero("frequency")
	return (active || !activeKnown) && (mode != "cron" || !modeKnown) && (once || !onceKnown)
}

// hasRun reports whether a task that is inactive had its day, after which eNMS has switched it
// off. What this provider has last switched on itself, it had if the date may have passed on
// the server's clock, whose zone is unknown; of what it has never switched, the date must have
// passed in every zone.
func hasRun(p *kind.Plan, when time.Time) bool {
	if wrote, known := p.WroteTrue("is_active"); known {
		return wrote && when.Before(p.Now.Add(zonesEast))
	}
	return when.Before(p.Now.Add(-zonesWest))
}

// How far zones reach ahead of UTC, and behind it.
const (
	zonesEast = 14 * time.Hour
	zonesWest = 12 * time.Hour
)

// What eNMS answers for next_run_time when there is none.
const (
	notScheduled         = "Not Scheduled"
	schedulerUnreachable = "Scheduler Unreachable"
)

// scheduled asks whether the scheduler has taken an active task; a date is the only
// proof that it has. eNMS gives its scheduler ten milliseconds to answer, which is
// too short when it is busy.
var scheduled = &kind.AfterWrite{
	Undecided: func(answer map[string]any) bool { return answer["next_run_time"] == schedulerUnreachable },
	Check:     checkScheduled,
}

// checkScheduled looks at what eNMS answers for a task after a write. A task that never runs stays
// active on eNMS 4.7, and is switched off by eNMS 5. One that runs once is switched off when it has run.
func checkScheduled(planned kind.Values, answer map[string]any, now time.Time) (diags diag.Diagnostics) {
	active, _ := answer["is_active"].(bool)
	var wanted bool
	_ = planned["is_active"].As(&wanted) // false if it is unknown
	if !active && (!wanted || runsOnce(answer)) {
		return nil
	}
	name, _ := answer[kind.RowName].(string)
	switch answer["next_run_time"] {
	case notScheduled:
		diags.AddAttributeError(path.Root("is_active"), fmt.Sprintf("eNMS does not schedule task %q", name),
			fmt.Sprintf("The task is stored, but the scheduler has no run for it: %s", whyNot(answer, now)))
	case schedulerUnreachable:
		diags.AddAttributeWarning(path.Root("is_active"), fmt.Sprintf("It is unknown whether task %q is scheduled", name),
			"eNMS could not reach its scheduler in time, after several attempts. Check in eNMS whether the task has a next run. If the scheduler was down, start it and write the task again.")
	}
	return diags
}

// runsOnce reports whether a task runs only once.
func runsOnce(answer map[string]any) bool {
	frequency := answer["frequency"]
	return answer["scheduling_mode"] != "cron" && (frequency == nil || fmt.Sprint(frequency) == "0")
}

// whyNot tells why the scheduler has no run for a task, as far as its fields
// tell.
func whyNot(answer map[string]any, now time.Time) string {
	field := func(name string) string {
		s, _ := answer[name].(string)
		return s
	}
	if field("scheduling_mode") == "cron" {
		if _, err := schedule.ParseCrontab(field("crontab_expression")); err != nil {
			return asSentence(err)
		}
		return "the expression is valid. Check that the scheduler of eNMS runs, and its log."
	}
	for _, name := range []string{"start_date", "end_date"} {
		value := field(name)
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

// asSentence makes a sentence of an error.
func asSentence(err error) string { return checks.Sentence(err.Error()) }
