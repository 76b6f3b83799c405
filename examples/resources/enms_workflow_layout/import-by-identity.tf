import {
  to = enms_workflow_layout.upgrade
  identity = {
    workflow = "Upgrade"
  }
}
