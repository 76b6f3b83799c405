locals {
  netbox = flatten([for body in var.devices : jsondecode(body).results])
  cables = flatten([for body in var.cables : jsondecode(body).results])

  # What eNMS cannot have is left out: a device without a name, with one that eNMS refuses, or without an address.
  refused     = "[/\\\\'\"[:cntrl:]]"
  unnamed     = [for d in local.netbox : tostring(d.id) if try(trimspace(d.name), "") == ""]
  misnamed    = [for d in local.netbox : d.name if can(regex(local.refused, d.name))]
  named       = [for d in local.netbox : d if try(trimspace(d.name), "") != "" && !can(regex(local.refused, d.name))]
  unaddressed = [for d in local.named : d.name if try(d.primary_ip.address, null) == null]
  usable      = [for d in local.named : d if try(d.primary_ip.address, null) != null]

  # NetBox allows a name once in each site, eNMS once.
  by_name    = { for d in local.usable : d.name => d... }
  duplicates = [for name, all in local.by_name : name if length(all) > 1]
  by_id      = { for d in local.usable : tostring(d.id) => d.name }

  devices = { for name, all in local.by_name : name => merge(
    {
      ip_address  = split("/", all[0].primary_ip.address)[0]
      location    = all[0].site.name
      description = try(all[0].role.name, "")
    },
    try(var.platforms[all[0].platform.slug], {}),
  ) }
  unmapped = distinct([for d in local.usable : try(d.platform.slug, "none") if !contains(keys(var.platforms), try(d.platform.slug, "none"))])

  # A site whose name eNMS refuses has no pool and no task.
  all_sites      = { for name, all in local.by_name : all[0].site.name => name... }
  sites          = { for site, names in local.all_sites : site => names if !can(regex(local.refused, site)) }
  misnamed_sites = [for site in keys(local.all_sites) : site if can(regex(local.refused, site))]

  # The devices at the ends of each cable, by their ids: names may change.
  ends = { for c in local.cables : "cable ${c.id}" => [
    for end in [c.a_terminations, c.b_terminations] : try(local.by_id[tostring(end[0].object.device.id)], null)
  ] }
  links = { for name, ends in local.ends : name => ends if ends[0] != null && ends[1] != null && ends[0] != ends[1] }
}

resource "enms_instances" "devices" {
  type          = "device"
  instances     = local.devices
  max_deletions = var.max_deletions

  lifecycle {
    precondition {
      condition     = length(local.duplicates) == 0
      error_message = "Several devices in NetBox have the same name: ${join(", ", local.duplicates)}."
    }
    precondition {
      condition     = length(local.devices) > 0
      error_message = "No device in NetBox has a primary address and a name that eNMS can have."
    }
  }
}

resource "enms_link" "cable" {
  for_each = local.links

  name        = each.key
  source      = each.value[0]
  destination = each.value[1]

  depends_on = [enms_instances.devices]
}

resource "enms_pool" "site" {
  for_each = local.sites

  name    = "Site ${each.key}"
  devices = each.value

  depends_on = [enms_instances.devices]
}

resource "enms_task" "backup" {
  for_each = { for site, names in local.sites : site => names if var.backup_service != null }

  name               = "Backup ${each.key}"
  service            = var.backup_service
  pools              = [enms_pool.site[each.key].name]
  scheduling_mode    = "cron"
  crontab_expression = var.backup_crontab
  is_active          = true
}

# What was left out is told, and does not stop the others.
check "left_out" {
  assert {
    condition     = length(local.unnamed) == 0
    error_message = "Devices without a name are left out; their ids in NetBox are: ${join(", ", local.unnamed)}."
  }
  assert {
    condition     = length(local.misnamed) == 0
    error_message = "eNMS allows no slash, backslash, quote or control character in names. These devices are left out: ${join(", ", local.misnamed)}."
  }
  assert {
    condition     = length(local.misnamed_sites) == 0
    error_message = "eNMS allows no slash, backslash, quote or control character in names. These sites have no pool and no task: ${join(", ", local.misnamed_sites)}."
  }
  assert {
    condition     = length(local.unaddressed) == 0
    error_message = "Devices without a primary address are left out: ${join(", ", local.unaddressed)}."
  }
  assert {
    condition     = length(local.unmapped) == 0
    error_message = "Platforms without drivers: ${join(", ", local.unmapped)}."
  }
}
