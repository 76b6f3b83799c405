resource "enms_service" "upgrade" {
  name = "Upgrade"
  type = "workflow"
}

resource "enms_service" "backup" {
  name       = "[Upgrade] Backup"
  type       = "python_snippet_service"
  workflows  = [enms_service.upgrade.name]
  properties = { source_code = "results['success'] = True" }
}

resource "enms_workflow_edge" "begin" {
  workflow    = enms_service.upgrade.name
  source      = "[Shared] Start"
  destination = enms_service.backup.name
  subtype     = "success"
}

resource "enms_workflow_edge" "end" {
  workflow    = enms_service.upgrade.name
  source      = enms_service.backup.name
  destination = "[Shared] End"
  subtype     = "success"
}
