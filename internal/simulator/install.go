// What a freshly installed server holds.

package simulator

// install fills an empty server. A failure here is a fault in the model tables,
// never a matter of input, so it panics.
func (s *Server) install() {
	t := s.begin(nil)
	admin := t.newObject("user")
	t.set(admin, "name", "admin")
	t.set(admin, "is_admin", true)
	t.set(admin, "password", "admin")
	t.pend(admin)
	t.mustCommit()

	t = s.begin(admin)
	t.mustUpsert("server", pairs("name", "eNMS", "description", "eNMS", "status", "Up",
		"allowed_automation", []any{"scheduler", "rest_api", "application"}))
	for _, name := range []string{"Start", "End", "Placeholder"} {
		t.mustUpsert("swiss_army_knife_service", pairs("name", "[Shared] "+name, "scoped_name", name,
			"shared", true, "skip_value", "success", "postprocessing_mode", "always"))
		t.mustCommit()
	}
	t.mustUpsert("swiss_army_knife_service", pairs("name", "cluster_monitoring",
		"scoped_name", "cluster_monitoring", "run_method", "once"))
	t.mustCommit()
	t.mustUpsert("task", pairs("name", "Cluster Monitoring", "service", "cluster_monitoring",
		"description", "Monitor eNMS cluster", "frequency", int64(15), "import_mechanism", true))
	t.mustCommit()
}

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
