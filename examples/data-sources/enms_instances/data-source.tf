# Instances of any type, such as one that your site has added.
data "enms_instances" "racks" {
  type       = "rack"
  filter     = { building = "North" }
  relations  = { devices = ["DALLAS", "HOUSTON"] }
  properties = ["building", "units"]
}

output "units" {
  value = { for r in data.enms_instances.racks.instances : r.name => tonumber(r.properties.units) }
}
