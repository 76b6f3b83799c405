# The workflow "Upgrade" itself.
list "enms_service" "workflow" {
  provider = enms

  config {
    type   = "workflow"
    filter = { name = "Upgrade" }
  }
}

# The services that are part of it.
list "enms_service" "parts" {
  provider = enms
  limit    = 500

  config {
    workflows = ["Upgrade"]
  }
}
