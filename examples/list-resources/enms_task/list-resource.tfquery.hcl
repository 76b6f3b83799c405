# The active tasks that run a service.
list "enms_task" "backups" {
  provider = enms

  config {
    service = ["[Shared] Backup"]
    filter  = { is_active = true }
  }
}
