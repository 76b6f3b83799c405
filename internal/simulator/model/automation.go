// The tables of tasks, runs and of what administers a server (1.8 to 1.11, 1.14).

package model

import (
	"maps"
	"slices"

	"github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/database"
)

// automationTypes declares tasks, runs and what administers a server.
func automationTypes(c catalog) {
	c.root("task",
		flag(false, "admin_only", "is_active"), text("", "description", "creator", "last_scheduled_by",
			"start_date", "end_date", "crontab_expression"),
		text("standard", "scheduling_mode"), integer(nil, "frequency"), text("seconds", "frequency_unit"),
		mapping("initial_payload"),
		many("devices", "device", "tasks"), many("pools", "pool", "tasks"), one("service", "service", "tasks"),
		proxy("service_name", "service"), rightsOn("task"),
		computed(taskStatus, "status"), computed(nil, "next_run_time", "time_before_next_run"),
		searchAdds("frequency", "frequency_unit", "crontab_expression", "is_active"))
	c.root("run",
		text("", "creator", "labels", "runtime", "duration", "trigger", "path", "service_name",
			"server_version", "server_commit_sha"),
		text("Running", "status"), flag(false, "success", "parameterized_run"),
		mapping("properties", "payload", "state"), list("start_services"),
		one("service", "service", ""), one("task", "task", ""), proxy("task_name", "task"),
		many("services", "service", "runs"), many("target_devices", "device", "runs"),
		many("target_pools", "pool", "runs"),
		computed(nil, "service_properties", "progress"),
		searchAdds("path", "server_properties", "service_properties", "worker_properties"))
	c.root("credential",
		text("", "creator", "last_modified", "last_modified_by", "description", "username"),
		text("read-write", "role"), text("password", "subtype"), flag(false, "admin_only"),
		secret("password", "private_key", "enable_password"), integer(int64(1), "priority"),
		many("device_pools", "pool", "credential_devices"), many("groups", "group", "credentials"),
		rightsOn("credential"))
	c.root("user",
		text("", "creator", "description", "last_login", "email"), flag(false, "is_admin", "small_menu"),
		text("/dashboard", "landing_page"), text("database", "authentication"), text("default", "theme"),
		decimal(1, "zoom_sensitivity"), secret("password"), list(ListProperties...),
		many("groups", "group", "users"), userOwnerships)
	c.root("group",
		text("", "creator", "description", "email"), flag(false, "admin_only", "force_read_access"),
		list(ListProperties...), many("users", "user", "groups"), many("credentials", "credential", "groups"),
		groupRights)
	c.root("server",
		text("", "creator", "description", "mac_address", "ip_address", "scheduler_address", "location", "version",
			"commit_sha", "last_restart"),
		text("primary", "role"), text("down", "status"), flag(true, "scheduler_active"),
		integer(int64(1), "weight"), integer(int64(0), "current_runs"), list("allowed_automation"))
}

func taskStatus(get func(string) any) any {
	if get("is_active") == true {
		return "Active"
	}
	return "Inactive"
}

func userOwnerships(m *database.Type) {
	for _, class := range slices.Sorted(maps.Keys(RightsOf)) {
		many("user_"+class+"s", class, "owners")(m)
	}
}

func groupRights(m *database.Type) {
	for _, class := range slices.Sorted(maps.Keys(RightsOf)) {
		list(class + "_access")(m)
		for _, right := range RightsOf[class] {
			many(right+"_"+class+"s", class, right)(m)
		}
	}
	for _, right := range RightsOf["device"] {
		many("rbac_pool_"+right, "pool", "rbac_group_"+right)(m)
	}
}
