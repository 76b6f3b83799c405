import {
  to = enms_instances.routers
  id = jsonencode({
    type       = "device"
    names      = [for row in csvdecode(file("${path.module}/inventory.csv")) : row.name]
    properties = ["ip_address", "vendor", "port"]
  })
}
