terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

resource "enms_service" "shared" {
  name   = "[Shared] Check"
  type   = "python_snippet_service"
  shared = true
}
