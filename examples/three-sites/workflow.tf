# Each router goes its own way through the steps: one that is up to date goes from
# the check to the report, one on which the upgrade fails is rolled back. The steps
# only pretend, so that the workflow runs without any router: put services such as
# netmiko_commands_service in their place.
module "upgrade" {
  source = "../modules/workflow"

  name        = var.workflow_name
  description = "Brings routers to version ${var.wanted_version}"
  start       = ["Check"]

  steps = {
    Check = {
      type       = "python_snippet_service"
      properties = { source_code = templatefile("${path.module}/steps/check.py", { version = var.wanted_version }) }
      on_success = ["Report"]
      on_failure = ["Save"]
    }
    Save = {
      type       = "python_snippet_service"
      properties = { source_code = file("${path.module}/steps/save.py") }
      on_success = ["Upgrade"]
    }
    Upgrade = {
      type       = "python_snippet_service"
      properties = { source_code = file("${path.module}/steps/upgrade.py") }
      on_success = ["Verify"]
      on_failure = ["Roll back"]
    }
    Verify = {
      type       = "python_snippet_service"
      properties = { source_code = file("${path.module}/steps/verify.py") }
      on_success = ["Report"]
      on_failure = ["Roll back"]
    }
    "Roll back" = {
      type       = "python_snippet_service"
      properties = { source_code = file("${path.module}/steps/roll_back.py") }
      on_success = ["Report"]
    }
    Report = {
      type       = "python_snippet_service"
      properties = { source_code = file("${path.module}/steps/report.py") }
      on_success = ["End"]
    }
  }
}

# Every Saturday at two in the morning, on the routers that are in the pool then.
resource "enms_task" "weekly" {
  name               = "Weekly upgrade"
  service            = module.upgrade.name
  pools              = [enms_pool.routers.name]
  scheduling_mode    = "cron"
  crontab_expression = "0 2 * * 6"
  is_active          = true
  rbac_read          = [enms_group.operators.name]

  depends_on = [enms_pools_update.members]
}
