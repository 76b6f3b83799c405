terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

resource "enms_pool" "devices" {
  name   = "Devices of the task"
  owners = ["admin"]
}

resource "enms_service" "ping" {
  name       = "Ping"
  type       = "unix_command_service"
  owners     = ["admin"]
  rbac_run   = ["Admin Group"]
  properties = { command = "ping -c 1 192.0.2.1" }
}

resource "enms_task" "ping" {
  name    = "Every hour"
  service = enms_service.ping.name
  owners  = ["admin"]
  pools   = [enms_pool.devices.name]
}
