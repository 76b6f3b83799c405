# Devices with texts, as a backup leaves them: others' work.

terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

variable "texts" {
  description = "The texts by device; null for a device of which none was ever fetched."
  type        = map(string)
}

variable "failed" {
  description = "The devices whose last backup has failed."
  type        = set(string)
  default     = []
}

resource "enms_device" "device" {
  for_each = var.texts

  name = each.key
  properties = each.value == null ? {} : {
    configuration              = each.value
    last_configuration_status  = contains(var.failed, each.key) ? "Failure" : "Success"
    last_configuration_update  = "2026-11-28 02:00:04.123456"
    last_configuration_failure = contains(var.failed, each.key) ? "2026-11-29 02:00:04.123456" : "Never"
  }
}
