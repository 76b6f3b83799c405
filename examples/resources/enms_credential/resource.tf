variable "backup_password" {
  type      = string
  ephemeral = true
}

# The password is not in the state or the plan. Changing the version sends it again.
resource "enms_credential" "backup" {
  name                = "backup"
  username            = "backup"
  password_wo         = var.backup_password
  password_wo_version = 1
  role                = "read-only"
  priority            = 10
}
