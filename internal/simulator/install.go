// What a freshly installed server holds (0.4).

package simulator

// install fills an empty server. A failure here is a fault in the model tables,
// never a matter of input, so it panics.
func (s *Server) install() {
	t := s.begin(nil) // nobody is logged in yet, so nothing gets an owner
	admin := t.newObject("user")
	t.set(admin, "name", "admin")
	t.set(admin, "is_admin", true)
	t.set(admin, "password", "admin")
	t.pend(admin)
	t.mustCommit()

	t.mustUpsert("server", pairs("name", "Localhost", "description", "Localhost", "status", "Up",
		"allowed_automation", []any{"scheduler", "rest_api", "application"}))
	for _, pool := range []*dict{
		pairs("name", "All objects", "device_name", ".*", "device_name_match", "regex", "link_name", ".*", "link_name_match", "regex"),
		pairs("name", "Devices only", "device_name", ".*", "device_name_match", "regex"),
		pairs("name", "Links only", "link_name", ".*", "link_name_match", "regex"),
	} {
		name, _ := pool.get("name")
		t.mustUpsert("pool", pool.merged(pairs("description", name, "last_modified", shipped, "migration_import", true)))
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
		t.mustUpsert("swiss_army_knife_service", service.merged(pairs("creator", "admin", "skip_value", "success",
			"postprocessing_mode", "always", "last_modified", shipped, "migration_import", true)))
		t.mustCommit()
	}
	t.mustUpsert("task", pairs("name", "Cluster Monitoring", "service", "cluster_monitoring",
		"description", "Monitor eNMS cluster", "frequency", int64(15), "import_mechanism", true))
	t.mustCommit()
}

// shipped is the time that the instances which come with eNMS were last modified at.
const shipped = "2019-06-24 07:19:52.482457"

func (t *tx) mustUpsert(model string, entry *dict) {
	if _, err := t.upsert(model, entry); err != nil {
		panic(err)
	}
}

func (t *tx) mustCommit() {
	if err := t.commit(); err != nil {
		panic(err)
	}
}
