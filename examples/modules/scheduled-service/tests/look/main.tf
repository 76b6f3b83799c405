# What eNMS holds at the moment.

terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

variable "task" {
  type = string
}

data "enms_task" "task" {
  name = var.task
}

data "enms_service" "service" {
  name = data.enms_task.task.service
}

output "ids" {
  value = "${data.enms_service.service.id} ${data.enms_task.task.id}"
}

output "service" {
  value = {
    name    = data.enms_service.service.name
    devices = toset(data.enms_service.service.target_devices)
    pools   = toset(data.enms_service.service.target_pools)
  }
}

output "next_run_time" {
  value = data.enms_task.task.next_run_time
}
