// This file declares services and workflows (enms-rest.md 1.5).

package kinds

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/hashicorp/terraform-plugin-framework-validators/stringvalidator"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/kind"
	"github.com/terraform-provider-enms/terraform-provider-enms/internal/servicename"
)

func service() *kind.Kind {
	return &kind.Kind{
		Name:      "service",
		Namespace: "service",
		Summary:   "A service or a workflow: something that eNMS runs, by itself, in a workflow or as a task.",
		Attributes: append([]kind.Attribute{
			{Name: "type", Role: kind.Subtype, Default: "service", Recreate: true, Checks: serviceTypes,
				Doc: "The type of the service: `workflow`, `python_snippet_service`, `netmiko_commands_service` and so on. The fields of the type go into `properties`."},
			{Name: "description", Default: "", MaxLength: kind.Unbounded, Doc: "What the service does."},
			{Name: "workflows", Type: kind.Many, Of: "workflow", Inverse: "services",
				Doc: "The names of the workflows that the service is part of, in any order. The name of a service that is not shared begins with its workflow's, in brackets: `[Workflow] Service`."},
			{Name: "shared", Type: kind.Flag, Default: false, InName: true,
				Doc: "Whether several workflows may use the service. The name of a shared service begins with `[Shared] `."},
			{Name: "scoped_name", Derived: true, Default: "",
				Doc: "The name without its prefix. It follows from `name`, `shared` and `workflows`; only a name that begins with brackets of its own needs it in the configuration."},
			{Name: "disabled", Type: kind.Flag, Default: false, Doc: "Whether eNMS refuses to start the service from its web interface and its REST interface. Tasks start it all the same, and so do workflows that hold it: switch off the tasks by `is_active`, and leave the service out of the workflow."},
			{Name: "disabled_info", ReadOnly: true, Doc: "When the service was disabled and by whom; empty while it is not."},
			{Name: "vendor", Default: "", Doc: "The vendor of the devices that the service is for."},
			{Name: "operating_system", Default: "", Doc: "The operating system of the devices that the service is for."},
			{Name: "target_devices", Section: "Targets and runs", Type: kind.Many, Of: "device", Inverse: "target_services", Target: true, Doc: "The names of the devices that the service runs on, in any order. A task that has devices or pools of its own runs it on those."},
			{Name: "target_pools", Type: kind.Many, Of: "pool", Inverse: "target_services", Target: true, Doc: "The names of the pools whose devices the service runs on, in any order."},
			{Name: "run_method", Default: "per_device",
				OneOf: []string{"per_device", "once", "per_service_with_workflow_targets", "per_service_with_service_targets"},
				Doc:   "How the service runs on its targets. Services take `per_device` and `once`; workflows take `per_device` and the two that begin with `per_service`. That is not checked."},
			{Name: "initial_payload", Type: kind.JSON, Doc: "The payload that a run begins with: an object of variables."},
			{Name: "multiprocessing", Type: kind.Flag, Default: false, Doc: "Whether the service runs on several devices at a time."},
			{Name: "max_processes", OnlyWith: "multiprocessing", Type: kind.Number, Default: 5, Range: kind.NotNegative, Doc: "How many devices are worked on at a time when `multiprocessing` is true."},
			{Name: "credential_type", Default: "any", OneOf: []string{"any", "read-write", "read-only"},
				Doc: "Which credentials the service may use: any, only such as may write, or only such as may not."},
			{Name: "log_level", Type: kind.Number, Default: 1, Range: &kind.Range{Min: -1, Max: 4},
				Doc: "How much a run writes to its log: 0 debug, 1 info, 2 warning, 3 error, 4 critical, -1 nothing."},
			{Name: "named_credential", Type: kind.One, Of: "credential", IDField: "named_credential_id",
				Doc: "The name of the credential that a service of a type that connects to devices uses, where `credentials` in `properties` is `object`. [Service types](../guides/service-types.md) tells which types have it."},
			{Name: "superworkflow", Type: kind.One, Of: "workflow", IDField: "superworkflow_id",
				Doc: "The name of the workflow that runs around this one, which must be a workflow: where that holds `[Shared] Placeholder`, this one runs."},
			{Name: "number_of_retries", Section: "Retries", Type: kind.Number, Default: 0, Range: kind.NotNegative, Doc: "How often a failed run is tried again. 0 for never."},
			{Name: "time_between_retries", Type: kind.Number, Default: 10, Range: kind.NotNegative, Doc: "The pause between two tries, in seconds."},
			{Name: "max_number_of_retries", Type: kind.Number, Default: 100, Range: kind.NotNegative, Doc: "The most tries of a run, the first one included, even if the code in `postprocessing` asks for more by its variable `retries`."},
			{Name: "waiting_time", Type: kind.Number, Default: 0, Range: kind.NotNegative, Doc: "How long eNMS waits after a run, in seconds."},
			{Name: "priority", Section: "In a workflow", Type: kind.Number, Default: 10,
				Doc: "Which service of a workflow runs first when several could: the one with the highest priority. 0 keeps a workflow from running."},
			{Name: "maximum_runs", Type: kind.Number, Default: 1, Range: kind.NotNegative, Doc: "How often the service may run within one run of its workflow."},
			{Name: "skip_value", Default: brokenSkipValue, OnCreate: "success", Reset: "success", OneOf: []string{"success", "failure", "discard", brokenSkipValue}, Closed: true,
				Doc: "The result that is noted for the service when it is skipped. eNMS's own default is `True`, with which runs fail unless `run_method` is `per_device`: the provider sends `success` instead, and warns of `True`, which imported services may have."},
		}, rights("service", "rbac_run")...),
		BuiltIn:   append(slices.Clone(ofAllWorkflows), "cluster_monitoring"),
		Further:   serviceFields,
		Subtypes:  serviceTables,
		Relations: []string{"networks", "runs", "sources", "destinations"},
		ListedBy:  []kind.Attribute{in("tasks", "task")},
		NeverSent: []string{"source", "destination", "sources", "destinations"},
		Unwatched: append([]string{"last_run", "path", "positions", "man_minutes_total", "default_uuid"},
			volatileFields...),
		Secrets: secretFields,
		Cascades: []kind.Cascade{
			{Type: "task", Column: "service_id"},
			{Of: "workflow", Type: "service", Property: "workflows", Except: sharedPrefix, Recursive: true},
			{Type: "workflow_edge", Column: "source_id", Allowed: true},
			{Type: "workflow_edge", Column: "destination_id", Allowed: true},
			{Of: "workflow", Type: "workflow_edge", Column: "workflow_id", Allowed: true},
		},
		Off: map[string]any{"disabled": true},
		Layout: &kind.Layout{Subtype: "workflow", Holder: "service", Prefix: sharedPrefix, Field: "positions",
			Fresh: map[string]any{"[Shared] End": []any{json.Number("500"), json.Number("0")}}, Other: []any{json.Number("0"), json.Number("0")}},
		Scope: &kind.Scope{Attribute: "workflows", Type: "workflow", Split: splitWorkflow, Join: servicename.Join},
		Check: checkService,
	}
}

// serviceTypes are the types that services have; each installation may add some
// of its own.
var serviceTypes = []validator.String{
	stringvalidator.RegexMatches(regexp.MustCompile(`^(service|workflow|[a-z0-9_]+_service)$`),
		"must be service, workflow, or the name of a type of service in lower case, such as python_snippet_service"),
}
