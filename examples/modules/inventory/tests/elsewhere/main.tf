# What the tests find in eNMS: a pool that chooses its devices by criteria, a network,
# and a device that is not in the file.

terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

resource "enms_pool" "cisco" {
  name            = "Cisco"
  device_criteria = { vendor = { value = "Cisco", match = "equality" } }
}

resource "enms_network" "backbone" {
  name = "Backbone"
}

resource "enms_device" "core" {
  name       = "CORE"
  ip_address = "10.0.9.1"
}

output "pool" {
  value = enms_pool.cisco.name
}
