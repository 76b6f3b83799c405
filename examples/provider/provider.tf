terraform {
  required_providers {
    enms = {
      source = "terraform-provider-enms/enms"
    }
  }
}

# The password comes from the environment variable ENMS_PASSWORD. The other settings may
# come from ENMS_BASE_URL, ENMS_USERNAME and so on.
provider "enms" {
  base_url = "https://enms.example.com"
  username = "terraform"
}
