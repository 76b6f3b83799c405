locals {
  devices    = flatten([for body in var.devices : jsondecode(body).data.devices])
  interfaces = flatten([for body in var.cables : jsondecode(body).data.interfaces])

  # The location of each device and those above it, the nearest first.
  locations = { for d in local.devices : d.id => [
    for location in [
      try(d.location, null),
      try(d.location.parent, null),
      try(d.location.parent.parent, null),
      try(d.location.parent.parent.parent, null),
    ] : location if location != null
  ]... }
  sites = { for id, all in local.locations : id => try(
    [for location in all[0] : location if location.location_type.name == var.location_type][0],
    all[0][0],
    null,
  ) }

  # A cable between two interfaces is in the response with each of them. The interface at its
  # end A comes first, whatever the order of the response is.
  cables = { for i in local.interfaces : i.cable.id => {
    from_a = i.id == i.cable.termination_a_id
    ends   = tolist([try(i.device.id, null), try(i.cable_peer_interface.device.id, null)])
  }... if try(i.cable.id, null) != null }
}

module "source_of_truth" {
  source = "../source-of-truth"

  system = "Nautobot"

  devices = [for d in local.devices : {
    id       = d.id
    name     = d.name
    address  = try(coalesce(try(d.primary_ip4.address, null), try(d.primary_ip6.address, null)), null)
    site     = try(local.sites[d.id].name, null)
    site_id  = try(local.sites[d.id].id, null)
    role     = try(d.role.name, null)
    platform = try(coalesce(d.platform.network_driver, d.platform.name), null)
    vendor   = try(d.device_type.manufacturer.name, null)
    model    = try(d.device_type.model, null)
  }]

  cables = [for id, all in local.cables : {
    id   = id
    ends = all[0].from_a ? all[0].ends : reverse(all[0].ends)
  }]

  renames        = var.renames
  platforms      = var.platforms
  max_deletions  = var.max_deletions
  backup_service = var.backup_service
  backup_crontab = var.backup_crontab
}

# Warnings name what was left out, which does not stop the rest.
check "left_out" {
  assert {
    condition     = length(module.source_of_truth.warnings) == 0
    error_message = join("\n", module.source_of_truth.warnings)
  }
}
