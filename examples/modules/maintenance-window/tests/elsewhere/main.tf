# The services and tasks that the tests find in eNMS: somebody else's.

terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

variable "active" {
  description = "The tasks that their owners have switched on."
  type        = set(string)
  default     = ["Nightly backup", "Hourly report"]
}

resource "enms_service" "backup" {
  name = "Backup"
  type = "workflow"
}

resource "enms_service" "save" {
  name      = "[${enms_service.backup.name}] Save"
  type      = "python_snippet_service"
  workflows = [enms_service.backup.name]

  properties = { source_code = "results['success'] = True" }
}

resource "enms_service" "report" {
  name   = "[Shared] Report"
  type   = "python_snippet_service"
  shared = true

  properties = { source_code = "results['success'] = True" }
}

resource "enms_service" "old" {
  name     = "[Shared] Old report"
  type     = "python_snippet_service"
  shared   = true
  disabled = true

  properties = { source_code = "results['success'] = True" }
}

resource "enms_task" "nightly" {
  name               = "Nightly backup"
  service            = enms_service.backup.name
  scheduling_mode    = "cron"
  crontab_expression = "0 2 * * 1,2,3,4,5"
  is_active          = contains(var.active, "Nightly backup")
}

resource "enms_task" "hourly" {
  name           = "Hourly report"
  service        = enms_service.report.name
  start_date     = "01/01/2035 00:00:00"
  frequency      = 1
  frequency_unit = "hours"
  is_active      = contains(var.active, "Hourly report")
}

resource "enms_task" "spare" {
  name               = "Spare backup"
  service            = enms_service.backup.name
  scheduling_mode    = "cron"
  crontab_expression = "0 5 * * *"
  is_active          = contains(var.active, "Spare backup")
}
