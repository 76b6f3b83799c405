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

		NoTimestamps:      true,
		CommittedOneByOne: true,

		Summary: "A task: a service that eNMS runs at a time, or again and again. All times are in the time zone of the eNMS server.",
		Attributes: append([]kind.Attribute{
			{Name: "service", Type: kind.One, Of: "service", ReadFrom: "service_name", Required: true,
				Doc: "The full name of the service or workflow that the task runs, such as `[Shared] Backup`."},
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "What the task is for."},
			{Name: "devices", Type: kind.Many, Of: "device", Inverse: "tasks", Target: true,
				Doc: "The names of the devices that the service runs on, in any order. Without devices and pools they are the service's own targets."},
			{Name: "pools", Type: kind.Many, Of: "pool", Inverse: "tasks", Target: true,
				Doc: "The names of the pools whose devices the service runs on, in any order."},
			{Name: "initial_payload", Type: kind.JSON, Doc: "The payload that a run begins with: an object of variables."},
			{Name: "is_active", Type: kind.Flag, Default: false, ChangesOnWrite: true,
				Doc: "Whether the task is scheduled. eNMS itself switches a task off that runs only once, after it has run."},
			{Name: "scheduling_mode", Section: "Schedule", Default: "standard", OneOf: []string{"standard", "cron"}, Closed: true,
				Doc: "`standard` runs the task once at `start_date`, or every `frequency` from then on; `cron` runs it as `crontab_expression` says."},
			{Name: "crontab_expression", Default: "", MaxLength: kind.ShortLength, Checks: []validator.String{crontab{}},
				Doc: "When the task runs: five fields (minute, hour, day of the month, month, day of the week). The last one takes only `*` and single digits separated by commas, where 0 and 7 are Sunday: `1,2,3,4,5`, not `1-5`."},
			{Name: "start_date", Default: "", MaxLength: kind.ShortLength, Checks: []validator.String{date{}},
				Doc: "When the task runs first, as `DD/MM/YYYY HH:MM:SS` in the time zone of the eNMS server. eNMS takes no notice of it in the mode `cron`."},
			{Name: "end_date", Default: "", MaxLength: kind.ShortLength, Checks: []validator.String{date{}},
				Doc: "When the task stops running again and again, as `DD/MM/YYYY HH:MM:SS` in the time zone of the eNMS server. It counts only together with `frequency`."},
			{Name: "frequency", Type: kind.Number, Reset: 0, Range: kind.NotNegative,
				Doc: "How many `frequency_unit`s are between two runs. Without it, or with 0, the task runs once. Without a `start_date` the interval begins anew whenever the task is changed."},
			{Name: "frequency_unit", Default: "seconds", OneOf: []string{"seconds", "minutes", "hours", "days"}, Closed: true,
				Doc: "The unit of `frequency`."},
			{Name: "admin_only", Section: sectionRights, Type: kind.Flag, Default: false, Doc: "Whether only administrators see the task."},
			{Name: "next_run_time", ReadOnly: true, DataOnly: true,
				Doc: "When the scheduler will run the task next, as `YYYY-MM-DD HH:MM:SS`; `Not Scheduled`; or `Scheduler Unreachable`, which eNMS also says when it is busy."},
		}, rights("task")...),
		Relations:  []string{"runs"},
		NeverSent:  []string{"service_name", "service_id", "status", "time_before_next_run"},
		BuiltIn:    []string{"Cluster Monitoring"},
		Unwatched:  append([]string{"last_scheduled_by", "time_before_next_run", "service_id"}, volatileFields...),
		Off:        map[string]any{"is_active": false},
		Check:      checkTask,
		AfterWrite: scheduled,

		ChangesOnWrite: mayRunNow,
	}
}
