resource "enms_device" "router" {
  for_each   = { DALLAS = "10.0.0.1", HOUSTON = "10.0.0.2" }
  name       = each.key
  ip_address = each.value
}

resource "enms_service" "check" {
  name = "Check reachability"
  type = "python_snippet_service"
  properties = {
    source_code = <<-EOT
      results["success"] = device.ip_address.startswith(payload["network"])
      results["result"] = device.ip_address
    EOT
  }
}

# The service runs when it is created, and again when its code or a device changes.
resource "enms_service_run" "check" {
  service    = enms_service.check.name
  devices    = [for router in enms_device.router : router.name]
  parameters = { network = "10." }

  timeout       = "10m"
  poll_interval = "2s"

  triggers = {
    service = enms_service.check.properties.source_code
    devices = sha256(jsonencode(enms_device.router))
  }
}

output "answers" {
  value = { for name, device in jsondecode(enms_service_run.check.result).devices : name => device.result }
}
