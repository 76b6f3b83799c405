import {
  to = enms_instances.routers
  identity = {
    type  = "device"
    names = [for row in csvdecode(file("${path.module}/inventory.csv")) : row.name]
  }
}
