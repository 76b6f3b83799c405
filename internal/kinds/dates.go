// This file checks dates and crontab expressions, and says what to write in place of a date that eNMS does not read.

package kinds

import (
	"errors"
	"fmt"
	"time"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/schedule"
)

// checkDate checks a start or end date. "" is valid: eNMS returns it for a date that is not set.
func checkDate(date, attribute string) string {
	if _, err := schedule.ParseDate(date); err != nil && date != "" {
		return dateAdvice(attribute, date, err) + " eNMS would store anything else and never run the task."
	}
	return ""
}

// checkCrontab checks a crontab expression. "" is valid: eNMS returns it for one that is not set.
func checkCrontab(expression, _ string) string {
	if _, err := schedule.ParseCrontab(expression); err != nil && expression != "" {
		return fmt.Sprintf("%s eNMS would store the expression and never run the task.", asSentence(err))
	}
	return ""
}

// startDate is the name by which a configuration calls the function that converts timestamps to dates.
const startDate = "provider::enms::start_date"

// dateAdvice returns what to write in place of a date that was refused with err. A timestamp is not
// converted: only the user knows the time zone of the server.
func dateAdvice(attribute, date string, err error) string {
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02 15:04:05Z07:00", "2006-01-02 15:04Z07:00"} {
		at, parseErr := time.Parse(layout, date)
		if parseErr != nil {
			continue
		}
		zone := at.Format("UTC-07:00")
		_, offset := at.Zone()
		if offset == 0 {
			zone = "UTC"
		}
		sameDigits := at.Add(time.Duration(offset) * time.Second) // FormatDate converts to UTC
		return fmt.Sprintf("%q is a timestamp with a time zone; eNMS uses DD/MM/YYYY HH:MM:SS in the time zone of the server. If that is %s, write %s = %q; otherwise %s = %s(%q, %q), with the zone of the server.",
			date, zone, attribute, schedule.FormatDate(sameDigits), attribute, startDate, at.Format(time.RFC3339), "Europe/Paris")
	}
	if wrong, is := errors.AsType[*schedule.DateError](err); is && wrong.Suggestion != "" {
		return fmt.Sprintf("%s To convert a timestamp, use %s().", asSentence(err), startDate)
	}
	return asSentence(err)
}
