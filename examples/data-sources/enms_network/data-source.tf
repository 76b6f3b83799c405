data "enms_network" "texas" {
  name = "Texas"
}

output "texas_nodes" {
  value = data.enms_network.texas.nodes
}
