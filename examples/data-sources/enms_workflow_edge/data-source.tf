data "enms_workflow_edge" "begin" {
  name = "Upgrade: [Shared] Start -> [Upgrade] Backup (success)"
}

output "first_service" {
  value = data.enms_workflow_edge.begin.destination
}
