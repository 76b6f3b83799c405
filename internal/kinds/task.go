// This file declares tasks (enms-rest.md 1.8).

package kinds

import (
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
)

func task() *kind.Kind {
	return &kind.Kind{
		Name:      "task",
		Namespace: "task",

		NoTimestamps: true,

		Summary: "A task: the schedule on which eNMS runs a service. All times are in the time zone of the eNMS server.",
		Attributes: append([]kind.Attribute{
			{Name: "service", Type: kind.One, Of: "service", ReadFrom: "service_name", Required: true,
				Doc: "The full name of the service or workflow that the task runs, such as `[Shared] Backup`."},
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "The description of the task."},
			{Name: "devices", Type: kind.Many, Of: "device", Inverse: "tasks", Target: true,
				Doc: "The names of the devices that the service runs on. Without devices and pools, the service runs on its own targets."},
			{Name: "pools", Type: kind.Many, Of: "pool", Inverse: "tasks", Target: true,
				Doc: "The names of the pools whose devices the service runs on."},
			{Name: "initial_payload", Type: kind.JSON, Doc: "The initial payload of a run: an object of variables."},
			{Name: "is_active", Type: kind.Flag, Default: false, ChangesOnWrite: true, Doubt: missingActive,
				Doc: "Whether the task is scheduled. After a task that runs once has run, eNMS deactivates it."},
			{Name: "scheduling_mode", Section: "Schedule", Default: "standard", OneOf: []string{"standard", "cron"}, Closed: true,
				Doc: "`standard`: the task runs once at `start_date`, or at intervals of `frequency`. `cron`: it runs when `crontab_expression` matches."},
			{Name: "crontab_expression", Default: "", MaxLength: kind.ShortLength, Checks: []validator.String{kind.TextCheck("Invalid crontab expression", checkCrontab)}, LineOf: crontabLine,
				Doc: "When the task runs: five fields (minute, hour, day of the month, month, day of the week). The day of the week must be `*` or single digits separated by commas, where 0 and 7 are Sunday: `1,2,3,4,5`. eNMS 5 also reads `1-5` and `mon-fri`."},
			{Name: "start_date", Default: "", MaxLength: kind.ShortLength, Checks: []validator.String{kind.TextCheck("Invalid date", checkDate)},
				Doc: "The time of the first run, as `DD/MM/YYYY HH:MM:SS` in the time zone of the eNMS server. It is ignored in the mode `cron`."},
			{Name: "end_date", Default: "", MaxLength: kind.ShortLength, Checks: []validator.String{kind.TextCheck("Invalid date", checkDate)},
				Doc: "The time after which the task stops, as `DD/MM/YYYY HH:MM:SS` in the time zone of the eNMS server. It is ignored without `frequency`."},
			{Name: "frequency", Type: kind.Number, Reset: 0, Range: kind.NotNegative,
				Doc: "The interval between two runs, in `frequency_unit`. If it is omitted or 0, the task runs once. Without a `start_date`, the interval restarts whenever the task is changed."},
			{Name: "frequency_unit", Default: "seconds", OneOf: []string{"seconds", "minutes", "hours", "days"}, Closed: true,
				Doc: "The unit of `frequency`."},
			{Name: "admin_only", Section: sectionRights, Type: kind.Flag, Default: false, Doc: "Whether only administrators see the task."},
			{Name: "next_run_time", ReadOnly: true, DataOnly: true,
				Doc: "The time of the next run, as `YYYY-MM-DD HH:MM:SS`; `Not Scheduled`; or `Scheduler Unreachable`, which eNMS also returns when its scheduler is busy."},
		}, rights("task")...),
		Relations: []string{"runs"},
		NeverSent: []string{"service_name", "service_id", "service_properties", "status", "time_before_next_run"},
		BuiltIn:   []kind.BuiltIn{{Name: "Cluster Monitoring", Line: 4}},
		Unwatched: append([]string{"last_scheduled_by", "time_before_next_run", "service_id", "service_properties"}, volatileFields...),
		Off:       map[string]any{"is_active": false},
		Rules:     kind.Rules{Check: checkTask, ChangesOnWrite: mayRunNow, CommittedOneByOne: true, DataCheck: scheduling},
	}
}
