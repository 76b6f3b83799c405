output "name" {
  description = "The name of the workflow, for tasks and for other workflows."
  value       = enms_service.workflow.name
}

output "services" {
  description = "The full name of each step's service."
  value       = { for name, service in enms_service.step : name => service.name }
}

output "positions" {
  description = "The position of each service in the Workflow Builder."
  value       = enms_workflow_layout.workflow.positions
}

output "diagram" {
  description = "The workflow as a Mermaid flowchart, for a page on GitHub or GitLab."
  value       = provider::enms::workflow_diagram(enms_workflow_edge.step)
}
