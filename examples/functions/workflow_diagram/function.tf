terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

output "diagram" {
  value = provider::enms::workflow_diagram([
    { source = "[Shared] Start", destination = "[Backup] Check" },
    { source = "[Backup] Check", destination = "[Backup] Save" },
    { source = "[Backup] Check", destination = "[Backup] Report", subtype = "failure" },
    { source = "[Backup] Save", destination = "[Shared] End" },
    { source = "[Backup] Report", destination = "[Shared] End" },
  ])
}

# diagram = <<EOT
# flowchart LR
#   s_Start(["Start"])
#   s_Check["Check"]
#   s_Report["Report"]
#   s_Save["Save"]
#   s_End(["End"])
#   s_Start --> s_Check
#   s_Check -.-> s_Report
#   s_Check --> s_Save
#   s_Report --> s_End
#   s_Save --> s_End
#
# EOT

# What has changed: Save is added, and the script of Check has changed.
output "changes" {
  value = provider::enms::workflow_diagram(
    [
      { source = "[Backup] Check", destination = "[Backup] Save" },
      { source = "[Backup] Save", destination = "[Shared] End" },
    ],
    [{ source = "[Backup] Check", destination = "[Shared] End" }],
    ["[Backup] Check"],
  )
}
