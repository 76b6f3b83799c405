# One response becomes devices, links and pools. The provider's settings come from the environment:
# the tests need an eNMS, such as the simulator.

variables {
  devices       = ["{\"data\":{\"devices\":[{\"id\":\"d1\",\"name\":\"R1\",\"primary_ip4\":{\"address\":\"10.0.0.1/24\"},\"primary_ip6\":{\"address\":\"2001:db8::1/64\"},\"platform\":{\"name\":\"IOS\",\"network_driver\":\"cisco_ios\"},\"role\":{\"name\":\"Core\"},\"device_type\":{\"model\":\"C9300\",\"manufacturer\":{\"name\":\"Cisco\"}},\"location\":{\"id\":\"l2\",\"name\":\"Floor 1\",\"location_type\":{\"name\":\"Floor\"},\"parent\":{\"id\":\"l1\",\"name\":\"Dallas\",\"location_type\":{\"name\":\"Site\"},\"parent\":{\"id\":\"l0\",\"name\":\"Texas\",\"location_type\":{\"name\":\"Region\"},\"parent\":null}}}},{\"id\":\"d2\",\"name\":\"R2\",\"primary_ip4\":null,\"primary_ip6\":{\"address\":\"2001:db8::2/64\"},\"platform\":{\"name\":\"Odd OS\",\"network_driver\":\"\"},\"role\":{\"name\":\"Edge\"},\"device_type\":{\"model\":\"C9300\",\"manufacturer\":{\"name\":\"Cisco\"}},\"location\":{\"id\":\"l3\",\"name\":\"Austin\",\"location_type\":{\"name\":\"Site\"},\"parent\":null}},{\"id\":\"d3\",\"name\":null,\"primary_ip4\":{\"address\":\"10.0.0.3/24\"},\"primary_ip6\":null,\"platform\":null,\"role\":null,\"device_type\":null,\"location\":{\"id\":\"l1\",\"name\":\"Dallas\",\"location_type\":{\"name\":\"Site\"},\"parent\":{\"id\":\"l0\",\"name\":\"Texas\",\"location_type\":{\"name\":\"Region\"},\"parent\":null}}},{\"id\":\"d4\",\"name\":\"R4\",\"primary_ip4\":null,\"primary_ip6\":null,\"platform\":null,\"role\":null,\"device_type\":null,\"location\":{\"id\":\"l1\",\"name\":\"Dallas\",\"location_type\":{\"name\":\"Site\"},\"parent\":{\"id\":\"l0\",\"name\":\"Texas\",\"location_type\":{\"name\":\"Region\"},\"parent\":null}}}],\"interfaces\":[{\"id\":\"i2\",\"device\":{\"id\":\"d2\"},\"cable\":{\"id\":\"c1\",\"termination_a_id\":\"i1\"},\"cable_peer_interface\":{\"device\":{\"id\":\"d1\"}}},{\"id\":\"i1\",\"device\":{\"id\":\"d1\"},\"cable\":{\"id\":\"c1\",\"termination_a_id\":\"i1\"},\"cable_peer_interface\":{\"device\":{\"id\":\"d2\"}}},{\"id\":\"i3\",\"device\":{\"id\":\"d1\"},\"cable\":{\"id\":\"c2\",\"termination_a_id\":\"i3\"},\"cable_peer_interface\":null},{\"id\":\"i4\",\"device\":{\"id\":\"d4\"},\"cable\":{\"id\":\"c3\",\"termination_a_id\":\"i4\"},\"cable_peer_interface\":{\"device\":{\"id\":\"d1\"}}}]}}"]
  cables        = ["{\"data\":{\"devices\":[{\"id\":\"d1\",\"name\":\"R1\",\"primary_ip4\":{\"address\":\"10.0.0.1/24\"},\"primary_ip6\":{\"address\":\"2001:db8::1/64\"},\"platform\":{\"name\":\"IOS\",\"network_driver\":\"cisco_ios\"},\"role\":{\"name\":\"Core\"},\"device_type\":{\"model\":\"C9300\",\"manufacturer\":{\"name\":\"Cisco\"}},\"location\":{\"id\":\"l2\",\"name\":\"Floor 1\",\"location_type\":{\"name\":\"Floor\"},\"parent\":{\"id\":\"l1\",\"name\":\"Dallas\",\"location_type\":{\"name\":\"Site\"},\"parent\":{\"id\":\"l0\",\"name\":\"Texas\",\"location_type\":{\"name\":\"Region\"},\"parent\":null}}}},{\"id\":\"d2\",\"name\":\"R2\",\"primary_ip4\":null,\"primary_ip6\":{\"address\":\"2001:db8::2/64\"},\"platform\":{\"name\":\"Odd OS\",\"network_driver\":\"\"},\"role\":{\"name\":\"Edge\"},\"device_type\":{\"model\":\"C9300\",\"manufacturer\":{\"name\":\"Cisco\"}},\"location\":{\"id\":\"l3\",\"name\":\"Austin\",\"location_type\":{\"name\":\"Site\"},\"parent\":null}},{\"id\":\"d3\",\"name\":null,\"primary_ip4\":{\"address\":\"10.0.0.3/24\"},\"primary_ip6\":null,\"platform\":null,\"role\":null,\"device_type\":null,\"location\":{\"id\":\"l1\",\"name\":\"Dallas\",\"location_type\":{\"name\":\"Site\"},\"parent\":{\"id\":\"l0\",\"name\":\"Texas\",\"location_type\":{\"name\":\"Region\"},\"parent\":null}}},{\"id\":\"d4\",\"name\":\"R4\",\"primary_ip4\":null,\"primary_ip6\":null,\"platform\":null,\"role\":null,\"device_type\":null,\"location\":{\"id\":\"l1\",\"name\":\"Dallas\",\"location_type\":{\"name\":\"Site\"},\"parent\":{\"id\":\"l0\",\"name\":\"Texas\",\"location_type\":{\"name\":\"Region\"},\"parent\":null}}}],\"interfaces\":[{\"id\":\"i2\",\"device\":{\"id\":\"d2\"},\"cable\":{\"id\":\"c1\",\"termination_a_id\":\"i1\"},\"cable_peer_interface\":{\"device\":{\"id\":\"d1\"}}},{\"id\":\"i1\",\"device\":{\"id\":\"d1\"},\"cable\":{\"id\":\"c1\",\"termination_a_id\":\"i1\"},\"cable_peer_interface\":{\"device\":{\"id\":\"d2\"}}},{\"id\":\"i3\",\"device\":{\"id\":\"d1\"},\"cable\":{\"id\":\"c2\",\"termination_a_id\":\"i3\"},\"cable_peer_interface\":null},{\"id\":\"i4\",\"device\":{\"id\":\"d4\"},\"cable\":{\"id\":\"c3\",\"termination_a_id\":\"i4\"},\"cable_peer_interface\":{\"device\":{\"id\":\"d1\"}}}]}}"]
  location_type = "Site"
}

