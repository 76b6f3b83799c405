resource "enms_device" "router" {
  for_each   = { DALLAS = "10.0.0.1", HOUSTON = "10.0.0.2" }
  name       = each.key
  ip_address = each.value
}

resource "enms_link" "backbone" {
  name        = "DALLAS-HOUSTON"
  source      = enms_device.router["DALLAS"].name
  destination = enms_device.router["HOUSTON"].name
  description = "Backbone"
  color       = "#ff0000"
}

# An Ethernet link is a link of another type, with two more fields.
resource "enms_link" "spare" {
  name        = "DALLAS-HOUSTON spare"
  type        = "ethernet_link"
  source      = enms_device.router["DALLAS"].name
  destination = enms_device.router["HOUSTON"].name

  properties = {
    speed    = "1000"
    standard = "1000BASE-T"
  }
}
