// This file checks texts that tables refer to: dates and crontab expressions.

package kinds

import (
	"fmt"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/schedule"
)

// checkDate checks a start or end date; eNMS writes one that is not set as "".
func checkDate(date, attribute string) string {
	if _, err := schedule.ParseDate(date); err != nil && date != "" {
		return dateAdvice(attribute, date, err) + " eNMS would store anything else and never run the task."
	}
	return ""
}

// checkCrontab checks a crontab expression; eNMS writes one that is not set as "".
func checkCrontab(expression, _ string) string {
	if _, err := schedule.ParseCrontab(expression); err != nil && expression != "" {
		return fmt.Sprintf("%s eNMS would store the expression and never run the task.", asSentence(err))
	}
	return ""
}
