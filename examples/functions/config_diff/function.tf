terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

locals {
  routers = { "DALLAS-R1" = "10.0.0.1", "DALLAS-R2" = "10.0.0.2" }
}

# What eNMS last fetched from each router.
data "enms_device_configuration" "running" {
  for_each = local.routers
  device   = each.key
}

locals {
  # What each should have; templatefile("router.tftpl", ...) reads it from a file.
  intended = {
    for name, address in local.routers : name => <<-EOT
      hostname ${name}
      interface Loopback0
       ip address ${address} 255.255.255.255
      ntp server 192.0.2.1
    EOT
  }
  differences = {
    for name, intended in local.intended : name => nonsensitive(provider::enms::config_diff(
      intended, data.enms_device_configuration.running[name].text, ["^Building configuration", "^(enable|username) ", "^end$"],
    ))
  }
}

check "golden_configuration" {
  assert {
    condition     = alltrue([for lines in local.differences : length(lines) == 0])
    error_message = join("\n\n", [for name, lines in local.differences : join("\n", concat(["${name} differs:"], lines)) if length(lines) > 0])
  }
}

# DALLAS-R2 differs:
#   interface Loopback0
# -   ip address 10.0.0.9 255.255.255.255
# +   ip address 10.0.0.2 255.255.255.255
