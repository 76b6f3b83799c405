output "names" {
  description = "The names of all devices."
  value       = sort(keys(local.devices))

  depends_on = [enms_instances.gateways, enms_instances.devices, enms_device.gateway, enms_device.device]
}

output "links" {
  description = "The names of all links."
  value       = sort(keys(local.links))

  depends_on = [enms_link.link]
}

output "by_site" {
  description = "The names of the devices at each site."
  value       = { for site, names in local.sites : site => sort(names) }

  precondition {
    condition     = var.pool_name == null || length(local.rows.device) == 0 || can(local.rows.device[0][var.site_column])
    error_message = "The pools need the column \"${var.site_column}\", which the devices do not have. Their columns are: ${join(", ", try(keys(local.rows.device[0]), []))}."
  }

  depends_on = [enms_instances.gateways, enms_instances.devices, enms_device.gateway, enms_device.device]
}

output "pools" {
  description = "The name of the pool of each site."
  value       = { for site, pool in enms_pool.site : site => pool.name }

  # What runs on pools by criteria finds them up to date.
  depends_on = [enms_pools_update.pools]
}
