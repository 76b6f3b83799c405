# Two pages of devices and one of cables become devices, links, pools and a task. The
# provider's settings come from the environment: the tests need an eNMS, such as the simulator.

variables {
  devices = [
    "{\"count\":4,\"results\":[{\"id\":1,\"name\":\"R1\",\"site\":{\"id\":1,\"name\":\"Dallas\"},\"role\":{\"name\":\"Core\"},\"platform\":{\"slug\":\"cisco-ios\"},\"primary_ip\":{\"address\":\"10.0.0.1/24\"}},{\"id\":2,\"name\":\"R2\",\"site\":{\"id\":2,\"name\":\"Austin\"},\"role\":{\"name\":\"Edge\"},\"platform\":{\"slug\":\"junos\"},\"primary_ip\":{\"address\":\"2001:db8::2/64\"}}]}",
    "{\"count\":4,\"results\":[{\"id\":3,\"name\":null,\"site\":{\"id\":1,\"name\":\"Dallas\"},\"primary_ip\":{\"address\":\"10.0.0.3/24\"}},{\"id\":4,\"name\":\"R4\",\"site\":{\"id\":1,\"name\":\"Dallas\"},\"platform\":null,\"primary_ip\":null}]}",
  ]
  cables = [
    "{\"count\":2,\"results\":[{\"id\":7,\"a_terminations\":[{\"object_type\":\"dcim.interface\",\"object\":{\"device\":{\"id\":1}}}],\"b_terminations\":[{\"object_type\":\"dcim.interface\",\"object\":{\"device\":{\"id\":2}}}]},{\"id\":8,\"a_terminations\":[{\"object\":{\"device\":{\"id\":1}}}],\"b_terminations\":[]}]}",
  ]
}

run "made" {
  expect_failures = [check.left_out]

  assert {
    condition     = output.names == tolist(["R1", "R2"]) && jsonencode(output.left_out) == jsonencode({ misnamed = [], sites = [], unaddressed = ["R4"], unnamed = ["3"] })
    error_message = "Wrong: ${jsonencode(output.names)} ${jsonencode(output.left_out)}."
  }
  assert {
    condition     = jsonencode(output.links) == jsonencode({ "cable 7" = ["R1", "R2"] })
    error_message = "The links are ${jsonencode(output.links)}."
  }
  assert {
    condition     = jsonencode(output.by_site["Dallas"]) == jsonencode(["R1"])
    error_message = "The pool of Dallas is wrong."
  }
}

# One name that eNMS refuses does not stop the others.
run "names_that_enms_refuses" {
  variables {
    devices = [
      "{\"count\":5,\"results\":[{\"id\":1,\"name\":\"R1\",\"site\":{\"name\":\"Dallas\"},\"primary_ip\":{\"address\":\"10.0.0.1/24\"}},{\"id\":2,\"name\":\"SW1/2\",\"site\":{\"name\":\"Dallas\"},\"primary_ip\":{\"address\":\"10.0.0.2/24\"}},{\"id\":3,\"name\":\"Joe's\",\"site\":{\"name\":\"Dallas\"},\"primary_ip\":null},{\"id\":4,\"name\":\"a\\\\b \\\"c\\\"\",\"site\":{\"name\":\"Dallas\"},\"primary_ip\":{\"address\":\"10.0.0.4/24\"}},{\"id\":5,\"name\":\"R5\",\"site\":{\"name\":\"Lab 1/2\"},\"primary_ip\":{\"address\":\"10.0.0.5/24\"}}]}",
    ]
    cables = [
      "{\"count\":1,\"results\":[{\"id\":7,\"a_terminations\":[{\"object\":{\"device\":{\"id\":1}}}],\"b_terminations\":[{\"object\":{\"device\":{\"id\":2}}}]}]}",
    ]
  }
  expect_failures = [check.left_out]

  assert {
    condition     = output.names == tolist(["R1", "R5"]) && jsonencode(output.links) == "{}" && jsonencode(keys(output.by_site)) == jsonencode(["Dallas"])
    error_message = "Wrong: ${jsonencode(output.names)} ${jsonencode(output.links)} ${jsonencode(keys(output.by_site))}."
  }
  assert {
    condition     = jsonencode(output.left_out.misnamed) == jsonencode(["SW1/2", "Joe's", "a\\b \"c\""]) && jsonencode(output.left_out.sites) == jsonencode(["Lab 1/2"]) && length(output.left_out.unaddressed) == 0
    error_message = "Left out is ${jsonencode(output.left_out)}."
  }
}

run "truncated" {
  command = plan
  variables {
    devices = ["{\"count\":4,\"results\":[{\"id\":1,\"name\":\"R1\",\"site\":{\"name\":\"Dallas\"},\"primary_ip\":{\"address\":\"10.0.0.1/24\"}}]}"]
  }
  expect_failures = [var.devices]
}

run "empty" {
  command = plan
  variables {
    devices = ["{\"count\":0,\"results\":[]}"]
  }
  expect_failures = [var.devices]
}

run "a_web_page" {
  command = plan
  variables {
    devices = ["<html></html>"]
  }
  expect_failures = [var.devices]
}
