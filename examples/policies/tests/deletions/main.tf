terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

variable "devices" {
  type    = number
  default = 0
}

resource "enms_device" "one_by_one" {
  count = var.devices
  name  = "D${count.index}"
}

resource "enms_instances" "many" {
  type      = "device"
  instances = { for n in range(var.devices) : "E${n}" => {} }
}
