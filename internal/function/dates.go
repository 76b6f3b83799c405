// This file is the functions for the dates and crontab expressions of tasks.

package function

import (
	"fmt"
	"time"

	"github.com/hashicorp/terraform-plugin-framework/function"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/schedule"
)

var dateFunctions = []textFunction{
	{
		name:    "start_date",
		summary: "The start_date of a task for a timestamp",
		description: "Writes a timestamp as eNMS takes the `start_date` and the `end_date` of a task: `DD/MM/YYYY HH:MM:SS`, by the clock of the server. Fractions of a second are cut off. " +
			"In the hour that the clocks show twice when they are set back, a date says nothing of which of the two times it is: the scheduler takes it for the earlier one.",
		parameters: []parameter{
			{name: "timestamp", description: "The timestamp in the notation of RFC 3339, such as `2026-03-29T02:30:00Z`, as other functions and resources of Terraform give it."},
			zoneParameter,
		},
		compute: startDate,
	},
	{
		name:    "timestamp",
		summary: "The timestamp for a start_date of a task",
		description: "Reads the `start_date` or `end_date` of a task, `DD/MM/YYYY HH:MM:SS` by the clock of the server, as a timestamp in the notation of RFC 3339, with the offset of the zone. " +
			"A time that the clocks show twice, because they are set back, is the earlier one. One that does not exist, because they are set forward past it, is an error.",
		parameters: []parameter{
			{name: "start_date", description: "The date, such as `29/03/2026 02:30:00`. Leading zeros may be left out, except in the year."},
			zoneParameter,
		},
		compute: timestamp,
	},
	{
		name:    "crontab",
		summary: "The crontab_expression of a task for an expression of cron",
		description: "Translates an expression of ordinary cron into one that eNMS takes as the `crontab_expression` of a task and that has the same meaning: names, ranges and steps in any field, ranges that go on at the beginning, and the short forms `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`, `@midnight` and `@hourly`.\n\n" +
			"What eNMS cannot do is an error: `@reboot`, seconds, years, and the signs `L`, `W`, `#` and `?` of Quartz. So is an expression that restricts both the day of the month and the day of the week, such as `0 0 13 * 5`: cron runs on the days that fit either, eNMS only on those that fit both. As in the cron of Linux, a field that begins with `*`, such as `*/2`, does not count as restricted; then both mean the days that fit both.\n\n" +
			"It is for expressions of cron: one that is written for eNMS needs no translation.",
		parameters: []parameter{
			{name: "expression", description: "Minute, hour, day of the month, month and day of the week, as in `30 2 * * mon-fri`, or a short form, such as `@daily`."},
		},
		compute: crontab,
	},
}

func startDate(arguments []string) (string, *function.FuncError) {
	at, err := parseTimestamp(arguments[0])
	if err != nil {
		return "", wrong(0, err)
	}
	zone, err := schedule.LoadZone(arguments[1])
	if err != nil {
		return "", wrong(1, err)
	}
	date, err := schedule.StartDate(at, zone)
	if err != nil {
		return "", wrong(0, err)
	}
	return date, nil
}

func timestamp(arguments []string) (string, *function.FuncError) {
	zone, err := schedule.LoadZone(arguments[1])
	if err != nil {
		return "", wrong(1, err)
	}
	at, err := schedule.Instant(arguments[0], zone)
	if err != nil {
		return "", wrong(0, err)
	}
	return schedule.Timestamp(at), nil
}

func crontab(arguments []string) (string, *function.FuncError) {
	expression, err := schedule.Translate(arguments[0])
	if err != nil {
		return "", wrong(0, err)
	}
	return expression, nil
}

// parseTimestamp reads RFC 3339, strictly.
func parseTimestamp(stamp string) (time.Time, error) {
	var at time.Time
	if at.UnmarshalText([]byte(stamp)) != nil {
		return time.Time{}, fmt.Errorf("%q is no timestamp of RFC 3339, such as 2026-03-29T02:30:00Z", stamp)
	}
	return at, nil
}
