# The passwords of credentials in eNMS come from Vault, and are in no state and no plan. README.md says
# how to run it.

terraform {
  required_version = ">= 1.11"
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

variable "vault_secrets" {
  description = "The answers of Vault, by name, as JSON: set by vault.sh."
  type        = string
  ephemeral   = true
}

variable "vault_versions" {
  description = "The versions of the secrets, by name: set by vault.sh."
  type        = map(number)
}

locals {
  # The credentials of eNMS, by the names of their secrets.
  credentials = {
    backup  = "backup"
    console = "admin"
  }
  secrets = { for name, answer in jsondecode(var.vault_secrets) : name => answer.data.data }
}

resource "enms_credential" "device" {
  for_each            = local.credentials
  name                = each.key
  username            = each.value
  password_wo         = local.secrets[each.key].password
  password_wo_version = var.vault_versions[each.key]
}
