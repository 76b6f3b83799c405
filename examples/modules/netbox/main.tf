locals {
  devices = flatten([for body in var.devices : jsondecode(body).results])
  cables  = flatten([for body in var.cables : jsondecode(body).results])
}

module "source_of_truth" {
  source = "../source-of-truth"

  system = "NetBox"

  devices = [for d in local.devices : {
    id       = d.id
    name     = d.name
    address  = try(d.primary_ip.address, null)
    site     = d.site.name
    role     = try(d.role.name, null)
    platform = try(d.platform.slug, null)
    vendor   = try(d.device_type.manufacturer.name, null)
    model    = try(d.device_type.model, null)
  }]

  cables = [for c in local.cables : {
    id   = c.id
    ends = [for end in [c.a_terminations, c.b_terminations] : try(end[0].object.device.id, null)]
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

# States may hold these resources at the addresses without the module.
moved {
  from = enms_instances.devices
  to   = module.source_of_truth.enms_instances.devices
}

moved {
  from = enms_link.cable
  to   = module.source_of_truth.enms_link.cable
}

moved {
  from = enms_pool.site
  to   = module.source_of_truth.enms_pool.site
}

moved {
  from = enms_task.backup
  to   = module.source_of_truth.enms_task.backup
}
