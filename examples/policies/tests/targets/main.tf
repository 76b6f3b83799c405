terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

resource "enms_task" "nightly" {
  name    = "Nightly"
  service = "[Shared] Start"
  owners  = ["admin"]
}

resource "enms_task" "emptied" {
  name    = "Emptied"
  service = "[Shared] Start"
  owners  = ["admin"]
  devices = []
}
