terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

data "enms_task" "upgrade" {
  name = "Upgrade"
}

# Half an hour before the task starts, in the format of other providers.
output "announce" {
  value = timeadd(provider::enms::timestamp(data.enms_task.upgrade.start_date, "Europe/Berlin"), "-30m")
}

# timestamp("27/03/2027 21:30:00", "Europe/Berlin") = "2027-03-27T21:30:00+01:00"
