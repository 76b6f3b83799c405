// This file implements the function next_runs.

package function

import (
	"context"
	"fmt"
	"math/big"

	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/schedule"
)

// maxRuns is the maximum number of times that next_runs returns.
const maxRuns = 1000

func nextRunsDefinition() function.Definition {
	return function.Definition{
		Summary: "When a task with a crontab_expression runs next",
		MarkdownDescription: "Lists the next times at which eNMS runs an active task with a `crontab_expression`, as timestamps in RFC 3339 format with the offset of the zone. It returns fewer only at the end of the year 9999.\n\n" +
			"The scheduler uses the time zone of the server. A time that occurs twice, because the clocks are set back, is listed once, the first time. A time that is skipped, because the clocks are set forward, is listed an hour later: `30 2 * * *` at 03:30. The scheduler may omit such a run, depending on the zone and on its version.",
		Parameters: []function.Parameter{
			parameter{name: "expression", description: "The expression in eNMS's format. Ranges and names of weekdays, such as `1-5`, are those of eNMS 5. To convert a cron expression, use the function `crontab`."}.terraform(),
			parameter{name: "after", description: "The timestamp after which to list times, in RFC 3339 format."}.terraform(),
			function.NumberParameter{Name: "count", MarkdownDescription: fmt.Sprintf("The number of times to list, from 1 to %d.", maxRuns)},
			zoneParameter.terraform(),
		},
		Return: function.ListReturn{ElementType: types.StringType},
	}
}

func runNextRuns(ctx context.Context, req function.RunRequest, resp *function.RunResponse) {
	var expression, after, zone string
	var count *big.Float // with an int64, the framework would report a fraction as a bug in the provider
	if resp.Error = req.Arguments.Get(ctx, &expression, &after, &count, &zone); resp.Error != nil {
		return
	}
	var times []string
	if times, resp.Error = computeNextRuns(expression, after, count, zone); resp.Error == nil {
		resp.Error = resp.Result.Set(ctx, times)
	}
}

// computeNextRuns returns the result of the function for its arguments.
func computeNextRuns(expression, after string, count *big.Float, zone string) ([]string, *function.FuncError) {
	crontab, err := schedule.ParseCrontab(expression)
	if err != nil {
		return nil, wrong(0, err)
	}
	at, err := parseTimestamp(after)
	if err != nil {
		return nil, wrong(1, err)
	}
	runs, _ := count.Int64()
	if !count.IsInt() || runs < 1 || runs > maxRuns {
		return nil, wrong(2, fmt.Errorf("the count is %s: it must be a whole number between 1 and %d", count.Text('g', 10), maxRuns))
	}
	location, err := schedule.LoadZone(zone)
	if err != nil {
		return nil, wrong(3, err)
	}
	times := []string{}
	for _, t := range crontab.Next(at, int(runs), location) {
		times = append(times, schedule.Timestamp(t))
	}
	return times, nil
}
