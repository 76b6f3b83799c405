terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

locals {
  services = ["[Backup] Check", "[[Backup] Save] Copy", "[Shared] Report"]
}

output "own_names" {
  value = [for name in local.services : provider::enms::scoped_name(name)]
}

# own_names = ["Check", "Copy", "Report"]
