# By criteria: the members are the devices and links that meet all of them.
resource "enms_pool" "cisco_in_texas" {
  name        = "Cisco in Texas"
  description = "For the nightly backup"

  device_criteria = {
    vendor   = { value = "Cisco", match = "equality" }
    location = { value = "^(DALLAS|HOUSTON)", match = "regex" }
    subtype  = { value = "lab", invert = true }
  }
  link_criteria = {
    source_name = { value = "DALLAS" }
  }
}

# By hand.
resource "enms_device" "core" {
  name       = "DALLAS"
  ip_address = "10.0.0.1"
}

resource "enms_pool" "core" {
  name    = "Core"
  devices = [enms_device.core.name]
}
