# The provider's settings come from the environment: the tests need an eNMS, such as the simulator.

variables {
  system = "A system"
  devices = [
    { id = "1", name = "R1", address = "10.0.0.1/24", site = "Dallas", site_id = "s1", role = "Core", platform = "ios", vendor = "Cisco", model = "C9300" },
    { id = "2", name = "R2", address = "2001:db8::2", site = "Austin", platform = "unknown" },
    { id = "2", name = "R2", address = "2001:db8::2", site = "Austin", platform = "unknown" },
    { id = "3", site = "Dallas", address = "10.0.0.3" },
    { id = "4", name = "R4", site = "Dallas" },
    { id = "5", name = "R/5", site = "Dallas", address = "10.0.0.5" },
    { id = "6", name = "R6", site = "Lab 1/2", address = "10.0.0.6" },
  ]
  cables = [
    { id = "a", ends = ["1", "2"] },
    { id = "b", ends = ["2", null] },
    { id = "c", ends = ["1", "4"] },
    { id = "d", ends = ["1", "1"] },
  ]
  platforms = { ios = { netmiko_driver = "cisco_ios" } }
}

run "made" {
  assert {
    condition     = output.names == tolist(["R1", "R2", "R6"]) && jsonencode(output.links) == jsonencode({ "cable a" = ["R1", "R2"] })
    error_message = "Wrong: ${jsonencode(output.names)} ${jsonencode(output.links)}."
  }
  assert {
    condition     = jsonencode(output.left_out) == jsonencode({ misnamed = ["R/5"], sites = ["Lab 1/2"], unaddressed = ["R4"], unnamed = ["3"] })
    error_message = "Left out is ${jsonencode(output.left_out)}."
  }
  assert {
    condition = jsonencode(sort(output.warnings)) == jsonencode(sort([
      "Devices without a name are left out; their ids in A system are: 3.",
      "Devices without a primary address are left out: R4.",
      "Platforms without drivers: unknown, none.",
      "eNMS allows no slash, backslash, quote or control character in names. These devices are left out: R/5.",
      "eNMS allows no slash, backslash, quote or control character in names. These sites have no pool and no task: Lab 1/2.",
    ]))
    error_message = "The warnings are ${jsonencode(output.warnings)}."
  }
  assert {
    condition     = jsonencode(local.instances["R1"]) == jsonencode({ description = "Core", ip_address = "10.0.0.1", location = "Dallas", model = "C9300", netmiko_driver = "cisco_ios", vendor = "Cisco" })
    error_message = "R1 is ${jsonencode(local.instances["R1"])}."
  }
  assert {
    condition     = jsonencode(output.by_site) == jsonencode({ Austin = ["R2"], Dallas = ["R1"] })
    error_message = "The pools are ${jsonencode(output.by_site)}."
  }
}

run "same_name_twice" {
  command = plan
  variables {
    devices = [
      { id = "1", name = "R1", address = "10.0.0.1", site = "Dallas" },
      { id = "2", name = "R1", address = "10.0.0.2", site = "Austin" },
    ]
  }
  expect_failures = [enms_instances.devices]
}

run "same_site_twice" {
  command = plan
  variables {
    devices = [
      { id = "1", name = "R1", address = "10.0.0.1", site = "Floor 1", site_id = "s1" },
      { id = "2", name = "R2", address = "10.0.0.2", site = "Floor 1", site_id = "s2" },
    ]
  }
  expect_failures = [enms_instances.devices]
}

run "no_usable_device" {
  command = plan
  variables {
    devices = [{ id = "1", name = "R1", site = "Dallas" }]
  }
  expect_failures = [enms_instances.devices]
}

run "changed_while_read" {
  command = plan
  variables {
    devices = [
      { id = "1", name = "R1", address = "10.0.0.1", site = "Dallas" },
      { id = "1", name = "R2", address = "10.0.0.1", site = "Dallas" },
    ]
  }
  expect_failures = [var.devices]
}
