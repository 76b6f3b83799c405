data "enms_group" "operators" {
  name = "operators"
}

output "operators" {
  value = data.enms_group.operators.users
}
