terraform {
  required_providers {
    enms = {
      source = "terraform-provider-enms/enms"
    }
  }
}

# The settings may also come from the environment: ENMS_BASE_URL,
# ENMS_USERNAME, ENMS_PASSWORD and so on.
provider "enms" {
  base_url = "https://enms.example.com"
  username = "terraform"
  password = var.enms_password
}

variable "enms_password" {
  description = "The password of the eNMS user."
  type        = string
  sensitive   = true
}
