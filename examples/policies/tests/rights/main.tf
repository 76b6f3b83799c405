terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

resource "enms_service" "open" {
  name = "Open"
  type = "workflow"
}

# A step is run by its workflow.
resource "enms_service" "step" {
  name      = "[Open] Step"
  type      = "python_snippet_service"
  workflows = [enms_service.open.name]
  owners    = ["admin"]
}

resource "enms_pool" "mine" {
  name = "Mine"
}
