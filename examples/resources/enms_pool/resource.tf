# By criteria: members meet all of them. They are computed once for all pools
# that are written together.
resource "enms_pool" "cisco_in_texas" {
  name        = "Cisco in Texas"
  description = "What the nightly backup is for"

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
