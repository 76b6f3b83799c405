# An inventory is made, changed and emptied. The provider's settings come from the
# environment: the tests need an eNMS, such as the simulator.

variables {
  csv             = <<-CSV
    name,type,ip_address,location,vendor,port,gateways,networks,comment
    GW-1,gateway,10.0.0.254,Dallas,Cisco,,,,
    GW-2,gateway,10.0.0.253,Dallas,Cisco,,,,
    DALLAS-1,,10.0.0.1,Dallas,Cisco,22,GW-1,Backbone,behind the door
    DALLAS-2,router,10.0.0.2,Dallas,Nokia,2222,GW-1; GW-2,,
    HOUSTON-1,,10.0.1.1,Houston,Cisco,,,Backbone,
    LAB,,10.0.9.9,,,,,,"to be moved, perhaps"
  CSV
  links           = <<-CSV
    name,source,destination,color
    D1-H1,DALLAS-1,HOUSTON-1,
    H1-CORE,HOUSTON-1,CORE,#ff0000
  CSV
  list_columns    = ["networks"]
  ignored_columns = ["comment"]
  pool_name       = "Site %s"
}

run "elsewhere" {
  module {
    source = "./tests/elsewhere"
  }
}

run "many" {
  assert {
    condition     = output.names == tolist(["DALLAS-1", "DALLAS-2", "GW-1", "GW-2", "HOUSTON-1", "LAB"]) && output.links == tolist(["D1-H1", "H1-CORE"])
    error_message = "The names are ${join(", ", concat(output.names, output.links))}."
  }

  assert {
    condition     = jsonencode(output.by_site) == jsonencode({ Dallas = ["DALLAS-1", "DALLAS-2", "GW-1", "GW-2"], Houston = ["HOUSTON-1"] })
    error_message = "The sites are ${jsonencode(output.by_site)}."
  }

  assert {
    condition     = jsonencode(output.pools) == jsonencode({ Dallas = "Site Dallas", Houston = "Site Houston" })
    error_message = "The pools are ${jsonencode(output.pools)}."
  }

  assert {
    condition     = length(enms_device.device) + length(enms_device.gateway) == 0
    error_message = "A device is a resource of its own."
  }
}

run "many_in_enms" {
  module {
    source = "./tests/look"
  }

  assert {
    condition = jsonencode(output.devices) == jsonencode({
      "CORE"      = "device 10.0.9.1 22 "
      "DALLAS-1"  = "device 10.0.0.1 22 Cisco"
      "DALLAS-2"  = "router 10.0.0.2 2222 Nokia"
      "GW-1"      = "gateway 10.0.0.254 22 Cisco"
      "GW-2"      = "gateway 10.0.0.253 22 Cisco"
      "HOUSTON-1" = "device 10.0.1.1 22 Cisco"
      "LAB"       = "device 10.0.9.9 22 "
    })
    error_message = "The devices are ${jsonencode(output.devices)}."
  }

  assert {
    condition     = output.gateways == "GW-1 GW-2" && output.network == "DALLAS-1 HOUSTON-1"
    error_message = "The gateways are ${output.gateways}; the network holds ${output.network}."
  }

  # Pools by criteria are computed after the devices have been written.
  assert {
    condition = jsonencode(output.pools) == jsonencode({
      "Cisco"        = "DALLAS-1 GW-1 GW-2 HOUSTON-1"
      "Site Dallas"  = "DALLAS-1 DALLAS-2 GW-1 GW-2"
      "Site Houston" = "HOUSTON-1"
    })
    error_message = "The pools are ${jsonencode(output.pools)}."
  }
}

# A device goes with its link, one gets another name, one other values, and one is new.
run "changed" {
  variables {
    csv     = <<-CSV
      name,type,ip_address,location,vendor,port,gateways,networks
      GW-1,gateway,10.0.0.254,Dallas,Cisco,,,
      DALLAS-2,router,10.0.0.2,Dallas,Cisco,,GW-1,
      DALLAS-3,,10.0.0.3,Dallas,Nokia,,,
      HOUSTON-A,,10.0.1.1,Houston,Cisco,,,Backbone
    CSV
    links   = <<-CSV
      name,source,destination,color
      H1-CORE,HOUSTON-A,CORE,#00ff00
    CSV
    renames = { HOUSTON-1 = "HOUSTON-A" }
  }
}

