terraform {
  required_version = ">= 1.16" # actions before and after a deletion; OpenTofu 1.12 has none

  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

variable "routers" {
  description = "The addresses of the routers, by their names."
  type        = map(string)
}

variable "service" {
  description = "The service or workflow in eNMS that runs on each router before it is deleted, for example to check that it carries no traffic, and to save its configuration."
  type        = string
  default     = "Decommission"
}

# To delete a router, remove it from var.routers. The block itself stays: without it,
# Terraform does not know the action.
resource "enms_device" "router" {
  for_each   = var.routers
  name       = each.key
  ip_address = each.value

  lifecycle {
    action_trigger {
      events  = [before_destroy]
      actions = [action.enms_run_service.decommission]
    }
    action_trigger {
      events     = [after_destroy]
      actions    = [action.enms_update_pools.all]
      on_failure = continue
    }
  }
}

# If the run fails, the router is not deleted.
action "enms_run_service" "decommission" {
  config {
    service = var.service
    devices = [caller.name]
    timeout = "10m"
  }
}

action "enms_update_pools" "all" {}
