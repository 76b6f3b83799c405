resource "enms_device" "core" {
  for_each   = { "R1" = "10.0.0.1", "R2" = "10.0.0.2" }
  name       = each.key
  ip_address = each.value
}

resource "enms_network" "core" {
  name  = "Core"
  nodes = [for device in enms_device.core : device.name]
}

resource "enms_network_layout" "core" {
  network = enms_network.core.name
  positions = {
    (enms_device.core["R1"].name) = { x = -150, y = 0 }
    (enms_device.core["R2"].name) = { x = 150, y = 0 }
  }
}
