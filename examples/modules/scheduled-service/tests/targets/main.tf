# Devices and a pool for the tests.

terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

resource "enms_device" "device" {
  for_each   = { AUSTIN = "10.0.0.3", DALLAS = "10.0.0.1", HOUSTON = "10.0.0.2" }
  name       = each.key
  ip_address = each.value
}

resource "enms_pool" "austin" {
  name    = "Austin"
  devices = [enms_device.device["AUSTIN"].name]
}
