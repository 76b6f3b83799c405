output "names" {
  description = "The names of the devices."
  value       = sort(keys(local.instances))
}

output "left_out" {
  description = "What eNMS cannot have: the ids of devices without a name, the names of devices that eNMS refuses, those of devices without an address, and the sites whose names eNMS refuses, which have no pool."
  value       = { unnamed = local.unnamed, misnamed = local.misnamed, unaddressed = local.unaddressed, sites = local.misnamed_sites }
}

output "links" {
  description = "The devices at the ends of each link."
  value       = local.links
}

output "by_site" {
  description = "The names of the devices in the pool of each site."
  value       = { for site, pool in enms_pool.site : site => pool.devices }
}

output "warnings" {
  description = "Sentences about what was left out, and about platforms without drivers, for a check of the calling module."
  value       = local.warnings
}
