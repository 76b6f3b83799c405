# The pools that a device is in.
data "enms_pools" "of_dallas" {
  devices = ["DALLAS"]
}

output "pools_of_dallas" {
  value = data.enms_pools.of_dallas.instances[*].name
}
