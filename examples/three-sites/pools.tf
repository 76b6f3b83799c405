# A member of a pool meets all criteria.
resource "enms_pool" "routers" {
  name = "Edge routers"

  device_criteria = {
    vendor  = { value = "Cisco", match = "equality" }
    subtype = { value = "edge", match = "equality" }
  }
  link_criteria = {
    subtype = { value = "backbone", match = "equality" }
  }
}

resource "enms_pool" "old" {
  name = "Routers to replace"

  device_criteria = {
    model = { value = "^ISR", match = "regex" }
  }
}

# eNMS does not put devices and links into pools by itself when they are written
# over REST. This has it done once, after all of them.
resource "enms_pools_update" "members" {
  triggers = {
    devices = sha256(jsonencode(enms_device.router))
    links   = sha256(jsonencode(enms_link.backbone))
  }
  depends_on = [enms_pool.routers, enms_pool.old]
}
