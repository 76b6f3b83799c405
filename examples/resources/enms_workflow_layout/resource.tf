resource "enms_service" "upgrade" {
  name = "Upgrade"
  type = "workflow"
}

resource "enms_service" "backup" {
  name       = "[Upgrade] Backup"
  type       = "python_snippet_service"
  workflows  = [enms_service.upgrade.name]
  properties = { source_code = "results = { \"success\": True }" }
}

resource "enms_workflow_layout" "upgrade" {
  workflow = enms_service.upgrade.name
  positions = {
    "[Shared] Start"           = { x = 0, y = 0 }
    (enms_service.backup.name) = { x = 200, y = 0 }
    "[Shared] End"             = { x = 400, y = 0 }
  }
  labels = {
    title = { text = "Upgrade of switches", x = 200, y = -100, size = 20 }
  }
}
