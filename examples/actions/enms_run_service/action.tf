resource "enms_device" "router" {
  for_each   = { DALLAS = "10.0.0.1", HOUSTON = "10.0.0.2" }
  name       = each.key
  ip_address = each.value
}

# The service runs whenever Terraform has created or changed it.
resource "enms_service" "check" {
  name = "Check reachability"
  type = "python_snippet_service"
  properties = {
    source_code = <<-EOT
      results["success"] = True
      results["result"] = payload["reason"]
    EOT
  }

  lifecycle {
    action_trigger {
      events  = [after_create, after_update]
      actions = [action.enms_run_service.check]
    }
  }
}

action "enms_run_service" "check" {
  config {
    service    = "Check reachability" # since Terraform 1.16 also caller.name
    devices    = [for router in enms_device.router : router.name]
    parameters = { reason = "changed by Terraform" }
    timeout    = "10m"
  }
}
