terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

resource "enms_service" "remove" {
  name       = "Remove"
  type       = "unix_command_service"
  owners     = ["admin"]
  rbac_run   = ["Admin Group"]
  properties = { command = "rm -r /tmp/x" }
}

resource "terraform_data" "text" {
  input = "date"
}

# A command that is known only after the apply is not allowed either.
resource "enms_service" "later" {
  name       = "Later"
  type       = "unix_command_service"
  owners     = ["admin"]
  rbac_run   = ["Admin Group"]
  properties = { command = terraform_data.text.id }
}
