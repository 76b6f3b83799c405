# What the module makes of its steps. No server is asked.

mock_provider "enms" {}

variables {
  name        = "Backup"
  description = "Saves the configuration of every device"
  steps = {
    Check = {
      type         = "netmiko_commands_service"
      properties   = { driver = "device", commands = "show version" }
      on_success   = ["Save"]
      on_failure   = ["Wait", "Report"]
      maximum_runs = 3
    }
    Wait = {
      type       = "python_snippet_service"
      properties = { source_code = "import time; time.sleep(10)" }
      on_success = ["Check"]
    }
    Save   = { type = "netmiko_backup_service", on_success = ["End"], on_failure = ["Report"] }
    Report = { type = "mail_notification_service", description = "Tells the operators" }
  }
  start = ["Check"]
}

run "services" {
  assert {
    condition     = enms_service.workflow.name == "Backup" && enms_service.workflow.type == "workflow" && enms_service.workflow.description == "Saves the configuration of every device"
    error_message = "The workflow is not as told."
  }

  assert {
    condition = output.name == "Backup" && output.services == {
      Check = "[Backup] Check", Report = "[Backup] Report", Save = "[Backup] Save", Wait = "[Backup] Wait"
    }
    error_message = "The services have other names."
  }

  assert {
    condition     = alltrue([for service in enms_service.step : toset(service.workflows) == toset(["Backup"])])
    error_message = "A service is not part of the workflow."
  }

  assert {
    condition     = enms_service.step["Check"].properties.commands == "show version" && enms_service.step["Check"].maximum_runs == 3 && enms_service.step["Report"].description == "Tells the operators"
    error_message = "A service is not as told."
  }
}

run "attributes_of_a_step" {
  variables {
    target_pools = ["Routers"]
    steps = {
      Check = {
        type                  = "netmiko_commands_service"
        properties            = { driver = "device", commands = "show version", credentials = "object" }
        run_method            = "once"
        target_devices        = ["R1"]
        target_pools          = ["Edge", "Core"]
        credential_type       = "read-only"
        named_credential      = "lab"
        initial_payload       = { site = "Dallas", tries = 2 }
        multiprocessing       = true
        max_processes         = 9
        log_level             = 2
        number_of_retries     = 3
        time_between_retries  = 30
        max_number_of_retries = 4
        waiting_time          = 5
        priority              = 20
        maximum_runs          = 2
        skip_value            = "failure"
        on_success            = ["Save"]
      }
      Save = { type = "netmiko_backup_service", on_success = ["End"] }
    }
  }

  assert {
    condition = alltrue([for name, value in var.steps.Check :
      jsonencode(enms_service.step["Check"][name]) == jsonencode(value) if !contains(["on_success", "target_devices", "target_pools"], name)
    ])
    error_message = "The step is ${jsonencode(enms_service.step["Check"])}."
  }

  assert {
    condition = (toset(enms_service.step["Check"].target_devices) == toset(["R1"]) && toset(enms_service.step["Check"].target_pools) == toset(["Edge", "Core"])
    && toset(enms_service.workflow.target_pools) == toset(["Routers"]))
    error_message = "The targets are ${jsonencode(enms_service.step["Check"].target_devices)} and ${jsonencode(enms_service.step["Check"].target_pools)}."
  }

  assert {
    condition     = enms_service.step["Save"].number_of_retries == 0 && length(enms_service.step["Save"].target_devices) == 0
    error_message = "A step without attributes has some."
  }
}

run "edges" {
  assert {
    condition = toset([for edge in enms_workflow_edge.step : "${edge.source} ${edge.subtype} ${edge.destination}"]) == toset([
      "[Shared] Start success [Backup] Check",
      "[Backup] Check success [Backup] Save",
      "[Backup] Check failure [Backup] Wait",
      "[Backup] Check failure [Backup] Report",
      "[Backup] Wait success [Backup] Check",
      "[Backup] Save success [Shared] End",
      "[Backup] Save failure [Backup] Report",
    ])
    error_message = "The edges are others."
  }

  assert {
    condition     = alltrue([for edge in enms_workflow_edge.step : edge.workflow == "Backup"])
    error_message = "An edge is not the workflow's."
  }
}

run "layout" {
  assert {
    condition     = enms_workflow_layout.workflow.workflow == "Backup" && toset(keys(output.positions)) == setunion(["[Shared] Start", "[Shared] End"], values(output.services))
    error_message = "The layout is not of these services."
  }

  assert {
    condition     = alltrue([for name, place in output.positions : name == "[Shared] Start" || place.x > output.positions["[Shared] Start"].x])
    error_message = "Start is not at the left."
  }

  assert {
    condition     = alltrue([for name, place in output.positions : name == "[Shared] End" || place.x < output.positions["[Shared] End"].x])
    error_message = "End is not at the right."
  }
}

# The layout is known before anything exists, so that the plan shows it.
run "planned" {
  command = plan

  variables {
    name = "Another"
  }

  assert {
    condition     = output.positions["[Another] Check"].x > 0
    error_message = "The plan does not know the layout."
  }

  assert {
    condition     = startswith(output.diagram, "flowchart LR\n  s_Start([\"Start\"])\n") && strcontains(output.diagram, "  s_Start --> s_Check\n")
    error_message = "The plan does not know the diagram."
  }
}

run "start_is_found" {
  command = plan

  variables {
    start = null
    steps = {
      a = { type = "python_snippet_service", on_success = ["b", "b"], on_failure = ["a"] }
      b = { type = "python_snippet_service", on_success = ["End"], on_failure = null }
    }
  }

  assert {
    condition     = toset(keys(enms_workflow_edge.step)) == toset(["Start/success/a", "a/success/b", "a/failure/a", "b/success/End"])
    error_message = "The edges are others."
  }
}

run "several_starts" {
  command = plan

  variables {
    start = ["a", "b"]
    steps = {
      a = { type = "python_snippet_service", on_success = ["End"] }
      b = { type = "python_snippet_service", on_success = ["End"] }
    }
  }

  assert {
    condition     = toset(keys(enms_workflow_edge.step)) == toset(["Start/success/a", "Start/success/b", "a/success/End", "b/success/End"])
    error_message = "The edges are others."
  }
}
