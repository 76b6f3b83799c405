# The active tasks that run a service.
data "enms_tasks" "backups" {
  service = ["[Shared] Backup"]
  filter  = { is_active = true }
}

output "next_backups" {
  value = { for t in data.enms_tasks.backups.instances : t.name => t.next_run_time }
}
