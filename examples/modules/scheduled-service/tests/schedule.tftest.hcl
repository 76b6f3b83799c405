# A service and its task, made, changed and switched off. The provider's settings come
# from the environment: the tests need an eNMS, such as the simulator. eNMS says
# Scheduler Unreachable instead of a time when its scheduler is busy.

variables {
  name       = "Show version"
  type       = "netmiko_commands_service"
  properties = { driver = "device", commands = "show version" }
  schedule   = { cron = "30 2 * * mon-fri" }
  zone       = "Europe/Berlin"
  after      = "2035-03-23T12:00:00Z"
}

run "targets" {
  module {
    source = "./tests/targets"
  }
}

run "cron" {
  variables {
    devices = ["DALLAS", "HOUSTON"]
    pools   = ["Austin"]
  }

  assert {
    condition     = output.service == "Show version" && output.task == "Show version"
    error_message = "The names are ${output.service} and ${output.task}."
  }

  assert {
    condition     = enms_task.task.crontab_expression == "30 2 * * 1,2,3,4,5" && enms_task.task.is_active
    error_message = "The expression is ${enms_task.task.crontab_expression}."
  }

  assert {
    condition     = jsonencode(output.next_runs) == jsonencode(["2035-03-26T02:30:00+02:00", "2035-03-27T02:30:00+02:00", "2035-03-28T02:30:00+02:00"])
    error_message = "The next runs are ${join(", ", output.next_runs)}."
  }
}

run "in_enms" {
  module {
    source = "./tests/look"
  }
  variables {
    task = "Show version"
  }

  assert {
    condition     = output.service.name == "Show version" && output.service.devices == toset(["DALLAS", "HOUSTON"]) && output.service.pools == toset(["Austin"])
    error_message = "The service has other targets: ${jsonencode(output.service)}."
  }

  assert {
    condition     = can(regex(" 02:30:00$|^Scheduler Unreachable$", output.next_run_time))
    error_message = "The scheduler says ${output.next_run_time}."
  }
}

# Another name, another target and another schedule, in place.
run "changed" {
  variables {
    name     = "Show versions"
    task     = "Versions of the routers"
    devices  = ["DALLAS"]
    schedule = { cron = "@daily" }
    runs     = 1
  }

  assert {
    condition     = "${enms_service.service.id} ${enms_task.task.id}" == run.in_enms.ids
    error_message = "Another service or task was made."
  }

  assert {
    condition     = jsonencode(output.next_runs) == jsonencode(["2035-03-24T00:00:00+01:00"])
    error_message = "The next runs are ${join(", ", output.next_runs)}."
  }
}

run "once" {
  variables {
    devices  = ["DALLAS"]
    schedule = { start = "2035-06-01T20:00:00Z" }
  }

  assert {
    condition     = enms_task.task.scheduling_mode == "standard" && enms_task.task.start_date == "01/06/2035 22:00:00"
    error_message = "The task starts on ${enms_task.task.start_date}."
  }

  assert {
    condition     = jsonencode(output.next_runs) == jsonencode(["2035-06-01T22:00:00+02:00"])
    error_message = "The next runs are ${join(", ", output.next_runs)}."
  }
}

run "once_in_enms" {
  module {
    source = "./tests/look"
  }
  variables {
    task = "Show version"
  }

  assert {
    condition     = contains(["2035-06-01 22:00:00", "Scheduler Unreachable"], output.next_run_time)
    error_message = "The scheduler says ${output.next_run_time}."
  }
}

run "after_the_only_date" {
  command = plan
  variables {
    devices  = ["DALLAS"]
    schedule = { start = "2035-06-01T20:00:00Z" }
    after    = "2035-06-01T20:00:00Z"
  }

  assert {
    condition     = length(output.next_runs) == 0
    error_message = "The next runs are ${join(", ", output.next_runs)}."
  }
}

run "switched_off" {
  variables {
    devices = ["DALLAS"]
    active  = false
  }

  assert {
    condition     = length(output.next_runs) == 0
    error_message = "The next runs are ${join(", ", output.next_runs)}."
  }
}

run "off_in_enms" {
  module {
    source = "./tests/look"
  }
  variables {
    task = "Show version"
  }

  assert {
    condition     = contains(["Not Scheduled", "Scheduler Unreachable"], output.next_run_time)
    error_message = "The scheduler says ${output.next_run_time}."
  }
}

# Without after, the runs are those after the plan.
run "from_now_on" {
  command = plan
  variables {
    after = null
  }

  assert {
    condition     = length(output.next_runs) == 3 && timecmp(output.next_runs[0], plantimestamp()) > 0
    error_message = "The next runs are ${join(", ", output.next_runs)}."
  }
}
