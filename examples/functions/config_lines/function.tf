terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

locals {
  sample = <<-EOT
    hostname R1
    enable secret 9 $9$QWxsIG9wZW4
    interface Loopback0
     description management
     ip address 10.0.0.1 255.255.255.255
    ntp server 192.0.2.1
    ntp authentication-key 1 md5 094F471A1A0A 7
  EOT
}

# Which lines do these expressions select?
output "lines" {
  value = provider::enms::config_lines(local.sample, ["^ntp ", "^description "], ["-key "])
}

# interface Loopback0
#  description management
# ntp server 192.0.2.1
