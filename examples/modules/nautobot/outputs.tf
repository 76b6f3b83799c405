output "names" {
  description = "The names of the devices."
  value       = module.source_of_truth.names
}

output "left_out" {
  description = "What eNMS cannot have: the ids of devices without a name, the names of devices that eNMS refuses, those of devices without an address, and the sites whose names eNMS refuses, which have no pool."
  value       = module.source_of_truth.left_out
}

output "links" {
  description = "The devices at the ends of each link."
  value       = module.source_of_truth.links
}

output "by_site" {
  description = "The names of the devices in the pool of each location."
  value       = module.source_of_truth.by_site
}
