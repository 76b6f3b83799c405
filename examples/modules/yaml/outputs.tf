output "names" {
  description = "The names of the instances, by folder."
  value       = { for folder, entries in local.entries : folder => tolist(keys(entries)) }

  precondition {
    condition     = length(local.nameless) == 0
    error_message = "An object has no name, in: ${join(", ", local.nameless)}."
  }

  depends_on = [enms_instances.task, enms_workflow_layout.workflow, enms_instances.credentials]
}

output "diagrams" {
  description = "Each workflow as a Mermaid flowchart, by its name."
  value       = { for path, edges in local.edges : local.workflows[path].name => provider::enms::workflow_diagram(values(edges)) }
}
