# What the module refuses. No server is asked.

mock_provider "enms" {}

variables {
  name = "Backup"
}

run "no_steps" {
  command = plan
  variables {
    steps = {}
  }
  expect_failures = [var.steps]
}

run "no_map" {
  command = plan
  variables {
    steps = ["a"]
  }
  expect_failures = [var.steps]
}

run "no_type" {
  command = plan
  variables {
    steps = { a = { on_success = ["End"] } }
  }
  expect_failures = [var.steps]
}

run "misspelt_attribute" {
  command = plan
  variables {
    steps = { a = { type = "python_snippet_service", on_sucess = ["End"] } }
  }
  expect_failures = [var.steps]
}

run "no_list" {
  command = plan
  variables {
    steps = { a = { type = "python_snippet_service", on_success = "End" } }
  }
  expect_failures = [var.steps]
}

run "unknown_target" {
  command = plan
  variables {
    steps = { a = { type = "python_snippet_service", on_success = ["End"], on_failure = ["nowhere"] } }
  }
  expect_failures = [var.steps]
}

run "step_named_end" {
  command = plan
  variables {
    steps = {
      a   = { type = "python_snippet_service", on_success = ["End"] }
      End = { type = "python_snippet_service" }
    }
  }
  expect_failures = [var.steps]
}

run "unknown_start" {
  command = plan
  variables {
    start = ["a", "nowhere"]
    steps = { a = { type = "python_snippet_service", on_success = ["End"] } }
  }
  expect_failures = [enms_service.workflow]
}

run "two_that_could_be_the_start" {
  command = plan
  variables {
    steps = {
      a = { type = "python_snippet_service", on_success = ["End"] }
      b = { type = "python_snippet_service", on_success = ["End"] }
    }
  }
  expect_failures = [enms_service.workflow]
}

run "none_that_could_be_the_start" {
  command = plan
  variables {
    steps = {
      a = { type = "python_snippet_service", on_success = ["b"] }
      b = { type = "python_snippet_service", on_success = ["End"], on_failure = ["a"] }
    }
  }
  expect_failures = [enms_service.workflow]
}

run "nothing_leads_to_a_step" {
  command = plan
  variables {
    start = ["a"]
    steps = {
      a = { type = "python_snippet_service", on_success = ["End"] }
      b = { type = "python_snippet_service", on_success = ["End"] }
    }
  }
  expect_failures = [enms_service.workflow]
}

run "circle_apart" {
  command = plan
  variables {
    steps = {
      a = { type = "python_snippet_service", on_success = ["End"] }
      b = { type = "python_snippet_service", on_success = ["c"] }
      c = { type = "python_snippet_service", on_success = ["b"], on_failure = ["End"] }
    }
  }
  expect_failures = [enms_service.workflow]
}

run "circle_without_an_exit" {
  command = plan
  variables {
    steps = {
      a = { type = "python_snippet_service", on_success = ["End"], on_failure = ["b"] }
      b = { type = "python_snippet_service", on_success = ["c"] }
      c = { type = "python_snippet_service", on_success = ["b"] }
    }
  }
  expect_failures = [enms_service.workflow]
}

run "end_is_never_reached" {
  command = plan
  variables {
    steps = { a = { type = "python_snippet_service" } }
  }
  expect_failures = [enms_service.workflow]
}
