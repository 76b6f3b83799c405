terraform {
  required_version = ">= 1.8" # functions of providers; OpenTofu has them since 1.7

  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}
