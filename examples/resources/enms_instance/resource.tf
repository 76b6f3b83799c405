# A type that a site has added to its eNMS, with a field of its own.
resource "enms_instance" "rack" {
  type = "rack"
  name = "DALLAS 12"

  properties = {
    description = "Second row, at the window"
    height      = 42
  }
}

# properties_wo is not stored in the state or the plan. Changing its version sends it
# again. It needs Terraform 1.11.
variable "token" {
  type      = string
  ephemeral = true
}

resource "enms_instance" "collector" {
  type = "collector"
  name = "Flows"

  properties            = { address = "10.0.0.9" }
  properties_wo         = { token = var.token }
  properties_wo_version = 1
}
