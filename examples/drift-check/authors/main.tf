# Asks eNMS who wrote the instances last that a plan would change, by one search for each type. It
# needs the provider, and drift-check.sh applies it in a directory of its own. The provider is
# configured by the environment alone.

terraform {
  required_version = ">= 1.5"

  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

variable "plan" {
  description = "The file with what `terraform show -json` says of a plan."
  type        = string
}

variable "terraform_user" {
  description = "The user of eNMS who applies the configuration."
  type        = string
  default     = ""
}

locals {
  plan = jsondecode(file(var.plan))

  # The types of which eNMS keeps the last author. It keeps none of tasks, edges, users and groups.
  dated = ["device", "link", "pool", "service", "credential"]

  # Names are those of one server: with several, or with another one than that of the environment,
  # nobody can tell whose they are.
  providers = [for key, it in try(local.plan.configuration.provider_config, {}) : it if it.name == "enms"]
  is_one    = length(local.providers) <= 1 && alltrue([for it in local.providers : !can(it.expressions.base_url)])

  changed = flatten([
    for change in try(local.plan.resource_changes, []) : concat(
      [for type in local.dated : { address = change.address, type = type, name = change.change.before.name } if change.type == "enms_${type}" && can(change.change.before.name)],
      [for key, entry in try(change.change.before.instances, {}) : {
        address = "${change.address}.instances[${jsonencode(key)}]"
        type    = change.change.before.type
        name    = try(entry.name, key)
      } if change.type == "enms_instances" && contains(local.dated, try(change.change.before.type, "")) && jsonencode(entry) != try(jsonencode(change.change.after.instances[key]), jsonencode(entry))],
    ) if change.mode == "managed" && local.is_one && contains(change.change.actions, "update")
  ])

  written = merge([for type, found in data.enms_instances.written : { for it in found.instances : "${type} ${it.name}" => it.properties }]...)
}

data "enms_instances" "written" {
  for_each   = toset(local.changed[*].type)
  type       = each.key
  properties = ["last_modified", "last_modified_by"]
}

output "authors" {
  description = "A JSON object with the last author of each instance, and the time by the clock of the server, by its address."
  value = jsonencode({ for it in local.changed : it.address => {
    by        = local.written["${it.type} ${it.name}"].last_modified_by
    at        = substr(local.written["${it.type} ${it.name}"].last_modified, 0, 16)
    terraform = local.written["${it.type} ${it.name}"].last_modified_by == var.terraform_user
  } if can(length(local.written["${it.type} ${it.name}"].last_modified_by)) && can(length(local.written["${it.type} ${it.name}"].last_modified)) })
}
