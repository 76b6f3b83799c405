terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

variable "maintenance" {
  type    = string
  default = "2027-03-27T20:30:00Z"
}

resource "enms_task" "upgrade" {
  name       = "Upgrade"
  service    = "Upgrade routers"
  start_date = provider::enms::start_date(var.maintenance, "Europe/Berlin")
  is_active  = true
}

# start_date = "27/03/2027 21:30:00"
