// This file checks the schedules of tasks, because eNMS accepts schedules that never run, or that run
// immediately (enms-rest.md 1.8).

package kinds

import (
	"cmp"
	"encoding/json"
	"fmt"
	"time"

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

// crontabLine returns the line that reads an expression, if the other one does not, and why not.
func crontabLine(expression string) (line int, reason string) {
	crontab, err := schedule.ParseCrontab(expression)
	if err != nil || crontab.Digits == "" {
		return 0, ""
	}
	return 5, fmt.Sprintf("eNMS 4 takes for the day of the week only * or single digits separated by commas. It would store %q and never run the task. Write %q.", expression, crontab.Digits)
}

// asSentence returns the message of an error as a sentence.
func asSentence(err error) string { return checks.Sentence(err.Error()) }
