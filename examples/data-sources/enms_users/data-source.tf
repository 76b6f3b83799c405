# Users without an address.
data "enms_users" "unreachable" {
  filter = { email = "" }
}

output "without_address" {
  value = data.enms_users.unreachable.instances[*].name
}
