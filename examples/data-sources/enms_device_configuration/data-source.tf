# What eNMS last fetched from a device.
data "enms_device_configuration" "r1" {
  device = "DALLAS-R1"
}

output "fetched" {
  value = data.enms_device_configuration.r1.update
}

# Only the lines of interfaces and of the logging, without passwords: nothing else is stored in the state.
data "enms_device_configuration" "logging" {
  device = "DALLAS-R1"
  only   = ["^logging ", "^interface Loopback"]
  ignore = ["(?i)password|secret|key"]
}

# A check of all routers: each has the time server that it is to have.
data "enms_devices" "routers" {
  filter = { vendor = "Cisco" }
}

data "enms_device_configuration" "routers" {
  for_each = toset([for d in data.enms_devices.routers.instances : d.name])
  device   = each.key
  only     = ["^ntp server "]
}

check "time_server" {
  assert {
    condition     = alltrue([for c in data.enms_device_configuration.routers : strcontains(c.text, "ntp server 192.0.2.1")])
    error_message = "Some routers lack the time server."
  }
}
