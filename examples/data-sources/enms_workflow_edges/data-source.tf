# What follows which service in a workflow.
data "enms_workflow_edges" "upgrade" {
  workflow = ["Upgrade"]
}

output "order" {
  value = [for e in data.enms_workflow_edges.upgrade.instances : "${e.source} -> ${e.destination} (${e.subtype})"]
}
