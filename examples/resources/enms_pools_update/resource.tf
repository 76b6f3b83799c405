resource "enms_device" "site" {
  for_each = { DALLAS = "Cisco", HOUSTON = "Juniper" }
  name     = each.key
  vendor   = each.value
}

resource "enms_pool" "cisco" {
  name            = "Cisco"
  device_criteria = { vendor = { value = "Cisco", match = "equality" } }
}

# eNMS does not put devices into pools by itself when they are written over REST:
# this has it done once, after all of them.
resource "enms_pools_update" "after_devices" {
  triggers = {
    devices = jsonencode(enms_device.site)
  }
  depends_on = [enms_pool.cisco]
}
