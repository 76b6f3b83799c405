# A run by its name, such as one that somebody has started in eNMS.
data "enms_run_result" "audit" {
  name = "Audit before the move"
}

# A run by its service and when it began.
data "enms_run_result" "backup" {
  service = "[Shared] Backup"
  runtime = "2026-11-22 00:36:09.965756"
}

output "failed" {
  value = data.enms_run_result.backup.success == false ? data.enms_run_result.backup.summary.failure : []
}
