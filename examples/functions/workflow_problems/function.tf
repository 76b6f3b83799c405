terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

locals {
  steps = ["[Backup] Check", "[Backup] Save"]
  edges = [
    { source = "[Shared] Start", destination = "[Backup] Check" },
    { source = "[Backup] Check", destination = "[Backup] Save" },
    { source = "[Backup] Save", destination = "[Shared] End" },
  ]
}

check "workflow" {
  assert {
    condition     = length(provider::enms::workflow_problems(local.steps, local.edges)) == 0
    error_message = join("\n", provider::enms::workflow_problems(local.steps, local.edges))
  }
}
