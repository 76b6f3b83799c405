# An inventory that comes from a file, with the columns name, ip_address, vendor
# and port. The plan shows each row that is added, changed or removed.
resource "enms_instances" "routers" {
  type      = "device"
  instances = { for row in csvdecode(file("${path.module}/inventory.csv")) : row.name => row }
}

# Entries in the configuration. In a CSV file, a list is one cell, such as "GW1;GW2":
# convert it with split(";", row.gateways).
resource "enms_instances" "lab" {
  type = "device"

  instances = {
    "LAB-1" = { ip_address = "10.9.0.1", vendor = "Cisco", gateways = ["GW1", "GW2"] }
    "LAB-2" = { ip_address = "10.9.0.2", vendor = "Nokia", site = "Rome" } # site is a custom property
  }

  # LAB-2 was called LAB-B: it keeps its id, its runs and its relations.
  renames = { "LAB-B" = "LAB-2" }
}
