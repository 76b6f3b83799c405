// What a freshly installed server holds (0.4).

package simulator

// install fills an empty server. Nobody is logged in yet, so nothing gets an owner. A failure here is a fault in the model tables,
// never a matter of input, so it panics.
func (c *command) install() {
	admin := c.newObject("user")
	c.set(admin, "name", "admin")
	c.set(admin, "is_admin", true)
	c.set(admin, "password", "admin")
	c.pend(admin)
	c.mustCommit()

	c.mustUpsert("server", pairs("name", "Localhost", "description", "Localhost", "status", "Up",
		"allowed_automation", []any{"scheduler", "rest_api", "application"}))
	for _, pool := range []*dict{
		pairs("name", "All objects", "device_name", ".*", "device_name_match", "regex", "link_name", ".*", "link_name_match", "regex"),
		pairs("name", "Devices only", "device_name", ".*", "device_name_match", "regex"),
		pairs("name", "Links only", "link_name", ".*", "link_name_match", "regex"),
	} {
		c.mustUpsert("pool", pool.merged(pairs("description", pool.get("name"), "last_modified", shipped, "migration_import", true)))
	}
	for _, service := range []*dict{
		pairs("name", "[Shared] Start", "scoped_name", "Start", "shared", true, "path", "1",
			"description", "Start point of a workflow", "validation_method", "none"),
		pairs("name", "[Shared] End", "scoped_name", "End", "shared", true, "path", "2",
			"description", "End point of a workflow", "validation_method", "none"),
		pairs("name", "cluster_monitoring", "scoped_name", "cluster_monitoring", "path", "3",
			"description", "Monitor eNMS cluster", "validation_method", "none"),
		pairs("name", "[Shared] Placeholder", "scoped_name", "Placeholder", "shared", true, "path", "4",
			"device_query_property", "name", "iteration_devices_property", "name", "display_only_failed_nodes", false,
			"include_device_results", false, "include_link_in_summary", false, "max_processes", int64(15)),
	} {
		c.mustUpsert("swiss_army_knife_service", service.merged(pairs("creator", "admin", "skip_value", "success",
			"postprocessing_mode", "always", "last_modified", shipped, "migration_import", true)))
		c.mustCommit()
	}
	c.mustUpsert("task", pairs("name", "Cluster Monitoring", "service", "cluster_monitoring",
		"description", "Monitor eNMS cluster", "frequency", int64(15), "import_mechanism", true))
	c.mustCommit()
}

// shipped is the time that the instances which come with eNMS were last modified at.
const shipped = "2019-06-24 07:19:52.482457"

func (c *command) mustUpsert(model string, entry *dict) {
	if _, err := c.upsert(model, entry); err != nil {
		panic(err)
	}
}

func (c *command) mustCommit() {
	if err := c.commit(); err != nil {
		panic(err)
	}
}
