resource "enms_device" "site" {
  for_each = { DALLAS = "Cisco", HOUSTON = "Juniper" }
  name     = each.key
  vendor   = each.value
}

resource "enms_pool" "cisco" {
  name            = "Cisco"
  device_criteria = { vendor = { value = "Cisco", match = "equality" } }
}

# When devices are written with eNMS's REST interface, eNMS does not compute the members
# of pools. This resource requests it once, after all devices are written.
resource "enms_pools_update" "after_devices" {
  triggers = {
    devices = sha256(jsonencode(enms_device.site))
  }
  depends_on = [enms_pool.cisco]
}
