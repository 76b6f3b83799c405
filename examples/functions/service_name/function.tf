terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

resource "enms_service" "backup" {
  type = "workflow"
  name = "Backup"
}

resource "enms_service" "check" {
  type      = "python_snippet_service"
  name      = provider::enms::service_name(enms_service.backup.name, "Check")
  workflows = [enms_service.backup.name]

  properties = {
    source_code = "results = {'success': True}"
  }
}

# name = "[Backup] Check"
