// The jobs of the scheduler as the simulator plays and tells them.

package simulator

// SetScheduler says whether the server can reach its scheduler. While it cannot,
// reading a task gives "Scheduler Unreachable", a POST leaves is_active as sent,
// a task cannot be deleted (500), and no job runs (enms-rest.md 1.8, 3).
func (s *Server) SetScheduler(reachable bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.eNMS.shared.Jobs.Reachable = reachable
}

// Jobs are the scheduler's jobs and their next runs, "YYYY-MM-DD HH:MM:SS" in
// server-local time, or "Not Scheduled" when paused. A job goes by the name of the
// task that has its id, or by the id alone when there is no such task: what the
// deletion of a service leaves behind (enms-rest.md 3).
func (s *Server) Jobs() map[string]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runJobs()
	jobs := map[string]string{}
	for _, id := range s.eNMS.shared.Jobs.IDs() {
		name := id
		if task := s.db.ByID("task", id); task != nil {
			name = task.Name()
		}
		jobs[name] = s.eNMS.shared.Jobs.NextText(id)
	}
	return jobs
}

// runJobs runs what has come due since the last look, as the scheduler does by calling
// /rest/run_task as admin. A task that is gone answers 403, which interests nobody.
func (s *Server) runJobs() {
	if !s.eNMS.shared.Jobs.Reachable {
		return
	}
	for _, id := range s.eNMS.shared.Jobs.Due(s.eNMS.shared.Now()) {
		c := s.eNMS.begin(s.db, s.db.ByName("user", "admin"))
		if err := c.runTask(id); err != nil || c.Commit() != nil {
			c.Rollback()
		}
	}
}
