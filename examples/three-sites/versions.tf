terraform {
  required_version = ">= 1.11" # ephemeral variables and write-only attributes

  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

# The address and the credentials come from ENMS_BASE_URL, ENMS_USERNAME and
# ENMS_PASSWORD.
provider "enms" {}
