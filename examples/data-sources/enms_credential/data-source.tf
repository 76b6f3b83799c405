data "enms_credential" "backup" {
  name = "backup"
}

output "backup_role" {
  value = data.enms_credential.backup.role
}
