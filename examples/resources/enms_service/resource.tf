# A workflow.
resource "enms_service" "backup" {
  name        = "Backup"
  type        = "workflow"
  description = "Saves the configuration of every device"

  initial_payload = {
    keep_days = 30
    contacts  = ["noc@example.com"]
  }
}

# A service of that workflow. Its name begins with the workflow's in brackets.
resource "enms_service" "show_version" {
  name              = "[${enms_service.backup.name}] Show version"
  type              = "netmiko_commands_service"
  workflows         = [enms_service.backup.name]
  number_of_retries = 2

  # The fields of a Netmiko service.
  properties = {
    driver   = "device"
    commands = "show version\nshow inventory"
  }
}

# A service that several workflows may use. Its name begins with [Shared].
resource "enms_service" "check_disk" {
  name       = "[Shared] Check disk"
  type       = "python_snippet_service"
  shared     = true
  run_method = "once"

  properties = {
    source_code = <<-PYTHON
      results["result"] = "nothing to complain about"
    PYTHON
  }
}
