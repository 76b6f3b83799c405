# With the instances of the configuration, the state is what an apply would store.
import {
  to = enms_instances.routers
  id = jsonencode({
    type      = "device"
    instances = { for row in csvdecode(file("${path.module}/inventory.csv")) : row.name => row }
  })
}
