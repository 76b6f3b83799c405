# Windows begin and end. The provider's settings come from the environment: the tests
# need an eNMS, such as the simulator.

variables {
  services = ["Backup", "[Backup] Save", "[Shared] Old report"]
  tasks    = ["Hourly report"]
}

run "elsewhere" {
  module {
    source = "./tests/elsewhere"
  }
}

run "no_window_yet" {
  variables {
    active = false
  }

  assert {
    condition     = length(output.services) + length(output.tasks) == 0
    error_message = "Without a window, nothing is off."
  }

  assert {
    condition     = length(enms_task.on) + length(enms_service.on) == 0
    error_message = "Without a window, there is nothing to bring back."
  }
}

run "window" {
  variables {
    active = true
  }

  assert {
    condition     = output.services == tolist(["Backup", "[Backup] Save"])
    error_message = "The window disables what is enabled: ${join(", ", output.services)}."
  }

  assert {
    condition     = output.tasks == tolist(["Hourly report", "Nightly backup"])
    error_message = "The window switches off what is active: ${join(", ", output.tasks)}."
  }
}

run "in_the_window" {
  module {
    source = "./tests/look"
  }

  assert {
    condition     = output.enabled == tolist(["[Shared] Report"])
    error_message = "These are enabled: ${join(", ", output.enabled)}."
  }

  assert {
    condition     = length(output.active) + length(output.scheduled) == 0
    error_message = "These are on: ${join(", ", concat(output.active, output.scheduled))}."
  }
}

# Others switch tasks on again, which the next apply finds. It does not take what it finds for what was before.
run "others_in_the_window" {
  module {
    source = "./tests/elsewhere"
  }
}

run "window_goes_on" {
  variables {
    active = true
  }

  assert {
    condition     = output.services == tolist(["Backup", "[Backup] Save"]) && output.tasks == tolist(["Hourly report", "Nightly backup"])
    error_message = "The module has forgotten what was on."
  }
}

run "still_in_the_window" {
  module {
    source = "./tests/look"
  }

  assert {
    condition     = length(output.active) + length(output.scheduled) == 0
    error_message = "These are on: ${join(", ", concat(output.active, output.scheduled))}."
  }
}

run "window_ends" {
  variables {
    active = false
  }

  assert {
    condition     = length(output.services) + length(output.tasks) == 0
    error_message = "After the window, nothing is off."
  }
}

run "after_the_window" {
  module {
    source = "./tests/look"
  }

  assert {
    condition     = output.enabled == tolist(["Backup", "[Backup] Save", "[Shared] Report"])
    error_message = "These are enabled: ${join(", ", output.enabled)}."
  }

  assert {
    condition     = output.active == tolist(["Hourly report", "Nightly backup"]) && output.scheduled == output.active
    error_message = "These are active: ${join(", ", output.active)}; scheduled: ${join(", ", output.scheduled)}."
  }

  assert {
    condition = jsonencode(output.schedules) == jsonencode({
      "Nightly backup" = "Backup 0 2 * * 1,2,3,4,5"
      "Hourly report"  = "[Shared] Report 01/01/2035 00:00:00 1"
      "Spare backup"   = "Backup 0 5 * * *"
    })
    error_message = "A schedule is another one: ${jsonencode(output.schedules)}."
  }
}

# Between windows, others switch one task off and another one on.
run "others" {
  module {
    source = "./tests/elsewhere"
  }
  variables {
    active = ["Hourly report", "Spare backup"]
  }
}

run "between_windows" {
  variables {
    active = false
  }
}

run "what_others_did_stays" {
  module {
    source = "./tests/look"
  }

  assert {
    condition     = output.active == tolist(["Hourly report", "Spare backup"])
    error_message = "These are active: ${join(", ", output.active)}."
  }
}

run "next_window" {
  variables {
    active = true
  }

  assert {
    condition     = output.tasks == tolist(["Hourly report", "Spare backup"])
    error_message = "The window switches off what is active: ${join(", ", output.tasks)}."
  }
}

# What is taken off the lists during the window is not brought back.
run "fewer" {
  variables {
    active   = true
    services = []
  }

  assert {
    condition     = length(output.services) == 0 && output.tasks == tolist(["Hourly report"])
    error_message = "These are off: ${join(", ", concat(output.services, output.tasks))}."
  }
}

run "what_is_taken_off_the_list_stays_off" {
  module {
    source = "./tests/look"
  }

  assert {
    condition     = output.enabled == tolist(["[Shared] Report"]) && length(output.active) == 0
    error_message = "These are on: ${join(", ", concat(output.enabled, output.active))}."
  }
}

run "next_window_ends" {
  variables {
    active   = false
    services = []
  }
}

run "after_the_next_window" {
  module {
    source = "./tests/look"
  }

  assert {
    condition     = output.active == tolist(["Hourly report"])
    error_message = "These are active: ${join(", ", output.active)}."
  }
}

# Without names, nothing is left of the module but its note whether there is a window.
run "nothing" {
  variables {
    active   = false
    services = []
    tasks    = []
  }
}

run "all_are_still_there" {
  module {
    source = "./tests/look"
  }

  assert {
    condition     = length(output.schedules) == 3 && output.active == tolist(["Hourly report"])
    error_message = "These are active: ${join(", ", output.active)}."
  }
}
