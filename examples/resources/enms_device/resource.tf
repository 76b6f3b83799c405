resource "enms_device" "dallas" {
  name             = "DALLAS"
  ip_address       = "10.0.0.1"
  description      = "Core router in Dallas"
  vendor           = "Cisco"
  operating_system = "IOS-XE"
  netmiko_driver   = "cisco_xe"
  gateways         = [enms_device.jump_host.name]

  # Custom properties, by the names that the settings of your eNMS give them.
  properties = {
    property1 = "rack 12"
    reachable = true
  }
}

# A gateway is a device of another type.
resource "enms_device" "jump_host" {
  name       = "TEXAS-GW"
  type       = "gateway"
  ip_address = "10.0.0.254"
}
