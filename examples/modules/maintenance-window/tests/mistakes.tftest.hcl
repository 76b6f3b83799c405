# What the module refuses. No server is asked.

mock_provider "enms" {}

variables {
  active = true
}

run "no_answer" {
  command = plan
  variables {
    active = null
  }
  expect_failures = [var.active]
}

run "built_in_service" {
  command = plan
  variables {
    services = ["Backup", "[Shared] Start"]
  }
  expect_failures = [var.services]
}

run "empty_name_of_a_service" {
  command = plan
  variables {
    services = [" "]
  }
  expect_failures = [var.services]
}

run "empty_name_of_a_task" {
  command = plan
  variables {
    tasks = ["Nightly backup", ""]
  }
  expect_failures = [var.tasks]
}
