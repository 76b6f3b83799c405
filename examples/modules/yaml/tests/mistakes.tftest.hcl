# What the module refuses. No server is asked.

mock_provider "enms" {}

run "no_files" {
  command = plan
  variables {
    directory = "./tests/mistakes/empty"
  }
  expect_failures = [var.directory]
}

run "no_yaml" {
  command = plan
  variables {
    directory = "./tests/mistakes/invalid"
  }
  expect_failures = [var.directory]
}

run "no_object" {
  command = plan
  variables {
    directory = "./tests/mistakes/no_object"
  }
  expect_failures = [var.directory]
}

run "no_name" {
  command = plan
  variables {
    directory = "./tests/mistakes/nameless"
  }
  expect_failures = [output.names]
}

run "unknown_step" {
  command = plan
  variables {
    directory = "./tests/mistakes/unknown_step"
  }
  expect_failures = [enms_instances.workflows]
}

run "no_start" {
  command = plan
  variables {
    directory = "./tests/mistakes/no_start"
  }
  expect_failures = [enms_instances.workflows]
}

run "no_way_out" {
  command = plan
  variables {
    directory = "./tests/mistakes/no_way_out"
  }
  expect_failures = [enms_instances.workflows]
}
