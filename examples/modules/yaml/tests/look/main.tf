# What eNMS holds at the moment.

terraform {
  required_providers {
    enms = { source = "terraform-provider-enms/enms" }
  }
}

data "enms_pool" "dallas" {
  name = "Dallas"
}

data "enms_link" "d1_d2" {
  name = "D1-D2"
}

data "enms_workflow_edges" "backup" {
  workflow = ["Backup"]
}

data "enms_workflow_edge" "backup" {
  for_each = toset(data.enms_workflow_edges.backup.instances[*].name)
  name     = each.key
}

data "enms_task" "nightly" {
  name = "Nightly backup"
}

data "enms_credential" "dallas" {
  name = "Dallas"
}

output "pool" {
  value = join(" ", sort(data.enms_pool.dallas.devices))
}

output "link" {
  value = "${data.enms_link.d1_d2.source} ${data.enms_link.d1_d2.destination}"
}

output "edges" {
  value = sort([for edge in values(data.enms_workflow_edge.backup) : "${edge.source} -> ${edge.destination} (${edge.subtype})"])
}

output "task" {
  value = data.enms_task.nightly.service
}

output "credential" {
  value = data.enms_credential.dallas.username
}
