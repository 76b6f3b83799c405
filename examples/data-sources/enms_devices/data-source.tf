# The devices of a vendor at a place that are in one of two pools.
data "enms_devices" "cisco" {
  filter = { vendor = "Cisco", location = "Dallas" }
  pools  = ["Core", "Edge"]
}

# Further conditions are Terraform's own.
output "cisco_addresses" {
  value = { for d in data.enms_devices.cisco.instances : d.name => d.ip_address if d.port == 22 }
}

# Devices by a pattern of their names, and a custom property of each.
data "enms_devices" "switches" {
  filter     = { name = "^sw-[0-9]+$" }
  match      = "regex"
  properties = ["rack"]
}

output "racks" {
  value = { for d in data.enms_devices.switches.instances : d.name => lookup(d.properties, "rack", null) }
}
