# The backups of the last days, and those of them that failed.
data "enms_runs" "backups" {
  service = "[Shared] Backup"
  since   = "2026-11-22"
}

output "failed_backups" {
  value = [for run in data.enms_runs.backups.runs : run.name if run.success == false]
}

# The last run of a task must have succeeded.
data "enms_runs" "nightly" {
  task   = "Nightly audit"
  status = "Completed"
  max    = 1
}

check "nightly_audit" {
  assert {
    condition     = try(data.enms_runs.nightly.runs[0].success, false)
    error_message = "The last nightly audit failed, or there was none."
  }
}
