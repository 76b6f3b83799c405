import {
  to = enms_workflow_edge.begin
  identity = {
    name = "Upgrade: [Shared] Start -> [Upgrade] Backup (success)"
  }
}
