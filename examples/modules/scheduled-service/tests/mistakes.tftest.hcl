# What the module refuses. No server is asked.

mock_provider "enms" {}

variables {
  name = "Show version"
  type = "netmiko_commands_service"
  zone = "UTC"
}

run "no_schedule" {
  command = plan
  variables {
    schedule = {}
  }
  expect_failures = [var.schedule]
}

run "two_schedules" {
  command = plan
  variables {
    schedule = { cron = "@daily", start = "2035-06-01T20:00:00Z" }
  }
  expect_failures = [var.schedule]
}

run "misspelt_schedule" {
  command = plan
  variables {
    schedule = { corn = "@daily" }
  }
  expect_failures = [var.schedule]
}

run "start_without_an_offset" {
  command = plan
  variables {
    schedule = { start = "2035-06-01 20:00" }
  }
  expect_failures = [var.schedule]
}

run "no_run" {
  command = plan
  variables {
    schedule = { cron = "@daily" }
    runs     = 0
  }
  expect_failures = [var.runs]
}

run "no_timestamp" {
  command = plan
  variables {
    schedule = { cron = "@daily" }
    after    = "tomorrow"
  }
  expect_failures = [var.after]
}