run "made" {
  expect_failures = [check.left_out]

  assert {
    condition     = output.names == tolist(["R1", "R2"]) && jsonencode(output.left_out) == jsonencode({ misnamed = [], sites = [], unaddressed = ["R4"], unnamed = ["d3"] })
    error_message = "Wrong: ${jsonencode(output.names)} ${jsonencode(output.left_out)}."
  }
  assert {
    condition     = jsonencode(output.links) == jsonencode({ "cable c1" = ["R1", "R2"] })
    error_message = "The links are ${jsonencode(output.links)}."
  }
  assert {
    condition     = jsonencode(output.by_site) == jsonencode({ Austin = ["R2"], Dallas = ["R1"] })
    error_message = "The pools are ${jsonencode(output.by_site)}."
  }
}

run "own_location" {
  command = plan
  variables {
    location_type = null
  }
  expect_failures = [check.left_out]

  assert {
    condition     = jsonencode(keys(output.by_site)) == jsonencode(["Austin", "Floor 1"])
    error_message = "The pools are ${jsonencode(output.by_site)}."
  }
}

# The status of such a response is 200.
run "errors_beside_data" {
  command = plan
  variables {
    devices = ["{\"errors\":[{\"message\":\"Cannot resolve role.\",\"path\":[\"devices\",1,\"role\"]}],\"data\":{\"devices\":[{\"id\":\"d1\",\"name\":\"R1\",\"primary_ip4\":{\"address\":\"10.0.0.1/24\"},\"primary_ip6\":{\"address\":\"2001:db8::1/64\"},\"platform\":{\"name\":\"IOS\",\"network_driver\":\"cisco_ios\"},\"role\":{\"name\":\"Core\"},\"device_type\":{\"model\":\"C9300\",\"manufacturer\":{\"name\":\"Cisco\"}},\"location\":{\"id\":\"l2\",\"name\":\"Floor 1\",\"location_type\":{\"name\":\"Floor\"},\"parent\":{\"id\":\"l1\",\"name\":\"Dallas\",\"location_type\":{\"name\":\"Site\"},\"parent\":{\"id\":\"l0\",\"name\":\"Texas\",\"location_type\":{\"name\":\"Region\"},\"parent\":null}}}}],\"interfaces\":[]}}"]
    cables  = ["{\"errors\":[{\"message\":\"Cannot resolve role.\",\"path\":[\"devices\",1,\"role\"]}],\"data\":{\"devices\":[{\"id\":\"d1\",\"name\":\"R1\",\"primary_ip4\":{\"address\":\"10.0.0.1/24\"},\"primary_ip6\":{\"address\":\"2001:db8::1/64\"},\"platform\":{\"name\":\"IOS\",\"network_driver\":\"cisco_ios\"},\"role\":{\"name\":\"Core\"},\"device_type\":{\"model\":\"C9300\",\"manufacturer\":{\"name\":\"Cisco\"}},\"location\":{\"id\":\"l2\",\"name\":\"Floor 1\",\"location_type\":{\"name\":\"Floor\"},\"parent\":{\"id\":\"l1\",\"name\":\"Dallas\",\"location_type\":{\"name\":\"Site\"},\"parent\":{\"id\":\"l0\",\"name\":\"Texas\",\"location_type\":{\"name\":\"Region\"},\"parent\":null}}}}],\"interfaces\":[]}}"]
  }
  expect_failures = [var.devices, var.cables]
}

