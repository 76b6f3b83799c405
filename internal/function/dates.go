// This file declares the functions for the dates and crontab expressions of tasks.

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
		description: "Converts a timestamp to the format of `start_date` and `end_date` of a task: `DD/MM/YYYY HH:MM:SS`, in the time zone of the server. Fractions of a second are truncated. " +
			"In the hour that occurs twice when the clocks are set back, a date is ambiguous: the scheduler uses the earlier time.",
		parameters: []parameter{
			{name: "timestamp", description: "The timestamp in RFC 3339 format, such as `2026-03-29T02:30:00Z`, which other functions and resources of Terraform use."},
			zoneParameter,
		},
		compute: startDate,
	},
	{
		name:    "timestamp",
		summary: "The timestamp for a start_date of a task",
		description: "Converts the `start_date` or `end_date` of a task, `DD/MM/YYYY HH:MM:SS` in the time zone of the server, to a timestamp in RFC 3339 format with the offset of the zone. " +
			"A time that occurs twice, because the clocks are set back, is the earlier one. A time that does not exist, because the clocks are set forward, is an error.",
		parameters: []parameter{
			{name: "start_date", description: "The date, such as `29/03/2026 02:30:00`. Leading zeros are optional, except in the year."},
			zoneParameter,
		},
		compute: timestamp,
	},
	{
		name:    "crontab",
		summary: "The crontab_expression of a task for a cron expression",
		description: "Converts an ordinary cron expression to a `crontab_expression` of eNMS with the same meaning. It supports names, ranges and steps in any field, ranges that wrap around, and the short forms `@yearly`, `@annually`, `@monthly`, `@weekly`, `@daily`, `@midnight` and `@hourly`.\n\n" +
			"What eNMS does not support is an error: `@reboot`, seconds, years, and the characters `L`, `W`, `#` and `?` of Quartz. So is an expression that restricts both the day of the month and the day of the week, such as `0 0 13 * 5`: cron runs on days that match either field, eNMS only on days that match both. As in Linux cron, a field that begins with `*`, such as `*/2`, is not a restriction; then cron also requires both.\n\n" +
			"Do not use it for expressions that are already written for eNMS.",
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

// parseTimestamp reads a timestamp. UnmarshalText is stricter than time.Parse with time.RFC3339.
func parseTimestamp(stamp string) (time.Time, error) {
	var at time.Time
	if at.UnmarshalText([]byte(stamp)) != nil {
		return time.Time{}, fmt.Errorf("%q is not an RFC 3339 timestamp, such as 2026-03-29T02:30:00Z", stamp)
	}
	return at, nil
}
