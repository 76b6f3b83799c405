terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

resource "enms_task" "backup" {
  name               = "Backup"
  service            = "Backup configurations"
  scheduling_mode    = "cron"
  crontab_expression = provider::enms::crontab("30 2 * * mon-fri")
  is_active          = true
}

# crontab_expression = "30 2 * * 1,2,3,4,5"
