# A resource for each device, for one_resource_each.

resource "enms_device" "gateway" {
  for_each = { for name in local.gateways : name => local.devices[name] if var.one_resource_each }

  name               = each.key
  type               = try(each.value.type, null)
  ip_address         = try(each.value.ip_address, null)
  description        = try(each.value.description, null)
  subtype            = try(each.value.subtype, null)
  model              = try(each.value.model, null)
  location           = try(each.value.location, null)
  vendor             = try(each.value.vendor, null)
  operating_system   = try(each.value.operating_system, null)
  os_version         = try(each.value.os_version, null)
  icon               = try(each.value.icon, null)
  port               = try(each.value.port, null)
  latitude           = try(each.value.latitude, null)
  longitude          = try(each.value.longitude, null)
  netmiko_driver     = try(each.value.netmiko_driver, null)
  napalm_driver      = try(each.value.napalm_driver, null)
  scrapli_driver     = try(each.value.scrapli_driver, null)
  netconf_driver     = try(each.value.netconf_driver, null)
  owners             = try(each.value.owners, null)
  rbac_configuration = try(each.value.rbac_configuration, null)
  rbac_connect       = try(each.value.rbac_connect, null)
  rbac_edit          = try(each.value.rbac_edit, null)
  rbac_read          = try(each.value.rbac_read, null)
  rbac_target        = try(each.value.rbac_target, null)

  properties = { for column in setunion(local.columns.device.further, local.columns.device.further_lists) : column => each.value[column] }

  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy
}

resource "enms_device" "device" {
  for_each = { for name, device in local.devices : name => device if var.one_resource_each && !contains(local.gateways, name) }

  name               = each.key
  type               = try(each.value.type, null)
  ip_address         = try(each.value.ip_address, null)
  description        = try(each.value.description, null)
  subtype            = try(each.value.subtype, null)
  model              = try(each.value.model, null)
  location           = try(each.value.location, null)
  vendor             = try(each.value.vendor, null)
  operating_system   = try(each.value.operating_system, null)
  os_version         = try(each.value.os_version, null)
  icon               = try(each.value.icon, null)
  port               = try(each.value.port, null)
  latitude           = try(each.value.latitude, null)
  longitude          = try(each.value.longitude, null)
  netmiko_driver     = try(each.value.netmiko_driver, null)
  napalm_driver      = try(each.value.napalm_driver, null)
  scrapli_driver     = try(each.value.scrapli_driver, null)
  netconf_driver     = try(each.value.netconf_driver, null)
  gateways           = try(each.value.gateways, null)
  owners             = try(each.value.owners, null)
  rbac_configuration = try(each.value.rbac_configuration, null)
  rbac_connect       = try(each.value.rbac_connect, null)
  rbac_edit          = try(each.value.rbac_edit, null)
  rbac_read          = try(each.value.rbac_read, null)
  rbac_target        = try(each.value.rbac_target, null)

  properties = { for column in setunion(local.columns.device.further, local.columns.device.further_lists) : column => each.value[column] }

  adopt_existing  = var.adopt_existing
  deletion_policy = var.deletion_policy

  depends_on = [enms_device.gateway]
}
