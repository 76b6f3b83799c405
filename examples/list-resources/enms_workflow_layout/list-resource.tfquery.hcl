# The layouts of all workflows in which something has a position.
list "enms_workflow_layout" "all" {
  provider         = enms
  include_resource = true
}
