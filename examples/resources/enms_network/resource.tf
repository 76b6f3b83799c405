resource "enms_device" "router" {
  for_each = toset(["DALLAS", "HOUSTON"])
  name     = each.key
}

resource "enms_link" "backbone" {
  name        = "DALLAS-HOUSTON"
  source      = enms_device.router["DALLAS"].name
  destination = enms_device.router["HOUSTON"].name
}

resource "enms_network" "texas" {
  name     = "Texas"
  category = "Subnetwork"
  nodes    = [for router in enms_device.router : router.name]
  links    = [enms_link.backbone.name]
}
