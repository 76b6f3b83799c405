terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

resource "enms_service" "mine" {
  name = "Mine"
  type = "workflow"
}

resource "enms_instances" "many" {
  type      = "python_snippet_service"
  instances = { "[Mine] Step" = { workflows = [enms_service.mine.name] } }
}

# A device does not manage a service of the same name.
resource "enms_instances" "devices" {
  type      = "device"
  instances = { "Drawn by hand" = {} }
}

module "shared" {
  source     = "./shared"
  depends_on = [enms_instances.many] # the query lists in the order of creation
}
