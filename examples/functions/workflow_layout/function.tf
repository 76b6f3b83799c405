terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

output "positions" {
  value = provider::enms::workflow_layout([
    { source = "[Shared] Start", destination = "[Backup] Check" },
    { source = "[Backup] Check", destination = "[Backup] Save" },
    { source = "[Backup] Check", destination = "[Backup] Report" }, # when it fails
    { source = "[Backup] Save", destination = "[Shared] End" },
    { source = "[Backup] Report", destination = "[Shared] End" },
  ])
}

# positions = {
#   "[Backup] Check"  = { x = 200, y = 0 }
#   "[Backup] Report" = { x = 460, y = -60 }
#   "[Backup] Save"   = { x = 460, y = 60 }
#   "[Shared] End"    = { x = 660, y = 0 }
#   "[Shared] Start"  = { x = 0, y = 0 }
# }
