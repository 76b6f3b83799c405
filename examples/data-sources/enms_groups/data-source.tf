# The groups that a user is in.
data "enms_groups" "of_ann" {
  users = ["ann"]
}

output "groups_of_ann" {
  value = data.enms_groups.of_ann.instances[*].name
}