run "null" {
  command = plan
  variables {
    devices = ["{\"data\":{\"devices\":null,\"interfaces\":null}}"]
    cables  = ["{\"data\":{\"devices\":null,\"interfaces\":null}}"]
  }
  expect_failures = [var.devices, var.cables]
}

run "no_devices" {
  command = plan
  variables {
    devices = ["{\"data\":{\"devices\":[],\"interfaces\":[]}}"]
  }
  expect_failures = [var.devices]
}

run "no_responses" {
  command = plan
  variables {
    devices = []
  }
  expect_failures = [var.devices]
}

run "refused_token" {
  command = plan
  variables {
    devices = ["{\"detail\":\"Invalid token\"}"]
  }
  expect_failures = [var.devices]
}

run "truncated" {
  command = plan
  variables {
    devices = ["{\"data\":{\"devices\":[{\"id\":\"d1\",\"name\":\"R1\",\"primary_ip4\":{\"address\":\"10.0.0.1/24\"},\"primary_ip6\":{\"address\":\"2001:db8::1/64\"},\"platform\":{\"name\":\"IOS\",\"network_driver\":\"cisco_ios\"},\"role\":{\"name\":\"Core\"},\"device_type\":{\"model\":\"C9300\",\"manufacturer\":{\"name\":\"Cisco\"}},\"location\":{\"id\":\"l2\",\"name\":\"Fl"]
  }
  expect_failures = [var.devices]
}
