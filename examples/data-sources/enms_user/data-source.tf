data "enms_user" "ann" {
  name = "ann"
}

output "ann_groups" {
  value = data.enms_user.ann.groups
}
