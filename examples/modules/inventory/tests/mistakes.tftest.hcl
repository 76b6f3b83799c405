# What the module refuses. No server is asked.

mock_provider "enms" {}

variables {
  csv = "name,location\nA,Dallas\n"
}

run "no_name" {
  command = plan
  variables {
    csv = "hostname,ip_address\nA,10.0.0.1\n"
  }
  expect_failures = [var.csv]
}

run "semicolons" {
  command = plan
  variables {
    csv = "name;ip_address\nA;10.0.0.1\n"
  }
  expect_failures = [var.csv]
}

run "a_cell_too_many" {
  command = plan
  variables {
    csv = "name,ip_address\nA,10.0.0.1,Cisco\n"
  }
  expect_failures = [var.csv]
}

run "empty_name" {
  command = plan
  variables {
    csv = "name,ip_address\n,10.0.0.1\n"
  }
  expect_failures = [var.csv]
}

run "blank_after_a_name" {
  command = plan
  variables {
    csv = "name,ip_address\nA ,10.0.0.1\n"
  }
  expect_failures = [var.csv]
}

run "name_twice" {
  command = plan
  variables {
    csv = "name,ip_address\nA,10.0.0.1\nB,10.0.0.2\nA,10.0.0.3\n"
  }
  expect_failures = [var.csv]
}

run "link_twice" {
  command = plan
  variables {
    links = "name,source,destination\nL,A,B\nL,B,A\n"
  }
  expect_failures = [var.links]
}

run "links_without_names" {
  command = plan
  variables {
    links = "source,destination\nA,B\n"
  }
  expect_failures = [var.links]
}

run "pools_without_a_column" {
  command = plan
  variables {
    site_column = "building"
    pool_name   = "Building %s"
  }
  expect_failures = [output.by_site]
}

run "one_name_for_all_pools" {
  command = plan
  variables {
    pool_name = "Site"
  }
  expect_failures = [var.pool_name]
}

run "names_are_not_ignored" {
  command = plan
  variables {
    ignored_columns = ["name"]
  }
  expect_failures = [var.ignored_columns]
}
