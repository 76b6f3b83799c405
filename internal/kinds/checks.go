// This file checks dates and crontab expressions.

package kinds

import (
	"fmt"

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
