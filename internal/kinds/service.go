// This file declares services and workflows (enms-rest.md 1.5).

package kinds

import (
	"regexp"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

func service() *kind.Kind {
	return &kind.Kind{
		Name:        "service",
		Namespace:   "service",
		ExampleName: "[Upgrade] Backup",
		Summary:     "A service or a workflow, which eNMS runs alone, in a workflow or on a schedule.",
		Attributes: append([]kind.Attribute{
			{Name: "type", Role: kind.Subtype, Default: "service", Recreate: true, Checks: serviceTypes,
				Doc: "The type of the service: `workflow`, `python_snippet_service`, `netmiko_commands_service` and so on. Write the fields of the type in `properties`."},
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "The description of the service."},
			{Name: "workflows", Type: kind.Many, Of: "workflow", Inverse: "services",
				Doc: "The names of the workflows that the service is part of. Unless the service is shared, its name begins with the name of the workflow in brackets: `[Workflow] Service`."},
			{Name: "shared", Type: kind.Flag, Default: false, InName: true,
				Doc: "Whether several workflows can use the service. The name of a shared service begins with `[Shared] `."},
			{Name: "scoped_name", Derived: true, Default: "",
				Doc: "The name without its prefix. It is computed from `name`, `shared` and `workflows`. Set it only if the name itself begins with brackets."},
			{Name: "disabled", Type: kind.Flag, Default: false, Doc: "Whether eNMS refuses to start the service from its web interface and REST interface. Tasks and workflows still run it: to prevent that, set `is_active = false` on the tasks, and remove the service from the workflows."},
			{Name: "disabled_info", ReadOnly: true, MaxLength: kind.ShortLength, Doc: "When the service was disabled, and by whom. Empty if it is not disabled."},
			{Name: "vendor", Default: "", Doc: "The vendor of the devices that the service is for."},
			{Name: "operating_system", Default: "", Doc: "The operating system of the devices that the service is for."},
			{Name: "target_devices", Section: "Targets and runs", Type: kind.Many, Of: "device", Inverse: "target_services", Target: true, UsedIf: [2]string{"run_method", "per_device"}, Doc: "The names of the devices that the service runs on. A task with its own devices or pools runs the service on those instead."},
			{Name: "target_pools", Type: kind.Many, Of: "pool", Inverse: "target_services", Target: true, UsedIf: [2]string{"run_method", "per_device"}, Doc: "The names of the pools whose devices the service runs on."},
			{Name: "run_method", Default: "per_device", MaxLength: kind.ShortLength,
				OneOf: []string{"per_device", "once", "per_service_with_workflow_targets", "per_service_with_service_targets"},
				Doc:   "How the service runs on its targets. Use `per_device` or `once` for services; `per_device` or one of the values that begin with `per_service` for workflows. This is not checked."},
			{Name: "initial_payload", Type: kind.JSON, Doc: "The initial payload of a run: an object of variables."},
			{Name: "multiprocessing", Type: kind.Flag, Default: false, Doc: "Whether the service runs on several devices at the same time."},
			{Name: "max_processes", OnlyWith: "multiprocessing", Type: kind.Number, Default: 5, Range: kind.NotNegative, Doc: "The maximum number of devices on which the service runs at the same time if `multiprocessing` is true."},
			{Name: "credential_type", Default: "any", OneOf: []string{"any", "read-write", "read-only"},
				Doc: "Which credentials the service may use, by their `role`: any, only read-write, or only read-only."},
			{Name: "log_level", Type: kind.Number, Default: 1, Range: &kind.Range{Min: -1, Max: 4},
				Doc: "The log level of a run: 0 debug, 1 info, 2 warning, 3 error, 4 critical, -1 no log."},
			{Name: "named_credential", Type: kind.One, Of: "credential", IDField: "named_credential_id",
				Doc: "The name of the credential that the service uses if `credentials` in `properties` is `object`. Only [types that connect to devices](../guides/service-types.md), and `rest_call_service`, have it."},
			{Name: "superworkflow", Type: kind.One, Of: "workflow", IDField: "superworkflow_id",
				Doc: "The name of the workflow that runs around this workflow. This workflow runs in place of its `[Shared] Placeholder`."},
			{Name: "placeholder", Type: kind.Flag, Default: false, Inverse: "workflows",
				Holds: &kind.Holds{Subtype: "workflow", Relation: "services", Of: "service", Member: placeholder, Initial: []string{servicename.Start, servicename.End}},
				Doc:   "Whether this workflow contains `[Shared] Placeholder`: it can then be the `superworkflow` of others, which run in place of it. Only workflows have it. Edges refer to `[Shared] Placeholder` by its name."},
			{Name: "number_of_retries", Section: "Retries", Type: kind.Number, Default: 0, Range: kind.NotNegative, Doc: "How often a failed run is retried."},
			{Name: "time_between_retries", Type: kind.Number, Default: 10, Range: kind.NotNegative, Doc: "The pause between two attempts, in seconds."},
			{Name: "max_number_of_retries", Type: kind.Number, Default: 100, Range: kind.NotNegative, Doc: "The maximum number of attempts, including the first, even if the code in `postprocessing` sets its variable `retries` to more."},
			{Name: "waiting_time", Type: kind.Number, Default: 0, Range: kind.NotNegative, Doc: "How long eNMS waits after a run, in seconds."},
			{Name: "priority", Section: "In a workflow", Type: kind.Number, Default: 10,
				Doc: "The priority in a workflow: if several services could run, the one with the highest priority runs first. A workflow with priority 0 does not run."},
			{Name: "maximum_runs", Type: kind.Number, Default: 1, Range: kind.NotNegative, Doc: "How often the service can run in one run of its workflow."},
			{Name: "skip_value", Default: brokenSkipValue, OnCreate: "success", Reset: "success", OneOf: []string{"success", "failure", "discard", brokenSkipValue}, Closed: true,
				Doc: "The result that is recorded if the service is skipped. With eNMS's own default, `True`, runs fail unless `run_method` is `per_device`. The provider therefore sends `success`, and warns about `True`, which imported services may have."},
		}, rights("service", "rbac_run")...),
		BuiltIn:    append(builtIn(ofAllWorkflows...), kind.BuiltIn{Name: "cluster_monitoring", Line: 4}),
		Properties: serviceFields,
		Subtypes:   serviceTables,
		Relations:  []string{"networks", "runs", "sources", "destinations"},
		ListedBy:   []kind.Attribute{relation("tasks", "task")},
		NeverSent:  []string{"source", "destination", "sources", "destinations"},
		Unwatched: append([]string{"last_run", "path", "positions", "labels", "man_minutes_total", "default_uuid", "builder_link", "service_changelogs"}, // positions and labels are those of layouts
			volatileFields...),
		Secrets: secretFields,
		Cascades: []kind.Cascade{
			{Type: "task", Column: "service_id"},
			{Of: "workflow", Type: "service", Property: "workflows", Except: sharedPrefix, Recursive: true},
			{Type: "workflow_edge", Column: "source_id", Allowed: true, Inverse: "sources"},
			{Type: "workflow_edge", Column: "destination_id", Allowed: true, Inverse: "destinations"},
			{Of: "workflow", Type: "workflow_edge", Column: "workflow_id", Allowed: true, Inverse: "edges"},
		},
		Off:   map[string]any{"disabled": true},
		Scope: &kind.Scope{Attribute: "workflows", Type: "workflow", Split: splitWorkflow, Join: servicename.Join},
		Rules: kind.Rules{Check: checkService},
	}
}

// builtIn returns instances that every eNMS of both lines has.
func builtIn(names ...string) (all []kind.BuiltIn) {
	for _, name := range names {
		all = append(all, kind.BuiltIn{Name: name})
	}
	return all
}

// serviceTypes checks the type of a service. A site may have added types.
var serviceTypes = []validator.String{
	stringvalidator.RegexMatches(regexp.MustCompile(`^(service|workflow|[a-z0-9_]+_service)$`),
		"must be service, workflow, or the name of a type of service in lower case, such as python_snippet_service"),
}