run "changed_in_enms" {
  module {
    source = "./tests/look"
  }

  assert {
    condition = jsonencode(output.devices) == jsonencode({
      "CORE"      = "device 10.0.9.1 22 "
      "DALLAS-2"  = "router 10.0.0.2 22 Cisco"
      "DALLAS-3"  = "device 10.0.0.3 22 Nokia"
      "GW-1"      = "gateway 10.0.0.254 22 Cisco"
      "HOUSTON-A" = "device 10.0.1.1 22 Cisco"
    })
    error_message = "The devices are ${jsonencode(output.devices)}."
  }

  assert {
    condition     = output.ids["HOUSTON-A"] == run.many_in_enms.ids["HOUSTON-1"]
    error_message = "The device with another name is another one."
  }

  assert {
    condition     = output.links == tolist(["H1-CORE"]) && output.gateways == "GW-1" && output.network == "HOUSTON-A"
    error_message = "The links are ${join(", ", output.links)}, the gateways ${output.gateways}; the network holds ${output.network}."
  }

  assert {
    condition = jsonencode(output.pools) == jsonencode({
      "Cisco"        = "DALLAS-2 GW-1 HOUSTON-A"
      "Site Dallas"  = "DALLAS-2 DALLAS-3 GW-1"
      "Site Houston" = "HOUSTON-A"
    })
    error_message = "The pools are ${jsonencode(output.pools)}."
  }
}

run "emptied" {
  variables {
    csv       = "name\n"
    links     = null
    pool_name = null
  }

  assert {
    condition     = length(output.names) + length(output.links) + length(output.by_site) + length(output.pools) == 0
    error_message = "There is something left."
  }
}

run "one_resource_each" {
  variables {
    one_resource_each = true
  }

  assert {
    condition     = sort(keys(enms_device.device)) == tolist(["DALLAS-1", "DALLAS-2", "HOUSTON-1", "LAB"]) && sort(keys(enms_device.gateway)) == tolist(["GW-1", "GW-2"])
    error_message = "The resources are ${join(", ", concat(keys(enms_device.device), keys(enms_device.gateway)))}."
  }

  assert {
    condition     = length(enms_instances.devices) + length(enms_instances.gateways) == 0
    error_message = "The devices are in one resource."
  }
}

run "one_resource_each_in_enms" {
  module {
    source = "./tests/look"
  }

  assert {
    condition     = jsonencode(output.devices) == jsonencode(run.many_in_enms.devices) && jsonencode(output.pools) == jsonencode(run.many_in_enms.pools)
    error_message = "eNMS does not hold the same: ${jsonencode(output.devices)}, ${jsonencode(output.pools)}."
  }

  assert {
    condition     = output.gateways == "GW-1 GW-2" && output.network == "DALLAS-1 HOUSTON-1"
    error_message = "The gateways are ${output.gateways}; the network holds ${output.network}."
  }
}

# A spreadsheet's file, with a byte order mark and its own ends of lines; sites by
# another column, which is not sent.
run "from_a_spreadsheet" {
  command = plan
  variables {
    csv             = "\uFEFFname,ip_address,building\r\nA,10.0.0.1,North\r\nB,10.0.0.2,North\r\n"
    links           = null
    site_column     = "building"
    ignored_columns = ["building"]
    pool_name       = "Building %s"
  }

  assert {
    condition     = jsonencode(output.by_site) == jsonencode({ North = ["A", "B"] }) && enms_pool.site["North"].name == "Building North"
    error_message = "The sites are ${jsonencode(output.by_site)}."
  }

  assert {
    condition     = jsonencode(enms_instances.devices["device"].instances) == jsonencode({ A = { ip_address = "10.0.0.1" }, B = { ip_address = "10.0.0.2" } })
    error_message = "The instances are ${jsonencode(enms_instances.devices["device"].instances)}."
  }
}
