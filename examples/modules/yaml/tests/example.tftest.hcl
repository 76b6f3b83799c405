# The example is created, and looked at in eNMS. The provider's settings come from the
# environment: the tests need an eNMS, such as the simulator.

variables {
  directory = "./example"
}

run "example" {
  assert {
    condition     = output.names.devices == tolist(["DALLAS-1", "DALLAS-2", "GW-1"]) && output.names.workflows == tolist(["Backup"])
    error_message = "The names are ${jsonencode(output.names)}."
  }

  assert {
    condition     = strcontains(output.diagrams["Backup"], "Save")
    error_message = "The diagrams are ${jsonencode(output.diagrams)}."
  }

  # Defaults, the nearest first, and null for none.
  assert {
    condition = jsonencode(enms_instances.devices["device"].instances) == jsonencode({
      DALLAS-1 = { gateways = ["GW-1"], ip_address = "10.0.0.1", location = "Dallas", model = "C8300", netmiko_driver = "cisco_xe", operating_system = "IOS-XE", vendor = "Cisco" }
      DALLAS-2 = { ip_address = "10.0.0.2", location = "Dallas", netmiko_driver = "nokia_sros", operating_system = "SR OS", vendor = "Nokia" }
    })
    error_message = "The devices are ${jsonencode(enms_instances.devices["device"].instances)}."
  }

  assert {
    condition     = enms_instances.steps["workflows/backup.yaml/python_snippet_service"].instances["[Backup] Wait"].source_code == file("./example/workflows/wait.py")
    error_message = "The step does not have the script of its file."
  }
}

run "example_in_enms" {
  module {
    source = "./tests/look"
  }

  assert {
    condition     = output.pool == "DALLAS-1 DALLAS-2" && output.link == "DALLAS-1 DALLAS-2"
    error_message = "The pool holds ${output.pool}; the link is between ${output.link}."
  }

  assert {
    condition = output.edges == tolist([
      "[Backup] Check -> [Backup] Save (success)",
      "[Backup] Check -> [Backup] Wait (failure)",
      "[Backup] Save -> [Shared] End (success)",
      "[Backup] Save -> [Shared] Report (failure)",
      "[Backup] Wait -> [Backup] Check (success)",
      "[Shared] Report -> [Shared] End (success)",
      "[Shared] Start -> [Backup] Check (success)",
    ])
    error_message = "The edges are ${jsonencode(output.edges)}."
  }

  assert {
    condition     = output.task == "Backup" && output.credential == "backup"
    error_message = "The task runs ${output.task}; the user of the credential is ${output.credential}."
  }
}
