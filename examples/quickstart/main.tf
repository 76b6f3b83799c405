terraform {
  required_providers {
    enms = {
      source = "terraform-provider-enms/enms"
    }
  }
}

# The address and the credentials come from ENMS_BASE_URL, ENMS_USERNAME and
# ENMS_PASSWORD.
provider "enms" {}

resource "enms_device" "gateway" {
  name       = "TEXAS-GW"
  type       = "gateway"
  ip_address = "10.0.0.254"
}

resource "enms_device" "router" {
  for_each = var.routers

  name             = each.key
  ip_address       = each.value
  description      = "Edge router"
  vendor           = "Cisco"
  operating_system = "IOS-XE"
  netmiko_driver   = "cisco_xe"
  gateways         = [enms_device.gateway.name]
}

resource "enms_service" "check" {
  name        = var.workflow_name
  type        = "workflow"
  description = "Looks whether a site is in order"

  initial_payload = {
    contacts = ["noc@example.com"]
    limits   = { missing_addresses = 0 }
  }
}

# A service of the workflow: its name begins with the workflow's in brackets,
# and follows when the workflow is renamed.
resource "enms_service" "addresses" {
  name       = "[${enms_service.check.name}] Addresses"
  type       = "python_snippet_service"
  workflows  = [enms_service.check.name]
  run_method = "once"

  # Any further eNMS fields, by their own names.
  properties = {
    source_code = file("${path.module}/addresses.py")
  }
}

# On every working day at two in the morning. The last field takes only * and
# single digits: 1,2,3,4,5, not 1-5.
resource "enms_task" "nightly" {
  name               = "Nightly check of addresses"
  service            = enms_service.addresses.name
  scheduling_mode    = "cron"
  crontab_expression = "0 2 * * 1,2,3,4,5"
  is_active          = true
  devices            = [for router in enms_device.router : router.name]
}

# Once.
resource "enms_task" "once" {
  name       = "Check before the move"
  service    = enms_service.check.name
  start_date = "01/06/2035 22:00:00"
  is_active  = true
  devices    = [enms_device.router["DALLAS"].name]

  initial_payload = {
    reason = "move to the new site"
  }
}
