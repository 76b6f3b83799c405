data "enms_service" "backup" {
  name = "Backup"
}

# A workflow's own service, by its full name.
data "enms_service" "show_version" {
  name = "[Backup] Show version"
}

output "backup_is_disabled" {
  value = data.enms_service.backup.disabled
}
