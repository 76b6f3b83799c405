# The edges of a workflow.
list "enms_workflow_edge" "upgrade" {
  provider = enms
  limit    = 500

  config {
    workflow = ["Upgrade"]
  }
}
