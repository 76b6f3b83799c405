# What the services and tasks are at the moment. They belong to somebody else:
# one that is not there is an error, and none is created.
data "enms_service" "service" {
  for_each = var.services
  name     = each.key
}

# A disabled service is still started by its tasks: eNMS refuses it to users only.
data "enms_tasks" "of_services" {
  service = var.services
}

locals {
  all_tasks = setunion(var.tasks, data.enms_tasks.of_services.instances[*].name)
}

data "enms_task" "task" {
  for_each = local.all_tasks
  name     = each.key
}

# Whether there was a window at the last apply.
resource "terraform_data" "window" {
  input = var.active
}

# Whether each was on when the window began; null when there was no window yet.
# It is noted anew when a window begins, and at no other time: the output of
# terraform_data.window is unknown exactly in the plan that begins or ends a window,
# and true during one, so that triggers_replace changes at the beginning only.
resource "terraform_data" "service" {
  for_each         = var.services
  input            = var.active ? !data.enms_service.service[each.key].disabled : null
  triggers_replace = var.active ? terraform_data.window.output : true

  lifecycle {
    ignore_changes = [input]
  }
}

resource "terraform_data" "task" {
  for_each         = local.all_tasks
  input            = var.active ? data.enms_task.task[each.key].is_active : null
  triggers_replace = var.active ? terraform_data.window.output : true

  lifecycle {
    ignore_changes = [input]
  }
}

locals {
  services = toset([for name, was_on in terraform_data.service : name if was_on.input == true])
  tasks    = toset([for name, was_on in terraform_data.task : name if was_on.input == true])
}

# During the window. Destroying these resources leaves eNMS as it is.
resource "enms_task" "off" {
  for_each  = toset([for name in local.tasks : name if var.active])
  name      = each.key
  service   = data.enms_task.task[each.key].service
  is_active = false

  adopt_existing  = true
  deletion_policy = "abandon"
}

resource "enms_service" "off" {
  for_each    = toset([for name in local.services : name if var.active])
  name        = each.key
  type        = data.enms_service.service[each.key].type
  shared      = data.enms_service.service[each.key].shared
  workflows   = data.enms_service.service[each.key].workflows
  scoped_name = data.enms_service.service[each.key].scoped_name
  disabled    = true

  adopt_existing  = true
  deletion_policy = "abandon"
}

# After the window. They are switched on once, when these resources are created;
# what becomes of them until the next window is up to others.
resource "enms_service" "on" {
  for_each    = toset([for name in local.services : name if !var.active])
  name        = each.key
  type        = data.enms_service.service[each.key].type
  shared      = data.enms_service.service[each.key].shared
  workflows   = data.enms_service.service[each.key].workflows
  scoped_name = data.enms_service.service[each.key].scoped_name
  disabled    = false

  adopt_existing  = true
  deletion_policy = "abandon"

  lifecycle {
    ignore_changes = all
  }
}

# The schedule is written as it is in eNMS, so that the provider can check that the
# task runs again.
resource "enms_task" "on" {
  for_each           = toset([for name in local.tasks : name if !var.active])
  name               = each.key
  service            = data.enms_task.task[each.key].service
  scheduling_mode    = data.enms_task.task[each.key].scheduling_mode
  crontab_expression = data.enms_task.task[each.key].scheduling_mode == "cron" ? data.enms_task.task[each.key].crontab_expression : null
  start_date         = data.enms_task.task[each.key].start_date
  end_date           = data.enms_task.task[each.key].end_date
  frequency          = data.enms_task.task[each.key].frequency
  frequency_unit     = data.enms_task.task[each.key].frequency_unit
  is_active          = true

  adopt_existing  = true
  deletion_policy = "abandon"

  lifecycle {
    ignore_changes = all
  }
}
