locals {
  # The same device may be in several responses.
  by_id   = { for d in var.devices : d.id => d... }
  devices = [for id, all in local.by_id : all[0]]

  # What eNMS cannot have is left out: a device without a name, with one that eNMS refuses, or without an address.
  refused     = "[/\\\\'\"[:cntrl:]]"
  unnamed     = [for d in local.devices : d.id if try(trimspace(d.name), "") == ""]
  misnamed    = [for d in local.devices : d.name if can(regex(local.refused, d.name))]
  named       = [for d in local.devices : d if try(trimspace(d.name), "") != "" && !can(regex(local.refused, d.name))]
  unaddressed = [for d in local.named : d.name if d.address == null]
  usable      = [for d in local.named : d if d.address != null]

  # Other systems allow a name once in each site, eNMS once.
  by_name    = { for d in local.usable : d.name => d... }
  duplicates = [for name, all in local.by_name : name if length(all) > 1]
  names      = { for d in local.usable : d.id => d.name }

  instances = { for name, all in local.by_name : name => merge(
    {
      ip_address  = split("/", all[0].address)[0]
      location    = all[0].site
      description = all[0].role
    },
    { for property, value in { vendor = all[0].vendor, model = all[0].model } : property => value if value != null },
    lookup(var.platforms, coalesce(all[0].platform, "none"), {}),
  ) }
  unmapped = distinct([for d in local.usable : coalesce(d.platform, "none") if !contains(keys(var.platforms), coalesce(d.platform, "none"))])

  # A site whose name eNMS refuses has no pool and no task.
  all_sites      = { for name, all in local.by_name : all[0].site => name... }
  sites          = { for site, names in local.all_sites : site => names if !can(regex(local.refused, site)) }
  misnamed_sites = [for site in keys(local.all_sites) : site if can(regex(local.refused, site))]

  # Locations of a hierarchy may have the same name, and would share a pool.
  site_ids        = { for d in local.usable : d.site => d.site_id... if d.site_id != null }
  ambiguous_sites = [for site, ids in local.site_ids : site if length(toset(ids)) > 1]

  # The devices at the ends of each cable, by their ids: names may change.
  ends  = { for c in var.cables : "cable ${c.id}" => [for id in c.ends : try(local.names[id], null)] }
  links = { for name, ends in local.ends : name => ends if ends[0] != null && ends[1] != null && ends[0] != ends[1] }

  # What was left out does not stop the rest.
  warnings = [for warning, names in {
    "Devices without a name are left out; their ids in ${var.system} are:"                                        = local.unnamed
    "eNMS allows no slash, backslash, quote or control character in names. These devices are left out:"           = local.misnamed
    "eNMS allows no slash, backslash, quote or control character in names. These sites have no pool and no task:" = local.misnamed_sites
    "Devices without a primary address are left out:"                                                             = local.unaddressed
    "Platforms without drivers:"                                                                                  = local.unmapped
  } : "${warning} ${join(", ", names)}." if length(names) > 0]
}

resource "enms_instances" "devices" {
  type          = "device"
  instances     = local.instances
  renames       = var.renames
  max_deletions = var.max_deletions

  lifecycle {
    precondition {
      condition     = length(local.duplicates) == 0
      error_message = "Several devices in ${var.system} have the same name: ${join(", ", local.duplicates)}."
    }
    precondition {
      condition     = length(local.ambiguous_sites) == 0
      error_message = "Several sites or locations in ${var.system} have the same name: ${join(", ", local.ambiguous_sites)}."
    }
    precondition {
      condition     = length(local.instances) > 0
      error_message = "No device in ${var.system} has a primary address and a name that eNMS can have."
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
