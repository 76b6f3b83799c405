# What the module refuses. No server is asked.

mock_provider "enms" {}

variables {
  today    = "2026-12-01"
  devices  = { R1 = {} }
  features = { ntp = { template = "tests/templates/ntp.tftpl", lines = ["^ntp "] } }
}

run "no_map" {
  command = plan
  variables {
    devices = ["R1"]
  }
  expect_failures = [var.devices]
}

run "no_lines" {
  command = plan
  variables {
    features = { ntp = { template = "tests/templates/ntp.tftpl", lines = [] } }
  }
  expect_failures = [var.features]
}

run "no_regular_expression" {
  command = plan
  variables {
    features = { ntp = { template = "tests/templates/ntp.tftpl", lines = ["^ntp ("] } }
  }
  expect_failures = [var.features]
}

run "no_regular_expression_of_secrets" {
  command = plan
  variables {
    secrets = ["("]
  }
  expect_failures = [var.secrets]
}

run "no_date" {
  command = plan
  variables {
    exceptions = [{ device = "R1", feature = "ntp", owner = "jane", until = "2027-02-30" }]
  }
  expect_failures = [var.exceptions]
}

run "no_day" {
  command = plan
  variables {
    today = "tomorrow"
  }
  expect_failures = [var.today]
}

run "no_owner" {
  command = plan
  variables {
    exceptions = [{ device = "R1", feature = "ntp", owner = " ", until = "2027-01-31" }]
  }
  expect_failures = [var.exceptions]
}

run "two_exceptions" {
  command = plan
  variables {
    exceptions = [
      { device = "R1", feature = "ntp", owner = "jane", until = "2027-01-31" },
      { device = "R1", feature = "ntp", owner = "joe", until = "2027-02-28" },
    ]
  }
  expect_failures = [var.exceptions]
}

run "exception_of_an_unknown_device" {
  command = plan
  variables {
    exceptions = [{ device = "R2", feature = "ntp", owner = "jane", until = "2027-01-31" }]
  }
  expect_failures = [output.report, check.golden_configuration]
}

run "exception_of_an_unknown_feature" {
  command = plan
  variables {
    exceptions = [{ device = "R1", feature = "logging", owner = "jane", until = "2027-01-31" }]
  }
  expect_failures = [output.report, check.golden_configuration]
}

run "feature_of_an_unknown_device" {
  command = plan
  variables {
    features = { ntp = { template = "tests/templates/ntp.tftpl", lines = ["^ntp "], devices = ["R1", "R2"] } }
  }
  expect_failures = [output.report, check.golden_configuration]
}

run "line_of_no_feature" {
  command = plan
  variables {
    features = { ntp = { template = "tests/templates/stray.tftpl", lines = ["^ntp "] } }
  }
  expect_failures = [output.report, check.golden_configuration]
}
