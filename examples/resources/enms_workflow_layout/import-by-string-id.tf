import {
  to = enms_workflow_layout.upgrade
  id = "Upgrade"
}
