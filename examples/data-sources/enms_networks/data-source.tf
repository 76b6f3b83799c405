# The networks that a device is in.
data "enms_networks" "of_dallas" {
  nodes = ["DALLAS"]
}

output "networks_of_dallas" {
  value = data.enms_networks.of_dallas.instances[*].name
}
