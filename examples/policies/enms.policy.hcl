# Policies for plans of eNMS in HashiCorp's Terraform policy. README.md says how they differ from
# those in enms.rego. Delete the rules that you do not want, and set the inputs in the policy set.
policy {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

input "unix_commands" {
  type        = list(string)
  description = "The commands that services may run in the shell of the eNMS server."
  default     = ["ping -c 1 192.0.2.1"]
}

input "max_deletions" {
  type        = number
  description = "How many entries of one enms_instances may be removed at once."
  default     = 10
}

# No task without a target: it would run on the targets of its service, which may be none or all.
resource_policy "enms_task" "task" {
  operations = ["create", "update"]

  locals {
    has_devices = core::try(core::length(attrs.devices), 0) > 0
    has_pools   = core::try(core::length(attrs.pools), 0) > 0
  }

  enforce {
    condition     = core::anytrue([local.has_devices, local.has_pools])
    error_message = "${attrs.name} has no target: set devices or pools"
  }

  enforce {
    condition     = core::try(core::length(attrs.owners), 0) > 0
    error_message = "${attrs.name} has no owners"
  }
}

# No service without rbac_run: only administrators and owners could run it. Steps of workflows, whose
# names begin with their workflow in brackets, are run by the workflow.
resource_policy "enms_service" "service" {
  operations = ["create", "update"]

  enforce {
    condition     = core::anytrue([attrs.name != attrs.scoped_name, core::try(core::length(attrs.rbac_run), 0) > 0])
    error_message = "${attrs.name} has no rbac_run: name the groups that may run it"
  }

  enforce {
    condition     = core::try(core::length(attrs.owners), 0) > 0
    error_message = "${attrs.name} has no owners"
  }
}

# No commands of the server's own shell, but those of a list.
resource_policy "enms_service" "unix_command" {
  operations = ["create", "update"]
  filter     = attrs.type == "unix_command_service"

  enforce {
    condition     = core::contains(input.unix_commands, core::try(attrs.properties.command, ""))
    error_message = "${attrs.name} runs a command on the eNMS server that is not in unix_commands"
  }
}

resource_policy "enms_pool" "pool" {
  operations = ["create", "update"]

  enforce {
    condition     = core::try(core::length(attrs.owners), 0) > 0
    error_message = "${attrs.name} has no owners"
  }
}

resource_policy "enms_credential" "credential" {
  operations = ["create", "update"]

  enforce {
    condition     = core::try(core::length(attrs.owners), 0) > 0
    error_message = "${attrs.name} has no owners"
  }
}

# No more deletions than a number: the entries of one enms_instances.
resource_policy "enms_instances" "deletions" {
  operations = ["update", "delete"]

  locals {
    kept    = core::try(core::keys(attrs.instances), [])
    removed = [for key in core::try(core::keys(prior_attrs.instances), []) : key if !core::contains(local.kept, key)]
  }

  enforce {
    condition     = core::length(local.removed) <= input.max_deletions
    error_message = "${core::length(local.removed)} deletions, and at most ${input.max_deletions} are allowed"
  }
}
