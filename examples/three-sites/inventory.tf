# Each site has a router, which is reached through the site's gateway.

resource "enms_device" "gateway" {
  for_each = var.sites

  name       = each.value.gateway
  type       = "gateway"
  ip_address = "${each.value.prefix}.254"
  location   = title(each.key)
  latitude   = each.value.latitude
  longitude  = each.value.longitude
}

resource "enms_device" "router" {
  for_each = var.sites

  name           = each.value.router
  subtype        = "edge"
  ip_address     = "${each.value.prefix}.1"
  vendor         = "Cisco"
  model          = each.value.model
  os_version     = each.value.os_version
  location       = title(each.key)
  latitude       = each.value.latitude
  longitude      = each.value.longitude
  netmiko_driver = "cisco_xe"
  gateways       = [enms_device.gateway[each.key].name]
  rbac_read      = [enms_group.operators.name]
  rbac_target    = [enms_group.operators.name]
}

# Within a site.
resource "enms_link" "access" {
  for_each = var.sites

  name        = "${enms_device.gateway[each.key].name} - ${enms_device.router[each.key].name}"
  type        = "ethernet_link"
  source      = enms_device.gateway[each.key].name
  destination = enms_device.router[each.key].name
  location    = title(each.key)

  properties = { standard = "1000BASE-T" }
}

# Between the sites: a ring, in the order of the keys.
locals {
  ring = { for i, key in keys(var.sites) : key => keys(var.sites)[(i + 1) % length(var.sites)] }
}

resource "enms_link" "backbone" {
  for_each = local.ring

  name        = "${enms_device.router[each.key].name} - ${enms_device.router[each.value].name}"
  source      = enms_device.router[each.key].name
  destination = enms_device.router[each.value].name
  subtype     = "backbone"
  color       = "#0000ff"
}

# A network for each site, and one that holds them together.
resource "enms_network" "site" {
  for_each = var.sites

  name      = each.value.network
  category  = "Subnetwork"
  latitude  = each.value.latitude
  longitude = each.value.longitude
  nodes     = [enms_device.gateway[each.key].name, enms_device.router[each.key].name]
  links     = [enms_link.access[each.key].name]
}

resource "enms_network" "all" {
  name  = "Three sites"
  nodes = concat([for site in enms_network.site : site.name], [for router in enms_device.router : router.name])
  links = [for link in enms_link.backbone : link.name]
}
