output "names" {
  description = "The names of the devices."
  value       = sort(keys(local.devices))
}

output "left_out" {
  description = "The ids of devices without a name, and the names of those without an address."
  value       = { unnamed = local.unnamed, unaddressed = local.unaddressed }
}

output "links" {
  description = "The devices at the ends of each link."
  value       = local.links
}
