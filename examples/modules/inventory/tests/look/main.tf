# What eNMS holds at the moment.

terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

data "enms_devices" "all" {}

data "enms_links" "all" {}

data "enms_pool" "pool" {
  for_each = toset(["Cisco", "Site Dallas", "Site Houston"])
  name     = each.key
}

data "enms_device" "dallas_2" {
  name = "DALLAS-2"
}

data "enms_network" "backbone" {
  name = "Backbone"
}

output "devices" {
  value = { for device in data.enms_devices.all.instances : device.name => join(" ", [device.type, device.ip_address, device.port, device.vendor]) }
}

output "ids" {
  value = { for device in data.enms_devices.all.instances : device.name => device.id }
}

output "links" {
  value = data.enms_links.all.instances[*].name
}

output "pools" {
  value = { for name, pool in data.enms_pool.pool : name => join(" ", sort(pool.devices)) }
}

output "gateways" {
  value = join(" ", sort(data.enms_device.dallas_2.gateways))
}

output "network" {
  value = join(" ", sort(data.enms_network.backbone.nodes))
}
