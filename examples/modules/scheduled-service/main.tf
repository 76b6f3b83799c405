locals {
  cron       = var.schedule.cron != null
  expression = local.cron ? provider::enms::crontab(var.schedule.cron) : null
}

resource "enms_service" "service" {
  name            = var.name
  type            = var.type
  description     = var.description
  run_method      = var.run_method
  properties      = var.properties
  target_devices  = var.devices
  target_pools    = var.pools
  deletion_policy = var.deletion_policy
}

# A task without devices and pools runs on the targets of its service.
resource "enms_task" "task" {
  name               = var.task != null ? var.task : var.name
  service            = enms_service.service.name
  description        = var.description
  scheduling_mode    = local.cron ? "cron" : "standard"
  crontab_expression = local.expression
  start_date         = local.cron ? null : provider::enms::start_date(var.schedule.start, var.zone)
  is_active          = var.active
  deletion_policy    = var.deletion_policy
}

locals {
  after = var.after != null ? var.after : plantimestamp()

  next_runs = (
    !var.active ? [] :
    local.cron ? provider::enms::next_runs(local.expression, local.after, var.runs, var.zone) :
    timecmp(var.schedule.start, local.after) > 0 ? [provider::enms::timestamp(provider::enms::start_date(var.schedule.start, var.zone), var.zone)] : []
  )
}
