# What eNMS holds at the moment.

terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

data "enms_service" "service" {
  for_each = toset(["Backup", "[Backup] Save", "[Shared] Old report", "[Shared] Report"])
  name     = each.key
}

data "enms_task" "task" {
  for_each = toset(["Nightly backup", "Hourly report", "Spare backup"])
  name     = each.key
}

output "enabled" {
  value = sort([for name, service in data.enms_service.service : name if !service.disabled])
}

output "active" {
  value = sort([for name, task in data.enms_task.task : name if task.is_active])
}

output "scheduled" {
  value = sort([for name, task in data.enms_task.task : name if can(regex("^[0-9]", task.next_run_time))])
}

output "schedules" {
  value = { for name, task in data.enms_task.task : name => join(" ", compact([
    task.service, task.crontab_expression, task.start_date, task.frequency
  ])) }
}
