import {
  to = enms_workflow_edge.begin
  id = "Upgrade: [Shared] Start -> [Upgrade] Backup (success)"
}
