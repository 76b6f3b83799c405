resource "enms_device" "dallas" {
  name       = "DALLAS"
  ip_address = "10.0.0.1"
}

resource "enms_service" "backup" {
  name = "Backup"
  type = "python_snippet_service"
  properties = {
    source_code = "results['success'] = True"
  }
}

# The task runs once when Terraform has created it, and from then on at night.
resource "enms_task" "nightly" {
  name               = "Nightly backup"
  service            = enms_service.backup.name
  devices            = [enms_device.dallas.name]
  scheduling_mode    = "cron"
  crontab_expression = "0 2 * * *"
  is_active          = true

  lifecycle {
    action_trigger {
      events  = [after_create]
      actions = [action.enms_run_task.nightly]
    }
  }
}

action "enms_run_task" "nightly" {
  config {
    task = "Nightly backup" # since Terraform 1.16 also caller.name
  }
}
