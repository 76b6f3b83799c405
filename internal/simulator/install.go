// What a freshly installed server holds (0.4).

package simulator

import "github.com/terraform-provider-enms/terraform-provider-enms/internal/simulator/python"

// install fills an empty server. Nobody is logged in yet, so nothing gets an owner. A failure here is a fault in the model tables,
// never a matter of input, so it panics.
func (c *command) install() {
	admin := c.NewObject("user")
	c.Set(admin, "name", "admin")
	c.Set(admin, "is_admin", true)
	c.Set(admin, "password", "admin")
	c.Pend(admin)
	c.mustCommit()

	c.mustUpsert("server", python.Pairs("name", "Localhost", "description", "Localhost", "status", "Up",
		"allowed_automation", []any{"scheduler", "rest_api", "application"}))
	for _, pool := range []*python.Dict{
		python.Pairs("name", "All objects", "device_name", ".*", "device_name_match", "regex", "link_name", ".*", "link_name_match", "regex"),
		python.Pairs("name", "Devices only", "device_name", ".*", "device_name_match", "regex"),
		python.Pairs("name", "Links only", "link_name", ".*", "link_name_match", "regex"),
	} {
		c.mustUpsert("pool", pool.Merged(python.Pairs("description", pool.Get("name"), "last_modified", shipped, "migration_import", true)))
	}
	for _, service := range []*python.Dict{
		python.Pairs("name", "[Shared] Start", "scoped_name", "Start", "shared", true, "path", "1",
			"description", "Start point of a workflow", "validation_method", "none"),
		python.Pairs("name", "[Shared] End", "scoped_name", "End", "shared", true, "path", "2",
			"description", "End point of a workflow", "validation_method", "none"),
		python.Pairs("name", "cluster_monitoring", "scoped_name", "cluster_monitoring", "path", "3",
			"description", "Monitor eNMS cluster", "validation_method", "none"),
		python.Pairs("name", "[Shared] Placeholder", "scoped_name", "Placeholder", "shared", true, "path", "4",
			"device_query_property", "name", "iteration_devices_property", "name", "display_only_failed_nodes", false,
			"include_device_results", false, "include_link_in_summary", false, "max_processes", int64(15)),
	} {
		c.mustUpsert("swiss_army_knife_service", service.Merged(python.Pairs("creator", "admin", "skip_value", "success",
			"postprocessing_mode", "always", "last_modified", shipped, "migration_import", true)))
		c.mustCommit()
	}
	c.mustUpsert("task", python.Pairs("name", "Cluster Monitoring", "service", "cluster_monitoring",
		"description", "Monitor eNMS cluster", "frequency", int64(15), "import_mechanism", true))
	c.mustCommit()
}

// shipped is the time that the instances which come with eNMS were last modified at.
const shipped = "2019-06-24 07:19:52.482457"

func (c *command) mustUpsert(typ string, entry *python.Dict) {
	if _, err := c.upsert(typ, entry); err != nil {
		panic(err)
	}
}

func (c *command) mustCommit() {
	if err := c.Commit(); err != nil {
		panic(err)
	}
}
